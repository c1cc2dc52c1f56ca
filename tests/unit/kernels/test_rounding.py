"""Rows rounded to 8-bit integers, and sums of their products: both twins, and the definition."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tenbin.kernels.compiled.products import rounding as compiled_module
from tenbin.kernels.products import rounding as plain_module

ROUNDERS = pytest.mark.parametrize(
    "rounder",
    [plain_module.plain_rounded_rows, compiled_module.rounded_rows, plain_module.rounded_rows],
    ids=["plain", "compiled", "public"],
)
RESCALERS = pytest.mark.parametrize(
    "rescaler",
    [plain_module.plain_rescaled, compiled_module.rescaled, plain_module.rescaled],
    ids=["plain", "compiled", "public"],
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
    expected = plain_module.plain_rounded_rows(rows)
    np.testing.assert_array_equal(integers, expected[0])
    np.testing.assert_array_equal(units, expected[1])


@RESCALERS
def test_sums_stand_for_products(rescaler: Callable[..., Any]) -> None:
    rng = np.random.default_rng(4)
    sums = rng.integers(-(2**20), 2**20, (5, 7)).astype(np.int32)
    units, scales, bias = (rng.random(size).astype(np.float32) for size in (5, 7, 7))
    found = rescaler(sums, units, scales, bias)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, sums * units[:, None] * scales + bias, rtol=1e-5)
    np.testing.assert_array_equal(found, plain_module.plain_rescaled(sums, units, scales, bias))


@ROUNDERS
def test_no_rows(rounder: Callable[..., Any]) -> None:
    integers, units = rounder(np.zeros((0, 4), dtype=np.float32))
    assert integers.shape == (0, 4)
    assert units.shape == (0,)
