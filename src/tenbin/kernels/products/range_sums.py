"""Sums of neighboring rows of a matrix, added one row after the other."""

import numpy as np

from tenbin.kernels.arrays import Float32Array, IntArray
from tenbin.kernels.dispatch import compiled_twin

# The rows come from a model, beside which numba takes little time.
_WORTH_COMPILING = 0


def range_sums(rows: Float32Array, starts: IntArray) -> Float32Array:
    """Return the sum of the rows of each range.

    Args:
        rows: A matrix.
        starts: Where each range begins, ascending; it ends where the next one begins, the last one
            with the matrix. No range is empty.

    Example:
        >>> rows = np.array([[1, 2], [3, 4], [5, 6]], dtype=np.float32)
        >>> range_sums(rows, np.array([0, 2])).tolist()
        [[4.0, 6.0], [5.0, 6.0]]
    """
    compiled = compiled_twin("products.range_sums", work=1, threshold=_WORTH_COMPILING)
    twin = plain_range_sums if compiled is None else compiled.range_sums
    found: Float32Array = twin(rows, starts)
    return found


def plain_range_sums(rows: Float32Array, starts: IntArray) -> Float32Array:
    """Return what `range_sums` returns, with numpy."""
    found = rows[starts]
    for one, start, stop in zip(found, starts, [*starts[1:], len(rows)], strict=True):
        # Not sum(), which adds halves of a long range first.
        for row in rows[start + 1 : stop]:
            np.add(one, row, out=one)
    return found
