"""Keeps what can be read only once, such as a pipe, so that it can be read again."""

import os
import tempfile
from io import BufferedReader, RawIOBase
from typing import IO, TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_BLOCK_BYTES = 2**20


class Spool:
    """The content of a stream, kept in a temporary file that vanishes with its last reader."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as this object
        while block := stream.read(_BLOCK_BYTES):
            self._file.write(block)

    def open(self) -> BinaryIO:
        """Return a new reading from the start; several may go on at a time."""
        return BufferedReader(_Reading(self), _BLOCK_BYTES)

    def read_into(self, buffer: "WriteableBuffer", position: int) -> int:
        """Fill a buffer from a position; return how many bytes there were."""
        self._file.seek(position)
        return self._file.readinto(buffer)

    @property
    def size(self) -> int:
        """The number of bytes."""
        return self._file.seek(0, os.SEEK_END)

    def __del__(self) -> None:
        # Absent where making the file failed.
        if file := getattr(self, "_file", None):
            file.close()


class _Reading(RawIOBase):
    """One reading of a spool, with a position of its own."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._spool.size}[whence]
        self._position = base + offset
        return self._position

    def readinto(self, buffer: "WriteableBuffer") -> int:
        count = self._spool.read_into(buffer, self._position)
        self._position += count
        return count
