"""Names for the arrays that travel between rooms, and rows of unequal length."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
IdArray = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """Rows of different lengths laid end to end: row r is ``values[offsets[r]:offsets[r + 1]]``."""

    values: IdArray
    offsets: IntArray

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[int]]) -> Self:
        """Lay rows end to end."""
        rows = list(rows)
        offsets = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(row) for row in rows], out=offsets[1:])
        values = np.fromiter(
            (value for row in rows for value in row), dtype=np.int32, count=int(offsets[-1])
        )
        return cls(values, offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> IntArray:
        """The length of each row."""
        return np.diff(self.offsets)

    def row(self, index: int) -> IdArray:
        """Return one row."""
        return self.values[self.offsets[index] : self.offsets[index + 1]]
