"""Texts of a column in a temporary file, which are read as often as need be in bounded memory."""

import io
from collections.abc import Iterator

from tenbin.formats.lines import FileReport, Spool

_BLOCK_BYTES = 2**20
_END = b"\0"  # no text has it


class StoredTexts:
    """The texts of one column, in order; a text may have several lines.

    Attributes:
        path: The file they come from.
        name: The file and the column, as messages show them.
        noun: What one of them is called.
    """

    noun = "segment"

    def __init__(self, path: str, name: str) -> None:
        self.path = path
        self.name = name
        self._report = FileReport(name)
        self._spool = Spool(io.BytesIO())
        self._pending: list[bytes] = []
        self._size = 0

    def append(self, text: str) -> None:
        """Add a text.

        Raises:
            ValueError: It has a NUL, or half of a surrogate pair.
        """
        content = text.encode("utf-8")
        if _END in content:
            raise ValueError("there is a NUL character in the text")
        self._report.lines += 1
        if not text.strip():
            self._report.empty.append(self._report.lines)
        self._pending.append(content)
        self._size += len(content)
        if self._size > _BLOCK_BYTES:
            self._flush()

    def scan(self) -> FileReport:
        """Return what was found while the texts were added."""
        return self._report

    def lines(self) -> Iterator[str]:
        """Yield the texts."""
        self._flush()
        rest = b""
        with self._spool.open() as stream:
            while block := stream.read(_BLOCK_BYTES):
                *whole, rest = (rest + block).split(_END)
                for content in whole:
                    yield content.decode("utf-8")

    def _flush(self) -> None:
        if self._pending:
            self._spool.append(_END.join(self._pending) + _END)
            self._pending = []
            self._size = 0
