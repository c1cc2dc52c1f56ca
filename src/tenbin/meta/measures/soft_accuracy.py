"""Soft pairwise accuracy: does a metric separate systems with the certainty of human judgment?

Thompson, Mathur, Deutsch, Khayrallah (2024), "Improving Statistical Significance in Human
Evaluation of Automatic Metrics via Soft Pairwise Accuracy": SPA = 1 - mean |p_gold - p_metric|,
with the one-sided p of a paired permutation test for every pair of systems.
"""

from dataclasses import dataclass

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.counting import agreeing, counted
from tenbin.core.errors import InputError
from tenbin.core.judgments import ScoreMatrix
from tenbin.meta.measures.measurement import PARITY_SEED, PERMUTATIONS, Measurement
from tenbin.meta.measures.scores import aligned
from tenbin.stats.arrays import BoolArray

# Sums in another order differ in their last bits; a permutation that leaves all in place reaches
# the observed difference.
_RELATIVE_NOISE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class SoftAccuracy:
    """SPA of a metric on the segments that were judged for all systems."""

    gold: FloatArray
    scores: FloatArray
    judged: BoolArray
    permutations: int
    seed: int

    @classmethod
    def prepare(
        cls,
        human: ScoreMatrix,
        metric: ScoreMatrix,
        *,
        permutations: int = PERMUTATIONS,
        seed: int = PARITY_SEED,
    ) -> "SoftAccuracy":
        """Return the measure with the data of one metric.

        Raises:
            InputError: A segment was judged for some systems and not for others.
        """
        gold, scores = aligned(human, metric)
        judged = ~np.isnan(gold)
        some = judged.any(axis=0) & ~judged.all(axis=0)
        if some.any():
            first = human.segments[int(np.flatnonzero(some)[0])]
            count = int(some.sum())
            raise InputError(
                f"{human.name}: {counted(count, 'segment')} (the first: {first}) "
                f"{agreeing(count, 'was')} judged for some systems only; soft pairwise "
                "accuracy compares systems on the same segments. "
                "Keep those that were judged for all systems (fully_judged)."
            )
        return cls(gold, scores, np.all(judged, axis=0), permutations, seed)

    @property
    def units(self) -> int:
        """Number of segments."""
        return int(self.gold.shape[1])

    def value(self) -> Measurement:
        """Return SPA."""
        kept = np.flatnonzero(self.judged)
        pairs = len(self.gold) * (len(self.gold) - 1) // 2
        return Measurement(value=self._of(kept), n=pairs)

    def resampled(self, counts: FloatArray) -> FloatArray:
        """Return SPA on segments drawn with replacement; every copy has its own sign."""
        units = np.arange(self.units)
        return np.array(
            [self._of(np.repeat(units, (row * self.judged).astype(np.int64))) for row in counts]
        )

    def _of(self, segments: IntArray) -> float:
        if len(segments) == 0 or len(self.gold) < 2:  # noqa: PLR2004 - a pair of systems
            return float("nan")
        swaps = parity_swaps(len(segments), permutations=self.permutations, seed=self.seed)
        gold, metric = (
            permutation_p_values(scores[:, segments], swaps) for scores in (self.gold, self.scores)
        )
        upper = np.triu_indices(len(self.gold), k=1)
        return 1 - float(np.abs(gold[upper] - metric[upper]).mean())


def parity_swaps(segments: int, *, permutations: int, seed: int) -> FloatArray:
    """Return the random swaps of mt-metrics-eval: ``(permutations, segments)`` of 0 and 1."""
    draws = np.random.default_rng(seed).random((permutations, segments), dtype=np.float32)
    return draws.round().astype(np.float64)


def permutation_p_values(scores: FloatArray, swaps: FloatArray) -> FloatArray:
    """Return the one-sided p of every pair of systems: is the first better than the second?

    p = share of sign vectors with sum(sign * (a - b)) >= sum(a - b).

    Args:
        scores: ``(systems, segments)``.
        swaps: ``(permutations, segments)``, 1 where the two systems change places.

    Returns:
        ``(systems, systems)``; NaN on and below the diagonal.
    """
    totals = scores.sum(axis=1)
    permuted = (2 * swaps - 1) @ scores.T
    first, second = np.triu_indices(len(scores), k=1)
    observed = totals[first] - totals[second]
    null = permuted[:, first] - permuted[:, second]
    noise = _RELATIVE_NOISE * np.abs(scores).sum(axis=1).max()
    p_values = np.full((len(scores), len(scores)), np.nan)
    p_values[first, second] = (null >= observed - noise).mean(axis=0)
    return p_values
