"""Lemmas of words by the package that knows the language."""

from pathlib import Path

import pytest

from tenbin.annotation import lemmas as module
from tenbin.annotation.lemmas import lemmas, load_lemmatizer
from tenbin.core.errors import MissingExtra, UsageError


@pytest.mark.parametrize(
    ("language", "package", "words", "expected"),
    [
        ("en", "simplemma", ["mice", "was", "zzzqx"], ["mouse", "be", "zzzqx"]),
        ("cs", "simplemma", ["psům"], ["pes"]),
        ("no", "simplemma", ["hus"], ["hus"]),
        ("ru", "pymorphy3", ["кошками", "приобрели"], ["кошка", "приобрести"]),
        ("ja", "sudachipy", ["買っ", "医者"], ["買う", "医者"]),
    ],
)
def test_lemmas(language: str, package: str, words: list[str], expected: list[str]) -> None:
    pytest.importorskip(package)
    assert lemmas(words, language) == expected
    assert package in dict(load_lemmatizer(language).versions)


def test_lemmas_are_lower_cased() -> None:
    pytest.importorskip("simplemma")
    assert lemmas(["Häuser", ""], "de") == ["haus", ""]


def test_a_language_without_lemmas() -> None:
    pytest.importorskip("simplemma")
    with pytest.raises(UsageError, match="no lemmas for 'zh'"):
        lemmas(["买"], "zh")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_package_that_is_not_installed(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    load_lemmatizer.cache_clear()
    monkeypatch.setattr(module, "import_module", absent)
    with pytest.raises(MissingExtra, match=r"lemmatizing .*tenbin\[lexicons\]"):
        lemmas(["a"], language)
    load_lemmatizer.cache_clear()


def test_lemmas_of_the_stored_vectors(oracle_data: Path) -> None:
    pytest.importorskip("simplemma")
    text = (oracle_data / "meteor-e" / "lemmas.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    assert len(rows) == 832
    for language, word, _, lemma in rows:
        assert lemmas([word], language) == [lemma]
