"""Numbers: what they mean, whatever their notation."""

import unicodedata
from collections.abc import Iterator

import pytest

from tenbin.penalty.numbers.number import Number
from tenbin.penalty.numbers.numerals import (
    decimal_values,
    english_value,
    kanji_value,
    load_number_words,
    plain_signs,
)
from tenbin.penalty.numbers.patterns import NumberPatterns, number_patterns
from tenbin.penalty.numbers.recognition import numbers


def read(text: str, language: str) -> list[tuple[object, ...]]:
    """Return number, quantity and factor of firm numbers."""
    return [
        (one.values[0] if len(one.values) == 1 else one.values, one.quantity, one.factor)
        for one in numbers(text, language)
        if one.firm
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("On 3 March 2020", [(3, "day", 1), (3, "month", 1), (2020, "", 1)]),
        ("March 3rd, 2020", [(3, "month", 1), (3, "day", 1), (2020, "", 1)]),
        ("2020-03-05", [(2020, "year", 1), (3, "month", 1), (5, "day", 1)]),
        ("03/04/2020", [(3, "", 1), (4, "", 1), (2020, "year", 1)]),
        ("In November one would", [(11, "month", 1)]),
        ("on the first of May", [(1, "day", 1), (5, "month", 1)]),
        ("the first May snow", [(5, "month", 1)]),
        ("You may march in May", [(5, "month", 1)]),
        ("on Mondays, thus", [(1, "weekday", 1)]),
        ("3:30 p.m.", [(15, "hour", 1), (30, "minute", 1)]),
        ("7.30pm", [(19, "hour", 1), (30, "minute", 1)]),
        ("12 a.m.", [(0, "hour", 1)]),
        ("at 15:00", [(15, "hour", 1)]),
        ("at 5 o'clock", [((5, 17), "hour", 1)]),
        ("after 39:59", [(39, "", 1), (59, "", 1)]),
        ("$1,234.50", [(1234.5, "dollars", 1)]),
        ("1234.5 dollars", [(1234.5, "dollars", 1)]),
        ("€3.5bn", [(3.5e9, "euros", 1)]),
        ("3.5 million euros", [(3.5e6, "euros", 1)]),
        ("half a million people", [(5e5, "", 1)]),
        ("43 405 crowns", [(43405, "", 1)]),
        ("302.000 staff", [((302, 302000), "", 1)]),
        ("23,96 points", [(23.96, "", 1)]),
        ("25% or 25 per cent", [(25, "share", 1), (25, "share", 1)]),
        ("5 km", [(5, "length", 1000)]),
        ("a 5-kilometre run", [(5, "length", 1000)]),
        ("160 m²", [(160, "area", 1)]),
        ("2m people, 2m tons", [((2, 2e6), "", 1), ((2, 2e6), "mass", 1000)]),
        ("-5 °C", [(-5, "temperature", 1)]),
        ("5 degrees below zero", [((5, -5), "degree", 1)]),
        ("from 3-5 to 10–12", [(3, "", 1), (5, "", 1), (10, "", 1), (12, "", 1)]),
        ("COVID-19", [(19, "", 1)]),
        ("1½ hours", [(1.5, "duration", 3600)]),
        ("１２３", [(123, "", 1)]),  # noqa: RUF001 - full width is the point
        ("twenty-one and two hundred and five", [(21, "", 1), (205, "", 1)]),
        ("the twenty-first of them", [(21, "", 1)]),
        ("nineteen eighty-four", [(1984, "", 1)]),
        ("two, three seven", [(2, "", 1), (3, "", 1), (7, "", 1)]),
        ("one of the first, several thousand, the seventies, twice", []),
        ("in the 1970s, the nineteen-eighties", [((1970, 70), "", 1), ((1980, 80), "", 1)]),
        ("half past nine", [((9, 21), "hour", 1), (30, "minute", 1)]),
        ("a quarter to 1", [((0, 12), "hour", 1), (45, "minute", 1)]),
        ("World War II and I", [(2, "", 1)]),
        ("one and a half million, two dozen", [(1.5e6, "", 1), (24, "", 1)]),
        ("1.000.000 euros", [(1e6, "euros", 1)]),
        ("fifty-fifty", [(50, "", 1), (50, "", 1)]),
        ("25 MB, 60 mph", [(25, "information", 1e6), (60, "length", 1609.344)]),
        ("two thirds of it", [((2 / 3, 100 * (2 / 3), 67), "", 1)]),
        ("3/4 of it, a quarter of it", [((0.75, 75), "", 1), ((0.25, 25), "", 1)]),
        ("a third man, 24/7", [(24, "", 1), (7, "", 1)]),
        ("an hour and a half", [(1.5, "duration", 3600)]),
        ("half a year, half an hour", [(0.5, "duration", 31556952), (0.5, "duration", 3600)]),
        ("minus five degrees", [(-5, "degree", 1)]),
        ("12 noon, 12 midnight", [(12, "hour", 1), ((0, 24), "hour", 1)]),
        ("0800 123 456", [(800123456, "", 1)]),
        ("0800-123-456", [(800123456, "", 1)]),
        ("1939-45", [(1939, "", 1), ((45, 1945), "", 1)]),
        ("the 1800s", [((1800, 19), "", 1)]),
        ("CHF 50, 50 Swiss francs", [(50, "francs", 1), (50, "francs", 1)]),
        ("no numbers", []),
        ("", []),
    ],
)
def test_english(text: str, expected: list[tuple[object, ...]]) -> None:
    assert read(text, "en") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2020年3月3日", [(2020, "year", 1), (3, "month", 1), (3, "day", 1)]),
        ("二〇二〇年三月三日", [(2020, "year", 1), (3, "month", 1), (3, "day", 1)]),
        ("令和5年と平成元年", [(2023, "year", 1), (1989, "year", 1)]),
        ("三百二十人", [(320, "", 1)]),
        ("四十二の議席", [(42, "", 1)]),
        ("第五章と5番目", [(5, "", 1), (5, "", 1)]),
        ("午後3時半", [(15, "hour", 1), (30, "minute", 1)]),
        ("15時30分", [(15, "hour", 1), (30, "minute", 1)]),
        ("3時間", [(3, "duration", 3600)]),
        ("3万5千円", [(35000, "yen", 1)]),
        ("1億2,000万ドル", [(1.2e8, "dollars", 1)]),
        ("￥500", [(500, "yen", 1)]),
        ("１０％と二割", [(10, "share", 1), (2, "share", 10)]),  # noqa: RUF001
        ("5kmの道", [(5, "length", 1000)]),
        ("氷点下5度", [(-5, "degree", 1)]),
        ("20分と1時間半", [(20, "duration", 60), (1.5, "duration", 3600)]),
        ("二年半、三月半ば", [(2.5, "duration", 31556952), (3, "month", 1)]),
        ("1990年代", [((1990, 90), "year", 1)]),
        ("ふたりはみっつ、正午、半分", []),
        ("3〜5人", [(3, "", 1), (5, "", 1)]),
        ("三分の二と2分の1", [((2 / 3, 100 * (2 / 3), 67), "", 1), ((0.5, 50), "", 1)]),
        ("半年", [(0.5, "duration", 31556952)]),
        ("七割五分", [(75, "share", 1)]),
        ("月曜日に三日間", [(1, "weekday", 1), (3, "duration", 86400)]),
        # Kanji that only look like numbers.
        ("一緒に行けば十分だ", []),
        ("八王子と千葉の三浦さんと五十嵐さん", []),
        ("百合と千代が一番", []),
        ("二三の人", []),
    ],
)
def test_japanese(text: str, expected: list[tuple[object, ...]]) -> None:
    assert read(text, "ja") == expected


def test_separators_of_other_languages() -> None:
    assert read("1.234,56 €", "de") == [(1234.56, "euros", 1)]
    assert read("10 000 euros le 14 juillet 1789", "fr") == [
        (10000, "euros", 1),
        (14, "day", 1),
        (7, "month", 1),
        (1789, "", 1),
    ]
    assert read("25 процентов", "ru") == [(25, "share", 1)]
    assert decimal_values("1.234", "de") == (1.234, 1234)
    assert decimal_values("1.234.567", "de") == (1234567,)
    assert decimal_values("12'345", "de") == (12345,)


def test_magnitudes_and_characters_of_other_languages() -> None:
    assert read("3 Mio. Euro, 2,5 Milliarden", "de") == [(3e6, "", 1), (2.5e9, "", 1)]
    assert read("35 млн рублей", "ru") == [(35e6, "rubles", 1)]
    assert read("三百二十人,3亿美元,2020年", "zh") == [
        (320, "", 1),
        (3e8, "dollars", 1),
        (2020, "year", 1),
    ]
    assert read("15.30 Uhr, 7:30 Uhr, 9 Uhr", "de") == [
        (15, "hour", 1),
        (30, "minute", 1),
        ((7, 19), "hour", 1),
        (30, "minute", 1),
        ((9, 21), "hour", 1),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024年3月5日", [(2024, "year", 1), (3, "month", 1), (5, "day", 1)]),
        ("二〇二四年三月五号", [(2024, "year", 1), (3, "month", 1), (5, "day", 1)]),
        ("3.2万元,32000元", [(32000, "yuan", 1), (32000, "yuan", 1)]),
        ("三百二十,两千三百五十,一万零五", [(320, "", 1), (2350, "", 1), (10005, "", 1)]),
        ("三百五十个和三百五,三百零五", [(350, "", 1), (350, "", 1), (305, "", 1)]),
        ("一点五亿美元,30多万人", [(1.5e8, "dollars", 1), (300000, "", 1)]),
        ("两名,2个,三条", [(2, "", 1), (2, "", 1), (3, "", 1)]),
        (
            "百分之五,百分之三点五,千分之二,5个百分点",
            [(5, "share", 1), (3.5, "share", 1), (0.2, "share", 1), (5, "share", 1)],
        ),
        ("下午三点半,15时30分", [(15, "hour", 1), (30, "minute", 1)] * 2),
        ("上午10点一刻,早上八点", [(10, "hour", 1), (15, "minute", 1), (8, "hour", 1)]),
        ("三点钟,三点意见", [((3, 15), "hour", 1), (3, "", 1)]),
        ("星期三,周三,星期天", [(3, "weekday", 1), (3, "weekday", 1), (7, "weekday", 1)]),
        ("两周,3个星期", [(2, "duration", 604800), (3, "duration", 604800)]),
        ("零下五度,降到-5度", [(-5, "degree", 1), (-5, "degree", 1)]),
        ("3月-5月", [(3, "month", 1), (5, "month", 1)]),
        # Characters that only look like numbers, and what is said in another way as often.
        ("一起来一点,十分高兴,万一,百度一下,一周一次", []),
        ("三亚,四川,九寨沟,三心二意", []),
        ("几百人,数千人,三分之一", []),
        ("九十年代,1990年代", [((90, 90), "year", 1), ((1990, 90), "year", 1)]),
    ],
)
def test_chinese(text: str, expected: list[tuple[object, ...]]) -> None:
    assert read(text, "zh") == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("2024년 3월 5일", "ko", [(2024, "year", 1), (3, "month", 1), (5, "day", 1)]),
        ("오후 3시 30분, 3시간", "ko", [(15, "hour", 1), (30, "minute", 1), (3, "duration", 3600)]),
        ("3만 5천 명, 35,000명", "ko", [(35000, "", 1), (35000, "", 1)]),
        (
            "3억 2천만 달러, 인구 5만 2024년",
            "ko",
            [(3.2e8, "dollars", 1), (50000, "", 1), (2024, "year", 1)],
        ),
        ("만들다, 천천히, 백화점, 3명", "ko", []),
        ("\u0663\u0662\u0660, \u0663\u066b\u0665 مليون", "ar", [(320, "", 1), (3.5e6, "", 1)]),
        (
            "\u0661\u066c\u0662\u0663\u0664, \u0665\u066a",
            "ar",
            [((1.234, 1234), "", 1), (5, "share", 1)],
        ),
        ("5 مارس 2024", "ar", [(5, "day", 1), (3, "month", 1), (2024, "", 1)]),
        ("३२० लोग, 1,23,456, ३.५ लाख", "hi", [(320, "", 1), (123456, "", 1), (350000, "", 1)]),
        ("5 करोड़, 5 जनवरी", "hi", [(5e7, "", 1), (5, "day", 1), (1, "month", 1)]),
        ("๓๒๐ คน, 3.5 ล้านบาท", "th", [(320, "", 1), (3.5e6, "", 1)]),
        ("5 มีนาคม 2567", "th", [(5, "day", 1), (3, "month", 1), (2567, "", 1)]),
        ("25 тысяч, 5 марта", "ru", [(25000, "", 1), (5, "day", 1), (3, "month", 1)]),
    ],
)
def test_other_scripts(text: str, language: str, expected: list[tuple[object, ...]]) -> None:
    assert read(text, language) == expected


def test_small_numbers_may_be_words_where_words_are_not_known() -> None:
    assert [one.firm for one in numbers("3 Hunde, 30 Katzen, 3 km", "de")] == [False, True, True]


def test_a_number_keeps_its_text() -> None:
    assert numbers("paid $1,200", "en") == (Number((1200.0,), "dollars", 1, "$1,200"),)


@pytest.mark.parametrize("value", [0, 7, 10, 11, 19, 21, 99, 100, 101, 320, 1000, 2020, 12345])
def test_kanji_of_every_size(value: int) -> None:
    words = load_number_words("ja")
    digits = {
        number: kanji for kanji, number in words.digits.items() if kanji not in "零壱弐参两兩"
    }
    positional = "".join(digits[int(one)] for one in str(value))
    assert kanji_value(positional, words) == value
    spelled, rest = "", value
    for size, kanji in ((10_000, "万"), (1000, "千"), (100, "百"), (10, "十")):
        count, rest = divmod(rest, size)
        spelled += (digits[count] if count > 1 or (count and size == 10_000) else "") + kanji * (
            count > 0
        )
    spelled += digits[rest] if rest or not spelled else ""
    assert kanji_value(spelled, words) == value


def test_words_that_make_no_number() -> None:
    words = load_number_words("en")
    assert english_value(["three", "seven"], words) is None
    assert english_value(["one", "hundred", "thousand"], words) == 100_000
    assert english_value(["twenty", "fifteen"], words) == 2015
    assert kanji_value("億", load_number_words("ja")) is None


def test_all_signs_that_are_fractions_are_known() -> None:
    fractions = [
        sign
        for sign in map(chr, range(0x110000))
        if unicodedata.decomposition(sign).startswith("<fraction>")
    ]
    others = [plain_signs(f"1{sign}") for sign in fractions]
    assert all(one.startswith("1 ") for one in others)
    assert plain_signs("1\N{DIGIT TWO}x") == "12x"


_BESIDE = ("x5", "5US$7", "aCHF 5", "xminus 5", "x-5", "x$5", "May5", "xMay", "(+49 30 123456)")
_GLUED = ("", "x", "5", "'", "-", " ", "\u0301", "é")


@pytest.mark.parametrize("language", ["en", "de", "fr", "ru", "ar", "hi", "th", "cs", "ja", "zh"])
def test_every_place_where_a_number_may_begin_is_looked_at(language: str) -> None:
    patterns, words = number_patterns(language), load_number_words(language)
    named = [*words.months, *words.weekdays, *words.cardinals, *words.magnitudes, *words.said]
    for word in [*_BESIDE, *named, "half an hour", "a third of", "10:30", "3/4", "King Louis XIV"]:
        for before in _GLUED:
            text = f"so {before}{word} 7, {word}{before}{word}."
            found = [(one.lastgroup, one.span()) for one in patterns.any.finditer(text)]
            assert found == list(_one_place_after_the_other(patterns, text)), text


def _one_place_after_the_other(
    patterns: NumberPatterns, text: str
) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the first kind that fits at each place."""
    place = 0
    while place < len(text):
        tried = ((kind, one.match(text, place)) for kind, one in patterns.parts.items())
        kind, match = next(((kind, one) for kind, one in tried if one), ("", None))
        if match is not None:
            yield kind, match.span()
        place = place + 1 if match is None or match.end() == place else match.end()
