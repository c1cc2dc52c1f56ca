"""Statistics of many systems and metrics side by side, so that one product sums them all."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from tenbin.stats.arrays import FloatArray

_DIMENSIONS = 3  # systems, units, K

# A block of weights and what is computed from it stays near this size: small for any
# machine, yet a few rows even of a million units, which keeps the product from waiting for memory.
BLOCK_BYTES = 64 * 2**20


@dataclass(frozen=True, slots=True)
class StackedStatistics:
    """One matrix ``(units, columns)`` with the columns of every system of every metric.

    Attributes:
        columns: The matrix.
        shapes: ``(systems, K)`` of each metric, in the order of the columns.
    """

    columns: FloatArray
    shapes: tuple[tuple[int, int], ...]

    @classmethod
    def stack(cls, statistics: Sequence[FloatArray]) -> Self:
        """Return the stack of arrays ``(systems, units, K)``, one a metric.

        Raises:
            ValueError: If an array has another number of dimensions, the metrics differ in the
                number of units, or there is no unit to draw.
        """
        for array in statistics:
            if array.ndim != _DIMENSIONS:
                message = f"statistics must have shape (systems, units, K), not {array.shape}"
                raise ValueError(message)
        unit_counts = {array.shape[1] for array in statistics}
        if len(unit_counts) != 1 or 0 in unit_counts:
            message = f"metrics must share one or more units to draw, found {sorted(unit_counts)}"
            raise ValueError(message)
        (units,) = unit_counts
        flat = [np.swapaxes(array, 0, 1).reshape(units, -1) for array in statistics]
        columns = np.concatenate(flat, axis=1, dtype=np.float64)
        return cls(columns, tuple((array.shape[0], array.shape[2]) for array in statistics))

    @property
    def unit_count(self) -> int:
        """How many units (segments or documents) a draw chooses from."""
        return len(self.columns)

    def sums(self, weights: FloatArray) -> list[FloatArray]:
        """Return ``(systems, rows, K)`` for each metric: statistics summed under each weighting.

        Args:
            weights: ``(rows, units)``, how often each unit counts in each row.
        """
        product = weights @ self.columns
        ends = np.cumsum([systems * width for systems, width in self.shapes])
        return [
            np.swapaxes(part.reshape(len(weights), *shape), 0, 1)
            for part, shape in zip(np.split(product, ends[:-1], axis=1), self.shapes, strict=True)
        ]

    def totals(self) -> list[FloatArray]:
        """Return ``(systems, K)`` for each metric: the statistics of the whole corpus."""
        return [part[:, 0] for part in self.sums(np.ones((1, self.unit_count)))]

    def rows_per_block(self, block_bytes: int) -> int:
        """Return how many weightings to work on at once within about ``block_bytes``."""
        # Indices, counts and weights take a number per unit each; a product takes one per column,
        # and scoring it a few more.
        numbers: int = 3 * self.unit_count + 4 * self.columns.shape[1]
        return max(1, block_bytes // (8 * numbers))
