"""Word vectors as text, whole and damaged."""

import bz2
import gzip
import lzma
from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import InputError, MalformedLine, UnreadableFile
from tenbin.formats.vectors import text as vector_text
from tenbin.formats.vectors.detection import open_vectors

WORDS = ("cat", "chat", "猫")
VECTORS = [[1.0, -2.5, 0.0], [0.5, 1e-3, 3.0], [0.0, 0.0, 1.0]]


def text_form(*, header: bool = True) -> str:
    lines = [" ".join([word, *map(str, row)]) for word, row in zip(WORDS, VECTORS, strict=True)]
    return "\n".join(["3 3", *lines] if header else lines) + "\n"


def read(path: Path, content: bytes) -> tuple[list[str], np.ndarray]:
    path.write_bytes(content)
    stream = open_vectors(path)
    chunks = list(stream.chunks)
    words = [word for part, _ in chunks for word in part]
    vectors = np.concatenate(
        [np.empty((0, stream.dimensions), np.float32), *(v for _, v in chunks)]
    )
    return words, vectors


@pytest.mark.parametrize(
    "content",
    [
        text_form().encode(),
        text_form(header=False).encode(),
        text_form().replace("\n", " \n").encode(),  # as word2vec itself ends its lines
        text_form().replace("\n", "\r\n").encode(),
        text_form().rstrip("\n").encode(),
        (text_form() + "\n \n").encode(),
        b"\xef\xbb\xbf" + text_form().encode(),
        b"\xef\xbb\xbf" + text_form(header=False).encode(),
        text_form(header=False).replace(" ", "\t").encode(),
        text_form(header=False).replace(" ", "  ").encode(),
        gzip.compress(text_form().encode(), mtime=0),
        bz2.compress(text_form().encode()),
        lzma.compress(text_form(header=False).encode()),
    ],
    ids=[
        *("header", "no-header", "trailing-blank", "crlf", "no-end", "empty-lines", "bom"),
        *("bom-no-header", "tabs", "double-blanks", "gzip", "bzip2", "xz"),
    ],
)
@pytest.mark.parametrize("block", [7, 2**20])
def test_every_form_reads_the_same(
    tmp_path: Path, content: bytes, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_text, "_BLOCK_BYTES", block)
    words, vectors = read(tmp_path / "vectors", content)
    assert tuple(words) == WORDS
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(vectors, np.array(VECTORS, dtype=np.float32))


def test_words_with_blanks_as_in_glove(tmp_path: Path) -> None:
    content = b". . . 1 2\nto name@domain.com 3 4\n 5 6\n300 7 8\n\xc2\xa0 9 1\n"
    words, vectors = read(tmp_path / "glove", content)
    assert words == [". . .", "to name@domain.com", "", "300", "\u00a0"]
    assert vectors[:, 0].tolist() == [1, 3, 5, 7, 9]


def test_numbers_of_many_digits_are_rounded_correctly(tmp_path: Path) -> None:
    value = "0.10000000149011611938476562499999"  # just below the middle of two 64-bit numbers
    _, vectors = read(tmp_path / "long", f"a {value} 1e-300 -1E5\n".encode())
    assert vectors[0].tolist() == [np.float32(float(value)), 0, -1e5]


@pytest.mark.parametrize(
    ("content", "line", "fact"),
    [
        (b"1 3\ncat 1 2 3\ndog 1 2\n", 3, "2 values, expected 3"),
        (b"2 3\ncat 1 2 3\ndog 1 2 3 4\n", 3, "4 values, expected 3"),
        (b"2 2\ncat 1 2 3\n", 2, "3 values, expected 2"),
        (b"cat 1 2 3\ndog 1 two 3\n", 2, "'two' is not a number"),
        (b"cat 1 2 3\ndog 1 1_0 3\n", 2, "'1_0' is not a number"),
        (b"cat 1 2 3\ndog 1 nan 3\n", 2, "not finite"),
        (b"cat 1 2 3\ndog 1 -inf 3\n", 2, "not finite"),
        (b"cat 1 2 3\ndog 1 1e39 3\n", 2, "not finite"),
        (b"cat 1 2 3\n\ndog 1 2 3\n", 2, "0 values, expected 3"),
        ("1 2\nchât 1 2\n".encode("latin-1"), 2, "not valid UTF-8"),
    ],
)
def test_the_line_of_a_fault_is_named(tmp_path: Path, content: bytes, line: int, fact: str) -> None:
    with pytest.raises(MalformedLine, match=fact) as caught:
        read(tmp_path / "vectors", content)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("content", "fact"),
    [
        (b"3 3\n", "ends after 0 of 3 vectors"),
        (b"3 2\ncat 1 2\ndog 1 2\n", "ends after 2 of 3 vectors"),
        (b"1 2\ncat 1 2\ndog 1 2\n", "says 1 vector, the file has 2"),
        (gzip.compress(text_form().encode(), mtime=0)[:-12], "damaged or truncated"),
    ],
)
def test_a_header_that_lies_and_a_file_that_is_cut_off(
    tmp_path: Path, content: bytes, fact: str
) -> None:
    with pytest.raises(UnreadableFile, match=fact):
        read(tmp_path / "vectors", content)


def test_a_line_without_end_is_refused_before_memory_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_text, "_BLOCK_BYTES", 10)
    monkeypatch.setattr(vector_text, "_MOST_LINE_BYTES", 50)
    with pytest.raises(InputError, match="more than 50 bytes"):
        read(tmp_path / "vectors", b"cat 1 2\ndog " + b"1" * 100)


def test_progress_is_that_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_text, "_BLOCK_BYTES", 30)
    for header in (True, False):
        (tmp_path / "vectors").write_text(text_form(header=header), encoding="utf-8")
        stream = open_vectors(tmp_path / "vectors")
        seen = [stream.done(), *(stream.done() for _ in stream.chunks)]
        assert seen[0] == 0
        assert seen == sorted(seen)
        assert 0 < seen[1] < 1
        assert seen[-1] == 1
