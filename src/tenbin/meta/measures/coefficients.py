"""Coefficients of correlation: Pearson, Spearman, Kendall tau-b and tau-c.

Each works on many groups of items at once (all items, those of each system, those of each segment),
and on many weightings of the items of one group, which is what bootstrap samples are. An undefined
coefficient (a constant side, fewer than two items) is NaN.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.kernels.ranking.order_counts import (
    CONCORDANT,
    DISCORDANT,
    LEFT_VALUES,
    RIGHT_VALUES,
    TIED_LEFT,
    TIED_RIGHT,
    order_counts,
)
from tenbin.meta.measures.p_values import kendall_p, pearson_p, spearman_p
from tenbin.stats.arrays import BoolArray

# A variance this small beside the squares it is the difference of is rounding.
_NO_VARIANCE = 1e-13


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationCoefficient:
    """One coefficient.

    Attributes:
        name: As measures are named.
        of_groups: From gold ``(items,)``, metric ``(..., items)`` and the offsets of groups, the
            values ``(..., groups)``.
        of_samples: From gold ``(items,)``, metric ``(items,)`` and weights ``(samples, items)``,
            the values ``(samples,)``; an item of weight w stands for w copies.
        p_value: Two-sided p of a value, from it, gold and metric of the group; as in scipy.
    """

    name: str
    of_groups: Callable[[FloatArray, FloatArray, IntArray], FloatArray]
    of_samples: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
    p_value: Callable[[float, FloatArray, FloatArray], float]


def correlation(coefficient: CorrelationCoefficient, gold: FloatArray, metric: FloatArray) -> float:
    """Return the coefficient of two rows of numbers.

    >>> correlation(PEARSON, np.array([1.0, 2.0, 4.0]), np.array([2.0, 4.0, 8.0]))
    1.0
    """
    offsets = np.array([0, len(gold)])
    return float(coefficient.of_groups(gold, metric, offsets)[0])


def pearson_of_groups(gold: FloatArray, metric: FloatArray, offsets: IntArray) -> FloatArray:
    """Return Pearson's r of each group."""
    sizes = np.diff(offsets)
    sums, starts = np.add.reduceat, offsets[:-1]
    # Subtracting the mean first keeps digits that sums of squares of large numbers lose.
    x = gold - np.repeat(sums(gold, starts) / sizes, sizes)
    y = metric - np.repeat(sums(metric, starts, axis=-1) / sizes, sizes, axis=-1)
    defined = _varies(gold, starts) & _varies(metric, starts)
    with np.errstate(invalid="ignore", divide="ignore"):
        norms = np.sqrt(sums(x * x, starts)) * np.sqrt(sums(y * y, starts, axis=-1))
        values = sums(x * y, starts, axis=-1) / norms
    result: FloatArray = np.where(defined, np.clip(values, -1, 1), np.nan)
    return result


def pearson_of_samples(gold: FloatArray, metric: FloatArray, weights: FloatArray) -> FloatArray:
    """Return Pearson's r under each weighting."""
    return _weighted_pearson(gold - gold.mean(), metric - metric.mean(), weights)


def spearman_of_groups(gold: FloatArray, metric: FloatArray, offsets: IntArray) -> FloatArray:
    """Return Spearman's rho of each group: Pearson's r of average ranks."""
    group = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    rows = metric.reshape(-1, len(gold))
    groups = (np.arange(len(rows))[:, None] * len(offsets) + group).ravel()
    ranked = average_ranks(rows.ravel(), groups).reshape(metric.shape)
    return pearson_of_groups(average_ranks(gold, group), ranked, offsets)


def spearman_of_samples(gold: FloatArray, metric: FloatArray, weights: FloatArray) -> FloatArray:
    """Return Spearman's rho under each weighting; ranks are those among the copies."""
    sides = [np.unique(row, return_inverse=True)[1] for row in (gold, metric)]
    values = []
    for copies in weights:
        ranks = [_ranks_among_copies(place, copies) for place in sides]
        values.append(_weighted_pearson(ranks[0], ranks[1], copies[None, :]))
    return np.concatenate(values)


def average_ranks(row: FloatArray, group: IntArray | None = None) -> FloatArray:
    """Return ranks from 1 within each group; equal numbers share the mean of their ranks.

    >>> average_ranks(np.array([0.5, 0.1, 0.5, 0.9])).tolist()
    [2.5, 1.0, 2.5, 4.0]
    """
    if group is None:
        group = np.zeros(len(row), dtype=np.int64)
    order = np.lexsort((row, group))
    ordered, groups = row[order], group[order]
    new = np.ones(len(row), dtype=np.bool_)
    new[1:] = (ordered[1:] != ordered[:-1]) | (groups[1:] != groups[:-1])
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], len(row))
    ranks = np.empty(len(row))
    # Ranks over all groups: within a group they are shifted by a constant, which no r can see.
    ranks[order] = np.repeat((starts + 1 + ends) / 2, ends - starts)
    return ranks


def kendall_of_groups(variant: str) -> Callable[[FloatArray, FloatArray, IntArray], FloatArray]:
    """Return the function of groups for variant ``b`` or ``c``."""

    def of_groups(gold: FloatArray, metric: FloatArray, offsets: IntArray) -> FloatArray:
        return tau(counts_of_groups(gold, metric, offsets), variant)

    return of_groups


def counts_of_groups(gold: FloatArray, metric: FloatArray, offsets: IntArray) -> IntArray:
    """Return the counts of `order_counts` for metric scores ``(..., items)``: ``(..., groups, 7)``.

    All rows go in one call: the groups of the second row come after those of the first.
    """
    rows = int(np.prod(metric.shape[:-1]))
    starts = np.arange(rows)[:, None] * len(gold) + offsets[:-1]
    ends = np.append(starts.ravel(), rows * len(gold))
    counts: IntArray = order_counts(np.tile(gold, rows), metric.ravel(), ends)[0]
    return counts.reshape((*metric.shape[:-1], len(offsets) - 1, -1))


def kendall_of_samples(variant: str) -> Callable[[FloatArray, FloatArray, FloatArray], FloatArray]:
    """Return the function of weightings for variant ``b`` or ``c``."""

    def of_samples(gold: FloatArray, metric: FloatArray, weights: FloatArray) -> FloatArray:
        offsets = np.array([0, len(gold)])
        return tau(order_counts(gold, metric, offsets, weights.astype(np.int64))[:, 0], variant)

    return of_samples


def tau(counts: IntArray, variant: str) -> FloatArray:
    """Return Kendall's tau-b or tau-c from the counts ``(..., 7)`` of `order_counts`."""
    columns = np.moveaxis(counts, -1, 0).astype(np.float64)
    difference = columns[CONCORDANT] - columns[DISCORDANT]
    ordered = columns[CONCORDANT] + columns[DISCORDANT]
    pairs = columns[:LEFT_VALUES].sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        if variant == "b":
            free = np.sqrt(ordered + columns[TIED_RIGHT]) * np.sqrt(ordered + columns[TIED_LEFT])
            values = difference / free
        else:
            fewest = np.minimum(columns[LEFT_VALUES], columns[RIGHT_VALUES])
            items = (1 + np.sqrt(1 + 8 * pairs)) / 2
            values = 2 * difference / (items**2 * (fewest - 1) / fewest)
            values = np.where(fewest > 1, values, np.nan)
    return np.where(np.isfinite(values), values, np.nan)


def _weighted_pearson(x: FloatArray, y: FloatArray, weights: FloatArray) -> FloatArray:
    columns = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], axis=1)
    n, sx, sy, sxx, syy, sxy = np.moveaxis(weights @ columns, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        vx, vy = sxx - sx * sx / n, syy - sy * sy / n
        values = (sxy - sx * sy / n) / np.sqrt(vx * vy)
        defined = (vx > _NO_VARIANCE * sxx) & (vy > _NO_VARIANCE * syy)
    return np.where(defined, np.clip(values, -1, 1), np.nan)


def _ranks_among_copies(place: npt.NDArray[np.intp], copies: FloatArray) -> FloatArray:
    """Return the average rank of each item among the copies of all, less the mean rank."""
    heights = np.bincount(place, weights=copies)
    ranks = (np.cumsum(heights) - (heights - 1) / 2)[place]
    centered: FloatArray = ranks - (copies.sum() + 1) / 2
    return centered


def _varies(row: FloatArray, starts: IntArray) -> BoolArray:
    highest = np.maximum.reduceat(row, starts, axis=-1)
    different: BoolArray = highest != np.minimum.reduceat(row, starts, axis=-1)
    return different


PEARSON = CorrelationCoefficient(
    name="pearson",
    of_groups=pearson_of_groups,
    of_samples=pearson_of_samples,
    p_value=lambda value, gold, _: pearson_p(value, len(gold)),
)
SPEARMAN = CorrelationCoefficient(
    name="spearman",
    of_groups=spearman_of_groups,
    of_samples=spearman_of_samples,
    p_value=lambda value, gold, _: spearman_p(value, len(gold)),
)
KENDALL_B = CorrelationCoefficient(
    name="kendall",
    of_groups=kendall_of_groups("b"),
    of_samples=kendall_of_samples("b"),
    p_value=lambda _, gold, metric: kendall_p(gold, metric),
)
KENDALL_C = CorrelationCoefficient(
    name="kendall-c",
    of_groups=kendall_of_groups("c"),
    of_samples=kendall_of_samples("c"),
    p_value=lambda _, gold, metric: kendall_p(gold, metric),
)
