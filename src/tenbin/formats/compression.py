"""Compressed files, recognized by their first bytes: gzip, xz and bzip2 are read directly."""

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from io import BufferedIOBase
from pathlib import Path
from typing import IO, BinaryIO, cast

from tenbin.core.errors import UnreadableFile
from tenbin.formats.files import regular_file, unreadable


class Compression(Enum):
    """Compressions that are read directly, by the bytes they begin with."""

    # Whole signatures: a text may well begin with the two letters BZ.
    GZIP = b"\x1f\x8b\x08"
    XZ = b"\xfd7zXZ\0"
    BZIP2 = b"BZh"

    def opened(self, stream: BinaryIO) -> BufferedIOBase:
        """Return the decompressed content of a stream."""
        return _READERS[self](stream)


_READERS: dict[Compression, Callable[[BinaryIO], BufferedIOBase]] = {
    Compression.GZIP: lambda stream: gzip.GzipFile(fileobj=stream),
    Compression.XZ: lzma.LZMAFile,
    Compression.BZIP2: bz2.BZ2File,
}
# After BZh: the block size as a digit, then the digits of pi, or of its root where nothing follows.
_BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")
_FOREIGN = {b"\x28\xb5\x2f\xfd": "zstd", b"PK\x03\x04": "zip", b"7z\xbc\xaf": "7z"}
SIGNATURE_BYTES = 10

DAMAGE_ERRORS = (EOFError, lzma.LZMAError, gzip.BadGzipFile, zlib.error)
"""Raised by the readers for damaged data; bzip2 raises an `OSError` without errno instead."""


def compression_of(start: bytes) -> Compression | None:
    """Return the compression of a file that begins with these bytes (10 are enough).

    >>> compression_of(b"BZh91AY&SY").name, compression_of(b"BZh, he said")
    ('BZIP2', None)
    """
    found = next((one for one in Compression if start.startswith(one.value)), None)
    if found is Compression.BZIP2:
        return found if start[3:4].isdigit() and start[4:].startswith(_BZIP2_BLOCKS) else None
    return found


def foreign_compression(start: bytes) -> str | None:
    """Return the name of a compression that Tenbin does not read, or None."""
    return next((name for prefix, name in _FOREIGN.items() if start.startswith(prefix)), None)


@contextmanager
def opened_bytes(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, through gzip, xz or bzip2 where it is compressed.

    Raises:
        UnreadableFile: No such file, a directory, no permission, damaged, truncated or
            compressed in another way; also while the file is being read inside the ``with`` block.
    """
    name = str(path)
    try:
        with regular_file(path).open("rb") as stream:
            start = stream.read(SIGNATURE_BYTES)
            stream.seek(0)
            compression = compression_of(start)
            foreign = foreign_compression(start)
            if foreign:
                problem = f"the file is compressed by {foreign}"
                raise UnreadableFile(name, problem, "Decompress it first.")
            if compression is None:
                yield stream
            else:
                with compression.opened(stream) as content:
                    yield cast("IO[bytes]", content)
    except DAMAGE_ERRORS as error:
        raise _damaged(name) from error
    except OSError as error:
        # bzip2 raises it without a number.
        raise (_damaged(name) if error.errno is None else unreadable(name, error)) from error


def _damaged(name: str) -> UnreadableFile:
    return UnreadableFile(name, "the compressed file is damaged or truncated", "Download it again.")
