"""Word vectors in text and binary form, whole and damaged."""

import gzip
import struct
from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import InputError, MalformedLine, UnreadableFile
from tenbin.formats.word2vec import read_word2vec

WORDS = ("cat", "chat", "猫")
VECTORS = [[1.0, -2.5, 0.0], [0.5, 1e-3, 3.0], [0.0, 0.0, 1.0]]


def text_form(*, header: bool = True) -> str:
    lines = [" ".join([word, *map(str, row)]) for word, row in zip(WORDS, VECTORS, strict=True)]
    return "\n".join(["3 3", *lines] if header else lines) + "\n"


def binary_form(*, line_feeds: bool) -> bytes:
    end = b"\n" if line_feeds else b""
    rows = [
        word.encode() + b" " + struct.pack("<3f", *row) + end
        for word, row in zip(WORDS, VECTORS, strict=True)
    ]
    return b"3 3\n" + b"".join(rows)


@pytest.mark.parametrize(
    "content",
    [
        text_form().encode(),
        text_form(header=False).encode(),
        text_form().replace("\n", " \n").encode(),  # as word2vec itself ends its lines
        gzip.compress(text_form().encode()),
        binary_form(line_feeds=True),
        binary_form(line_feeds=False),
    ],
    ids=["text", "no-header", "trailing-blank", "gzip", "binary", "binary-without-line-feeds"],
)
def test_every_form_reads_the_same(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(content)
    table = read_word2vec(path)
    assert table.words == WORDS
    assert table.vectors.dtype == np.float32
    np.testing.assert_array_equal(table.vectors, np.array(VECTORS, dtype=np.float32))


@pytest.mark.parametrize(
    ("content", "kind", "fact"),
    [
        (b"", UnreadableFile, "no vectors"),
        (b"3 3\n", UnreadableFile, "ends after 0 of 3"),
        (b"word\n", UnreadableFile, "no vectors"),
        (b"1 3\ncat 1 2 3\ndog 1 2\n", MalformedLine, "2 values, expected 3"),
        (b"cat 1 2 3\ndog 1 two 3\n", MalformedLine, "not a number"),
        (b"cat 1 2 3\ndog 1 nan 3\n", MalformedLine, "not finite"),
        ("1 2\nchât 1 2\n".encode("latin-1"), MalformedLine, "UTF-8"),
        (binary_form(line_feeds=True)[:-5], UnreadableFile, "ends after 2 of 3"),
        (b"1 2\n\xff\xfe " + struct.pack("<2f", 1, 2), UnreadableFile, "not valid UTF-8"),
        (b"1 2\ncat " + struct.pack("<2f", 1, np.inf), UnreadableFile, "not finite"),
        (gzip.compress(text_form().encode())[:-12], InputError, "vectors"),
    ],
)
def test_damaged_files_are_refused(
    tmp_path: Path, content: bytes, kind: type[InputError], fact: str
) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(content)
    with pytest.raises(kind, match=fact):
        read_word2vec(path)


def test_a_count_that_no_file_could_hold_is_refused_before_memory_is(tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(b"9999999999 300\ncat \x00\x01")
    with pytest.raises(UnreadableFile, match="ends after"):
        read_word2vec(path)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="cannot be read"):
        read_word2vec(tmp_path / "nothing")
