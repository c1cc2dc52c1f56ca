"""PERM-BOTH: is one metric better than another? By exchanging what the two metrics said.

Deutsch, Dror, Roth (2021), "A Statistical Analysis of Summarization Evaluation Metrics using
Resampling Methods": if two metrics are equally good, it does not matter which of them gave a score.
Scores are standardized first and exchanged one by one; for acc_eq and for preferences it is the
comparisons of two translations that are exchanged, as each metric decides them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.errors import UsageError
from tenbin.core.progress import step
from tenbin.meta.measures.measurement import Prepared
from tenbin.meta.measures.pair_tau import PairTau
from tenbin.meta.measures.segment_level import SegmentCorrelation
from tenbin.meta.measures.system_level import SystemLevel
from tenbin.meta.measures.tie_calibration import TieAccuracy, agreements
from tenbin.stats.significance import significance_clusters

ROUNDS = 1_000
BLOCK = 100
EARLY_STOP = (0.02, 0.5)
# A round that exchanges nothing reaches the observed difference but for the order of its sums.
_NOISE = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class PermutationTest:
    """The result of a test.

    Attributes:
        p_value: Share of rounds in which the second metric is ahead by the observed difference or
            more; one-sided.
        delta: Measure of the second metric less that of the first.
        rounds: Rounds until it was clear.
    """

    p_value: float
    delta: float
    rounds: int


def permutation_test(
    first: Prepared,
    second: Prepared,
    *,
    rng: np.random.Generator,
    rounds: int = ROUNDS,
    block: int = BLOCK,
    early_stop: tuple[float, float] | None = EARLY_STOP,
) -> PermutationTest:
    """Test whether the second metric is better than the first.

    Args:
        first: A measure joined with the scores of one metric.
        second: The same measure and human judgments with another metric.
        rng: Where the exchanges come from.
        rounds: The most rounds.
        block: Rounds between looks at the p-value.
        early_stop: Stop when p is below the first or above the second number; None never stops.

    Raises:
        UsageError: There is no such test for this measure.
    """
    delta, draw = _exchanges(first, second)
    reached = done = 0
    while done < rounds:
        size = min(block, rounds - done)
        reached += int(np.count_nonzero(draw(size, rng) >= delta - _NOISE))
        done += size
        share = reached / done
        if early_stop is not None and not early_stop[0] <= share <= early_stop[1]:
            break
    return PermutationTest(p_value=reached / done, delta=delta, rounds=done)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MetricRanking:
    """Metrics from best to worst.

    Attributes:
        names: In the order given.
        values: Measure of each.
        p_values: ``(metrics, metrics)``, symmetric: is the better one of the two better by chance?
        ranks: From 1; metrics that do not differ significantly share one.
    """

    names: tuple[str, ...]
    values: FloatArray
    p_values: FloatArray
    ranks: IntArray


def rank_metrics(
    metrics: Mapping[str, Prepared],
    *,
    rng: np.random.Generator,
    rounds: int = ROUNDS,
    block: int = BLOCK,
    early_stop: tuple[float, float] | None = EARLY_STOP,
    progress: Callable[[int, int], None] | None = None,
) -> MetricRanking:
    """Test every pair of metrics and rank them by significance.

    Args:
        metrics: One measure joined with the scores of each metric.
        rng: Where the exchanges come from.
        rounds: The most rounds per pair.
        block: Rounds between looks at the p-value.
        early_stop: See `permutation_test`.
        progress: Called with the number of tests done and of all, after each.
    """
    prepared = list(metrics.values())
    values = np.array([one.value().value for one in prepared])
    p_values = np.ones((len(prepared), len(prepared)))
    total = len(prepared) * (len(prepared) - 1) // 2
    with step("testing pairs of metrics", total) as advance:
        for done, (one, other) in enumerate(_pairs(len(prepared)), start=1):
            low, high = (one, other) if values[one] <= values[other] else (other, one)
            p_value = np.nan
            if not np.isnan(values[[low, high]]).any():
                p_value = permutation_test(
                    prepared[low],
                    prepared[high],
                    rng=rng,
                    rounds=rounds,
                    block=block,
                    early_stop=early_stop,
                ).p_value
            p_values[low, high] = p_values[high, low] = p_value
            advance(1)
            if progress is not None:
                progress(done, total)
    ranks = significance_clusters(values, p_values, higher_is_better=True)
    return MetricRanking(names=tuple(metrics), values=values, p_values=p_values, ranks=ranks)


_Draw = Callable[[int, np.random.Generator], FloatArray]


def _exchanges(first: Prepared, second: Prepared) -> tuple[float, _Draw]:
    """Return the observed difference, and what draws the differences of random rounds."""
    if isinstance(first, TieAccuracy) and isinstance(second, TieAccuracy):
        return _of_comparisons(first, second)
    if isinstance(first, PairTau) and isinstance(second, PairTau):
        return _of_judgments(first, second)
    if isinstance(first, SegmentCorrelation) and isinstance(second, SegmentCorrelation):
        return _of_scores(first.scores, second.scores, first.of_scores)
    if isinstance(first, SystemLevel) and isinstance(second, SystemLevel):
        return _of_scores(first.scores, second.scores, first.of_scores)
    raise UsageError(
        "there is no permutation test for this measure; its bootstrap gives the uncertainty of "
        "the difference instead."
    )


def _of_scores(
    first: FloatArray, second: FloatArray, measured: Callable[[FloatArray], FloatArray]
) -> tuple[float, _Draw]:
    one, other = _standardized(first), _standardized(second)
    observed = measured(np.stack([first, second]))

    def draw(rounds: int, rng: np.random.Generator) -> FloatArray:
        swap = rng.integers(2, size=(rounds, len(one)), dtype=np.bool_)
        lower, upper = np.where(swap, other, one), np.where(swap, one, other)
        differences: FloatArray = measured(upper) - measured(lower)
        return differences

    return float(observed[1] - observed[0]), draw


def _of_comparisons(first: TieAccuracy, second: TieAccuracy) -> tuple[float, _Draw]:
    """Exchange comparisons of two translations, each decided with its metric's own epsilon.

    The measure is linear in the comparisons, so that only those on which the metrics differ count,
    and of these only how many of a group go either way: a binomial number.
    """
    one, other = (agreements(t.pairs, t.value().epsilon) for t in (first, second))
    pairs = first.pairs
    scale = (2 if first.as_tau else 1) / pairs.group_count
    groups = pairs.group_of_pair
    gains = np.bincount(
        groups, weights=other.astype(float) - one.astype(float), minlength=pairs.group_count
    )
    differing = np.bincount(groups[one != other], minlength=pairs.group_count)
    kept = np.flatnonzero(differing)
    weights = scale / pairs.group_sizes

    def draw(rounds: int, rng: np.random.Generator) -> FloatArray:
        heads = rng.binomial(differing[kept], 0.5, size=(rounds, len(kept)))
        sums: FloatArray = (2 * heads - differing[kept]) @ weights[kept]
        return sums

    return float((gains * weights).sum()), draw


def _of_judgments(first: PairTau, second: PairTau) -> tuple[float, _Draw]:
    """Exchange what the metrics say on each judgment."""
    one, other = (PairTau.of_signs(t.rule, t.signs).outcomes for t in (first, second))
    differing = np.flatnonzero(first.signs != second.signs)
    change = (other - one)[differing]
    low, high = one.sum(axis=0), other.sum(axis=0)

    def tau(counts: FloatArray) -> FloatArray:
        return first.rule(*np.moveaxis(counts, -1, 0))

    def draw(rounds: int, rng: np.random.Generator) -> FloatArray:
        swap = rng.integers(2, size=(rounds, len(differing)), dtype=np.bool_).astype(np.float64)
        moved = swap @ change
        return tau(high - moved) - tau(low + moved)

    return float(tau(high[None])[0] - tau(low[None])[0]), draw


def _standardized(scores: FloatArray) -> FloatArray:
    spread = scores.std()
    centered: FloatArray = scores - scores.mean()
    return centered / spread if spread > 0 else centered


def _pairs(count: int) -> Iterator[tuple[int, int]]:
    return ((one, other) for one in range(count) for other in range(one + 1, count))
