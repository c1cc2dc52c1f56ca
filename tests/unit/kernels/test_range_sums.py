"""Sums of neighboring rows: both twins, and the definition."""

from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tenbin.kernels.compiled.products import range_sums as compiled_module
from tenbin.kernels.products.range_sums import plain_range_sums, range_sums

TWINS = pytest.mark.parametrize(
    "twin",
    [plain_range_sums, compiled_module.range_sums, range_sums],
    ids=["plain", "compiled", "public"],
)


@TWINS
@pytest.mark.parametrize("width", [1, 7, 64, 385])
def test_rows_are_added_one_after_the_other(twin: Any, width: int) -> None:
    rng = np.random.default_rng(width)
    rows = (rng.normal(0, 1, (60, width)) * 10 ** rng.uniform(-4, 4, (60, 1))).astype(np.float32)
    starts = np.array([0, 1, 9, 30])
    found = twin(rows, starts)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, definition(rows, starts))


def definition(rows: npt.NDArray[np.float32], starts: npt.NDArray[np.int64]) -> list[list[float]]:
    stops = [*starts[1:], len(rows)]
    return [
        [float(reduce(np.add, rows[start:stop, column])) for column in range(rows.shape[1])]
        for start, stop in zip(starts, stops, strict=True)
    ]
