"""Precision and recall as one number."""

import numpy as np
import pytest

from tenbin.metrics.f_score import weighted_f


@pytest.mark.parametrize("alpha", [0.0, 0.5, 0.8, 1.0])
def test_extremes_of_the_weight(alpha: float) -> None:
    precision, recall = np.array([0.25, 0.5]), np.array([0.5, 0.5])
    found = weighted_f(precision, recall, alpha)
    expected = 1 / (alpha / recall + (1 - alpha) / precision)
    assert found == pytest.approx(expected)
    # All weight on recall is recall.
    assert (alpha == 1.0) == bool(found[0] == recall[0])


def test_nothing_on_a_side_is_nothing() -> None:
    precision = np.array([[0.0, 0.5], [-0.1, 0.0]])
    recall = np.array([[0.5, 0.0], [0.5, 0.0]])
    assert weighted_f(precision, recall, 0.9).tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_a_number_is_the_same_in_any_shape() -> None:
    sides = np.random.default_rng(5).random((2, 6, 3))
    whole = weighted_f(sides[0], sides[1], 0.8)
    rows = [weighted_f(own, other, 0.8) for own, other in zip(*sides, strict=True)]
    assert np.array_equal(whole, np.stack(rows))
