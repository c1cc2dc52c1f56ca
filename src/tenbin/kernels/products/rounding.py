"""Rows of a matrix as 8-bit integers with one scale each, and what their products stand for."""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import Float32Array, IdArray
from tenbin.kernels.dispatch import compiled_twin

Int8Array = npt.NDArray[np.int8]

# A model is loaded before anything is rounded: numba takes little time beside that.
_WORTH_COMPILING = 0
LEVELS = np.float32(127)
TINY = np.float32(1e-12)  # prevents a division of a zero row by 0


def rounded_rows(rows: Float32Array) -> tuple[Int8Array, Float32Array]:
    """Return rows as integers from -127 to 127, and what one unit of each row is.

    Args:
        rows: A matrix.

    Example:
        >>> integers, units = rounded_rows(np.array([[0.5, -1.27]], dtype=np.float32))
        >>> integers.tolist(), units.round(4).tolist()
        ([[50, -127]], [0.009999999776482582])
    """
    compiled = compiled_twin("products.rounding", work=1, threshold=_WORTH_COMPILING)
    twin = plain_rounded_rows if compiled is None else compiled.rounded_rows
    integers, units = twin(rows)
    return integers, units


def rescaled(
    sums: IdArray, units: Float32Array, scales: Float32Array, bias: Float32Array
) -> Float32Array:
    """Return what sums of products of integers stand for, plus a bias.

    Args:
        sums: Sums of products, shape (rows, columns).
        units: What one unit of each row is.
        scales: What one unit of each column is.
        bias: What is added to each column.

    Example:
        >>> one = np.ones(1, dtype=np.float32)
        >>> rescaled(np.array([[3]], dtype=np.int32), one, one, one).tolist()
        [[4.0]]
    """
    compiled = compiled_twin("products.rounding", work=1, threshold=_WORTH_COMPILING)
    twin = plain_rescaled if compiled is None else compiled.rescaled
    found: Float32Array = twin(sums, units, scales, bias)
    return found


def plain_rounded_rows(rows: Float32Array) -> tuple[Int8Array, Float32Array]:
    """Return what `rounded_rows` returns, with numpy."""
    greatest = np.abs(rows).max(axis=1, initial=0).astype(np.float32)
    units = np.maximum(greatest / LEVELS, TINY)
    return np.rint(rows / units[:, np.newaxis]).astype(np.int8), units


def plain_rescaled(
    sums: IdArray, units: Float32Array, scales: Float32Array, bias: Float32Array
) -> Float32Array:
    """Return what `rescaled` returns, with numpy."""
    return sums.astype(np.float32) * units[:, np.newaxis] * scales + bias
