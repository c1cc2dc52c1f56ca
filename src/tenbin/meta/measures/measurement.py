"""What a measure of agreement takes and gives: settings, data joined with it, the value."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np

from tenbin.core.arrays import FloatArray

# Random swaps of soft pairwise accuracy, and the seed of mt-metrics-eval, so that the same table
# gives the same number there and here.
PERMUTATIONS = 1_000
PARITY_SEED = 4

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
class Settings:
    """What can be chosen about measures.

    Attributes:
        undefined: What becomes of groups without a coefficient.
        epsilon: Differences of metric scores that are ties, for the measures called ``-fixed``.
        permutations: Random sign vectors of soft pairwise accuracy.
        seed: Where these come from; 4 gives the numbers of mt-metrics-eval.
        by_segment: Whether a bootstrap of relative rankings draws whole segments; by default DARR
            does, and RR draws judgments.
        outliers: Systems that the measures called ``-without-outliers`` leave out; by default those
            that `scores.outliers` finds.
    """

    undefined: Undefined = Undefined.LEFT_OUT
    epsilon: float = 0.0
    permutations: int = PERMUTATIONS
    seed: int = PARITY_SEED
    by_segment: bool | None = None
    outliers: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """How far a metric agrees with human judgment.

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
