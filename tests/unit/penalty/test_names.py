"""Which parts of a text are names."""

import sys
import warnings
from types import SimpleNamespace

import pytest

from tenbin.core.errors import MissingExtra, ResourceError, UsageError
from tenbin.penalty.choices import NameSource, settled_source
from tenbin.penalty.names import capitals
from tenbin.penalty.names import recognition as names
from tenbin.penalty.names.recognition import name_spans
from tenbin.resources.jieba_words import load_tagged_words


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
        ("Prices in EUR and USD", []),  # numbers are compared as such
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
        ("Am Montag fuhr Frau Schmidt nach Köln.", "de", ["Schmidt", "Köln"]),
        ("Das Klimaschutzgesetz und die Weihnachtsmarktbesucher", "de", []),  # compounds
        ("In Heidenau sprach Steinmeier.", "de", ["Heidenau", "Steinmeier"]),
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
        ("令和5年に八千冊、十人", []),  # numbers
        ("三浦さんと五十嵐さん", ["三浦", "五十嵐"]),
        ("", []),
    ],
)
def test_japanese(text: str, expected: list[str]) -> None:
    pytest.importorskip("sudachipy")
    assert found(text, "ja") == found(text, "ja", NameSource.PROPN) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("王小明昨天去了北京。", ["王小明", "北京"]),
        ("李华先生在上海大学教数学", ["李华", "上海大学"]),
        ("陈先生住在台北市,林医生不在", ["陈", "台北市", "林"]),
        ("国务院总理李克强会见了德国总理默克尔", ["国务院", "李克强", "德国", "默克尔"]),
        ("英国首相约翰逊", ["英国", "约翰逊"]),
        ("约翰·史密斯住在法国巴黎", ["约翰", "史密斯", "法国", "巴黎"]),
        ("默克尔于柏林作了演讲", ["默克尔", "柏林"]),
        ("欧阳修和安倍晋三", ["欧阳修", "安倍晋三"]),
        ("小李和老王用华为", ["小李", "老王", "华为"]),
        ("三亚在海南", ["三亚", "海南"]),
        # jieba takes all of these for names.
        ("古老的文明,和平,白雪,道德,谢谢", []),
        ("城市里的东西很贵,公司上市了", []),
        ("英国人和德国人说英语", []),
        ("他买了三百二十本书,花了3.2万元,两个人", []),
        ("", []),
        ("a\ud800b 猫 iPhone 15", []),
    ],
)
def test_chinese(text: str, expected: list[str]) -> None:
    pytest.importorskip("jieba")
    assert found(text, "zh") == found(text, "zh-CN", NameSource.PROPN) == expected


def test_a_long_japanese_text() -> None:
    pytest.importorskip("sudachipy")
    text = "今日は雨だ。" * 5_000 + "田中が来た。"
    assert found(text, "ja") == ["田中"]


def test_what_a_language_allows() -> None:
    assert settled_source(NameSource.AUTO, "ja") is NameSource.PROPN
    assert settled_source(NameSource.AUTO, "zh") is NameSource.PROPN
    assert settled_source(NameSource.AUTO, "de") is NameSource.CAPITALS
    assert settled_source(NameSource.AUTO, "sr-Cyrl") is NameSource.CAPITALS
    assert settled_source(NameSource.RARE, "zh") is NameSource.RARE
    for source, language, words in (
        (NameSource.AUTO, "zh-Hant", "names=rare"),
        (NameSource.AUTO, "ko", "names in 'ko' .*names=rare.*penalty=numbers"),
        (NameSource.AUTO, "ar", "names=rare"),
        (NameSource.AUTO, "hi", "names=rare"),
        (NameSource.AUTO, "th", "names=rare"),
        (NameSource.PROPN, "en", "choose names=capitals"),
        (NameSource.PROPN, "zh-TW", "simplified characters; for 'zh-TW' choose names=rare"),
        (NameSource.NER, "zh", "choose names=propn"),
        (NameSource.NER, "ko", "choose names=rare"),
        (NameSource.CAPITALS, "ja", "has no capitals; choose names=propn"),
        (NameSource.CAPITALS, "ar", "has no capitals; choose names=rare"),
    ):
        with pytest.raises(UsageError, match=words):
            settled_source(source, language)
    with pytest.raises(UsageError, match="found by a dictionary"):
        name_spans("a", "en", NameSource.RARE)


def test_entities_of_ginza(monkeypatch: pytest.MonkeyPatch) -> None:
    names._ginza.cache_clear()
    name_spans.cache_clear()
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(ResourceError, match=r"pip install ja-ginza .*names=propn"):
        name_spans("田中", "ja", NameSource.NER)
    kinds = ((0, 4, "Person"), (5, 6, "N_Person"), (7, 9, "Position_Vocation"), (10, 14, "Company"))
    entities = [
        SimpleNamespace(start_char=start, end_char=stop, label_=kind) for start, stop, kind in kinds
    ]
    pipeline = SimpleNamespace(load=lambda _: lambda _: SimpleNamespace(ents=entities))
    monkeypatch.setitem(sys.modules, "spacy", pipeline)
    assert found("田中太郎は3と猟師とトヨタ社", "ja", NameSource.NER) == ["田中太郎", "トヨタ"]
    names._ginza.cache_clear()
    name_spans.cache_clear()


def test_ginza_itself() -> None:
    """Where it is installed: names, and neither titles nor trades, dates or weapons."""
    pytest.importorskip("ja_ginza", reason="GiNZA is installed apart; its Sudachi is an older one")
    names._ginza.cache_clear()
    name_spans.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on import only
        assert found("齊藤さんは今最高の環境にいると思った。", "ja", NameSource.NER) == ["齊藤"]
    for text, expected in (
        ("あなたは猟師のように槍を握っていなかった", []),
        ("あなたはハンターがすべきように槍を持っていなかった", []),
        ("田中太郎は3月5日に東京駅で佐藤氏に会った", ["田中太郎", "東京駅", "佐藤"]),
        ("トヨタ社は500人を雇う", ["トヨタ"]),
    ):
        assert found(text, "ja", NameSource.NER) == expected


def test_an_older_sudachi_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(name: str) -> None:
        raise LookupError(f"{name}: Invalid header version")

    names._ginza.cache_clear()
    name_spans.cache_clear()
    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=fails))
    with pytest.raises(ResourceError, match=r"sudachipy<0\.7.*ja_ginza: Invalid header version"):
        name_spans("田中", "ja", NameSource.NER)


def test_without_simplemma(monkeypatch: pytest.MonkeyPatch) -> None:
    capitals._is_ordinary.cache_clear()
    name_spans.cache_clear()
    monkeypatch.setitem(sys.modules, "simplemma", None)
    with pytest.raises(MissingExtra, match="lexicons"):
        name_spans("Xyzzyx left.", "en", NameSource.CAPITALS)
    capitals._is_ordinary.cache_clear()
    name_spans.cache_clear()


def test_without_jieba(monkeypatch: pytest.MonkeyPatch) -> None:
    load_tagged_words.cache_clear()
    name_spans.cache_clear()
    monkeypatch.setitem(sys.modules, "jieba", None)
    with pytest.raises(MissingExtra, match=r"names from words in Chinese.*tenbin\[zh\].*numbers"):
        name_spans("王小明", "zh", NameSource.PROPN)
    load_tagged_words.cache_clear()
    name_spans.cache_clear()
