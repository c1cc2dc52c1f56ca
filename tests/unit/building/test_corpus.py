"""Corpora: which tokens they have, what is recorded of them, and in how much memory."""

import gzip
import hashlib
import io
import lzma
import sys
from collections import Counter
from pathlib import Path

import pytest

from tenbin.building.corpus import Corpus, count_words
from tenbin.core.errors import (
    MalformedLine,
    ScriptMismatch,
    SpecError,
    UnknownLanguage,
    UnreadableFile,
    UsageError,
)


def tokens(text: str, folder: Path, language: str, **options: object) -> list[list[str]]:
    path = folder / "text"
    path.write_text(text, encoding="utf-8")
    corpus = Corpus([str(path)], language, **options)  # type: ignore[arg-type]
    return list(corpus.segments())


def test_words_of_the_language_by_default(tmp_path: Path) -> None:
    text = "Don't stop, Mr. Smith.\n\n \nYes.\n"
    assert tokens(text, tmp_path, "en") == [
        ["Don't", "stop", ",", "Mr", ".", "Smith", "."],
        ["Yes", "."],
    ]
    lowered = tokens(text, tmp_path, "en", lowercase=True)
    assert lowered[0] == ["don't", "stop", ",", "mr", ".", "smith", "."]
    # METEOR's own rules look at capitals, so they must see them.
    meteor = tokens(text, tmp_path, "en", lowercase=True, for_meteor=True)
    assert meteor[0] == ["don", "'t", "stop", ",", "mr.", "smith", "."]
    assert tokens(text, tmp_path, "en", tokenizer="meteor-lower")[0][-1] == "smith."
    assert tokens("他来到了网易", tmp_path, "zh", tokenizer="char") == [list("他来到了网易")]
    assert tokens("Nne. tano", tmp_path, "sw", for_meteor=True) == [["Nne", ".", "tano"]]


def test_lemmas(tmp_path: Path) -> None:
    pytest.importorskip("simplemma")
    assert tokens("The Cats sat", tmp_path, "en", lemmas=True) == [["the", "cat", "sit"]]
    pytest.importorskip("sudachipy")
    assert tokens("本を読んだ", tmp_path, "ja", lemmas=True) == [["本", "を", "読む", "だ"]]


def test_what_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, packed, other = tmp_path / "a.txt", tmp_path / "a.gz", tmp_path / "a.xz"
    text = "one two\r\n\nthree\n"
    plain.write_bytes(text.encode())
    packed.write_bytes(gzip.compress(text.encode(), mtime=0))
    other.write_bytes(lzma.compress(text.encode()))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    corpus = Corpus([str(plain), str(packed), str(other), "-"], "en")
    assert list(corpus.segments()) == [["one", "two"], ["three"]] * 4
    assert [(file.name, file.lines, file.tokens) for file in corpus.files] == [
        ("a.txt", 3, 3),
        ("a.gz", 3, 3),
        ("a.xz", 3, 3),
        ("<pipe>", 3, 3),
    ]
    stored = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (plain, packed, other)]
    piped = hashlib.sha256(b"one two\n\nthree\n").hexdigest()
    assert [file.sha256 for file in corpus.files] == [*stored, piped]


def test_how_much_there_is_to_read(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.txt", tmp_path / "a.gz"
    plain.write_text("eins zwei\ndrei\n")
    packed.write_bytes(gzip.compress(b"vier\n", mtime=0))
    corpus = Corpus([str(plain), str(plain)], "de")
    done: list[int] = []
    list(corpus.segments(done.append))
    assert sum(done) == corpus.size == 2 * plain.stat().st_size
    assert len(done) == 4
    assert Corpus([str(plain), str(packed)], "de").size is None
    assert Corpus(["-"], "de").size is None


@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        (b"caf\xe9\n", MalformedLine, "not valid UTF-8"),
        (gzip.compress(b"abc def\n" * 999, mtime=0)[:-20], UnreadableFile, "damaged or truncated"),
        (b"\x28\xb5\x2f\xfd....", UnreadableFile, "zstd"),
        (None, UnreadableFile, "there is no such file"),
    ],
)
def test_texts_that_cannot_be_read(
    tmp_path: Path, content: bytes | None, error: type[Exception], words: str
) -> None:
    path = tmp_path / "text"
    if content is not None:
        path.write_bytes(content)
    corpus = Corpus([str(path)], "en")
    for reading in (corpus.check, lambda: list(corpus.segments())):
        with pytest.raises(error, match=words):
            reading()


def test_text_without_spaces_needs_a_tokenizer_that_cuts_it(japanese: Path) -> None:
    with pytest.raises(ScriptMismatch, match="does not find words in 'ja'"):
        Corpus([str(japanese)], "ja", tokenizer="13a").check()
    Corpus([str(japanese)], "ja", tokenizer="char").check()


@pytest.mark.parametrize(
    ("language", "options", "error", "words"),
    [
        ("xx", {}, UnknownLanguage, "not a language tag"),
        ("en", {"tokenizer": "15a"}, SpecError, "no tokenizer '15a'"),
        ("sw", {"tokenizer": "meteor"}, UsageError, "METEOR normalizes"),
        ("yo", {"lemmas": True}, UsageError, "no lemmas for 'yo'"),
    ],
)
def test_wrong_wishes(
    language: str, options: dict[str, object], error: type[Exception], words: str
) -> None:
    pytest.importorskip("simplemma")
    with pytest.raises(error, match=words):
        Corpus(["-"], language, **options)  # type: ignore[arg-type]


def test_counting() -> None:
    counted = count_words([["b", "a"], ["c", "b"], []])
    assert (counted.counts, counted.total, counted.dropped_up_to) == (Counter("bacb"), 4, 0)
    assert counted.ranked(1) == [("b", 2), ("a", 1), ("c", 1)]  # equal counts: by word
    assert counted.ranked(2) == [("b", 2)]


def test_counting_in_bounded_memory() -> None:
    segments = [["the", f"rare{number}", "of"] for number in range(1000)]
    counted = count_words(segments, most=50)
    assert len(counted.counts) <= 50
    assert (counted.counts["the"], counted.counts["of"]) == (1000, 1000)
    assert counted.total == 3000
    assert counted.dropped_up_to >= 1
