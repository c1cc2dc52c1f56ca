"""Sums without rounding are what Python's own exact sum says, however they are cut."""

from math import fsum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tenbin.stats.exact_sums import ExactSums

NUMBERS = st.floats(-1e300, 1e300)


@given(arrays(np.float64, (7, 2), elements=NUMBERS), st.integers(0, 7))
def test_any_cut_gives_the_correctly_rounded_sum(rows: np.ndarray, cut: int) -> None:
    whole = ExactSums.of(rows)
    parts = ExactSums.of(rows[cut:]) + ExactSums.of(rows[:cut])
    assert whole == parts
    assert whole.values().tolist() == [fsum(column) for column in rows.T]


def test_the_smallest_and_the_largest_numbers() -> None:
    rows = np.array([[5e-324, 1.7e308], [5e-324, -1.7e308], [-1e-320, 2.0**-1074]])
    assert ExactSums.of(rows).values().tolist() == [fsum(column) for column in rows.T]


def test_plain_addition_would_be_off() -> None:
    rows = np.full((10, 1), 0.1)
    assert sum(rows[:, 0].tolist()) != 1.0
    assert ExactSums.of(rows).values().tolist() == [1.0]


@pytest.mark.parametrize("stray", [np.nan, np.inf])
def test_what_is_not_finite_makes_its_own_column_undefined(stray: float) -> None:
    sums = ExactSums.of(np.array([[stray, 1.0]])) + ExactSums.of(np.array([[1.0, 1.0]]))
    assert np.array_equal(sums.values(), [np.nan, 2.0], equal_nan=True)
