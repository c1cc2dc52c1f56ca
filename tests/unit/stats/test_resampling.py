import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tenbin.stats.arrays import FloatArray
from tenbin.stats.resampling import (
    bootstrap_counts,
    bootstrap_scores,
    grouped,
    percentile_interval,
)


def mean(sums: FloatArray) -> FloatArray:
    result: FloatArray = sums[..., 0] / sums[..., 1]
    return result


def as_statistics(values: FloatArray) -> FloatArray:
    """Rows (value, 1), whose score is the mean."""
    return np.stack([values, np.ones_like(values)], axis=-1)


def whole_numbers(systems: int, units: int, width: int) -> FloatArray:
    return np.random.default_rng(3).integers(1, 50, (systems, units, width)).astype(np.float64)


@given(
    statistics=hnp.arrays(np.float64, (2, 9, 3), elements=st.integers(-99, 99).map(float)),
    groups=st.lists(st.integers(-2, 3), min_size=9, max_size=9),
)
def test_grouped_sums_each_document(statistics: FloatArray, groups: list[int]) -> None:
    labels = np.array(groups)
    expected = [statistics[:, labels == label].sum(axis=1) for label in sorted(set(groups))]
    np.testing.assert_array_equal(grouped(statistics, labels), np.stack(expected, axis=1))


def test_grouped_leaves_segments_alone_when_documents_are_unknown() -> None:
    statistics = whole_numbers(1, 4, 2)
    assert grouped(statistics, None) is statistics


def test_grouped_refuses_another_number_of_segments() -> None:
    with pytest.raises(ValueError, match=r"each of 4 segments, found shape \(3,\)"):
        grouped(whole_numbers(1, 4, 2), [0, 0, 1])


@pytest.mark.parametrize("rows", [1, 3, 11, 100])
@pytest.mark.parametrize("units", [1, 7, 32, 300])
def test_counts_are_those_of_one_choice_whatever_the_block(units: int, rows: int) -> None:
    rng = np.random.default_rng(5)
    counts = np.concatenate(list(bootstrap_counts(units, resamples=11, rng=rng, rows=rows)))
    single = np.random.default_rng(5)
    drawn = single.choice(units, size=(11, units), replace=True)
    expected = [np.bincount(row, minlength=units) for row in drawn]
    np.testing.assert_array_equal(counts, expected)
    assert rng.random() == single.random()  # nor does it matter to what is drawn afterwards


def test_resampled_scores_are_scores_of_the_drawn_units() -> None:
    first, second = whole_numbers(3, 20, 2), whole_numbers(2, 20, 4)
    scores = bootstrap_scores(
        [first, second],
        [mean, lambda sums: sums.sum(axis=-1)],
        resamples=6,
        rng=np.random.default_rng(8),
    )
    drawn = np.random.default_rng(8).choice(20, size=(6, 20))
    np.testing.assert_array_equal(scores[0], mean(first[:, drawn].sum(axis=2)))
    np.testing.assert_array_equal(scores[1], second[:, drawn].sum(axis=(2, 3)))


@given(block_bytes=st.integers(1, 100_000))
def test_block_size_does_not_change_scores(block_bytes: int) -> None:
    statistics = [whole_numbers(3, 40, 2), whole_numbers(3, 40, 5)]
    scorers = [mean, mean]
    small = bootstrap_scores(
        statistics, scorers, resamples=50, rng=np.random.default_rng(2), block_bytes=block_bytes
    )
    large = bootstrap_scores(statistics, scorers, resamples=50, rng=np.random.default_rng(2))
    np.testing.assert_array_equal(small, large)


@pytest.mark.parametrize(
    ("statistics", "message"),
    [
        ([np.ones((2, 3))], r"shape \(systems, units, K\), not \(2, 3\)"),
        ([np.ones((1, 3, 2)), np.ones((1, 4, 2))], r"found \[3, 4\]"),
        ([np.ones((1, 0, 2))], r"found \[0\]"),
        ([], r"found \[\]"),
    ],
)
def test_statistics_of_wrong_shape_are_refused(statistics: list[FloatArray], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bootstrap_scores(
            statistics, [mean] * len(statistics), resamples=5, rng=np.random.default_rng(1)
        )


def test_number_of_resamples_must_be_positive() -> None:
    with pytest.raises(ValueError, match="positive, not 0"):
        bootstrap_scores([np.ones((1, 3, 2))], [mean], resamples=0, rng=np.random.default_rng(1))
    (one,) = bootstrap_scores(
        [np.ones((1, 3, 2))], [mean], resamples=1, rng=np.random.default_rng(1)
    )
    assert one.shape == (1, 1)


def test_interval_of_a_mean_covers_it_at_its_level() -> None:
    # 500 corpora of 60 segments as 500 "systems": 95 % of the intervals hold the true mean. Four
    # standard errors, and the percentile interval is known to be a little narrow for 60 units.
    values = np.random.default_rng(11).normal(3, 2, (500, 60))
    (scores,) = bootstrap_scores(
        [as_statistics(values)], [mean], resamples=1_000, rng=np.random.default_rng(12)
    )
    low, high = percentile_interval(scores)
    assert 0.91 < np.mean((low <= 3) & (high >= 3)) < 0.98


def test_drawing_documents_widens_the_interval_of_correlated_segments() -> None:
    rng = np.random.default_rng(13)
    documents = np.repeat(np.arange(30), 10)
    # Half of the variance lies between documents: the design effect is 1 + 9 * 0.5 = 5.5.
    values = (rng.normal(size=30)[documents] + rng.normal(size=300))[np.newaxis]
    widths = []
    for groups in (None, documents):
        statistics = grouped(as_statistics(values), groups)
        (scores,) = bootstrap_scores([statistics], [mean], resamples=2_000, rng=rng)
        low, high = percentile_interval(scores)
        widths.append(float((high - low)[0]))
    assert widths[1] / widths[0] == pytest.approx(np.sqrt(5.5), rel=0.25)


@pytest.mark.parametrize(
    ("level", "ends"), [(0.95, (2.0, 97.0)), (0.9, (5.0, 94.0)), (0.5, (25.0, 74.0))]
)
def test_interval_cuts_the_share_off_either_end(level: float, ends: tuple[float, float]) -> None:
    scores = np.random.default_rng(1).permutation(np.arange(100.0))
    low, high = percentile_interval(scores, level=level)
    assert (float(low), float(high)) == ends


def test_interval_leaves_undefined_resamples_out() -> None:
    scores = np.full((2, 1_040), np.nan)
    scores[0, 40:] = np.arange(1_000.0)[::-1]
    low, high = percentile_interval(scores)
    np.testing.assert_array_equal(low, [25, np.nan])
    np.testing.assert_array_equal(high, [974, np.nan])


@given(hnp.arrays(np.float64, (3, 17), elements=st.floats(-1e6, 1e6)), st.floats(0.001, 0.999))
def test_interval_is_ordered_and_made_of_scores(scores: FloatArray, level: float) -> None:
    low, high = percentile_interval(scores, level=level)
    assert (low <= high).all()
    for row, ends in zip(scores, zip(low, high, strict=True), strict=True):
        assert np.isin(ends, row).all()


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_level_is_a_share(level: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        percentile_interval(np.arange(9.0), level=level)
