"""Type names of arrays, rows of unequal length, and the numbering of strings."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Self, TypeVar

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
IdArray = npt.NDArray[np.int32]

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """Rows of different lengths, concatenated: row r is ``values[offsets[r]:offsets[r + 1]]``."""

    values: IdArray
    offsets: IntArray

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[int]]) -> Self:
        """Concatenate rows."""
        return cls(*_concatenated(rows, iter))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> IntArray:
        """The length of each row."""
        return np.diff(self.offsets)

    def row(self, index: int) -> IdArray:
        """Return one row."""
        return self.values[self.offsets[index] : self.offsets[index + 1]]

    def spelled_out(self, parts: "Ragged") -> "Ragged":
        """Return the rows with each value replaced by the row of ``parts`` that has its number.

        >>> parts = Ragged.from_rows([[7], [], [8, 9]])
        >>> spelled = Ragged.from_rows([[2, 0], [1], [0]]).spelled_out(parts)
        >>> [spelled.row(number).tolist() for number in range(3)]
        [[8, 9, 7], [], [7]]
        """
        lengths = parts.lengths[self.values]
        ends = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
        # Position of each value of the result in parts: the start of its row plus a count from 0.
        shifts = np.repeat(parts.offsets[self.values] - ends[:-1], lengths)
        return Ragged(parts.values[shifts + np.arange(ends[-1])], ends[self.offsets])


class Numbering(dict[str, int]):
    """Numbers strings by their first occurrence, at the speed of a lookup.

    >>> numbering = Numbering()
    >>> numbering["b"], numbering["a"], numbering["b"], tuple(numbering)
    (0, 1, 0, ('b', 'a'))
    """

    def __missing__(self, string: str) -> int:
        number = self[string] = len(self)
        return number

    def rows(self, rows: Iterable[Sequence[str]]) -> Ragged:
        """Return rows of strings as rows of their numbers."""
        return Ragged(*_concatenated(rows, lambda row: map(self.__getitem__, row)))

    def numbers(self, strings: Sequence[str]) -> IntArray:
        """Return the number of each string."""
        # All at once: a call of `__missing__` for each new string costs more than a second lookup.
        new = [string for string in dict.fromkeys(strings) if string not in self]
        self.update(zip(new, range(len(self), len(self) + len(new)), strict=True))
        return np.fromiter(map(self.__getitem__, strings), dtype=np.int64, count=len(strings))


def _concatenated(
    rows: Iterable[Sequence[_Value]], numbers: Callable[[Sequence[_Value]], Iterator[int]]
) -> tuple[IdArray, IntArray]:
    ends = [0]

    # Row by row: short-lived strings stay in the processor's cache, which saves a third.
    def measured() -> Iterator[Iterator[int]]:
        for row in rows:
            ends.append(ends[-1] + len(row))
            yield numbers(row)

    values = np.fromiter(chain.from_iterable(measured()), dtype=np.int32)
    return values, np.array(ends, dtype=np.int64)
