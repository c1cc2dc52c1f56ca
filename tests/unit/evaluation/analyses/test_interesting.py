"""The segments that are explained first."""

import numpy as np

from tenbin.core.scores import MetricScores
from tenbin.core.signature import Signature
from tenbin.evaluation.analyses.interesting import interesting_segments


def scores(values: list[list[float]], *, higher: bool = True) -> MetricScores:
    segments = np.array(values)
    return MetricScores(
        metric="m",
        title="M",
        signature=Signature(metric="m"),
        higher_is_better=higher,
        decimals=2,
        systems=tuple(map(str, range(len(values)))),
        scores=segments.mean(axis=1),
        segments=segments,
    )


def test_the_worst_comes_first() -> None:
    assert interesting_segments([scores([[5.0, 1.0, 9.0, 3.0]])], 2) == [1, 3]
    assert interesting_segments([scores([[5.0, 1.0, 9.0, 3.0]], higher=False)], 2) == [2, 0]


def test_disagreement_of_systems_and_of_metrics_has_its_turn() -> None:
    one = scores([[0.0, 5.0, 5.0, 5.0], [0.0, 9.0, 5.0, 5.0]])
    two = scores([[0.0, 5.0, 5.0, 0.0], [0.0, 9.0, 5.0, 0.0]])
    assert interesting_segments([one, two], 3) == [0, 1, 3]


def test_missing_scores_are_no_worst_ones() -> None:
    assert interesting_segments([scores([[np.nan, 2.0, 1.0]])], 1) == [2]
    assert len(interesting_segments([scores([[np.nan, np.nan]])], 1)) == 1


def test_no_more_than_there_are() -> None:
    assert sorted(interesting_segments([scores([[1.0, 2.0]])], 9)) == [0, 1]
    assert interesting_segments([scores([[1.0, 2.0]])], 0) == []
    assert interesting_segments([], 3) == []
