"""Compiled twin of `tenbin.kernels.edits.jump_distance`: one cell of the grid at a time."""

from typing import Any

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import FloatArray, IdArray, IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.edits.jump_distance import BLANK, JumpCosts

# numba compiles the functions below once per element type: double and single precision.
_Reals = npt.NDArray[np.floating[Any]]


def jump_distance(
    values: IdArray, offsets: IntArray, left: IntArray, right: IntArray, costs: JumpCosts
) -> FloatArray:
    """Return what `tenbin.kernels.edits.jump_distance.jump_distance` returns."""
    double = np.array(costs, dtype=np.float64)
    return _distances(values, offsets, left, right, double, False)  # noqa: FBT003


def truncated_jump_distance(
    values: IdArray, offsets: IntArray, left: IntArray, right: IntArray, costs: JumpCosts
) -> FloatArray:
    """Return what `tenbin.kernels.edits.jump_distance.truncated_jump_distance` returns."""
    single = np.array(costs, dtype=np.float32)
    return _distances(values, offsets, left, right, single, True)  # noqa: FBT003


@jit
def _distances(
    values: IdArray,
    offsets: IntArray,
    left: IntArray,
    right: IntArray,
    costs: _Reals,
    truncated: bool,  # noqa: FBT001 -- numba calls by position
) -> FloatArray:
    jump, rate = costs[0], costs[1]
    one = costs.dtype.type(1)
    distances = np.empty(left.size, np.float64)
    longest = 0
    for number in left:
        longest = max(longest, offsets[number + 1] - offsets[number])
    hypothesis = np.full(longest + 2, BLANK, np.int32)
    rows = np.empty((2, longest + 3), costs.dtype)
    all_visits = np.empty(longest + 3, np.int64)
    for pair in range(left.size):
        start, end = offsets[left[pair]], offsets[left[pair] + 1]
        hypothesis[1 : end - start + 1] = values[start:end]
        hypothesis[end - start + 1] = BLANK
        width = end - start + 3
        row, following, visits = rows[0, :width], rows[1, :width], all_visits[:width]
        row[0], row[1:], visits[:] = 0, 1, -1
        start, end = offsets[right[pair]], offsets[right[pair] + 1]
        for position in range(start - 1, end + 1):
            symbol = values[position] if start <= position < end else BLANK
            following[0] = row[0] + one
            _fill(row, following, hypothesis, symbol, costs)
            visited = _truncated_minimum(following) if truncated else _first_minimum(following)
            visits[visited] += 1
            if symbol == BLANK:
                landing = jump + following[visited]
                for i in range(width):
                    following[i] = min(following[i], landing)
            row, following = following, row
        coverage = rate * costs.dtype.type(_counted(visits[1:] if truncated else visits))
        length = costs.dtype.type(end - start + 2)
        distances[pair] = min(one, (row[-1] + coverage) / (length + coverage))
    return distances


@jit
def _fill(row: _Reals, following: _Reals, hypothesis: IdArray, symbol: int, costs: _Reals) -> None:
    """Fill the row after ``row``, whose first cell is given."""
    one, deletion, insertion = row.dtype.type(1), costs[2], costs[3]
    last = following[0]
    for i in range(1, row.size):
        matched = row[i - 1] if hypothesis[i - 1] == symbol else row[i - 1] + one
        last = min(matched, row[i] + insertion, last + deletion)
        following[i] = last


@jit
def _first_minimum(row: _Reals) -> int:
    position = 0
    for i in range(1, row.size):
        if row[i] < row[position]:
            position = i
    return position


@jit
def _truncated_minimum(row: _Reals) -> int:
    position, minimum = 0, int(row[0])
    for i in range(1, row.size):
        if row[i] < minimum:
            position, minimum = i, int(row[i])
    return position


@jit
def _counted(visits: IntArray) -> int:
    total = 0
    for count in visits:
        total += count if count >= 0 else 1
    return total
