"""Compiled twin of `tenbin.kernels.products.range_sums`."""

import numpy as np

from tenbin.kernels.arrays import Float32Array, IntArray
from tenbin.kernels.compiled.jit import jit


@jit
def range_sums(rows: Float32Array, starts: IntArray) -> Float32Array:
    """Return the sum of the rows of each range."""
    height, width = rows.shape
    found = np.empty((len(starts), width), dtype=np.float32)
    for number in range(len(starts)):
        start = starts[number]
        stop = starts[number + 1] if number + 1 < len(starts) else height
        for column in range(width):
            found[number, column] = rows[start, column]
        for row in range(start + 1, stop):
            for column in range(width):
                found[number, column] += rows[row, column]
    return found
