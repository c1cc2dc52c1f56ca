import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tenbin.stats.arrays import FloatArray
from tenbin.stats.ranking import significance_clusters

# Meta-evaluation specification, section 8: p-values of the upper triangle, best system first.
SPECIFIED = np.array(
    [
        [1.0, 0.3, 0.04, 0.01],
        [0.3, 1.0, 0.2, 0.03],
        [0.04, 0.2, 1.0, 0.5],
        [0.01, 0.03, 0.5, 1.0],
    ]
)


def test_specified_example() -> None:
    ranks = significance_clusters(np.array([4.0, 3.0, 2.0, 1.0]), SPECIFIED, higher_is_better=True)
    assert ranks.tolist() == [1, 1, 2, 2]


def test_lower_may_be_better() -> None:
    ranks = significance_clusters(np.array([1.0, 2.0, 3.0, 4.0]), SPECIFIED, higher_is_better=False)
    assert ranks.tolist() == [1, 1, 2, 2]


def test_alpha_is_the_level() -> None:
    scores = np.array([4.0, 3.0, 2.0, 1.0])
    strict = significance_clusters(scores, SPECIFIED, higher_is_better=True, alpha=0.01)
    assert strict.tolist() == [1, 1, 1, 2]


@given(st.permutations(range(4)))
def test_order_of_systems_does_not_matter(order: list[int]) -> None:
    scores = np.array([4.0, 3.0, 2.0, 1.0])
    shuffled = SPECIFIED[np.ix_(order, order)]
    ranks = significance_clusters(scores[order], shuffled, higher_is_better=True)
    assert ranks.tolist() == np.array([1, 1, 2, 2])[order].tolist()


def test_undefined_p_values_never_separate() -> None:
    p_values = np.full((3, 3), np.nan)
    ranks = significance_clusters(np.array([3.0, 2.0, 1.0]), p_values, higher_is_better=True)
    assert ranks.tolist() == [1, 1, 1]


def test_a_system_without_score_comes_last() -> None:
    p_values = np.array([[1.0, np.nan, 0.01], [np.nan, 1.0, np.nan], [0.01, np.nan, 1.0]])
    ranks = significance_clusters(np.array([1.0, np.nan, 2.0]), p_values, higher_is_better=True)
    assert ranks.tolist() == [2, 2, 1]


def test_equal_scores_never_separate() -> None:
    ranks = significance_clusters(np.array([2.0, 2.0]), np.zeros((2, 2)), higher_is_better=True)
    assert ranks.tolist() == [1, 1]


def test_no_system_no_rank() -> None:
    assert significance_clusters(np.empty(0), np.empty((0, 0)), higher_is_better=True).size == 0


def test_p_values_must_cover_the_systems() -> None:
    with pytest.raises(ValueError, match=r"shape \(2, 2\), found \(3, 3\)"):
        significance_clusters(np.array([1.0, 2.0]), np.ones((3, 3)), higher_is_better=True)


@given(
    scores=hnp.arrays(np.float64, 6, elements=st.floats(0, 9)),
    p_values=hnp.arrays(np.float64, (6, 6), elements=st.floats(0, 1)),
)
def test_ranks_follow_the_scores_without_gaps(scores: FloatArray, p_values: FloatArray) -> None:
    symmetric = np.minimum(p_values, p_values.T)
    ranks = significance_clusters(scores, symmetric, higher_is_better=True)
    ordered = ranks[np.argsort(-scores, kind="stable")]
    assert ordered[0] == 1
    assert set(np.diff(ordered)) <= {0, 1}
    together = ranks[:, np.newaxis] == ranks
    beats = (symmetric <= 0.05) & (scores[:, np.newaxis] > scores)
    assert not (together & beats).any()
