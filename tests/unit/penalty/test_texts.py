"""Wrong names and numbers found in two texts."""

import pytest

from tenbin.core.errors import UsageError
from tenbin.penalty.choices import NameSource, Penalty
from tenbin.penalty.texts import TextPenalty

pytest.importorskip("simplemma")


def missing_of(own: str, other: str, language: str) -> list[str]:
    both = TextPenalty(penalty=Penalty.BOTH, language=language, strength=0.5)
    return [one.text for one in both.factors(own, other).findings]


def test_factors() -> None:
    both = TextPenalty(penalty=Penalty.BOTH, language="en", strength=0.4)
    wrong = both.factors("Smith paid Jones 5 dollars.", "Smith paid Kowalski 7 dollars.")
    assert wrong.precision == wrong.recall == pytest.approx(1 - 0.4 - 0.2)
    extra = both.factors("Smith paid Jones.", "Smith paid.")
    assert (extra.precision, extra.recall) == (0.6, 1.0)
    assert extra.score == pytest.approx(0.75)
    assert [tuple(one) for one in extra.findings] == [("Jones", False, False)]
    same = both.factors("Smith paid.", "Smith paid.")
    assert same == (1.0, 1.0, ())


def test_what_is_penalized() -> None:
    own, other = "Smith paid 5 dollars.", "Jones paid 7 dollars."
    counts = {
        penalty: len(TextPenalty(penalty=penalty, language="en").factors(own, other).findings)
        for penalty in Penalty
    }
    assert counts == {"none": 0, "names": 2, "numbers": 2, "names+numbers": 4}


@pytest.mark.parametrize(
    ("own", "other", "language"),
    [
        ("Smith left.", "SMITH left.", "en"),
        ("in Hongkong", "in Hong Kong", "en"),
        ("the B.B.C. said", "the BBC said", "en"),
        ("Chinese growth slowed", "growth in China slowed", "en"),
        ("the US army", "the American army", "en"),
        ("Tolstoy wrote", "Tolstoi wrote", "en"),
        ("for Müller", "for Mueller", "en"),
        ("видел Иванова", "встретил Иванов", "ru"),  # declined
        ("saw MPs there", "saw an MP there", "en"),
        ("齊藤さん", "サイトウ様", "ja"),
        ("国連は", "国際連合は", "ja"),
        ("米国へ", "アメリカへ", "ja"),
        ("髙橋氏", "高橋さん", "ja"),
        ("to Peking", "to Beijing", "en"),
        ("the Zambian army", "the army of Zambia", "en"),
        ("the WHO said", "the World Health Organization said", "en"),
        ("the BJP won", "the Bharatiya Janata Party won", "en"),
        ("鹿児島県で", "鹿児島で", "ja"),
    ],
)
def test_the_same_name(own: str, other: str, language: str) -> None:
    assert missing_of(own, other, language) == missing_of(other, own, language) == []


@pytest.mark.parametrize(
    ("own", "other", "language", "expected"),
    [
        ("We met Ann", "We met on annual leave", "en", ["Ann"]),  # no word of its own
        ("坂本は", "岡本は", "ja", ["坂本", "岡本"]),
        ("福島で", "徳島で", "ja", ["福島", "徳島"]),
        ("he met Anne", "he met Anna", "en", ["Anne", "Anna"]),
        ("Chinese growth", "Japanese growth", "en", ["Chinese", "Japanese"]),
        ("in Zambia", "in Gambia", "en", ["Zambia", "Gambia"]),  # known, however alike
        ("オーストリアで", "オーストラリアで", "ja", ["オーストリア", "オーストラリア"]),
        ("長野県で", "長野市で", "ja", ["長野県", "長野市"]),
        ("the WTO said", "the World Health Organization said", "en", ["WTO"]),
        ("встретил Иванова", "встретил Петрова", "ru", ["Иванова", "Петрова"]),
    ],
)
def test_another_name(own: str, other: str, language: str, expected: list[str]) -> None:
    assert missing_of(own, other, language) == expected


def test_chinese_names() -> None:
    pytest.importorskip("jieba")
    assert missing_of("王小明去了北京。", "王小明去了北京市。", "zh") == []
    # One character of three is another name.
    assert missing_of("李小明去了北京。", "王小明去了北京。", "zh") == ["李小明", "王小明"]
    assert missing_of("陈先生来了。", "林先生来了。", "zh") == ["陈", "林"]


def test_empty_texts() -> None:
    assert missing_of("", "", "en") == []
    assert missing_of("", "Smith left.", "en") == ["Smith"]


def test_what_is_not_possible() -> None:
    with pytest.raises(UsageError, match="names=rare needs the tokens"):
        TextPenalty(penalty=Penalty.NAMES, language="en", names=NameSource.RARE)
    with pytest.raises(UsageError, match="penalty=numbers"):
        TextPenalty(penalty=Penalty.NAMES, language="zh-TW")
    assert TextPenalty(penalty=Penalty.NUMBERS, language="zh").factors("5", "7").score == 0.5
