"""Rows of a matrix as 8-bit integers with one scale each, and what their products stand for.

Results are written into memory that is given: new memory would cost more than the arithmetic.
"""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import Float32Array, IdArray
from tenbin.kernels.dispatch import compiled_twin

Int8Array = npt.NDArray[np.int8]

# A model is loaded before anything is rounded: numba takes little time beside that.
_WORTH_COMPILING = 0
LEVELS = np.float32(127)
TINY = np.float32(1e-12)  # prevents a division of a zero row by 0


def round_rows(
    rows: Float32Array,
    integers: Int8Array,
    units: Float32Array,
    factors: Float32Array | None = None,
) -> None:
    """Write rows as integers from -127 to 127, and what one unit of each row is.

    Args:
        rows: A matrix.
        integers: Where the integers are written, of the same shape.
        units: Where the units are written, one for each row.
        factors: What each column is multiplied by before; None for nothing.

    Example:
        >>> integers, units = np.empty((1, 2), np.int8), np.empty(1, np.float32)
        >>> round_rows(np.array([[0.5, -1.27]], dtype=np.float32), integers, units)
        >>> integers.tolist(), units.round(4).tolist()
        ([[50, -127]], [0.009999999776482582])
    """
    compiled = compiled_twin("products.rounding", work=1, threshold=_WORTH_COMPILING)
    if compiled is None:
        integers[:], units[:] = plain_rounded_rows(rows, factors)
    elif factors is None:
        compiled.round_rows(rows, integers, units)
    else:
        compiled.round_products(rows, factors, integers, units)


def round_rows_above(
    rows: Float32Array,
    least: float,
    integers: Int8Array,
    units: Float32Array,
    middles: Float32Array,
) -> None:
    """Write rows as integers from -127 to 127, what one unit of each row is, and what 0 stands for.

    Where numbers are hardly ever negative, half of the integers would never come up otherwise.

    Args:
        rows: A matrix.
        least: The smallest number that a row may have, 0 or less; it becomes -127.
        integers: Where the integers are written, of the same shape.
        units: Where the units are written, one for each row.
        middles: Where the numbers are written that 0 stands for, one for each row.

    Example:
        >>> integers, units, middles = np.empty((1, 3), np.int8), *np.empty((2, 1), np.float32)
        >>> rows = np.array([[-0.5, 0.77, 2.04]], dtype=np.float32)
        >>> round_rows_above(rows, -0.5, integers, units, middles)
        >>> integers.tolist(), units.round(4).tolist(), middles.round(4).tolist()
        ([[-127, 0, 127]], [0.009999999776482582], [0.7699999809265137])
    """
    compiled = compiled_twin("products.rounding", work=1, threshold=_WORTH_COMPILING)
    if compiled is None:
        integers[:], units[:], middles[:] = plain_rows_above(rows, least)
    else:
        compiled.round_rows_above(rows, np.float32(least), integers, units, middles)


def rescale_above(
    sums: IdArray,
    units: Float32Array,
    middles: Float32Array,
    totals: Float32Array,
    scales: Float32Array,
    bias: Float32Array,
    added: Float32Array,
) -> Float32Array:
    """Replace sums of products with rows of `round_rows_above` by what they stand for.

    Args:
        sums: Sums of products, shape (rows, columns); their memory holds the result.
        units: What one unit of each row is.
        middles: What 0 stands for in each row.
        totals: The sum of the integers that each column was multiplied by.
        scales: What one unit of each column is.
        bias: What is added to each column.
        added: What else is added, of the shape of ``sums``.

    Example:
        >>> one, zero = np.ones(1, dtype=np.float32), np.zeros((1, 1), dtype=np.float32)
        >>> sums = np.array([[3]], dtype=np.int32)
        >>> rescale_above(sums, one, np.float32([0.5]), np.float32([4]), one, one, zero).tolist()
        [[6.0]]
    """
    compiled = compiled_twin("products.rounding", work=1, threshold=_WORTH_COMPILING)
    found: Float32Array
    if compiled is None:
        found = sums.view(np.float32)
        found[:] = plain_rescaled_above(sums, units, middles, totals, scales, bias, added)
    else:
        found = compiled.rescale_above(sums, units, middles, totals, scales, bias, added)
    return found


def rescale(
    sums: IdArray,
    units: Float32Array,
    scales: Float32Array,
    bias: Float32Array,
    added: Float32Array | None = None,
) -> Float32Array:
    """Replace sums of products of integers by what they stand for, plus a bias.

    Args:
        sums: Sums of products, shape (rows, columns); their memory holds the result.
        units: What one unit of each row is.
        scales: What one unit of each column is.
        bias: What is added to each column.
        added: What else is added, of the shape of ``sums``; None for nothing.

    Example:
        >>> one = np.ones(1, dtype=np.float32)
        >>> rescale(np.array([[3]], dtype=np.int32), one, one, one).tolist()
        [[4.0]]
    """
    compiled = compiled_twin("products.rounding", work=1, threshold=_WORTH_COMPILING)
    found: Float32Array
    if compiled is None:
        found = sums.view(np.float32)
        found[:] = plain_rescaled(sums, units, scales, bias, added)
    elif added is None:
        found = compiled.rescale(sums, units, scales, bias)
    else:
        found = compiled.rescale_and_add(sums, units, scales, bias, added)
    return found


def plain_rounded_rows(
    rows: Float32Array, factors: Float32Array | None = None
) -> tuple[Int8Array, Float32Array]:
    """Return what `round_rows` writes, with numpy."""
    rows = rows if factors is None else rows * factors
    greatest = np.abs(rows).max(axis=1, initial=0).astype(np.float32)
    units = np.maximum(greatest / LEVELS, TINY)
    return np.rint(rows / units[:, np.newaxis]).astype(np.int8), units


def plain_rows_above(
    rows: Float32Array, least: float
) -> tuple[Int8Array, Float32Array, Float32Array]:
    """Return what `round_rows_above` writes, with numpy."""
    half = np.float32(0.5)
    greatest = rows.max(axis=1, initial=np.float32(0))
    middles = (greatest + np.float32(least)) * half
    units = np.maximum((greatest - np.float32(least)) * half / LEVELS, TINY)
    integers = np.rint((rows - middles[:, np.newaxis]) / units[:, np.newaxis])
    return integers.astype(np.int8), units, middles


def plain_rescaled_above(
    sums: IdArray,
    units: Float32Array,
    middles: Float32Array,
    totals: Float32Array,
    scales: Float32Array,
    bias: Float32Array,
    added: Float32Array,
) -> Float32Array:
    """Return what `rescale_above` makes of sums, with numpy."""
    products = sums.astype(np.float32) * units[:, np.newaxis]
    found: Float32Array = (products + middles[:, np.newaxis] * totals) * scales + bias + added
    return found


def plain_rescaled(
    sums: IdArray,
    units: Float32Array,
    scales: Float32Array,
    bias: Float32Array,
    added: Float32Array | None = None,
) -> Float32Array:
    """Return what `rescale` makes of sums, with numpy."""
    found: Float32Array = sums.astype(np.float32) * units[:, np.newaxis] * scales + bias
    return found if added is None else found + added
