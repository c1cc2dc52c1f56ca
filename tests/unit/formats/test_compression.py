"""Compressions by their first bytes."""

import bz2
import gzip
import lzma

import pytest

from tenbin.formats.compression import (
    SIGNATURE_BYTES,
    Compression,
    compression_of,
    foreign_compression,
)


@pytest.mark.parametrize("content", [b"", b"text"])
def test_what_python_packs_is_recognised(content: bytes) -> None:
    assert compression_of(gzip.compress(content, mtime=0)[:SIGNATURE_BYTES]) is Compression.GZIP
    assert compression_of(lzma.compress(content)[:SIGNATURE_BYTES]) is Compression.XZ
    assert compression_of(bz2.compress(content)[:SIGNATURE_BYTES]) is Compression.BZIP2


@pytest.mark.parametrize(
    "start", [b"", b"BZ", b"BZh", b"BZh9", b"BZh 1AY&SY", b"PKW", b"\xfd7", b"7z"]
)
def test_texts_are_not_archives(start: bytes) -> None:
    assert compression_of(start) is None
    assert foreign_compression(start) is None
