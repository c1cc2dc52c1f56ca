"""The tokens of a corpus, kept on disk so that they can be gone through again and again."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from tenbin.building.corpus import Advance

# gensim reads no more than this of a segment; longer ones are handed over in pieces.
LONGEST_SEGMENT = 10_000


class TokenSpool:
    """An unnamed temporary file with one segment a line; it vanishes with the process.

    Attributes:
        segments: Number of segments as `__iter__` yields them.
        advance: Called with the number of tokens of each segment that is read, where not None.
    """

    def __init__(self, folder: Path) -> None:
        """Make the file in a folder, which must have room for the whole corpus."""
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed by __exit__
        self._failure: Exception | None = None
        self.segments = 0
        self.advance: Advance | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def fill(self, segments: Iterator[list[str]]) -> Iterator[list[str]]:
        """Keep segments, and yield them."""
        for tokens in segments:
            for start in range(0, len(tokens), LONGEST_SEGMENT):
                piece = tokens[start : start + LONGEST_SEGMENT]
                self._file.write(" ".join(piece).encode("utf-8") + b"\n")
                self.segments += 1
            yield tokens
        self._file.flush()

    def __iter__(self) -> Iterator[list[str]]:
        # gensim reads in a thread of its own, and would wait for ever for one that raised.
        try:
            self._file.seek(0)
            for line in self._file:
                tokens = line.decode("utf-8").removesuffix("\n").split(" ")
                yield tokens
                if self.advance is not None:
                    self.advance(len(tokens))
        except (
            OSError,
            ValueError,
        ) as error:  # ValueError: closed, for the main thread has gone on
            self._failure = error

    def raise_failure(self) -> None:
        """Raise what went wrong in a reading, if anything did."""
        if self._failure is not None:
            raise self._failure
