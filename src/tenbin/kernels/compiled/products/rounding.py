"""Compiled twin of `tenbin.kernels.products.rounding`: one pass over a matrix that is in cache."""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import Float32Array, IdArray
from tenbin.kernels.compiled.jit import jit

_LEVELS = np.float32(127)
_TINY = np.float32(1e-12)
_WITHOUT_SIGN = np.int32(0x7FFFFFFF)


@jit
def rounded_rows(rows: Float32Array) -> tuple[npt.NDArray[np.int8], Float32Array]:
    """Return rows as integers from -127 to 127, and what one unit of each row is."""
    height, width = rows.shape
    integers = np.empty((height, width), dtype=np.int8)
    units = np.empty(height, dtype=np.float32)
    bits = rows.view(np.int32)
    greatest = np.zeros(1, dtype=np.int32)
    for row in range(height):
        # Positive floats are in the order of their bits, and integers are compared many at a time.
        most = np.int32(0)
        for column in range(width):
            most = max(most, bits[row, column] & _WITHOUT_SIGN)
        greatest[0] = most
        unit = max(greatest.view(np.float32)[0] / _LEVELS, _TINY)
        units[row] = unit
        for column in range(width):
            integers[row, column] = np.int8(np.rint(rows[row, column] / unit))
    return integers, units


@jit
def rescaled(
    sums: IdArray, units: Float32Array, scales: Float32Array, bias: Float32Array
) -> Float32Array:
    """Return what sums of products of integers stand for, plus a bias."""
    height, width = sums.shape
    found = np.empty((height, width), dtype=np.float32)
    for row in range(height):
        unit = units[row]
        for column in range(width):
            found[row, column] = (
                np.float32(sums[row, column]) * unit * scales[column] + bias[column]
            )
    return found
