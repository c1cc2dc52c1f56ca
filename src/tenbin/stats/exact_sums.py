"""Sums of floating-point numbers without rounding, independent of the order of addition."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from tenbin.stats.arrays import FloatArray

# A finite double is an integer of at most this many bits times a power of two.
_MANTISSA_BITS = 53
# Every finite double is an integer multiple of 2 ** -_UNIT_BITS; the smallest mantissas of
# subnormal numbers, as frexp gives them, have the exponent -1073.
_LEAST_EXPONENT = -1073
_UNIT_BITS = _MANTISSA_BITS - _LEAST_EXPONENT
# Mantissas are added in two halves, which as doubles stay exact for 2 ** 26 rows at a time.
_LOW_BITS = 26


@dataclass(frozen=True, slots=True)
class ExactSums:
    """The sum of each column of some rows; None where a number was not finite.

    Parts of a table that were added up on different machines, in any order and split anywhere, give
    the same numbers to the last bit.

    >>> rows = np.array([[1e100, 0.1], [1.0, 0.2], [-1e100, 0.3]])
    >>> ExactSums.of(rows).values().tolist()
    [1.0, 0.6]
    >>> (ExactSums.of(rows[:1]) + ExactSums.of(rows[1:])).values().tolist()
    [1.0, 0.6]
    """

    units: tuple[int | None, ...]

    @classmethod
    def of(cls, rows: FloatArray) -> Self:
        """Return the sums of the columns of an array of shape (rows, columns)."""
        return cls(tuple(_units(column) for column in rows.T))

    def __add__(self, other: Self) -> Self:
        pairs = zip(self.units, other.units, strict=True)
        return type(self)(tuple(None if a is None or b is None else a + b for a, b in pairs))

    def values(self) -> FloatArray:
        """Return the sums, each rounded once, shape (columns,)."""
        one = 1 << _UNIT_BITS
        return np.array([np.nan if sum_ is None else sum_ / one for sum_ in self.units])


def _units(column: FloatArray) -> int | None:
    """Return the sum as a multiple of 2 ** -_UNIT_BITS."""
    if not np.isfinite(column).all():
        return None
    mantissas, exponents = np.frexp(column)
    whole = np.ldexp(mantissas, _MANTISSA_BITS).astype(np.int64)
    places = exponents - _LEAST_EXPONENT
    high = np.bincount(places, weights=whole >> _LOW_BITS)
    low = np.bincount(places, weights=whole & ((1 << _LOW_BITS) - 1))
    return sum(
        ((int(high[place]) << _LOW_BITS) + int(low[place])) << int(place)
        for place in np.flatnonzero((high != 0) | (low != 0))
    )
