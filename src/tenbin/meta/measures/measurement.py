"""What a measure is, and what it gives."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.formats.human_pairs import HumanPairs
from tenbin.formats.score_table import ScoreTable

Human = ScoreTable | HumanPairs
Resampler = Callable[[FloatArray], FloatArray]
"""System scores ``(samples, systems)`` from how often each segment was drawn, per sample."""


class Averaging(StrEnum):
    """Over which groups of (system, segment) items a coefficient is taken before the mean."""

    NONE = "none"
    SYSTEM = "sys"
    ITEM = "item"


class Undefined(StrEnum):
    """What becomes of groups without a coefficient, such as those with a constant side."""

    LEFT_OUT = "left-out"
    ZERO = "zero"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """How far a metric agrees with people.

    Attributes:
        value: The measure; NaN where it is undefined.
        n: What it was computed from: items, pairs or systems.
        groups: How many groups entered a mean.
        epsilon: Difference of metric scores up to which they are tied, where it was calibrated.
        counts: Agreeing, disagreeing and tied pairs, where pairs were counted.
    """

    value: float
    n: int
    groups: int = 1
    epsilon: float = math.nan
    counts: tuple[int, int, int] | None = None


class Prepared(Protocol):
    """A measure with its data, ready for resampling.

    Attributes:
        units: How many units (segments, or judgments) a bootstrap draws from.
    """

    @property
    def units(self) -> int:
        """How many units (segments, or judgments) a bootstrap draws from."""
        ...

    def value(self) -> Measurement:
        """Return the measure on the data as they are."""
        ...

    def resampled(self, counts: FloatArray) -> FloatArray:
        """Return the measure ``(samples,)`` from how often each unit was drawn, per sample."""
        ...


def weighted_mean(values: FloatArray, counts: FloatArray) -> FloatArray:
    """Return the mean of the defined values of units under each row of counts."""
    defined = ~np.isnan(values)
    totals = counts @ defined.astype(np.float64)
    sums = counts @ np.where(defined, values, 0.0)
    return np.where(totals > 0, sums / np.maximum(totals, 1), np.nan)
