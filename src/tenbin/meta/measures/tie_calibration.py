"""Pairwise accuracy that gives credit for ties: acc_eq and tau_eq with tie calibration.

Deutsch, Foster, Freitag (2023), "Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy
and Tie Calibration". A pair of translations counts if gold and metric order it alike, or if both
call it a tie; metric scores are tied if they differ by epsilon at most, and epsilon is the one that
does best. tau_eq = 2 acc_eq - 1, so that both have the same best epsilon.
"""

from dataclasses import dataclass

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.counting import counted
from tenbin.core.errors import UsageError
from tenbin.core.judgments import ScoreMatrix
from tenbin.kernels.ranking.tie_curves import best_along
from tenbin.meta.measures.measurement import Averaging, Measurement
from tenbin.meta.measures.scores import aligned
from tenbin.meta.measures.segment_level import grouped_items
from tenbin.stats.arrays import BoolArray

_MOST_PAIRS = 50_000_000
_MOST_RESAMPLED = 5_000_000


@dataclass(frozen=True, slots=True, eq=False)
class ItemPairs:
    """Every pair of items of a group.

    Attributes:
        gold: Difference of human scores.
        metric: Difference of metric scores.
        first: One item of each pair.
        second: The other.
        groups: Group of each item.
        segments: Segment of each item.
        averaging: What the groups are.
        segment_count: Segments of the table.
    """

    gold: FloatArray
    metric: FloatArray
    first: IntArray
    second: IntArray
    groups: IntArray
    segments: IntArray
    averaging: Averaging
    segment_count: int

    @property
    def group_count(self) -> int:
        """How many groups there are."""
        return int(self.groups[-1]) + 1 if len(self.groups) else 0

    @property
    def group_of_pair(self) -> IntArray:
        """Group of each pair."""
        return self.groups[self.first]

    @property
    def group_sizes(self) -> IntArray:
        """Pairs of each group."""
        return np.bincount(self.group_of_pair, minlength=self.group_count)


def item_pairs(human: ScoreMatrix, metric: ScoreMatrix, averaging: Averaging) -> ItemPairs:
    """Return all pairs of items with human scores, inside the groups of an averaging.

    Raises:
        UsageError: There are too many pairs, which happens without averaging.
    """
    gold, scores = aligned(human, metric)
    items = grouped_items(gold, averaging)
    sizes = np.diff(items.offsets)
    pairs = int((sizes * (sizes - 1) // 2).sum())
    if pairs > _MOST_PAIRS:
        raise UsageError(
            f"{counted(pairs, 'pair')} of translations are too many to calibrate ties on "
            f"(averaging {averaging!s}); compare translations of the same segment (acc-eq)."
        )
    values = items.of(scores)
    first, second = _pairs_of_groups(items.offsets)
    return ItemPairs(
        gold=items.gold[first] - items.gold[second],
        metric=values[first] - values[second],
        first=first,
        second=second,
        groups=np.repeat(np.arange(len(sizes)), sizes),
        segments=items.segments,
        averaging=averaging,
        segment_count=items.segment_count,
    )


def _pairs_of_groups(offsets: IntArray) -> tuple[IntArray, IntArray]:
    """Return the two items of each pair inside each group, group by group."""
    sizes = np.diff(offsets)
    triangles = {size: np.triu_indices(size, k=1) for size in np.unique(sizes)}
    empty = np.empty(0, dtype=np.int64)
    firsts = [triangles[size][0] + start for size, start in zip(sizes, offsets, strict=False)]
    seconds = [triangles[size][1] + start for size, start in zip(sizes, offsets, strict=False)]
    return np.concatenate([empty, *firsts]), np.concatenate([empty, *seconds])


def agreements(pairs: ItemPairs, epsilon: float) -> BoolArray:
    """Return whether gold and metric agree on each pair, ties included."""
    tied = np.abs(pairs.metric) <= epsilon
    alike: BoolArray = np.where(
        tied, pairs.gold == 0, np.sign(pairs.metric) * np.sign(pairs.gold) > 0
    )
    return alike


def order_statistics(pairs: ItemPairs, epsilon: float) -> IntArray:
    """Return, per group: concordant, discordant, tied in gold only, in the metric only, in both."""
    tied_metric, tied_gold = np.abs(pairs.metric) <= epsilon, pairs.gold == 0
    alike = np.sign(pairs.metric) == np.sign(pairs.gold)
    free = ~tied_metric & ~tied_gold
    kinds = (
        free & alike,
        free & ~alike,
        tied_gold & ~tied_metric,
        tied_metric & ~tied_gold,
        tied_metric & tied_gold,
    )
    counts = [np.bincount(pairs.group_of_pair[k], minlength=pairs.group_count) for k in kinds]
    return np.stack(counts, axis=1).astype(np.int64)


def tied_kendall(pairs: ItemPairs, epsilon: float) -> Measurement:
    """Return the mean Kendall tau-b over groups, metric differences up to epsilon being ties."""
    c, d, gold_only, metric_only, _ = order_statistics(pairs, epsilon).T.astype(np.float64)
    free = (c + d + gold_only) * (c + d + metric_only)
    values = (c - d)[free > 0] / np.sqrt(free[free > 0])
    value = float(values.mean()) if len(values) else np.nan
    return Measurement(value=value, n=len(pairs.gold), groups=len(values), epsilon=epsilon)


def threshold_tau(pairs: ItemPairs, points: float) -> Measurement:
    """Return (C - D) / (C + D) of the pairs whose gold differs by some points; ties discordant."""
    far = np.abs(pairs.gold) >= points
    agree = int((np.sign(pairs.gold[far]) * np.sign(pairs.metric[far]) > 0).sum())
    count = int(far.sum())
    value = (2 * agree - count) / count if count else np.nan
    return Measurement(value=value, n=count, counts=(agree, count - agree, 0))


@dataclass(frozen=True, slots=True, eq=False)
class TieAccuracy:
    """acc_eq (or tau_eq) of a metric; without ``epsilon`` it is calibrated."""

    pairs: ItemPairs
    epsilon: float | None
    as_tau: bool

    @classmethod
    def prepare(
        cls,
        averaging: Averaging,
        human: ScoreMatrix,
        metric: ScoreMatrix,
        *,
        epsilon: float | None = None,
        as_tau: bool = False,
    ) -> "TieAccuracy":
        """Return the measure with the data of one metric."""
        return cls(item_pairs(human, metric, averaging), epsilon, as_tau)

    @property
    def units(self) -> int:
        """Number of segments."""
        return self.pairs.segment_count

    def value(self) -> Measurement:
        """Return the mean accuracy over groups at the best epsilon."""
        values, epsilons = self._calibrated(np.ones((1, self.units)))
        return Measurement(
            value=float(values[0]),
            n=len(self.pairs.gold),
            groups=self.pairs.group_count,
            epsilon=float(epsilons[0]),
        )

    def resampled(self, counts: FloatArray) -> FloatArray:
        """Return the measure on segments drawn with replacement, calibrated anew for each sample.

        Where groups are not segments, two copies of one segment are a pair tied on both sides.

        Raises:
            UsageError: There are too many pairs, which happens without averaging.
        """
        if len(self.pairs.gold) > _MOST_RESAMPLED:
            raise UsageError(
                f"{counted(len(self.pairs.gold), 'pair')} of translations are too many to "
                "calibrate ties on in every bootstrap sample; compare translations of the same "
                "segment (acc-eq)."
            )
        return self._calibrated(counts)[0]

    def curve(self) -> tuple[FloatArray, FloatArray]:
        """Return every candidate epsilon and the measure there; both empty without pairs."""
        pairs = self.pairs
        if pairs.group_count == 0:
            return np.empty(0), np.empty(0)
        sizes = np.abs(pairs.metric)
        candidates = np.unique(np.append(sizes, 0.0))
        shares = 1 / pairs.group_sizes[pairs.group_of_pair]
        gains = (np.where(pairs.gold == 0, 1.0, 0.0) - agreements(pairs, 0.0)) * shares
        places = np.searchsorted(candidates, sizes)
        steps = np.bincount(places, weights=gains, minlength=len(candidates))
        base = float((agreements(pairs, 0.0) * shares).sum())
        values = (base + np.cumsum(steps)) / pairs.group_count
        return candidates, 2 * values - 1 if self.as_tau else values

    def _calibrated(self, counts: FloatArray) -> tuple[FloatArray, FloatArray]:
        pairs = self.pairs
        if pairs.group_count == 0:
            undefined = np.full(len(counts), np.nan)
            return undefined, undefined
        alike = agreements(pairs, self.epsilon or 0.0)
        weighted = _by_item(pairs, counts) if self._by_item else _by_copies(pairs, counts)
        best = weighted.agreement(alike)
        epsilons = np.full(len(counts), self.epsilon or 0.0)
        if self.epsilon is None:
            gains = (pairs.gold == 0).astype(np.float64) - alike
            # Pairs that change nothing, or are tied already, make no maximum.
            moving = np.flatnonzero((gains != 0) & (pairs.metric != 0))
            sizes = np.abs(pairs.metric[moving])
            order = np.argsort(sizes, kind="stable")
            moving, sizes = moving[order], sizes[order]
            ends = np.ones(len(sizes), dtype=np.bool_)
            ends[:-1] = sizes[1:] != sizes[:-1]
            left, right = weighted.left[moving], weighted.right[moving]
            best, steps = best_along(best, gains[moving], left, right, weighted.weights, ends)
            epsilons = np.append(sizes, 0.0)[steps]
        groups = weighted.groups
        values = np.where(groups > 0, best / np.maximum(groups, 1), np.nan)
        return 2 * values - 1 if self.as_tau else values, epsilons

    @property
    def _by_item(self) -> bool:
        return self.pairs.averaging is Averaging.ITEM


@dataclass(frozen=True, slots=True, eq=False)
class _WeightedPairs:
    """What each pair adds to the sum of group accuracies: the product of two columns of weights."""

    weights: FloatArray
    left: IntArray
    right: IntArray
    constant: FloatArray
    groups: FloatArray

    def agreement(self, alike: BoolArray) -> FloatArray:
        """Return the sum over groups of the share of pairs that agree, per sample."""
        left, right = self.left[alike], self.right[alike]
        sums = np.array([np.sum(row[left] * row[right]) for row in self.weights])
        return sums + self.constant


def _by_item(pairs: ItemPairs, counts: FloatArray) -> _WeightedPairs:
    """Weigh the pairs of a segment by how often it was drawn."""
    _, firsts = np.unique(pairs.groups, return_index=True)
    drawn = counts[:, pairs.segments[firsts]]
    ones = np.ones((len(counts), 1))
    return _WeightedPairs(
        weights=np.concatenate([drawn / pairs.group_sizes, ones], axis=1),
        left=pairs.group_of_pair,
        right=np.full(len(pairs.gold), pairs.group_count),
        constant=np.zeros(len(counts)),
        groups=drawn.sum(axis=1),
    )


def _by_copies(pairs: ItemPairs, counts: FloatArray) -> _WeightedPairs:
    """Weigh each pair by the copies of both items; copies of one item agree with each other."""
    copies = counts[:, pairs.segments]
    starts = np.unique(pairs.groups, return_index=True)[1]
    drawn = np.add.reduceat(copies, starts, axis=1)
    totals = drawn * (drawn - 1) / 2
    shares = np.where(totals > 0, 1 / np.maximum(totals, 1), 0.0)
    own = np.add.reduceat(copies * (copies - 1) / 2, starts, axis=1)
    return _WeightedPairs(
        weights=np.concatenate([copies, copies * shares[:, pairs.groups]], axis=1),
        left=pairs.first,
        right=pairs.second + len(pairs.groups),
        constant=(own * shares).sum(axis=1),
        groups=(totals > 0).sum(axis=1).astype(np.float64),
    )
