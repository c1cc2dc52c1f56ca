"""Which pieces of a text are names."""

import sys
from types import SimpleNamespace

import pytest

from tenbin.annotation import names
from tenbin.annotation.names import NameSource, name_spans, settled_source
from tenbin.core.errors import MissingExtra, ResourceError, UsageError


def found(text: str, language: str, source: NameSource = NameSource.AUTO) -> list[str]:
    spans = name_spans(text, language, source)
    assert all(text[one.start : one.stop] == one.text for one in spans)
    return [one.text for one in spans]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tanaka bought a bottle of juice.", ["Tanaka"]),
        ("Smith left. Jones stayed.", ["Smith", "Jones"]),  # known names at the start
        ("Yesterday Anna went to London.", ["Anna", "London"]),
        ("Scientists in Germany said the EU will act.", ["Germany", "EU"]),
        ("Firefighters put out the blaze. Her dog slept.", []),
        ("“Luckily,” said Bob, “nobody died.”", ["Bob"]),
        ("He said: 'You've got to see Dr. Kowalski.'", ["Kowalski"]),
        ("I think I'm in Paris on Mondays in May.", ["Paris"]),
        ("The Foreign Minister saw O'Brien's Hospital.", ["O'Brien"]),
        ("Miami-based firms met Mr. X.", ["Miami"]),
        ("Big Storm Hits Coast of Florida on Monday", ["Florida"]),  # a headline
        ("Prices in EUR and USD", []),  # figures are compared as such
        ("", []),
        ("...", []),
        ("Kowalski said Kowalski's car broke.", ["Kowalski", "Kowalski"]),
    ],
)
def test_english(text: str, expected: list[str]) -> None:
    pytest.importorskip("simplemma")
    assert found(text, "en") == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Der Hund von Herrn Müller lebt in Berlin.", "de", ["Müller", "Berlin"]),  # nouns are not
        ("Вчера Иванов поехал в Москву.", "ru", ["Иванов", "Москву"]),
        ("Hier Dupont est allé à Lyon.", "fr", ["Dupont", "Lyon"]),
        ("Ayer García llegó a Sevilla.", "es", ["García", "Sevilla"]),
    ],
)
def test_other_languages_with_capitals(text: str, language: str, expected: list[str]) -> None:
    pytest.importorskip("simplemma")
    assert found(text, language) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("齊藤さんは今最高の環境にいると思った。", ["齊藤"]),
        ("髙橋さんは来年退職する。", ["髙橋"]),
        ("田中太郎は東京駅で佐藤氏に会った", ["田中", "太郎", "東京駅", "佐藤"]),
        # Neither word for a hunter is a name, however rare.
        ("あなたはハンターがすべきように槍を持っていなかった", []),
        ("あなたは獵師のように槍を握っていなかった", []),
        ("令和5年に八千冊、十人", []),  # figures
        ("三浦さんと五十嵐さん", ["三浦", "五十嵐"]),
        ("", []),
    ],
)
def test_japanese(text: str, expected: list[str]) -> None:
    pytest.importorskip("sudachipy")
    assert found(text, "ja") == found(text, "ja", NameSource.PROPN) == expected


def test_a_long_japanese_text() -> None:
    pytest.importorskip("sudachipy")
    text = "今日は雨だ。" * 5_000 + "田中が来た。"
    assert found(text, "ja") == ["田中"]


def test_what_a_language_allows() -> None:
    assert settled_source(NameSource.AUTO, "ja") is NameSource.PROPN
    assert settled_source(NameSource.AUTO, "sr-Cyrl") is NameSource.CAPITALS
    assert settled_source(NameSource.RARE, "zh") is NameSource.RARE
    for source, language, words in (
        (NameSource.AUTO, "zh", "names=rare"),
        (NameSource.PROPN, "en", "choose names=capitals"),
        (NameSource.NER, "zh", "choose names=rare"),
        (NameSource.CAPITALS, "ja", "has no capitals"),
    ):
        with pytest.raises(UsageError, match=words):
            settled_source(source, language)
    with pytest.raises(UsageError, match="known by a dictionary"):
        name_spans("a", "en", NameSource.RARE)


def test_entities_of_ginza(monkeypatch: pytest.MonkeyPatch) -> None:
    names._ginza.cache_clear()
    name_spans.cache_clear()
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(ResourceError, match=r"pip install ja-ginza .*names=propn"):
        name_spans("田中", "ja", NameSource.NER)
    entities = [SimpleNamespace(start_char=0, end_char=4, text="田中太郎")]
    entities += [SimpleNamespace(start_char=5, end_char=6, text="3")]
    pipeline = SimpleNamespace(load=lambda _: lambda _: SimpleNamespace(ents=entities))
    monkeypatch.setitem(sys.modules, "spacy", pipeline)
    assert found("田中太郎は3", "ja", NameSource.NER) == ["田中太郎"]
    names._ginza.cache_clear()
    name_spans.cache_clear()


def test_without_simplemma(monkeypatch: pytest.MonkeyPatch) -> None:
    names._is_ordinary.cache_clear()
    name_spans.cache_clear()
    monkeypatch.setitem(sys.modules, "simplemma", None)
    with pytest.raises(MissingExtra, match="lexicons"):
        name_spans("Xyzzyx left.", "en", NameSource.CAPITALS)
    names._is_ordinary.cache_clear()
    name_spans.cache_clear()
