"""Language tags: what is taken, what is refused, and with which advice."""

import pytest

from tenbin.annotation.languages import TokenizerFamily, parse_language, target_language
from tenbin.core.errors import UnknownLanguage, UsageError


@pytest.mark.parametrize(
    ("tag", "full", "code", "script"),
    [
        ("en", "en", "en", "Latn"),
        ("EN", "en", "en", "Latn"),
        ("jpn", "ja", "ja", "Jpan"),
        ("en-DE", "en-DE", "en", "Latn"),
        ("pt-BR", "pt-BR", "pt", "Latn"),
        ("pt_BR", "pt-BR", "pt", "Latn"),
        ("zh-TW", "zh-TW", "zh", "Hant"),
        ("zh-cn", "zh-CN", "zh", "Hans"),
        ("en-us", "en-US", "en", "Latn"),
        ("de-de", "de-DE", "de", "Latn"),
        ("zh-yue", "yue", "yue", "Hant"),
        ("sr-Latn", "sr-Latn", "sr", "Latn"),
        ("sr-latn", "sr-Latn", "sr", "Latn"),
        ("es-419", "es-419", "es", "Latn"),
    ],
)
def test_tags(tag: str, full: str, code: str, script: str) -> None:
    language = parse_language(tag)
    assert (language.tag, language.code, language.script_code) == (full, code, script)


@pytest.mark.parametrize(
    ("tag", "advice"),
    [
        ("en-de", 'target language alone, `language="de"`; for a region write `language="en-DE"`.'),
        ("en_de", 'target language alone, `language="de"`; for a region write `language="en-DE"`.'),
        ("de-en", 'target language alone, `language="en"`.'),
        ("en-ja", 'target language alone, `language="ja"`.'),
        ("pt-br", 'alone, `language="br"`; for a region write `language="pt-BR"`.'),
        ("zh-tw", 'for a region write `language="zh-TW"`.'),
        ("eng-deu", 'target language alone, `language="deu"`.'),
    ],
)
def test_a_language_pair_is_not_a_language(tag: str, advice: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_language(tag)
    assert f"{tag!r} looks like a language pair" in str(caught.value)
    assert advice in str(caught.value)


@pytest.mark.parametrize("tag", ["", "xx", "english", "x", "en-", "123", "e", "日本語"])
def test_what_is_no_tag(tag: str) -> None:
    with pytest.raises(UnknownLanguage):
        parse_language(tag)


@pytest.mark.parametrize(("slip", "meant"), [("jp", "ja"), ("CN", "zh"), ("cz", "cs")])
def test_countries_are_not_languages(slip: str, meant: str) -> None:
    with pytest.raises(UsageError, match=f"Did you mean '{meant}'"):
        parse_language(slip)


@pytest.mark.parametrize(
    ("pair", "target"), [("de-en", "en"), ("en-zh_TW", "zh-TW"), ("en-sr-Latn", "sr-Latn")]
)
def test_the_target_of_a_pair(pair: str, target: str) -> None:
    assert target_language(pair) == target


@pytest.mark.parametrize("pair", ["en", "-en", "en-", ""])
def test_what_is_no_pair(pair: str) -> None:
    with pytest.raises(UsageError, match="is not a language pair"):
        target_language(pair)


def test_tokenizers_of_languages() -> None:
    families = (TokenizerFamily.COMPARABLE, TokenizerFamily.WORDS, TokenizerFamily.BLANKS)
    chosen = {
        tag: [parse_language(tag).tokenizer(family) for family in families]
        for tag in ("en", "ja", "zh", "zh-TW", "ko", "th")
    }
    assert chosen == {
        "en": ["13a", "13a", "none"],
        "ja": ["ja-mecab", "sudachi-c", "sudachi-c"],
        "zh": ["zh", "zh", "zh"],
        "zh-TW": ["zh", "zh", "zh"],
        "ko": ["ko-mecab", "13a", "none"],
        "th": ["char", "char", "char"],
    }
