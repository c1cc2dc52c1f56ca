"""Rows rounded to 8-bit integers, and sums of their products: both twins, and the definition."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tenbin.kernels.compiled.products import rounding as compiled_module
from tenbin.kernels.products import rounding as plain_module
from tenbin.kernels.products.rounding import (
    plain_rescaled,
    plain_rescaled_above,
    plain_rounded_rows,
    plain_rows_above,
    rescale,
    rescale_above,
    round_rows,
    round_rows_above,
)


def _public(rows: Any, factors: Any = None) -> Any:
    integers, units = np.empty(rows.shape, np.int8), np.empty(len(rows), np.float32)
    round_rows(rows, integers, units, factors)
    return integers, units


def _compiled(rows: Any, factors: Any = None) -> Any:
    integers, units = np.empty(rows.shape, np.int8), np.empty(len(rows), np.float32)
    if factors is None:
        compiled_module.round_rows(rows, integers, units)
    else:
        compiled_module.round_products(rows, factors, integers, units)
    return integers, units


def _compiled_rescaled(sums: Any, units: Any, scales: Any, bias: Any, added: Any = None) -> Any:
    if added is None:
        return compiled_module.rescale(sums, units, scales, bias)
    return compiled_module.rescale_and_add(sums, units, scales, bias, added)


def _public_above(rows: Any, least: float) -> Any:
    integers, (units, middles) = np.empty(rows.shape, np.int8), np.empty((2, len(rows)), np.float32)
    round_rows_above(rows, least, integers, units, middles)
    return integers, units, middles


def _compiled_above(rows: Any, least: float) -> Any:
    integers, (units, middles) = np.empty(rows.shape, np.int8), np.empty((2, len(rows)), np.float32)
    compiled_module.round_rows_above(rows, np.float32(least), integers, units, middles)
    return integers, units, middles


ROUNDERS = pytest.mark.parametrize(
    "rounder", [plain_rounded_rows, _compiled, _public], ids=["plain", "compiled", "public"]
)
RESCALERS = pytest.mark.parametrize(
    "rescaler", [plain_rescaled, _compiled_rescaled, rescale], ids=["plain", "compiled", "public"]
)


@ROUNDERS
def test_the_greatest_number_of_a_row_is_127(rounder: Callable[..., Any]) -> None:
    rng = np.random.default_rng(3)
    rows = rng.normal(0, 2, (9, 40)).astype(np.float32)
    rows[4] = 0
    integers, units = rounder(rows)
    assert integers.dtype == np.int8
    assert np.abs(integers[[0, 1, 2, 3, 5]]).max(axis=1).tolist() == [127] * 5
    assert not integers[4].any()
    assert np.abs(integers * units[:, np.newaxis] - rows).max() <= units.max() / 2 * 1.001
    expected = plain_rounded_rows(rows)
    np.testing.assert_array_equal(integers, expected[0])
    np.testing.assert_array_equal(units, expected[1])


@ROUNDERS
def test_columns_are_multiplied_before_they_are_rounded(rounder: Callable[..., Any]) -> None:
    rng = np.random.default_rng(5)
    rows = rng.normal(0, 2, (9, 40)).astype(np.float32)
    factors = rng.random(40).astype(np.float32)
    expected = plain_rounded_rows(rows * factors)
    for found, one in zip(rounder(rows, factors), expected, strict=True):
        np.testing.assert_array_equal(found, one)


@RESCALERS
def test_sums_stand_for_products(rescaler: Callable[..., Any]) -> None:
    rng = np.random.default_rng(4)
    sums = rng.integers(-(2**20), 2**20, (5, 7)).astype(np.int32)
    units, scales, bias = (rng.random(size).astype(np.float32) for size in (5, 7, 7))
    more = rng.random((5, 7)).astype(np.float32)
    for added in (None, more):
        exact = sums * units[:, None] * scales + bias + (0 if added is None else added)
        found = rescaler(sums.copy(), units, scales, bias, added)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, exact, rtol=1e-5)
        np.testing.assert_array_equal(found, plain_rescaled(sums, units, scales, bias, added))


@pytest.mark.parametrize("choice", ["plain", "compiled"])
def test_the_result_is_where_the_sums_were(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", choice)
    sums, one = np.array([[3]], dtype=np.int32), np.ones(1, dtype=np.float32)
    found = plain_module.rescale(sums, one, one, one)
    assert np.shares_memory(found, sums)
    assert sums.view(np.float32).tolist() == [[4.0]]


@pytest.mark.parametrize(
    "rounder",
    [plain_rows_above, _compiled_above, _public_above],
    ids=["plain", "compiled", "public"],
)
def test_rows_above_a_least_number_use_all_integers(rounder: Callable[..., Any]) -> None:
    rng = np.random.default_rng(6)
    rows = rng.exponential(0.5, (9, 40)).astype(np.float32) - np.float32(0.17)
    rows[4], rows[5, 0], rows[6] = 0, -0.17, -0.1
    integers, units, middles = rounder(rows, -0.17)
    assert integers.dtype == np.int8
    assert integers[[0, 1, 2, 3]].max(axis=1).tolist() == [127] * 4
    assert integers[5].min() == -127
    meant = integers * units[:, np.newaxis] + middles[:, np.newaxis]
    assert (np.abs(meant - rows) <= units[:, np.newaxis] / 2 * 1.001).all()
    # Not much more than half of what the usual way makes of the same rows.
    assert (units[:4] < 0.65 * plain_rounded_rows(rows)[1][:4]).all()
    for found, one in zip((integers, units, middles), plain_rows_above(rows, -0.17), strict=True):
        np.testing.assert_array_equal(found, one)


@pytest.mark.parametrize(
    "rescaler",
    [plain_rescaled_above, compiled_module.rescale_above, rescale_above],
    ids=["plain", "compiled", "public"],
)
def test_sums_with_a_middle_stand_for_products(rescaler: Callable[..., Any]) -> None:
    rng = np.random.default_rng(7)
    rows = rng.exponential(0.5, (5, 40)).astype(np.float32)
    weights = rng.integers(-127, 128, (40, 7))
    integers, units, middles = plain_rows_above(rows, -0.17)
    scales, bias = (rng.random(7).astype(np.float32) for _ in range(2))
    added = rng.random((5, 7)).astype(np.float32)
    sums = (integers.astype(np.int32) @ weights).astype(np.int32)
    totals = weights.sum(0).astype(np.float32)
    meant = integers * units[:, np.newaxis].astype(float) + middles[:, np.newaxis]
    exact = meant @ weights * scales + bias + added
    found = rescaler(sums.copy(), units, middles, totals, scales, bias, added)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, exact, rtol=1e-4, atol=1e-4)
    again = plain_rescaled_above(sums, units, middles, totals, scales, bias, added)
    np.testing.assert_array_equal(found, again)


@ROUNDERS
def test_no_rows(rounder: Callable[..., Any]) -> None:
    integers, units = rounder(np.zeros((0, 4), dtype=np.float32))
    assert integers.shape == (0, 4)
    assert units.shape == (0,)
