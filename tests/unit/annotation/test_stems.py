"""Stems: those of METEOR 1.5, those of the packages, and what happens without one."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.annotation import stems
from tenbin.annotation.stems import (
    STEMMED_LANGUAGES,
    has_stemmer,
    load_stemmer,
    stem,
    stem_ids,
)
from tenbin.core.errors import MissingExtra, UsageError

ANSWERS = Path(__file__).resolve().parents[2] / "data" / "meteor" / "stems.tsv"
OWN = ("de", "en", "es", "fr", "ru")


def test_stems_of_meteor() -> None:
    rows = [line.split("\t") for line in ANSWERS.read_text(encoding="utf-8").splitlines()[1:]]
    assert {language for language, _, _ in rows} == set(OWN)
    found = [(language, word, stem(word, language)) for language, word, _ in rows]
    assert found == [tuple(row) for row in rows]


@pytest.mark.parametrize(
    ("language", "word", "expected"),
    [
        # Snowball changed these after METEOR was released.
        ("en", "added", "ad"),
        ("en", "anthropologist", "anthropologist"),
        ("de", "arbeitsverhältnisse", "arbeitsverhaltniss"),
        ("de", "abbildet", "abbildet"),
        ("fr", "ambiguïté", "ambiguït"),
        ("es", "administracion", "administracion"),
        ("ru", "актёра", "актёр"),
        # Marked letters: a letter between vowels is a consonant, and only once in a row.
        ("fr", "amyiences", "amyient"),
        ("en", "sayyid", "sayyid"),
        ("en", "'", "'"),
        ("en", "''s", ""),
        ("fr", "", ""),
        ("ru", "ъ", "ъ"),
    ],
)
def test_version_of_2014(language: str, word: str, expected: str) -> None:
    assert stem(word, language) == expected


@given(st.text("aeiouyäöüéèëïßñçqstlnrbg'YUавеияьён", max_size=12), st.sampled_from(OWN))
def test_stems_never_fail_or_grow(word: str, language: str) -> None:
    # ß becomes ss in German; nothing else makes a word longer.
    assert len(stem(word, language)) <= len(word) + word.count("ß") + 1


@pytest.mark.parametrize(
    ("language", "word", "expected"),
    [("nl", "huizen", "huiz"), ("it", "abbandonata", "abbandon"), ("sv", "bilar", "bil")],
)
def test_packaged_stemmers(language: str, word: str, expected: str) -> None:
    pytest.importorskip("snowballstemmer")
    stemmer = load_stemmer(language)
    assert stemmer.stem(word) in {expected, "huis"}  # Dutch is another algorithm since 3.0
    assert dict(stemmer.versions)["snowballstemmer"]


def test_japanese_stems_are_dictionary_forms() -> None:
    pytest.importorskip("sudachipy")
    stemmer = load_stemmer("ja")
    words = ["美しく", "美しい", "買っ", "", "食べました"]
    assert [stemmer.stem(word) for word in words] == [
        "美しい",
        "美しい",
        "買う",
        "",
        "食べました",
    ]
    assert "sudachidict_core" in dict(stemmer.versions)


def test_ids_are_equal_where_stems_are() -> None:
    ids = stem_ids(["cats", "dogs", "cat", "the", "dog"], "en")
    assert ids.dtype == np.int32
    assert ids.tolist() == [0, 1, 0, 2, 1]
    assert stem_ids([], "en").shape == (0,)


def test_a_language_without_stemmer() -> None:
    assert not has_stemmer("zh")
    assert all(map(has_stemmer, STEMMED_LANGUAGES))
    with pytest.raises(UsageError, match=r"no stemmer for 'zh'.*da, de, en.*Leave out"):
        load_stemmer("zh")


def test_a_package_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    load_stemmer.cache_clear()
    monkeypatch.setattr(stems, "import_module", absent)
    with pytest.raises(MissingExtra, match=r"stemmer for 'sv'.*tenbin\[lexicons\]"):
        load_stemmer("sv")
    load_stemmer.cache_clear()
