"""The order of segments from the worst."""

import numpy as np
import pytest

from tenbin.core.errors import UsageError
from tenbin.core.scores import MetricScores, ScoreTable
from tenbin.core.signature import Signature
from tenbin.evaluation.worst_segments import worst_first

NAN = float("nan")
SCORES = np.array([[3.0, 1.0, NAN, 5.0, 2.0], [9.0, 8.0, NAN, 0.5, NAN]])


def table(*, higher_is_better: bool = True, segments: bool = True) -> ScoreTable:
    scores = MetricScores(
        metric="chrf",
        title="chrF",
        signature=Signature(metric="chrf"),
        higher_is_better=higher_is_better,
        decimals=2,
        systems=("a", "b"),
        scores=np.zeros(2),
        segments=(SCORES if higher_is_better else -SCORES) if segments else None,
    )
    return ScoreTable(language="en", segment_count=5, systems=("a", "b"), results=(scores,))


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_a_segment_is_as_bad_as_its_worst_translation(higher_is_better: bool) -> None:  # noqa: FBT001
    scores = table(higher_is_better=higher_is_better)
    assert worst_first(scores, 5).tolist() == [3, 1, 4, 0, 2]
    assert worst_first(scores, 100).tolist() == [3, 1, 4, 0, 2]
    # The worst of a is segment 1, that of b segment 3.
    assert worst_first(scores, 1).tolist() == [3, 1]


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="not among the metrics"):
        worst_first(table(), 1, "ter")
    with pytest.raises(UsageError, match="there are no segment scores of chrf"):
        worst_first(table(segments=False), 1)
    with pytest.raises(UsageError, match="at least 1"):
        worst_first(table(), 0)
