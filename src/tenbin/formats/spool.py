"""Streams that can be read only once, copied so that they can be read again and again."""

import os
import tempfile
from io import BufferedReader, RawIOBase
from typing import IO, TYPE_CHECKING, BinaryIO

from tenbin.core.counting import counted
from tenbin.core.errors import UnreadableFile
from tenbin.formats.files import STREAM_LIMIT

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_BLOCK_BYTES = 2**20


class Spool:
    """The content of a stream in a temporary file, which is deleted with its last reader."""

    def __init__(
        self, stream: IO[bytes], name: str = "<stream>", limit: int = STREAM_LIMIT
    ) -> None:
        """Copy a stream to its end.

        Args:
            stream: What is read.
            name: What it is called in messages.
            limit: Bytes that are taken from it.

        Raises:
            UnreadableFile: There is more in the stream.
        """
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as this object
        size = 0
        while block := stream.read(_BLOCK_BYTES):
            size += len(block)
            if size > limit:
                problem = f"the stream goes on after {counted(limit, 'byte')}"
                raise UnreadableFile(name, problem, "Save what is to be read to a file.")
            self._file.write(block)

    def append(self, content: bytes) -> None:
        """Add something to the end."""
        self._file.seek(0, os.SEEK_END)
        self._file.write(content)

    def open(self) -> BinaryIO:
        """Return a new reader from the start; several may be open at a time."""
        return BufferedReader(_SpoolReader(self), _BLOCK_BYTES)

    def read_into(self, buffer: "WriteableBuffer", position: int) -> int:
        """Fill a buffer from a position; return how many bytes there were."""
        self._file.seek(position)
        return self._file.readinto(buffer)

    @property
    def size(self) -> int:
        """The number of bytes."""
        return self._file.seek(0, os.SEEK_END)

    def __del__(self) -> None:
        # Absent if the file could not be created.
        if file := getattr(self, "_file", None):
            file.close()


class _SpoolReader(RawIOBase):
    """A reader of a spool, with its own position."""

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
