"""Compiled twin of `tenbin.kernels.similarity.maxima`: both directions in one pass over a block."""

import numpy as np

from tenbin.kernels.arrays import Float32Array, IdArray, IntArray
from tenbin.kernels.compiled.jit import jit


@jit
def block_maxima(
    blocks: Float32Array, starts: IntArray, heights: IntArray, widths: IntArray
) -> tuple[IdArray, IdArray]:
    """Return the column of the maximum of each row, and the row of that of each column."""
    columns = np.full(heights.sum(), -1, dtype=np.int32)
    rows = np.full(widths.sum(), -1, dtype=np.int32)
    row = 0
    column = 0
    for pair in range(heights.size):
        height, width = heights[pair], widths[pair]
        for i in range(height):
            here = starts[pair] + i * width
            best = -1
            for j in range(width):
                entry = blocks[here + j]
                if best < 0 or entry > blocks[here + best]:
                    best = j
                above = rows[column + j]
                if above < 0 or entry > blocks[starts[pair] + above * width + j]:
                    rows[column + j] = i
            columns[row + i] = best
        row += height
        column += width
    return columns, rows
