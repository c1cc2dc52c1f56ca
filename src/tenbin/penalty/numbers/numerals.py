"""Numerals: the number words of a language, and the values of what a text writes."""

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from unicodedata import normalize

HAN_LANGUAGES = frozenset({"ja", "zh"})
"""Languages with numerals in Chinese characters."""

MYRIAD_LANGUAGES = HAN_LANGUAGES | {"ko"}
"""Languages that count in powers of ten thousand, with characters for them after digits."""


SPANS = {"year": 31556952, "month": 2629746, "day": 86400, "hour": 3600, "minute": 60}
"""Lengths in seconds."""

# Languages that write 1,234.5; in others 1.234 may be either, and is read as both.
_POINT_LANGUAGES = frozenset(
    ("bn", "en", "he", "hi", "ja", "ko", "ms", "ta", "te", "th", "ur", "zh")
)
# 1,23,456: the last three digits, then pairs.
_INDIAN = r"\d{1,2}(?:,\d{2})+,\d{3}(?!\d)(?:\.\d+)?"
# 1.000.000: two points are no decimal ones in any language.
_POINTED = r"\d{1,3}(?:\.\d{3}){2,}(?![\d.])"
_GROUP = 3
_LAST_YEAR_HEAD = 21
_HUNDRED = 100
# Arabic number signs that NFKC does not change.
# Signs that Unicode decomposes into a fraction.
_FRACTIONS = re.compile("[\u00bc-\u00be\u2150-\u215f\u2189]")
_ARABIC = str.maketrans("\u066b\u066c\u066a", ".,%")


@dataclass(frozen=True, slots=True)
class Unit:
    """What a number counts.

    Attributes:
        of: The quantity, such as ``length``; numbers of different quantities are never equal.
        factor: The size of the unit in base units.
    """

    of: str
    factor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberWords:
    """The number words of a language; words that are missing here are not read as numbers.

    Attributes:
        cardinals: twenty: 20.
        ordinals: twentieth: 20.
        magnitudes: million: 1,000,000.
        loose: Words that often are not numbers: they may match a number but need not.
        said: Words that may stand for a number, with its quantity and its possible values.
        months: Name to number.
        weekdays: Name to number, Monday is 1.
        capital_only: Months and weekdays that count only with a capital letter.
        symbols: Unit symbols, case-sensitive.
        unit_words: Unit words, lower case and singular.
        counters: Counter words that follow a kanji numeral.
        eras: Japanese era to the year before its first year.
        digits: Kanji digits.
        tens: Kanji for ten, hundred, thousand.
        myriads: Kanji for powers of ten thousand.
        calendar: Characters that follow the number of a year, a month or a day.
        halves: Words for am and pm before the hour.
        short_tail: Whether a final digit counts the next lower power: 三百五 is 350.
        spelled_out: Whether numerals in words are known for the language.
    """

    cardinals: dict[str, int]
    ordinals: dict[str, int]
    magnitudes: dict[str, int]
    loose: frozenset[str]
    said: dict[str, tuple[str, tuple[float, ...]]]
    months: dict[str, int]
    weekdays: dict[str, int]
    capital_only: frozenset[str]
    symbols: dict[str, Unit]
    unit_words: dict[str, Unit]
    counters: tuple[str, ...]
    eras: dict[str, int]
    digits: dict[str, int]
    tens: dict[str, int]
    myriads: dict[str, int]
    calendar: dict[str, str]
    halves: dict[str, str]
    short_tail: bool
    spelled_out: bool


@cache
def load_number_words(language: str) -> NumberWords:
    """Return the number words of a language, given its two-letter code."""
    table = _table()
    units = table["units"]
    own = language if language in MYRIAD_LANGUAGES else "words"
    symbols = {
        sign: Unit(one["of"], factor) for one in units for sign, factor in one["symbols"].items()
    }
    words = {word: Unit(one["of"], factor) for one in units for word, factor in one[own].items()}
    kanji = table["hangul" if language == "ko" else "kanji"]
    return NumberWords(
        cardinals=table["cardinals"].get(language, {}),
        ordinals=table["ordinals"].get(language, {}),
        magnitudes=_normalized(table["magnitudes"].get(language, {})),
        loose=frozenset(table["loose"].get(language, ())),
        said={
            word: (quantity, tuple(map(float, numbers)))
            for word, (quantity, *numbers) in table["said"].get(language, {}).items()
        },
        months=_numbered(table["months"].get(language, ())),
        weekdays=_numbered(table["weekdays"].get(language, ())),
        capital_only=frozenset(table["capital_only"].get(language, ())),
        symbols=symbols,
        unit_words=words,
        counters=tuple(table["counters"].get(language, ())),
        eras={era: first - 1 for era, first in table["eras"].items()},
        digits=kanji["digits"],
        tens=kanji["tens"],
        myriads=kanji["myriads"],
        calendar=table["calendar"].get(language, {}),
        halves=table["halves"].get(language, {}),
        short_tail=language == "zh",
        spelled_out=language in table["cardinals"] or language in HAN_LANGUAGES,
    )


def _numbered(rows: tuple[str, ...]) -> dict[str, int]:
    numbers = {word: number for number, row in enumerate(rows, start=1) for word in row.split("|")}
    return _normalized(numbers)


def _normalized(numbers: dict[str, int]) -> dict[str, int]:
    # Texts are normalized, which decomposes some letters: करोड़.
    return {normalize("NFKC", word): number for word, number in numbers.items()}


def _table() -> dict[str, Any]:
    file = files("tenbin.resources").joinpath("bundled", "numbers", "numbers.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def plain_signs(text: str) -> str:
    """Return a text with digits, fractions and signs in their plain form.

    >>> plain_signs("②٪")
    '2%'
    """
    if text.isascii():
        return text
    # NFKC would turn 1½ into 11/2.
    parted = _FRACTIONS.sub(r" \g<0>", text)
    plain = unicodedata.normalize("NFKC", parted).replace("\N{MINUS SIGN}", "-")
    return plain.translate(_ARABIC)


def decimal_pattern(language: str) -> str:
    """Return the pattern of a number in digits, after NFKC."""
    if language in _POINT_LANGUAGES:
        grouped = r"\d{1,3}(?:[, ]\d{3})+(?!\d)(?:[.]\d+|,\d{1,2}(?!\d))?"
        return rf"{_INDIAN}|{grouped}|{_POINTED}|\d+(?:\.\d+|,\d{{1,2}}(?!\d))?"
    grouped = r"\d{1,3}(?:[ '’.,]\d{3})+(?!\d)(?:[.,]\d+)?"
    return rf"{grouped}|\d+(?:[.,]\d+)?"


def decimal_values(written: str, language: str) -> tuple[float, ...]:
    """Return the values that a number in digits may have, several if the separators are ambiguous.

    >>> decimal_values("1,234.5", "en"), decimal_values("1.234,5", "de")
    ((1234.5,), (1234.5,))
    >>> decimal_values("1.234", "de")
    (1.234, 1234.0)
    """
    if written.count(".") > 1 and "," not in written:
        return (float(written.replace(".", "")),)
    if language in _POINT_LANGUAGES:
        # 23,96: not a group of three, so the comma of another language.
        value = float(re.sub("[, ]", "", re.sub(r",(\d{1,2})$", r".\1", written)))
        # Systems that translate from German may copy 302.000.
        grouped = re.fullmatch(r"\d{1,3}\.\d{3}", written) is not None
        return (value, value * 1000) if grouped else (value,)
    plain = re.sub("[ '’]", "", written)
    separators = re.findall("[.,]", plain)
    if not separators:
        return (float(plain),)
    *whole, last = re.split("[.,]", plain)
    as_decimal = float("".join(whole) + "." + last)
    as_group = float("".join(whole) + last)
    if len(separators) > 1:
        return (as_group,) if separators[0] == separators[-1] else (as_decimal,)
    return (as_decimal, as_group) if len(last) == _GROUP else (as_decimal,)


def kanji_value(written: str, words: NumberWords) -> float | None:
    """Return the value of a numeral in kanji or hangul, digits or both; None if it is not one.

    >>> from tenbin.penalty.numbers.numerals import load_number_words
    >>> words = load_number_words("ja")
    >>> [kanji_value(one, words) for one in ("三百二十", "二〇二〇", "1億2,000万", "億万")]
    [320.0, 2020.0, 120000000.0, None]
    >>> chinese = load_number_words("zh")
    >>> [kanji_value(one, chinese) for one in ("三百五", "三百零五", "一点五亿", "30多万")]
    [350.0, 305.0, 150000000.0, 300000.0]
    """
    plain = re.sub("[, 多余]", "", written).replace("点", ".")
    if plain.count(".") > 1:
        return None
    total = section = 0.0
    digits = ""
    power = 0  # of the last sign
    for character in plain:
        if character in words.digits:
            digits += str(words.digits[character])
        elif character.isdecimal() or character == ".":
            digits += character
        elif character in words.tens:
            section += (float(digits) if digits else 1) * words.tens[character]
            digits, power = "", words.tens[character]
        else:
            section += float(digits) if digits else 0
            if not section:
                return None
            total += section * words.myriads[character]
            section, digits, power = 0.0, "", words.myriads[character]
    tail = float(digits) if digits else 0.0
    if words.short_tail and power and plain[-1] in words.digits and len(digits) == 1:
        tail *= power / 10
    return total + section + tail


def english_value(parts: list[str], words: NumberWords) -> float | None:
    """Return the value of a numeral in words; None if they do not make one.

    >>> from tenbin.penalty.numbers.numerals import load_number_words
    >>> words = load_number_words("en")
    >>> english_value(["two", "hundred", "and", "twenty", "first"], words)
    221.0
    >>> english_value(["nineteen", "eighty", "four"], words)
    1984.0
    >>> english_value(["three", "seven"], words) is None
    True
    """
    total = section = 0.0
    last = 0
    for part in parts:
        if part == "and":
            continue
        if part in words.magnitudes:
            factor = words.magnitudes[part]
            if factor == _HUNDRED:
                section = (section or 1) * factor
            else:
                total += (section or 1) * factor
                section = 0.0
            last = factor
            continue
        value = words.cardinals.get(part, words.ordinals.get(part, 0))
        if last and value >= _HUNDRED:  # the hundredth, after a number
            section = (section or 1) * value
        elif not section or section % _HUNDRED == 0 or (_is_ten(section) and 0 < value < 10):  # noqa: PLR2004
            section += value
        elif _LAST_YEAR_HEAD > section >= 10 <= value:  # noqa: PLR2004 - nineteen eighty: a year
            section = section * _HUNDRED + value
        else:
            return None
        last = value
    return total + section


def _is_ten(section: float) -> bool:
    rest = section % _HUNDRED
    return rest >= 20 and rest % 10 == 0  # noqa: PLR2004
