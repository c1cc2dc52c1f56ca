"""Chooses the segments that each system translates worst."""

from collections.abc import Sequence

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.errors import UsageError
from tenbin.core.scores import MetricScores, ScoreTable, scores_called
from tenbin.core.text import SegmentSource
from tenbin.core.worst_segments import WorstSegment, WorstSegments
from tenbin.evaluation.segment_lookup import single_segments, texts_of


def worst_segments(
    source: SegmentSource, table: ScoreTable, count: int, metric: str | None = None
) -> WorstSegments:
    """Return the worst segments of each system by one metric.

    Args:
        source: The texts that were scored.
        table: Their scores, those of segments included.
        count: How many of each system.
        metric: Which of the metrics of the table; None for the first.

    Raises:
        UsageError: The table does not have such a metric, or the count is below 1.
    """
    check_count(count, "worst")
    by = metric_of(table, metric, "worst_by")
    scores = [_segment_scores_or_none(result, table.segment_count) for result in table.results]
    chosen = [
        worst_places(segment_scores(by)[place], count, higher_is_better=by.higher_is_better)
        for place in range(len(table.systems))
    ]
    found = single_segments(source, {int(place) + 1 for places in chosen for place in places})
    return WorstSegments(
        metric=by.metric,
        segments=tuple(
            WorstSegment(
                system=name,
                texts=texts_of(found[place + 1], place + 1),
                translation=found[place + 1].hypotheses[name][0],
                scores=tuple(float(one[position, place]) for one in scores),
            )
            for position, (name, places) in enumerate(zip(table.systems, chosen, strict=True))
            for place in map(int, places)
        ),
    )


def worst_places(scores: FloatArray, count: int, *, higher_is_better: bool) -> IntArray:
    """Return the places of the worst scores, the worst first; undefined scores are left out.

    >>> worst_places(np.array([3.0, np.nan, 1.0, 2.0]), 2, higher_is_better=True).tolist()
    [2, 3]
    """
    order = np.argsort(scores if higher_is_better else -scores, kind="stable")
    return order[~np.isnan(scores[order])][:count]


def worst_first(table: ScoreTable, count: int, metric: str | None = None) -> IntArray:
    """Return the places of the worst segments of all systems together, the worst first.

    A segment is as bad as its worst translation; segments without a defined score come last.

    Args:
        table: Scores, those of segments included.
        count: How many of each system; as many as there are segments for all of them.
        metric: Which of the metrics of the table; None for the first.

    Raises:
        UsageError: The table does not have such a metric, or the count is below 1.
    """
    check_count(count, "worst")
    by = metric_of(table, metric, "worst_by")
    scores = segment_scores(by)
    signed = scores if by.higher_is_better else -scores
    worst = np.fmin.reduce(signed, axis=0)
    order = np.argsort(worst, kind="stable")  # undefined scores last
    if count >= table.segment_count:
        return order
    chosen = [worst_places(own, count, higher_is_better=True) for own in signed]
    return order[np.isin(order, np.concatenate(chosen))]


def metric_of(table: ScoreTable, metric: str | None, parameter: str) -> MetricScores:
    """Return the scores of one metric of a table.

    Args:
        table: The scores.
        metric: Its spec; None for the first.
        parameter: What it was given as, for the message.

    Raises:
        UsageError: The table has no such metric.
    """
    if metric is None:
        return table.results[0]
    found = scores_called(table.results, metric)
    if found is None:
        raise not_among(parameter, metric, [result.label for result in table.results])
    return found


def not_among(parameter: str, metric: str, metrics: Sequence[str]) -> UsageError:
    """Return the error that a metric is not one of those of a run.

    Args:
        parameter: What it was given as.
        metric: Its spec.
        metrics: The metrics of the run.
    """
    return UsageError(
        f"`{parameter}={metric}` is not among the metrics of this run: {', '.join(metrics)}. Name "
        "one of them, or add it to `metrics`."
    )


def check_count(count: int, parameter: str) -> None:
    """Raise `UsageError` if a number of segments to show is below 1."""
    if count < 1:
        raise UsageError(f"`{parameter}={count}`: give a number of at least 1.")


def _segment_scores_or_none(result: MetricScores, count: int) -> FloatArray:
    """Return the scores of segments; NaN where a column of another program has none."""
    if result.segments is None and result.imported:
        return np.full((len(result.systems), count), np.nan)
    return segment_scores(result)


def segment_scores(result: MetricScores) -> FloatArray:
    """Return the scores of segments, which must have been asked for."""
    if result.segments is None and result.imported:
        raise UsageError(
            f"{result.label} has scores of whole systems alone; choose a metric of segments."
        )
    if result.segments is None:
        raise UsageError(
            f"there are no segment scores of {result.label}: score with `segments=True`."
        )
    return result.segments
