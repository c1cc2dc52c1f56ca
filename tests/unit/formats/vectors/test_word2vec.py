"""Word vectors in word2vec's binary form, whole and damaged."""

import gzip
import struct
from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import UnreadableFile
from tenbin.formats.vectors import word2vec
from tenbin.formats.vectors.detection import open_vectors

WORDS = ("cat", "chat", "猫")
VECTORS = [[1.0, -2.5, 0.0], [0.5, 1e-3, 3.0], [0.0, 0.0, 1.0]]


def binary_form(*, line_feeds: bool = True, count: int = 3) -> bytes:
    end = b"\n" if line_feeds else b""
    rows = [
        word.encode() + b" " + struct.pack("<3f", *row) + end
        for word, row in zip(WORDS, VECTORS, strict=True)
    ]
    return f"{count} 3\n".encode() + b"".join(rows)


@pytest.mark.parametrize(
    "content",
    [binary_form(), binary_form(line_feeds=False), gzip.compress(binary_form(), mtime=0)],
    ids=["line-feeds", "no-line-feeds", "gzip"],
)
@pytest.mark.parametrize("block", [5, 2**20])
def test_every_form_reads_the_same(
    tmp_path: Path, content: bytes, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word2vec, "_BLOCK_BYTES", block)
    (tmp_path / "vectors").write_bytes(content)
    stream = open_vectors(tmp_path / "vectors")
    chunks = list(stream.chunks)
    assert (stream.count, stream.dimensions, stream.done()) == (3, 3, 1)
    assert tuple(word for words, _ in chunks for word in words) == WORDS
    vectors = np.concatenate([part for _, part in chunks])
    np.testing.assert_array_equal(vectors, np.array(VECTORS, dtype=np.float32))


@pytest.mark.parametrize(
    ("content", "fact"),
    [
        (binary_form()[:-5], "ends after 2 of 3"),
        (binary_form(count=4), "ends after 3 of 4"),
        (binary_form(count=2), "more in the file than the 2 vectors"),
        (b"9999999999 300\ncat \x00\x01", "ends after 0 of 9,999,999,999"),
        (b"1 2\n\xff\xfe " + struct.pack("<2f", 1, 2), "word 1 is not valid UTF-8"),
        (b"1 2\ncat " + struct.pack("<2f", 1, np.inf), r"vector 1 \('cat'\) .* not finite"),
        (b"1 2\n" + b"\x01" * 70_000, "no blank after word 1"),
        (gzip.compress(binary_form(), mtime=0)[:-12], "damaged or truncated"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, content: bytes, fact: str) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match=fact):
        list(open_vectors(path).chunks)
