"""Which segments somebody should read first: the worst, and those on which opinions differ."""

from collections.abc import Iterator, Sequence

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.scores import MetricScores


def interesting_segments(results: Sequence[MetricScores], count: int) -> list[int]:
    """Return positions of segments: in turn the worst by each metric and the most disputed.

    The most disputed are those with the largest difference between systems, by each metric, and
    those with the largest difference between metrics.

    Args:
        results: The scores; metrics without segment scores have no say.
        count: How many segments.
    """
    ranked = [_standardized(one) for one in results if one.segments is not None]
    if not ranked or count < 1:
        return []
    orders = [_ascending(_least(scores)) for scores in ranked]
    if len(ranked[0]) > 1:
        orders += [_ascending(-np.ptp(scores, axis=0)) for scores in ranked]
    if len(ranked) > 1:
        means = np.array([scores.mean(axis=0) for scores in ranked])
        orders.append(_ascending(-np.ptp(means, axis=0)))
    chosen: dict[int, None] = {}
    for segment in _in_turn(orders):
        chosen[segment] = None
        if len(chosen) == count:
            break
    return list(chosen)


def _standardized(scores: MetricScores) -> FloatArray:
    """Return segment scores of which higher is better, with mean 0 and deviation 1."""
    given = scores.segments if scores.segments is not None else np.zeros((1, 0))
    values = np.where(np.isfinite(given), given, np.nan)
    signed = values if scores.higher_is_better else -values
    filled = np.where(
        np.isnan(signed), np.nanmean(signed) if np.isfinite(signed).any() else 0, signed
    )
    deviation = filled.std() if filled.size else 0.0
    standard: FloatArray = (filled - (filled.mean() if filled.size else 0.0)) / (deviation or 1.0)
    return standard


def _least(scores: FloatArray) -> FloatArray:
    least: FloatArray = scores.min(axis=0)
    return least


def _ascending(values: FloatArray) -> IntArray:
    return np.argsort(values, kind="stable")


def _in_turn(orders: Sequence[IntArray]) -> Iterator[int]:
    for place in range(len(orders[0])):
        for order in orders:
            yield int(order[place])
