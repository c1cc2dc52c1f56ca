"""Paired tests, adjusted p-values and the ranks of systems."""

from collections.abc import Callable
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tenbin.stats.arrays import FloatArray
from tenbin.stats.resampling import bootstrap_scores
from tenbin.stats.significance import (
    exchange_draws,
    holm,
    paired_bootstrap,
    paired_randomization,
    significance_clusters,
)

# Meta-evaluation specification, section 8: p-values of the upper triangle, best system first.
SPECIFIED = np.array(
    [
        [1.0, 0.3, 0.04, 0.01],
        [0.3, 1.0, 0.2, 0.03],
        [0.04, 0.2, 1.0, 0.5],
        [0.01, 0.03, 0.5, 1.0],
    ]
)


def mean(sums: FloatArray) -> FloatArray:
    result: FloatArray = sums[..., 0] / sums[..., 1]
    return result


def as_statistics(values: FloatArray) -> FloatArray:
    """Rows (value, 1), whose score is the mean."""
    return np.stack([values, np.ones_like(values)], axis=-1)


def by_bootstrap(values: FloatArray, *, seed: int, resamples: int = 999) -> FloatArray:
    statistics = as_statistics(values)
    rng = np.random.default_rng(seed)
    (scores,) = bootstrap_scores([statistics], [mean], resamples=resamples, rng=rng)
    return paired_bootstrap(mean(statistics.sum(axis=1)), scores)


def by_randomisation(values: FloatArray, *, seed: int, rounds: int = 999) -> FloatArray:
    rng = np.random.default_rng(seed)
    return paired_randomization([as_statistics(values)], [mean], rounds=rounds, rng=rng)[0]


PairedTest = Callable[..., FloatArray]
BOTH_TESTS = pytest.mark.parametrize("p_values_of", [by_bootstrap, by_randomisation])


@BOTH_TESTS
def test_p_values_are_uniform_when_systems_are_alike(p_values_of: PairedTest) -> None:
    rng = np.random.default_rng(21)
    p_values = []
    for seed in range(300):
        # Shared difficulty of the segments, exchangeable noise of the two systems.
        values = rng.normal(size=60) + rng.normal(size=(2, 60))
        p_values.append(p_values_of(values, seed=seed)[0, 1])
    # Kolmogorov-Smirnov distance to the uniform distribution; 1.63 / sqrt(n) is its 1 % point.
    ordered = np.sort(p_values)
    steps = np.arange(len(ordered) + 1) / len(ordered)
    distance = max((steps[1:] - ordered).max(), (ordered - steps[:-1]).max())
    assert distance < 1.63 / np.sqrt(len(ordered))


@BOTH_TESTS
def test_clear_difference_has_the_smallest_p_value(p_values_of: PairedTest) -> None:
    rng = np.random.default_rng(22)
    values = rng.normal(size=200) + np.array([[0.0], [1.0], [1.0]]) + rng.normal(size=(3, 200)) / 2
    p_values = p_values_of(values, seed=1)
    assert p_values[0, 1] == p_values[0, 2] == 1 / 1_000
    assert p_values[1, 2] > 0.01


@BOTH_TESTS
@given(
    values=hnp.arrays(np.float64, (1, 13), elements=st.floats(0, 1)),
    others=hnp.arrays(np.float64, (2, 13), elements=st.floats(0, 1)),
)
def test_identical_systems_are_never_told_apart(
    p_values_of: PairedTest, values: FloatArray, others: FloatArray
) -> None:
    p_values = p_values_of(np.concatenate([values, others, values]), seed=2)
    assert p_values[0, 3] == 1
    # ... nor does a third system tell one of them from the other.
    np.testing.assert_array_equal(p_values[0, 1:3], p_values[3, 1:3])


@BOTH_TESTS
def test_constant_gain_is_significant(p_values_of: PairedTest) -> None:
    values = np.random.default_rng(23).random((1, 30)) + np.array([[0.0], [0.125]])
    assert p_values_of(values, seed=3)[0, 1] == 1 / 1_000


@BOTH_TESTS
@given(values=hnp.arrays(np.float64, (3, 8), elements=st.integers(0, 9).map(float)))
def test_order_and_sign_do_not_matter(p_values_of: PairedTest, values: FloatArray) -> None:
    p_values = p_values_of(values, seed=4)
    np.testing.assert_array_equal(p_values, p_values.T)
    np.testing.assert_array_equal(np.diag(p_values), 1)
    np.testing.assert_array_equal(p_values_of(values[::-1], seed=4), p_values[::-1, ::-1])
    np.testing.assert_array_equal(p_values_of(-values, seed=4), p_values)


@BOTH_TESTS
def test_an_undefined_system_has_undefined_p_values(p_values_of: PairedTest) -> None:
    values = np.random.default_rng(24).random((3, 10))
    alone = p_values_of(values[[0, 2]], seed=5)
    values[1] = np.nan
    p_values = p_values_of(values, seed=5)
    assert np.isnan(p_values[1, [0, 2]]).all()
    assert p_values[0, 2] == alone[0, 1]


def test_undefined_resamples_are_left_out() -> None:
    resampled = np.array([[1.0, 2.0, np.nan, 4.0, 5.0], [3.0, 3.0, 3.0, np.nan, 3.0]])
    # Differences -2, -1 and 2 about their mean -1/3: 5/3, 2/3, 7/3 against 1.
    assert paired_bootstrap(np.array([2.0, 3.0]), resampled)[0, 1] == 3 / 4


def test_infinite_scores_are_undefined_differences_not_warnings() -> None:
    resampled = np.array([[np.inf, 1.0, 2.0], [np.inf, 1.0, np.inf]])
    p_values = paired_bootstrap(np.array([np.inf, np.inf]), resampled)
    assert np.isnan(p_values[0, 1])


def test_randomisation_approaches_the_exact_test() -> None:
    values = np.array([[0.9, 0.4, 0.7, 0.8, 0.6], [0.5, 0.6, 0.3, 0.1, 0.2]])
    gains = values[0] - values[1]
    flipped = [abs(np.dot(signs, gains)) for signs in product((-1, 1), repeat=5)]
    exact = np.mean(np.array(flipped) >= abs(gains.sum()) - 1e-9)
    assert exact == 4 / 32
    assert by_randomisation(values, seed=6, rounds=20_000)[0, 1] == pytest.approx(exact, abs=0.01)


def test_sums_in_another_order_are_still_equal() -> None:
    # Only two segments differ, so that every round gives |0.1 + 0.2| or |0.1 - 0.2|, each half of
    # the time, but for the last bits of sums over all the others.
    values = np.tile(np.random.default_rng(28).random(200), (2, 1))
    values[0, :2] += [0.1, 0.2]
    assert by_randomisation(values, seed=6)[0, 1] == pytest.approx(0.5, abs=0.07)


def test_randomisation_exchanges_as_the_definition_says() -> None:
    statistics = np.random.default_rng(25).integers(1, 30, (4, 12, 2)).astype(np.float64)
    (p_values,) = paired_randomization(
        [statistics], [mean], rounds=64, rng=np.random.default_rng(7)
    )
    stays = np.random.default_rng(7).integers(2, size=(64, 12), dtype=np.bool_)
    for first, second in combinations(range(4), 2):
        a, b = statistics[first], statistics[second]
        observed = abs(mean(a.sum(axis=0)) - mean(b.sum(axis=0)))
        reached = 0
        for stay in stays[..., np.newaxis]:
            shuffled = (
                mean(np.where(stay, a, b).sum(axis=0)),
                mean(np.where(stay, b, a).sum(axis=0)),
            )
            reached += bool(abs(shuffled[0] - shuffled[1]) >= observed - 1e-12)
        assert p_values[first, second] == (reached + 1) / 65


def test_metrics_share_the_draws() -> None:
    rng = np.random.default_rng(26)
    first, second = as_statistics(rng.random((3, 40))), as_statistics(rng.random((3, 40)))
    together = paired_randomization(
        [first, second], [mean, mean], rounds=200, rng=np.random.default_rng(8)
    )
    for statistics, p_values in zip((first, second), together, strict=True):
        (alone,) = paired_randomization(
            [statistics], [mean], rounds=200, rng=np.random.default_rng(8)
        )
        np.testing.assert_array_equal(p_values, alone)


@given(block_bytes=st.integers(1, 100_000))
def test_block_size_does_not_change_p_values(block_bytes: int) -> None:
    statistics = [np.random.default_rng(27).integers(1, 9, (3, 21, 2)).astype(np.float64)]
    small, large = (
        paired_randomization(
            statistics, [mean], rounds=50, rng=np.random.default_rng(9), block_bytes=size
        )
        for size in (block_bytes, 2**24)
    )
    np.testing.assert_array_equal(small, large)


@pytest.mark.parametrize("rows", [1, 3, 11, 100])
@pytest.mark.parametrize("units", [1, 7, 32, 300])
def test_exchanges_are_those_of_one_draw_whatever_the_block(units: int, rows: int) -> None:
    rng, single = np.random.default_rng(5), np.random.default_rng(5)
    blocks = list(exchange_draws(units, rounds=11, rng=rng, rows=rows))
    expected = single.integers(2, size=(11, units), dtype=np.bool_)
    np.testing.assert_array_equal(np.concatenate(blocks), expected)
    assert rng.random() == single.random()


def test_number_of_rounds_must_be_positive() -> None:
    with pytest.raises(ValueError, match="positive, not 0"):
        by_randomisation(np.ones((2, 3)), seed=1, rounds=0)


def test_one_system_alone_has_nothing_to_compare() -> None:
    assert by_randomisation(np.ones((1, 3)), seed=1).tolist() == [[1.0]]
    assert by_bootstrap(np.ones((1, 3)), seed=1).tolist() == [[1.0]]


def test_holm_by_hand() -> None:
    # Sorted .001 .008 .039 .041 .6, times 5 4 3 2 1: .005 .032 .117 .082 .6; the fourth is raised
    # to the third.
    adjusted = holm([0.041, 0.001, 0.6, 0.039, 0.008])
    np.testing.assert_allclose(adjusted, [0.117, 0.005, 0.6, 0.117, 0.032], rtol=1e-12)


def test_holm_does_not_count_undefined_tests() -> None:
    np.testing.assert_array_equal(holm([0.25, np.nan, 0.125]), [0.25, np.nan, 0.25])
    assert holm([]).shape == (0,)


@given(hnp.arrays(np.float64, st.integers(1, 12), elements=st.floats(0, 1)))
def test_holm_lies_between_the_raw_and_the_bonferroni_value(p_values: FloatArray) -> None:
    adjusted = holm(p_values)
    assert (adjusted >= p_values).all()
    assert (adjusted <= np.minimum(p_values * len(p_values), 1)).all()
    order = np.argsort(p_values, kind="stable")
    assert (np.diff(adjusted[order]) >= 0).all()


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


def test_one_round_is_enough_and_none_is_refused() -> None:
    values = np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])
    assert by_randomisation(values, seed=1, rounds=1).shape == (2, 2)
    with pytest.raises(ValueError, match="positive"):
        by_randomisation(values, seed=1, rounds=0)
