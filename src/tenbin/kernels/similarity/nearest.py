"""The rows of a matrix that are nearest to each of its rows, by cosine."""

import numpy as np

from tenbin.kernels.arrays import Float32Array, IntArray

_ROWS_AT_ONCE = 2_000


def nearest_rows(rows: Float32Array, most: int) -> IntArray:
    """Return the places of the nearest rows of each row, itself left out, nearest first.

    Args:
        rows: A matrix; a row of zeros is as near to all others.
        most: How many; fewer if there are not as many.

    Example:
        >>> rows = np.array([[1, 0], [0, 1], [0, 2], [3, 1]], dtype=np.float32)
        >>> nearest_rows(rows, 2).tolist()
        [[3, 1], [2, 3], [1, 3], [0, 1]]
    """
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units = rows / np.maximum(lengths, np.finfo(np.float32).tiny)
    count = max(min(most, len(units) - 1), 0)
    found = np.zeros((len(units), count), dtype=np.int64)
    if not count:
        return found
    for start in range(0, len(units), _ROWS_AT_ONCE):
        cosines = units[start : start + _ROWS_AT_ONCE] @ units.T
        own = np.arange(len(cosines))
        cosines[own, start + own] = -np.inf
        # Sorting all of them would take many times as long.
        some = np.sort(np.argpartition(-cosines, count - 1, axis=1)[:, :count], axis=1)
        order = np.argsort(-np.take_along_axis(cosines, some, axis=1), axis=1, kind="stable")
        found[start + own] = np.take_along_axis(some, order, axis=1)
    return found
