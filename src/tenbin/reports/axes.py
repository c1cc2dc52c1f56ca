"""Axes of a drawing: where a number stands, and which numbers are written beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A straight scale.

    Attributes:
        low: The number at the beginning.
        high: The number at the end, above ``low``.
        start: Where the beginning is drawn.
        end: Where the end is drawn.
    """

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return where a number is drawn."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)


def axis_around(values: Sequence[float], start: float, end: float, *, room: float = 0.0) -> Axis:
    """Return an axis on which all values have a place, with some room at both ends."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    if low == high:
        low, high = low - 0.5, high + 0.5
    margin = (high - low) * room
    return Axis(low=low - margin, high=high + margin, start=start, end=end)


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers from low to high, at most so many.

    >>> ticks(0, 1, 6)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    rough = (high - low) / max(1, most - 1)
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in _STEPS if power * factor >= rough * (1 - 1e-9))
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [float(f"{place * step:.12g}") for place in range(first, last + 1)]
