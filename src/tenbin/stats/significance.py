"""Tests whether systems differ by more than chance, and the ranks that these tests support.

Both tests compare all pairs at once, are two-sided and return a symmetric matrix ``(systems,
systems)``, 1 on the diagonal. p = (b + 1) / (n + 1), where b of n random statistics are at least as
large as the observed difference (Noreen 1989), so p is never 0. sacrebleu counts only statistics
*above* it, which gives a system compared with itself the smallest p there is; counting equal ones
too gives it 1. Where an observed score or every random one is undefined (NaN), p is NaN; single
undefined random scores are left out of b and n.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tenbin.stats.arrays import BoolArray, FloatArray, IntArray, Scorer
from tenbin.stats.resampling import BLOCK_BYTES, StackedStatistics

# Scores whose sums were taken in another order differ by about 1e-13 of their size; a statistic
# this close to the observed difference counts as equal. Far below any difference that matters.
_RELATIVE_NOISE = 1e-10

# NumPy draws booleans from 32-bit words and discards the rest of a word after each call.
_WORD_BITS = 32


def paired_bootstrap(observed: FloatArray, resampled: FloatArray) -> FloatArray:
    """Return the p-value of every pair of systems from their scores on shared resamples.

    The differences d_k = a_k - b_k of the resamples scatter about their mean as the observed
    difference scatters about the true one. Under the null hypothesis the true one is 0, so the
    observed |a - b| is compared with ``|d_k - mean(d)|`` (Efron and Tibshirani 1993, section 16.4).

    sacrebleu (like the Moses script it follows) takes the absolute value first: |d_k| - mean(|d|).
    When the difference is small d_k changes sign, folding narrows its spread, and p comes out far
    too small: .188 where randomization says .566. Centering first agrees with randomization.

    Args:
        observed: ``(systems,)``, scores of the whole corpus.
        resampled: ``(systems, resamples)`` from `bootstrap_scores`.

    >>> resampled = np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 3.0]])
    >>> paired_bootstrap(np.array([2.0, 2.5]), resampled).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    tally = _Tally(observed)
    for first in range(len(observed) - 1):
        with np.errstate(invalid="ignore"):  # infinity minus infinity is undefined, as it should be
            differences = resampled[first] - resampled[first + 1 :]
        defined = ~np.isnan(differences)
        count = np.maximum(np.count_nonzero(defined, axis=-1, keepdims=True), 1)
        mean = np.sum(differences, axis=-1, keepdims=True, where=defined) / count
        with np.errstate(invalid="ignore"):
            tally.add(first, np.abs(differences - mean))
    return tally.p_values()


def paired_randomization(
    statistics: Sequence[FloatArray],
    scorers: Sequence[Scorer],
    *,
    rounds: int,
    rng: np.random.Generator,
    block_bytes: int = BLOCK_BYTES,
    advance: Callable[[int], None] | None = None,
) -> list[FloatArray]:
    """Return the p-value of every pair of systems by approximate randomization, per metric.

    Noreen (1989), Riezler and Maxwell (2005): if two systems are alike, it does not matter which of
    them produced a translation. Each round exchanges the statistics of each unit with probability
    1/2; the statistic is |score(A') - score(B')|. All pairs and metrics share the draws, which are
    those of one ``rng.integers(2, size=(rounds, units), dtype=bool)``, as in sacrebleu.

    With P_s the statistics of the units of s that stay and T_s those of all its units, the two
    shuffled systems are A' = P_a + T_b - P_b and B' = P_b + T_a - P_a: one product per system.

    Args:
        statistics: ``(systems, units, K)`` of each metric, over the same units.
        scorers: The scoring function of each metric.
        rounds: Number of rounds, commonly 10,000.
        rng: The random generator.
        block_bytes: Approximate memory to work in; does not change the draws.
        advance: Called with the number of rounds, block after block.

    Raises:
        ValueError: If shapes disagree or ``rounds`` is not positive.
    """
    if rounds < 1:
        message = f"rounds must be positive, not {rounds}"
        raise ValueError(message)
    stacked = StackedStatistics.stack(statistics)
    totals = stacked.totals()
    tallies = [_Tally(scorer(total)) for scorer, total in zip(scorers, totals, strict=True)]
    rows = stacked.rows_per_block(block_bytes)
    for stay in exchange_draws(stacked.unit_count, rounds=rounds, rng=rng, rows=rows):
        staying = stacked.sums(stay.astype(np.float64))
        for tally, sums, total, scorer in zip(tallies, staying, totals, scorers, strict=True):
            for first in range(len(sums) - 1):
                moved = sums[first] - sums[first + 1 :]
                shuffled_a = scorer(moved + total[first + 1 :, np.newaxis])
                shuffled_b = scorer(total[first] - moved)
                with np.errstate(invalid="ignore"):
                    tally.add(first, np.abs(shuffled_a - shuffled_b))
        if advance is not None:
            advance(len(stay))
    return [tally.p_values() for tally in tallies]


def exchange_draws(
    units: int, *, rounds: int, rng: np.random.Generator, rows: int
) -> Iterator[BoolArray]:
    """Yield blocks ``(at most rows, units)``: which units stay with their system in each round.

    Drawing whole words and using the remaining bits in the next block makes the blocks together
    equal to one ``rng.integers(2, size=(rounds, units), dtype=bool)``, whatever ``rows``.
    """
    spare: BoolArray = np.empty(0, dtype=np.bool_)
    for start in range(0, rounds, rows):
        size = min(rows, rounds - start)
        words = -(-(size * units - len(spare)) // _WORD_BITS)
        bits = np.concatenate([spare, rng.integers(2, size=words * _WORD_BITS, dtype=np.bool_)])
        yield bits[: size * units].reshape(size, units)
        spare = bits[size * units :]


def holm(p_values: npt.ArrayLike) -> FloatArray:
    """Return p-values adjusted for multiple tests: alpha then bounds the family-wise error rate.

    Holm (1979): the smallest of m is multiplied by m, the next by m - 1, and so on; none is smaller
    than the one before it, none above 1. NaN stays NaN and does not count as a test.

    Args:
        p_values: ``(tests,)``, for a comparison of all systems one per pair.

    >>> holm([0.01, 0.04, 0.03, 0.005]).round(3).tolist()
    [0.03, 0.06, 0.06, 0.02]
    """
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full_like(p, np.nan)
    tests = np.flatnonzero(~np.isnan(p))
    order = tests[np.argsort(p[tests], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * factors), 1)
    return adjusted


class _Tally:
    """Counts, pair by pair, how many random statistics reach the observed difference."""

    def __init__(self, observed: FloatArray) -> None:
        systems = len(observed)
        size = np.maximum(np.abs(observed)[:, np.newaxis], np.abs(observed))
        with np.errstate(invalid="ignore"):
            difference = np.abs(observed[:, np.newaxis] - observed)
            self._threshold: FloatArray = difference - _RELATIVE_NOISE * size
        self._reached: IntArray = np.zeros((systems, systems), dtype=np.int64)
        self._defined: IntArray = np.zeros((systems, systems), dtype=np.int64)

    def add(self, first: int, statistic: FloatArray) -> None:
        """Count statistics ``(later systems, n)`` of ``first`` against every system after it."""
        later = slice(first + 1, None)
        reached = statistic >= self._threshold[first, later, np.newaxis]
        self._reached[first, later] += np.count_nonzero(reached, axis=-1)
        self._defined[first, later] += np.count_nonzero(~np.isnan(statistic), axis=-1)

    def p_values(self) -> FloatArray:
        """Return the symmetric matrix of p-values of everything counted so far."""
        p: FloatArray = (self._reached + 1) / (self._defined + 1)
        undefined = np.isnan(self._threshold) | (self._defined == 0)
        p = np.triu(np.where(undefined, np.nan, p), k=1)
        p = p + p.T
        np.fill_diagonal(p, 1)
        return p


def significance_clusters(
    scores: FloatArray, p_values: FloatArray, *, higher_is_better: bool, alpha: float = 0.05
) -> IntArray:
    """Return the rank of each system, counted from 1; indistinguishable systems share one.

    Systems are taken from best to worst. One opens the next rank if any system of the current rank
    beats it: has a better score, with p <= alpha. Ranks are consecutive (1 1 2, not 1 1 3). No
    system is beaten inside its rank, but it may be as good as some systems of the rank above.

    Args:
        scores: ``(systems,)``; a system without score (NaN) comes last.
        p_values: ``(systems, systems)``, symmetric; NaN never separates. Pass adjusted values
            (see `holm`) where many systems are compared.
        higher_is_better: Direction of the scores.
        alpha: Level of significance.

    Raises:
        ValueError: If ``p_values`` is not a square matrix over the systems.

    >>> p = np.array([[1.0, 0.01, 0.3], [0.01, 1.0, 0.04], [0.3, 0.04, 1.0]])
    >>> significance_clusters(np.array([31.0, 35.0, 34.0]), p, higher_is_better=True).tolist()
    [2, 1, 2]
    """
    systems = len(scores)
    if p_values.shape != (systems, systems):
        message = f"expected p-values of shape {(systems, systems)}, found {p_values.shape}"
        raise ValueError(message)
    gains = scores if higher_is_better else -scores
    ranks = np.ones(systems, dtype=np.int64)
    rank = 1
    cluster: list[np.intp] = []
    for system in np.argsort(-gains, kind="stable"):
        beaten = (p_values[cluster, system] <= alpha) & (gains[cluster] > gains[system])
        if beaten.any():
            rank += 1
            cluster = []
        ranks[system] = rank
        cluster.append(system)
    return ranks
