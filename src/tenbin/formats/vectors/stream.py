"""The stream of word vectors that every reader returns: in chunks, whatever the file's size."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tenbin.core.arrays import IdArray
from tenbin.core.errors import UnreadableFile

Float32Array = npt.NDArray[np.float32]
KeyArray = npt.NDArray[np.uint64]
VectorChunk: TypeAlias = tuple[Sequence[str], Float32Array]
"""Words and their vectors, of shape (words, dimensions)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeyedRows:
    """The row of each word, where words are identified by their hash alone.

    Attributes:
        keys: MurmurHash64A with seed 1 of each word in UTF-8.
        rows: The row of each key; several keys may have the same.
        words: The words themselves in the order of the keys, if known.
        strings: Strings that include the words, in any order, if the source has them.
    """

    keys: KeyArray
    rows: IdArray
    words: Sequence[str] | None = None
    strings: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubwordVectors:
    """The vectors of character n-grams, from which fastText composes those of unknown words.

    Attributes:
        shortest: Characters of the shortest n-grams, boundary symbols included.
        longest: Characters of the longest.
        count: Number of rows; an n-gram has the row of its hash modulo this.
        chunks: The rows, in order.
    """

    shortest: int
    longest: int
    count: int
    chunks: Iterable[Float32Array]


class Progress:
    """Progress of reading a file."""

    def __init__(self, count: int | None = None, size: int = 0) -> None:
        """Start at zero, given the number of vectors, or of bytes, or neither."""
        self._count = count
        self._size = size
        self._rows = 0
        self._bytes = 0

    def add(self, rows: int, position: int = 0) -> None:
        """Count rows that have been read, up to a position in the file."""
        self._rows += rows
        self._bytes = position

    def done(self) -> float:
        """Return the share that has been read, from 0 to 1; 0 if unknown."""
        if self._count:
            return min(1.0, self._rows / self._count)
        return min(1.0, self._bytes / self._size) if self._size else 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class VectorStream:
    """A file of word vectors being read.

    Attributes:
        dimensions: Numbers per vector.
        chunks: The vectors, in the order of the file, with their words. With ``keyed`` they
            have no words.
        count: Number of vectors, if the file says so.
        keyed: For a table that identifies words by their hash: the row of each word.
        subwords: For fastText: the n-gram vectors. Read after ``chunks``.
        done: Returns the share of the file that has been read, from 0 to 1.
    """

    dimensions: int
    chunks: Iterator[VectorChunk]
    count: int | None = None
    keyed: KeyedRows | None = None
    subwords: SubwordVectors | None = None
    done: Callable[[], float] = lambda: 0.0


def check_finite(name: str, chunk: VectorChunk, rows_before: int) -> None:
    """Raise an error if a value of some vectors is not a number or infinite.

    Raises:
        UnreadableFile: One is; the message names its row and word.
    """
    words, vectors = chunk
    if np.isfinite(vectors).all():
        return
    row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
    word = f" ({words[row]!r})" if words else ""
    problem = f"vector {rows_before + row + 1:,}{word} has a value that is not finite"
    raise UnreadableFile(
        name, problem, "Expected finite numbers. Download or build the file again."
    )
