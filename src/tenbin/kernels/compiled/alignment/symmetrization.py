"""Compiled twin of `tenbin.kernels.alignment.symmetrization`: links as a table of marks."""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.compiled.jit import jit

# The order of `Symmetrization`.
_INTERSECT, _UNION, _GROW_DIAG, _FINAL = 0, 1, 2, 3
_FORWARD, _BACKWARD, _BOTH, _TAKEN = 1, 2, 3, 4

_Marks = npt.NDArray[np.int8]
_Counts = npt.NDArray[np.int32]


@jit
def symmetrized_links(  # noqa: PLR0913, PLR0917 - numba takes no tuples of unequal arrays kindly
    forward_pivot: IdArray,
    forward_target: IdArray,
    forward_offsets: IntArray,
    backward_pivot: IdArray,
    backward_target: IdArray,
    backward_offsets: IntArray,
    pivot_lengths: IntArray,
    target_lengths: IntArray,
    neighbors: IntArray,
    method: int,
) -> tuple[IdArray, IdArray, IntArray]:
    """Return pivot and target positions of the links, and where those of each segment begin."""
    room = forward_pivot.size + backward_pivot.size
    pivot = np.empty(room, dtype=np.int32)
    target = np.empty(room, dtype=np.int32)
    offsets = np.zeros(pivot_lengths.size + 1, dtype=np.int64)
    size = 0
    for segment in range(pivot_lengths.size):
        marks = np.zeros((target_lengths[segment], pivot_lengths[segment]), dtype=np.int8)
        for n in range(forward_offsets[segment], forward_offsets[segment + 1]):
            marks[forward_target[n], forward_pivot[n]] |= _FORWARD
        for n in range(backward_offsets[segment], backward_offsets[segment + 1]):
            marks[backward_target[n], backward_pivot[n]] |= _BACKWARD
        _choose(marks, neighbors, method)
        for e in range(marks.shape[0]):
            for f in range(marks.shape[1]):
                if marks[e, f] & _TAKEN:
                    pivot[size], target[size] = f, e
                    size += 1
        offsets[segment + 1] = size
    return pivot[:size].copy(), target[:size].copy(), offsets


@jit
def _choose(marks: _Marks, neighbors: IntArray, method: int) -> None:
    """Mark the links that are taken."""
    of_target = np.zeros(marks.shape[0], dtype=np.int32)
    of_pivot = np.zeros(marks.shape[1], dtype=np.int32)
    for e in range(marks.shape[0]):
        for f in range(marks.shape[1]):
            if marks[e, f] == _BOTH or (method == _UNION and marks[e, f] > 0):
                _take(marks, of_target, of_pivot, e, f)
    if method >= _GROW_DIAG:
        while _grown(marks, of_target, of_pivot, neighbors):
            pass
    if method >= _FINAL:
        _finish(marks, of_target, of_pivot, _FORWARD, method == _FINAL)
        _finish(marks, of_target, of_pivot, _BACKWARD, method == _FINAL)


@jit
def _take(marks: _Marks, of_target: _Counts, of_pivot: _Counts, e: int, f: int) -> None:
    marks[e, f] |= _TAKEN
    of_target[e] += 1
    of_pivot[f] += 1


@jit
def _grown(marks: _Marks, of_target: _Counts, of_pivot: _Counts, neighbors: IntArray) -> bool:
    """Add links beside those that are taken, in one scan; return whether there were any."""
    added = False
    for e in range(marks.shape[0]):
        for f in range(marks.shape[1]):
            if not marks[e, f] & _TAKEN:
                continue
            for n in range(neighbors.shape[0]):
                new_f, new_e = f + neighbors[n, 0], e + neighbors[n, 1]
                if not (0 <= new_e < marks.shape[0] and 0 <= new_f < marks.shape[1]):
                    continue
                free = of_target[new_e] == 0 or of_pivot[new_f] == 0
                if free and marks[new_e, new_f] > 0 and not marks[new_e, new_f] & _TAKEN:
                    _take(marks, of_target, of_pivot, new_e, new_f)
                    added = True
    return added


@jit
def _finish(
    marks: _Marks,
    of_target: _Counts,
    of_pivot: _Counts,
    direction: int,
    either: bool,  # noqa: FBT001 - numba has no keyword-only arguments
) -> None:
    for e in range(marks.shape[0]):
        for f in range(marks.shape[1]):
            if not marks[e, f] & direction or marks[e, f] & _TAKEN:
                continue
            target_free, pivot_free = of_target[e] == 0, of_pivot[f] == 0
            if (target_free and pivot_free) or (either and (target_free or pivot_free)):
                _take(marks, of_target, of_pivot, e, f)
