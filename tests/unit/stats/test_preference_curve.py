"""The curve from differences to the chance of agreement."""

import numpy as np
import pytest

from tenbin.stats.preference_curve import agreement_chance, fitted_curve, fitted_on_grid


def observed(
    slope: float, ceiling: float, count: int = 4_000
) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], ...]:
    rng = np.random.default_rng(7)
    differences = rng.exponential(2.0, count)
    chances = agreement_chance(differences, slope, ceiling)
    return differences, (rng.random(count) < chances).astype(np.float64)


@pytest.mark.parametrize(("slope", "ceiling"), [(0.8, 1.0), (0.8, 0.9), (3.0, 0.95), (0.05, 1.0)])
@pytest.mark.parametrize("unit", [1.0, 0.001])
def test_a_known_curve_is_found_again_in_any_unit(
    slope: float, ceiling: float, unit: float
) -> None:
    differences, agreements = observed(slope, ceiling)
    found_slope, found_ceiling = fitted_curve(differences * unit, agreements)
    places = np.array([0.5, 1.0, 2.0, 5.0])
    expected = agreement_chance(places, slope, ceiling)
    found = agreement_chance(places * unit, found_slope, found_ceiling)
    assert np.abs(found - expected).max() < 0.04


def test_no_neighbor_is_more_likely() -> None:
    differences, agreements = observed(1.0, 0.93, 500)

    def likelihood(slope: float, ceiling: float) -> float:
        chances = agreement_chance(differences, slope, ceiling)
        return float(np.log(np.where(agreements == 1, chances, 1 - chances)).sum())

    slope, ceiling = fitted_curve(differences, agreements)
    best = likelihood(slope, ceiling)
    for factor in (0.9, 0.99, 1.01, 1.1):
        assert likelihood(slope * factor, ceiling) <= best + 1e-6
        assert likelihood(slope, min(1.0, ceiling * factor)) <= best + 1e-6


def test_weights_count_observations() -> None:
    differences, agreements = observed(1.0, 0.93, 300)
    weights = np.ones(300)
    weights[:50] = 3
    repeated = np.concatenate([differences, differences[:50], differences[:50]])
    again = np.concatenate([agreements, agreements[:50], agreements[:50]])
    weighted = fitted_curve(differences, agreements, weights)
    # The grid begins at the median, which repetition moves.
    assert weighted == pytest.approx(fitted_curve(repeated, again), rel=1e-3)


def test_samples_are_fitted_as_alone() -> None:
    differences, agreements = observed(1.0, 0.93, 300)
    weights = np.random.default_rng(1).integers(0, 3, (5, 300)).astype(np.float64)
    slopes, ceilings = fitted_on_grid(differences, agreements, weights)
    for row, slope, ceiling in zip(weights, slopes, ceilings, strict=True):
        alone = fitted_on_grid(differences, agreements, row[None, :])
        assert (alone[0][0], alone[1][0]) == (slope, ceiling)


def test_nothing_to_fit_gives_no_number() -> None:
    none = np.zeros(0)
    assert np.isnan(fitted_curve(none, none)).all()
    assert np.isnan(fitted_curve(np.zeros(3), np.array([1.0, 0.0, 1.0]))).all()
    # Where all agree the steepest curve is the most likely: that is no finding.
    assert np.isnan(fitted_curve(np.array([1.0, 2.0]), np.ones(2))).all()


def test_a_metric_that_is_mostly_wrong_says_nothing() -> None:
    assert fitted_curve(np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.0, 1.0])) == (0.0, 1.0)


def test_a_difference_of_zero_is_a_toss_up() -> None:
    assert agreement_chance(np.zeros(2), np.array([0.0, 1e9]), 1.0).tolist() == [0.5, 0.5]
