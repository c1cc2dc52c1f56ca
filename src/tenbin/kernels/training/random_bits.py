"""Random numbers that are the same on every machine: SplitMix64.

Steele, Lea and Flood (2014), "Fast Splittable Pseudorandom Number Generators": a counter that grows
by an odd constant, and a function that mixes its bits. Any number of the sequence can be computed
from its place, so that each part of a long work has a sequence of its own.
"""

import numpy as np

from tenbin.kernels.arrays import Float32Array

INCREMENT = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio, odd
FIRST_FACTOR = 0xBF58476D1CE4E5B9
SECOND_FACTOR = 0x94D049BB133111EB
SHIFTS = 30, 27, 31
HALF = 32
"""Of the 64 bits of a number the upper half chooses, and the lower half accepts what was chosen."""

_MASK = (1 << 64) - 1
_MANTISSA_BITS = 24  # of a number of 32 bits


def mixed(number: int) -> int:
    """Return 64 random bits for a number of the sequence.

    >>> hex(mixed(INCREMENT)), hex(mixed(2 * INCREMENT))
    ('0xe220a8397b1dcdaf', '0x6e789e6aa1b965f4')
    """
    number &= _MASK
    number = (number ^ (number >> SHIFTS[0])) * FIRST_FACTOR & _MASK
    number = (number ^ (number >> SHIFTS[1])) * SECOND_FACTOR & _MASK
    return number ^ (number >> SHIFTS[2])


def stream_start(seed: int, *parts: int) -> int:
    """Return where the sequence of a part of the work begins.

    >>> stream_start(1, 0, 7) == stream_start(1, 7, 0)
    False
    """
    start = mixed(seed + INCREMENT)
    for part in parts:
        start = mixed(start + (part + 1) * INCREMENT)
    return start


class RandomBits:
    """A sequence, number by number."""

    def __init__(self, start: int) -> None:
        self._number = start

    def draw(self) -> int:
        """Return the next 64 bits."""
        self._number = self._number + INCREMENT & _MASK
        return mixed(self._number)


def uniform_numbers(start: int, count: int) -> Float32Array:
    """Return the first numbers of a sequence as fractions from 0 to below 1, all at once.

    >>> uniform_numbers(0, 2).tolist() == [
    ...     (RandomBits(0).draw() >> 40) / 2**24, (mixed(2 * INCREMENT) >> 40) / 2**24
    ... ]
    True
    """
    steps = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(INCREMENT)
    numbers = steps + np.uint64(start)
    for shift, factor in zip(SHIFTS[:2], (FIRST_FACTOR, SECOND_FACTOR), strict=True):
        numbers = (numbers ^ (numbers >> np.uint64(shift))) * np.uint64(factor)
    numbers ^= numbers >> np.uint64(SHIFTS[2])
    leading = (numbers >> np.uint64(64 - _MANTISSA_BITS)).astype(np.float32)
    return leading * np.float32(2.0**-_MANTISSA_BITS)
