"""Numbers survive packing as far as tables print them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tenbin.core.arrays import FloatArray
from tenbin.reports.page.packing import Packed, pack, unpack

SCORES = arrays(
    np.float64,
    st.tuples(st.integers(1, 4), st.integers(0, 30)),
    elements=st.one_of(
        st.floats(-200, 200), st.just(np.nan), st.integers(-2000, 2000).map(lambda n: n / 1000)
    ),
)


def printed(value: float, decimals: int) -> str:
    """Return a number as a table has it; the page writes no -0.00."""
    text = f"{value:.{decimals}f}"
    return text.lstrip("-") if not text.strip("-0.") else text


@given(SCORES, st.integers(0, 4))
def test_packed_numbers_print_as_they_did(values: FloatArray, decimals: int) -> None:
    found = unpack(pack(values, decimals))
    assert found.shape == values.shape
    for before, after in zip(values.ravel(), found.ravel(), strict=True):
        assert printed(before, decimals) == printed(after, decimals)


@given(SCORES)
def test_order_is_kept_up_to_the_last_decimal(values: FloatArray) -> None:
    found = unpack(pack(values, 2))
    known = np.isfinite(values)
    order = np.argsort(values[known], kind="stable")
    assert (np.diff(found[known][order]) >= -1.5e-2).all()


@pytest.mark.parametrize("value", [1e300, -1e300, 5e18, 2.0**53])
def test_numbers_of_any_size_keep_their_leading_digits(value: float) -> None:
    found = unpack(pack(np.array([[value, 0.0]]), 2))
    assert found[0, 0] == pytest.approx(value, rel=1e-8)


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_what_is_not_finite_is_missing(value: float) -> None:
    found = unpack(pack(np.array([[value, 1.0]]), 2))
    assert np.isnan(found[0, 0])
    assert found[0, 1] == 1.0


def test_rounding_twice_does_not_go_another_way() -> None:
    # To three decimals 12.345, which in two decimals may be 12.34 or 12.35.
    values = np.array([[12.3449999, 12.3450001, 2.675, 0.125, 0.375, -12.3449999]])
    found = unpack(pack(values, 2))
    assert [f"{one:.2f}" for one in found[0]] == [f"{one:.2f}" for one in values[0]]


def test_one_decimal_more_where_two_bytes_allow_it() -> None:
    assert pack(np.array([[0.004, 60.0]]), 2).decimals == 3
    assert pack(np.array([[0.004, 100.0]]), 2).decimals == 2
    assert pack(np.array([[0.00004, 1.0]]), 4).decimals == 4
    # Nothing is lost without it.
    assert pack(np.array([[0.25, 60.0]]), 2).decimals == 2


def test_bytes_are_those_of_the_page() -> None:
    """What the page's own test unpacks: lowest bytes first, all ones for a missing number."""
    packed = pack(np.array([[0.0, 25.6, np.nan], [25.7, 0.1, 51.2]]), 0)
    assert packed == Packed(shape=(2, 3), decimals=1, offset=0, width=2, data="AAD/AQEAAAH/AQAC")


def test_nothing_at_all() -> None:
    assert pack(np.zeros((2, 0)), 2) == Packed(shape=(2, 0), decimals=2, offset=0, width=1, data="")
    assert np.isnan(unpack(pack(np.full((1, 3), np.nan), 2))).all()
