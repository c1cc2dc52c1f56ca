"""Edits and block shifts that turn one row into another: the search of TER, compiled.

The plain twin of this kernel is sacrebleu's own function (`tenbin.metrics.ter` calls it on small
inputs); the search below finds the same shifts in the same order, so the counts are the same.
It follows tercom (Snover et al. 2006) with the limits that sacrebleu sets.
"""

import math

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.compiled.jit import jit

_LONGEST_SHIFT = 10
_FARTHEST_SHIFT = 50
_BEAM = 25
_MOST_CANDIDATES = 1000
_UNREACHED = 10**9

_KEEP, _SUBSTITUTE, _INSERT, _DELETE, _NONE = 0, 1, 2, 3, 4

_Operations = npt.NDArray[np.int8]
_Costs = npt.NDArray[np.int32]


@jit
def shifted_edits(values: IdArray, offsets: IntArray, left: IntArray, right: IntArray) -> IntArray:
    """Return the number of edits, shifts included, of each pair of rows; shape (pairs,).

    A right row without ids costs the length of the left one.
    """
    edits = np.zeros(left.size, dtype=np.int64)
    for pair in range(left.size):
        words = values[offsets[left[pair]] : offsets[left[pair] + 1]].copy()
        reference = values[offsets[right[pair]] : offsets[right[pair] + 1]]
        edits[pair] = words.size if reference.size == 0 else _edits(words, reference)
    return edits


@jit
def _edits(words: IdArray, reference: IdArray) -> int:
    shape = (words.size + 1, reference.size + 1)
    costs = np.empty(shape, dtype=np.int32)
    operations = np.empty(shape, dtype=np.int8)
    trial_costs = np.empty(shape, dtype=np.int32)
    trial_operations = np.empty(shape, dtype=np.int8)
    shifts = 0
    checked = 0
    while True:
        _fill(costs, operations, words, reference, 0)
        gain, checked, shifted = _best_shift(
            words, reference, costs, operations, trial_costs, trial_operations, checked
        )
        if checked >= _MOST_CANDIDATES or gain <= 0:
            break
        shifts += 1
        words = shifted
    total: int = shifts + costs[words.size, reference.size]
    return total


@jit
def _fill(
    costs: _Costs, operations: _Operations, words: IdArray, reference: IdArray, known: int
) -> None:
    """Fill the edit-distance grid below the rows that are known, near the diagonal only."""
    rows, columns = words.size, reference.size
    if known == 0:
        for j in range(columns + 1):
            costs[0, j] = j
            operations[0, j] = _INSERT
    ratio = columns / rows if rows > 0 else 1.0
    # Lengths may differ so much that a beam of the usual width misses the row above.
    beam = _BEAM if ratio / 2 <= _BEAM else math.ceil(ratio / 2 + _BEAM)
    for i in range(known + 1, rows + 1):
        diagonal = math.floor(i * ratio)
        first = max(0, diagonal - beam)
        last = columns + 1 if i == rows else min(columns + 1, diagonal + beam)
        for j in range(columns + 1):
            costs[i, j] = _UNREACHED
            operations[i, j] = _NONE
        for j in range(first, last):
            if j == 0:
                costs[i, 0] = costs[i - 1, 0] + 1
                operations[i, 0] = _DELETE
                continue
            # On equal cost: keep or substitute, then delete, then insert.
            equal = words[i - 1] == reference[j - 1]
            best = costs[i - 1, j - 1] + (0 if equal else 1)
            operation = _KEEP if equal else _SUBSTITUTE
            if costs[i - 1, j] + 1 < best:
                best = costs[i - 1, j] + 1
                operation = _DELETE
            if costs[i, j - 1] + 1 < best:
                best = costs[i, j - 1] + 1
                operation = _INSERT
            if best < _UNREACHED:
                costs[i, j] = best
                operations[i, j] = operation


@jit
def _aligned(
    operations: _Operations, rows: int, columns: int
) -> tuple[IntArray, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return, per reference position, its row (or the last one before), and wrong positions."""
    reached = np.empty(columns, dtype=np.int64)
    wrong_row = np.zeros(rows, dtype=np.bool_)
    wrong_column = np.zeros(columns, dtype=np.bool_)
    i, j = rows, columns
    while i > 0 or j > 0:
        operation = operations[i, j]
        if operation == _INSERT:
            j -= 1
            reached[j] = i - 1
            wrong_column[j] = True
        elif operation == _DELETE:
            i -= 1
            wrong_row[i] = True
        else:
            i -= 1
            j -= 1
            reached[j] = i
            wrong_row[i] = operation == _SUBSTITUTE
            wrong_column[j] = operation == _SUBSTITUTE
    return reached, wrong_row, wrong_column


@jit
def _best_shift(
    words: IdArray,
    reference: IdArray,
    costs: _Costs,
    operations: _Operations,
    trial_costs: _Costs,
    trial_operations: _Operations,
    checked: int,
) -> tuple[int, int, IdArray]:
    """Return the gain of the best shift, the candidates checked so far, and the shifted row."""
    rows, columns = words.size, reference.size
    reached, wrong_row, wrong_column = _aligned(operations, rows, columns)
    before = costs[rows, columns]
    best = (-_UNREACHED, 0, 0, 0)
    best_words = words
    for start in range(rows):
        for target in range(columns):
            if abs(target - start) > _FARTHEST_SHIFT:
                continue
            common = _common_length(words[start:], reference[target:])
            for length in range(1, common + 1):
                # Only a block that stands wrong, and is missed where it should stand, may move.
                if (
                    not wrong_row[start : start + length].any()
                    or not wrong_column[target : target + length].any()
                    or start <= reached[target] < start + length
                ):
                    continue
                previous = -1
                for offset in range(-1, length):
                    place = 0 if target + offset == -1 else reached[target + offset] + 1
                    if place == previous:
                        continue
                    previous = place
                    shifted = _moved(words, start, length, place)
                    known = min(start, place)
                    trial_costs[: known + 1] = costs[: known + 1]
                    _fill(trial_costs, trial_operations, shifted, reference, known)
                    gain = before - trial_costs[rows, columns]
                    candidate = (gain, length, -start, -place)
                    if candidate > best:
                        best = candidate
                        best_words = shifted
                    checked += 1
                if checked >= _MOST_CANDIDATES:
                    return best[0], checked, best_words
    return (0 if best[0] == -_UNREACHED else best[0]), checked, best_words


@jit
def _common_length(words: IdArray, reference: IdArray) -> int:
    """Return how many ids two rows begin with in common, up to the longest shift."""
    most = min(words.size, reference.size, _LONGEST_SHIFT)
    length = 0
    while length < most and words[length] == reference[length]:
        length += 1
    return length


@jit
def _moved(words: IdArray, start: int, length: int, target: int) -> IdArray:
    """Return the row with a block moved before ``target``, or by as much within its own range."""
    moved = np.empty_like(words)
    if target < start:
        place = target
    elif target > start + length:
        place = target - length
    else:
        place = min(target, words.size - length)
    rest = 0
    for position in range(words.size):
        if place <= position < place + length:
            moved[position] = words[start + position - place]
            continue
        if rest == start:
            rest += length
        moved[position] = words[rest]
        rest += 1
    return moved
