"""Compiled twin of `tenbin.kernels.products.rounding`: one pass over a matrix that is in cache."""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import Float32Array, IdArray
from tenbin.kernels.compiled.jit import jit

_LEVELS = np.float32(127)
_TINY = np.float32(1e-12)
_WITHOUT_SIGN = np.int32(0x7FFFFFFF)


@jit
def round_rows(rows: Float32Array, integers: npt.NDArray[np.int8], units: Float32Array) -> None:
    """Write rows as integers from -127 to 127, and what one unit of each row is."""
    height, width = rows.shape
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


@jit
def round_products(
    rows: Float32Array,
    factors: Float32Array,
    integers: npt.NDArray[np.int8],
    units: Float32Array,
) -> None:
    """Write rows, each column times a factor, as `round_rows` does."""
    height, width = rows.shape
    products = np.empty((1, width), dtype=np.float32)
    for row in range(height):
        for column in range(width):
            products[0, column] = rows[row, column] * factors[column]
        round_rows(products, integers[row : row + 1], units[row : row + 1])


@jit
def round_rows_above(
    rows: Float32Array,
    least: np.float32,
    integers: npt.NDArray[np.int8],
    units: Float32Array,
    middles: Float32Array,
) -> None:
    """Write rows as integers from -127 to 127, their units, and what 0 stands for."""
    height, width = rows.shape
    half = np.float32(0.5)
    bits = rows.view(np.int32)
    greatest = np.zeros(1, dtype=np.int32)
    for row in range(height):
        # Those of negative numbers are negative, so that 0 is the least that is found.
        most = np.int32(0)
        for column in range(width):
            most = max(most, bits[row, column])
        greatest[0] = most
        top = greatest.view(np.float32)[0]
        middle = (top + least) * half
        unit = max((top - least) * half / _LEVELS, _TINY)
        units[row], middles[row] = unit, middle
        for column in range(width):
            integers[row, column] = np.int8(np.rint((rows[row, column] - middle) / unit))


@jit
def rescale_above(
    sums: IdArray,
    units: Float32Array,
    middles: Float32Array,
    totals: Float32Array,
    scales: Float32Array,
    bias: Float32Array,
    added: Float32Array,
) -> Float32Array:
    """Replace sums of products with such integers by what they stand for, plus another matrix."""
    found = sums.view(np.float32)
    height, width = sums.shape
    for row in range(height):
        unit, middle = units[row], middles[row]
        for column in range(width):
            product = np.float32(sums[row, column]) * unit + middle * totals[column]
            found[row, column] = product * scales[column] + bias[column] + added[row, column]
    return found


@jit
def rescale(
    sums: IdArray, units: Float32Array, scales: Float32Array, bias: Float32Array
) -> Float32Array:
    """Replace sums of products of integers by what they stand for, plus a bias."""
    found = sums.view(np.float32)
    height, width = sums.shape
    for row in range(height):
        unit = units[row]
        for column in range(width):
            found[row, column] = (
                np.float32(sums[row, column]) * unit * scales[column] + bias[column]
            )
    return found


@jit
def rescale_and_add(
    sums: IdArray,
    units: Float32Array,
    scales: Float32Array,
    bias: Float32Array,
    added: Float32Array,
) -> Float32Array:
    """Replace them by the same, plus another matrix."""
    found = sums.view(np.float32)
    height, width = sums.shape
    for row in range(height):
        unit = units[row]
        for column in range(width):
            one = np.float32(sums[row, column]) * unit * scales[column] + bias[column]
            found[row, column] = one + added[row, column]
    return found
