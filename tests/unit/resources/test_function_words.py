"""Function words: METEOR's lists, its mistake, and lists for other languages."""

import hashlib
from pathlib import Path

import pytest

from tenbin.core.errors import MalformedLine, MissingExtra, UnreadableFile, UsageError
from tenbin.core.resource import ResourceKind
from tenbin.resources import function_words
from tenbin.resources.function_words import (
    METEOR_LANGUAGES,
    OWN_LANGUAGES,
    FunctionWordSource,
    default_source,
    function_words_of_corpus,
    load_function_words,
    read_function_words,
)


def test_the_english_list_serves_all_languages_in_meteor_15() -> None:
    english = load_function_words(FunctionWordSource.METEOR_15, "en")
    assert len(english.words) == 93
    assert {"the", ",", "'s"} <= english.words
    assert load_function_words(FunctionWordSource.METEOR_15, "fr") == english


@pytest.mark.parametrize("language", METEOR_LANGUAGES)
def test_own_lists(language: str) -> None:
    found = load_function_words(FunctionWordSource.LANGUAGE, language)
    counts = {"cs": 68, "de": 92, "en": 93, "es": 66, "fr": 85, "ru": 62}
    assert len(found.words) == counts[language]
    assert found.identity.kind is ResourceKind.FUNCTION_WORDS
    assert found.identity.licence == "LGPL-2.1-only"


@pytest.mark.parametrize("language", OWN_LANGUAGES)
def test_lists_that_meteor_does_not_have(language: str) -> None:
    assert default_source(language) is FunctionWordSource.LANGUAGE
    found = load_function_words(FunctionWordSource.LANGUAGE, language)
    common = {"ja": {"は", "が", "を", "に", "の", "た", "ます"}, "zh": {"的", "了", "在", "是"}}
    assert common[language] <= found.words
    assert not {"the", "of", "and", "人", "トム", "文件", "ファイル"} & found.words
    assert {"。", "、"} <= found.words
    assert found.identity.name == f"function-words-{language}"


def test_lists_of_wordfreq() -> None:
    pytest.importorskip("wordfreq")
    italian = load_function_words(FunctionWordSource.LANGUAGE, "it")
    assert {"di", "che"} <= italian.words
    assert "automobile" not in italian.words
    assert italian.identity.name == "wordfreq-function-words-it"
    with pytest.raises(UsageError, match="no function words for 'xx'"):
        load_function_words(FunctionWordSource.LANGUAGE, "xx")


def test_wordfreq_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    function_words._from_wordfreq.cache_clear()
    monkeypatch.setattr(function_words, "import_module", absent)
    with pytest.raises(MissingExtra, match=r"tenbin\[lexicons\].*your own file"):
        load_function_words(FunctionWordSource.LANGUAGE, "it")


def test_no_function_words() -> None:
    assert load_function_words(FunctionWordSource.NONE, "en").words == frozenset()


def test_a_list_of_a_corpus() -> None:
    corpus = [["the", "cat"], ["the", "dog"], *([["x"]] * 1996)]
    found = function_words_of_corpus(corpus, "en")
    assert found.words == {"x"}  # 2 of 2,000 is not above a share of 1e-3
    assert function_words_of_corpus(corpus, "en", frequency=1e-4).words == {
        "x",
        "the",
        "cat",
        "dog",
    }
    assert function_words_of_corpus([], "en").words == frozenset()


def test_a_list_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("le\n la \n\nle\n", encoding="utf-8")
    found = read_function_words(path, "fr")
    assert found.words == {"le", "la"}
    assert found.identity.name == "words.txt"
    path.write_text("la\nle\n", encoding="utf-8")
    assert read_function_words(path, "fr") == found


def test_bad_files(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(b"\n \n")
    with pytest.raises(UnreadableFile, match="no word"):
        read_function_words(path, "fr")
    path.write_bytes("été\n".encode("latin-1"))
    with pytest.raises(MalformedLine, match="UTF-8"):
        read_function_words(path, "fr")


def test_lists_are_those_of_the_program() -> None:
    # Of function/*.words in the jar of METEOR 1.5: how the SHA-256 of the sorted words begins.
    program = {
        "cs": "36e528f50b0f1934",
        "de": "3d63027f54d1b1c7",
        "en": "49ea80453a59169a",
        "es": "32dca5e09c940636",
        "fr": "951ffb99b943daef",
        "ru": "09e044fb3e0389a9",
    }
    for language, digest in program.items():
        words = sorted(load_function_words(FunctionWordSource.LANGUAGE, language).words)
        assert hashlib.sha256("\n".join(words).encode()).hexdigest().startswith(digest), language
