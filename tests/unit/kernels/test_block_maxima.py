"""The best partner of every word, both ways: both twins, and a look at every entry."""

from collections.abc import Callable

import numpy as np
import pytest

from tenbin.kernels.arrays import Float32Array, IdArray, IntArray
from tenbin.kernels.compiled.similarity import maxima as compiled_module
from tenbin.kernels.similarity import maxima as plain_module

Kernel = Callable[[Float32Array, IntArray, IntArray, IntArray], tuple[IdArray, IdArray]]
TWINS = pytest.mark.parametrize(
    "kernel",
    [plain_module.plain_block_maxima, compiled_module.block_maxima, plain_module.block_maxima],
    ids=["plain", "compiled", "public"],
)


@TWINS
def test_the_first_greatest_entry_of_each_row_and_column(kernel: Kernel) -> None:
    rng = np.random.default_rng(7)
    sides = rng.integers(0, 6, (60, 2))
    sides[0] = 0, 3
    sides[1] = 4, 0
    # Few values, so that there are ties.
    blocks = [rng.integers(-2, 3, tuple(shape)).astype(np.float32) for shape in sides.tolist()]
    heights, widths = sides[:, 0], sides[:, 1]
    starts = np.concatenate([[0], np.cumsum(heights * widths)])
    flat = np.concatenate([block.ravel() for block in blocks])
    columns, rows = kernel(flat, starts, heights, widths)
    by_row = [
        next((j for j in range(width) if block[i, j] == max(block[i])), -1)
        for block, height, width in zip(blocks, heights, widths, strict=True)
        for i in range(height)
    ]
    by_column = [
        next((i for i in range(height) if block[i, j] == max(block[:, j])), -1)
        for block, height, width in zip(blocks, heights, widths, strict=True)
        for j in range(width)
    ]
    assert (columns.tolist(), rows.tolist()) == (by_row, by_column)
    assert columns.dtype == rows.dtype == np.int32


@TWINS
def test_no_blocks_have_no_maxima(kernel: Kernel) -> None:
    nothing = np.empty(0, dtype=np.int64)
    found = kernel(np.empty(0, dtype=np.float32), np.zeros(1, dtype=np.int64), nothing, nothing)
    assert [part.size for part in found] == [0, 0]
