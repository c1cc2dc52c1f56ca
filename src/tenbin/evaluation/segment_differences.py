"""Chooses the segments on which two systems differ most."""

from collections.abc import Sequence

import numpy as np

from tenbin.core.errors import UsageError
from tenbin.core.scores import MetricScores, ScoreTable
from tenbin.core.segment_differences import (
    PairDifferences,
    SegmentDifference,
    SegmentDifferences,
)
from tenbin.core.text import SegmentSource, TestSet
from tenbin.evaluation.segment_lookup import single_segments, texts_of
from tenbin.evaluation.word_difference import differing_words
from tenbin.evaluation.worst_segments import check_count, metric_of, segment_scores

_Chosen = tuple[int, int, list[int], list[int]]


def segment_differences(
    source: SegmentSource,
    table: ScoreTable,
    count: int,
    metric: str | None = None,
    *,
    baseline: str | None = None,
    between: Sequence[str] | None = None,
) -> SegmentDifferences:
    """Return the segments with the largest differences, in both directions.

    Args:
        source: The texts that were scored.
        table: Their scores, those of segments included.
        count: How many in each direction.
        metric: Which of the metrics of the table; None for the first.
        baseline: Compare this system with each of the others; None for the best with the second.
        between: The names of two systems to compare instead.

    Raises:
        UsageError: There is no such metric or system, or the count is below 1.
    """
    check_count(count, "differences")
    by = metric_of(table, metric, "differences_by")
    chosen = [(*pair, *_largest(by, *pair, count)) for pair in _pairs(by, baseline, between)]
    numbers = {place + 1 for _, _, *both in chosen for places in both for place in places}
    found = single_segments(source, numbers)
    return SegmentDifferences(
        metric=by.metric, pairs=tuple(_pair(by, one, found) for one in chosen)
    )


def check_between(systems: Sequence[str], between: Sequence[str] | None) -> None:
    """Raise `UsageError` unless two different systems of a test set are named."""
    if between is None:
        return
    listed = ", ".join(systems)
    unknown = [name for name in between if name not in systems]
    if unknown:
        raise UsageError(f"there is no system {', '.join(unknown)}; there are: {listed}.")
    if len(between) != 2 or between[0] == between[1]:  # noqa: PLR2004 - a pair
        raise UsageError(
            f"`differences_between`: name two different systems, not {', '.join(between)}; there "
            f"are: {listed}."
        )


def _pairs(
    by: MetricScores, baseline: str | None, between: Sequence[str] | None
) -> list[tuple[int, int]]:
    systems = by.systems
    check_between(systems, between)
    if between is not None:
        return [(systems.index(between[0]), systems.index(between[1]))]
    if baseline is not None:
        base = systems.index(baseline)
        return [(other, base) for other in range(len(systems)) if other != base]
    best, second = np.argsort(-by.scores if by.higher_is_better else by.scores, kind="stable")[:2]
    return [(int(best), int(second))]


def _largest(by: MetricScores, first: int, second: int, count: int) -> tuple[list[int], list[int]]:
    """Return the places on which the first system is better, and those of the second."""
    scores = segment_scores(by)
    lead = scores[first] - scores[second] if by.higher_is_better else scores[second] - scores[first]
    order = np.argsort(-lead, kind="stable")
    ahead = [int(place) for place in order if lead[place] > 0][:count]
    behind = [int(place) for place in np.argsort(lead, kind="stable") if lead[place] < 0][:count]
    return ahead, behind


def _pair(by: MetricScores, chosen: _Chosen, found: dict[int, TestSet]) -> PairDifferences:
    first, second, ahead, behind = chosen
    pair = first, second
    return PairDifferences(
        first=by.systems[first],
        second=by.systems[second],
        first_better=tuple(_difference(by, pair, place, found[place + 1]) for place in ahead),
        second_better=tuple(_difference(by, pair, place, found[place + 1]) for place in behind),
    )


def _difference(
    by: MetricScores, pair: tuple[int, int], place: int, single: TestSet
) -> SegmentDifference:
    scores = segment_scores(by)
    own, other = (single.hypotheses[by.systems[position]][0] for position in pair)
    return SegmentDifference(
        texts=texts_of(single, place + 1),
        translations=(own, other),
        scores=(float(scores[pair[0], place]), float(scores[pair[1], place])),
        differing=differing_words(own, other),
    )
