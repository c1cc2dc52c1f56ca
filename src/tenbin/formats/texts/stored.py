"""Texts of a column in a temporary file, which are read as often as need be in bounded memory."""

import io
from collections.abc import Iterator, Sequence

from tenbin.formats.lines import FileReport
from tenbin.formats.spool import Spool

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

    def extend(self, texts: Sequence[str]) -> None:
        """Add texts, many at a time, which is faster than one by one.

        Raises:
            ValueError: One of them cannot be stored; see `fault_of`. None is added.
        """
        if not texts:
            return
        content = "\0".join(texts).encode("utf-8") + _END
        if content.count(_END) != len(texts):
            raise ValueError("there is a NUL character in a text")
        if not all(map(str.strip, texts)):
            numbered = enumerate(texts, self._report.lines + 1)
            self._report.empty += [number for number, text in numbered if not text.strip()]
        self._report.lines += len(texts)
        self._spool.append(content)

    def scan(self) -> FileReport:
        """Return what was found while the texts were added."""
        return self._report

    def lines(self) -> Iterator[str]:
        """Yield the texts."""
        rest = b""
        with self._spool.open() as stream:
            while block := stream.read(_BLOCK_BYTES):
                *whole, rest = (rest + block).split(_END)
                for content in whole:
                    yield content.decode("utf-8")


def fault_of(text: str) -> str | None:
    r"""Return why a text cannot be stored, or None.

    >>> fault_of("a\0b"), fault_of("ab")
    ('there is a NUL character in the text', None)
    """
    if "\0" in text:
        return "there is a NUL character in the text"
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "there is half of a surrogate pair in the text"
    return None
