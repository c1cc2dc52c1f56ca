"""Compiled twin of `tenbin.kernels.edits.chunked_subsequence`.

The plain twin compares whole alignments over all positions. Here

- each round looks only at ids that still have an equal on the other side,
- the number of matched positions and their worth are one integer (``units``): every position counts
  more than all worth together, so one comparison maximises the former, then the latter,
- the order of the lists of positions follows from the order of choices: of alignments equal in all
  else the one that pairs the present two positions comes first, with the longer chunk before the
  shorter, then the one that uses the present reference position, then the rest,
- only matches keep values; a cell of the table holds one number and one bit,
- an end once beaten by a later end of the same run of matches is not tried again from earlier
  starts: lengthening both chunks by one adds at least as much to the longer one.
"""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import FloatArray, IdArray, IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.edits.chunked_subsequence import ChunkTables

_BoolArray = npt.NDArray[np.bool_]
_Int32Array = npt.NDArray[np.int32]

# Columns of `runs`, the table of matches: the next match of the run, diagonal and adjacent in both
# rows (-1: none), the last match of the best chunk that starts here, and its length.
_NEXT, _END, _LENGTH = 0, 1, 2


@jit
def chunked_subsequence(
    values: IdArray, offsets: IntArray, left: IntArray, right: IntArray, tables: ChunkTables
) -> FloatArray:
    """Return the weighed chunks of repeated longest common subsequences, shape (pairs,)."""
    totals = np.zeros(left.size)
    for pair in range(left.size):
        hypothesis = values[offsets[left[pair]] : offsets[left[pair] + 1]]
        reference = values[offsets[right[pair]] : offsets[right[pair] + 1]]
        totals[pair] = _total(hypothesis, reference, tables)
    return totals


@jit
def _total(hypothesis: IdArray, reference: IdArray, tables: ChunkTables) -> float:
    """Return the sum of the rounds of one pair."""
    weights, worths, _ = tables
    units = _units(min(hypothesis.size, reference.size), tables)
    # Positions not taken yet that have an equal on the other side.
    rows = np.arange(reference.size)
    columns = np.arange(hypothesis.size)
    total = 0.0
    for number in range(weights.size):
        in_rows, in_columns = _matchable(reference, hypothesis, rows, columns)
        rows, columns = rows[in_rows], columns[in_columns]
        length = min(rows.size, columns.size)
        # Bounds this and all later rounds; where it does not move the total they may be left out.
        bound = 2 * max(worths[length], float(length))
        if length == 0 or total + weights[number] * bound == total:
            break
        matches, moves, chunks, runs = _table(reference, hypothesis, rows, columns, units)
        free_rows = np.ones(rows.size, dtype=np.bool_)
        free_columns = np.ones(columns.size, dtype=np.bool_)
        round_worth = 0.0
        i = j = 0
        cut = False  # whether a chunk ended just before i, j although it could have gone on
        while i < rows.size and j < columns.size:
            match = matches[i, j]
            if match >= 0 and not cut and chunks[match] > 0:
                length = chunks[match]
                free_rows[i : i + length] = False
                free_columns[j : j + length] = False
                round_worth += worths[length]
                i += length
                j += length
                cut = runs[matches[i - 1, j - 1], _NEXT] >= 0
            else:
                cut = False
                if moves[i, j]:
                    i += 1
                else:
                    j += 1
        total += weights[number] * round_worth
        rows, columns = rows[free_rows], columns[free_columns]
    return total


@jit
def _units(longest: int, tables: ChunkTables) -> IntArray:
    """Return the value of a chunk of each length: its positions first, its worth second."""
    _, worths, scales = tables
    scale = scales[longest]
    most = np.int64(max(worths[longest], float(longest)) * scale) + longest + 1
    units = np.zeros(longest + 1, dtype=np.int64)
    for length in range(1, longest + 1):
        units[length] = length * most + np.int64(np.rint(worths[length] * scale))
    return units


@jit
def _matchable(
    reference: IdArray, hypothesis: IdArray, rows: IntArray, columns: IntArray
) -> tuple[_BoolArray, _BoolArray]:
    """Return which of the rows and which of the columns have an equal among the others."""
    in_rows = np.zeros(rows.size, dtype=np.bool_)
    in_columns = np.zeros(columns.size, dtype=np.bool_)
    for i in range(rows.size):
        for j in range(columns.size):
            if reference[rows[i]] == hypothesis[columns[j]]:
                in_rows[i] = in_columns[j] = True
    return in_rows, in_columns


@jit
def _numbered_matches(
    reference: IdArray, hypothesis: IdArray, rows: IntArray, columns: IntArray
) -> tuple[_Int32Array, int]:
    """Return the number of the match at each cell, -1 where there is none, and their count."""
    matches = np.empty((rows.size, columns.size), dtype=np.int32)
    count = 0
    for i in range(rows.size):
        for j in range(columns.size):
            if reference[rows[i]] == hypothesis[columns[j]]:
                matches[i, j] = count
                count += 1
            else:
                matches[i, j] = -1
    return matches, count


@jit
def _table(
    reference: IdArray, hypothesis: IdArray, rows: IntArray, columns: IntArray, units: IntArray
) -> tuple[_Int32Array, _BoolArray, _Int32Array, _Int32Array]:
    """Return the choices of the best alignment from each cell on.

    Returns:
        Number of the match at each cell or -1; whether to leave the row rather than the column of a
        cell that starts no chunk; per match the length of the chunk to start there (0: none); per
        match the next of its run and the best chunk that starts there, wanted or not.
    """
    matches, count = _numbered_matches(reference, hypothesis, rows, columns)
    moves = np.zeros((rows.size, columns.size), dtype=np.bool_)
    chunks = np.zeros(count, dtype=np.int32)
    runs = np.full((count, 3), -1, dtype=np.int32)
    convex = _is_convex(units)
    # Units and displacement of the best alignment: behind a chunk that ends at a match, and from a
    # match on without it. The former does not take up the next match: that is a longer chunk.
    behind = np.zeros((count, 2), dtype=np.int64)
    without = np.zeros((count, 2), dtype=np.int64)
    # The same from each cell of the present row on; before a cell is reached, of the row below.
    best = np.zeros((columns.size + 1, 2), dtype=np.int64)
    for i in range(rows.size - 1, -1, -1):
        diagonal_value = diagonal_cost = 0
        row_used = False  # by the best alignment from the cell to the right on
        for j in range(columns.size - 1, -1, -1):
            below_value, below_cost = best[j, 0], best[j, 1]
            value, cost = best[j + 1, 0], best[j + 1, 1]
            if below_value > value or (
                below_value == value
                and (below_cost < cost or (below_cost == cost and not row_used))
            ):
                value, cost, row_used = below_value, below_cost, False
                moves[i, j] = True
            match = matches[i, j]
            if match >= 0:
                without[match, 0], without[match, 1] = value, cost
                behind[match, 0], behind[match, 1] = diagonal_value, diagonal_cost
                if _adjacent(rows, i) and _adjacent(columns, j) and matches[i + 1, j + 1] >= 0:
                    runs[match, _NEXT] = matches[i + 1, j + 1]
                    behind[match] = without[runs[match, _NEXT]]
                chunk_value, chunk_cost = _best_end(match, runs, behind, units, convex)
                chunk_cost += abs(columns[j] * reference.size - rows[i] * hypothesis.size)
                if chunk_value > value or (chunk_value == value and chunk_cost <= cost):
                    value, cost, row_used = chunk_value, chunk_cost, True
                    chunks[match] = runs[match, _LENGTH]
            best[j, 0], best[j, 1] = value, cost
            diagonal_value, diagonal_cost = below_value, below_cost
    return matches, moves, chunks, runs


@jit
def _best_end(  # numba knows no keyword-only arguments, hence FBT001
    match: int,
    runs: _Int32Array,
    behind: IntArray,
    units: IntArray,
    convex: bool,  # noqa: FBT001
) -> tuple[int, int]:
    """Return units and displacement from the best end of a chunk that starts at a match on.

    Writes that end and the length of the chunk into the row of the match. Of equal ends the longer
    chunk is best; the displacement of its own start, the same for all, is left out.
    """
    best_value, best_cost = units[1] + behind[match, 0], behind[match, 1]
    best_end, best_length = match, 1
    end, length = runs[match, _NEXT], 2
    if end >= 0 and convex:
        length = runs[end, _LENGTH] + 1
        end = runs[end, _END]
    while end >= 0:
        value = units[length] + behind[end, 0]
        if value > best_value or (value == best_value and behind[end, 1] <= best_cost):
            best_value, best_cost = value, behind[end, 1]
            best_end, best_length = end, length
        end = runs[end, _NEXT]
        length += 1
    runs[match, _END], runs[match, _LENGTH] = best_end, best_length
    return best_value, best_cost


@jit
def _is_convex(units: IntArray) -> bool:
    """Return whether each further position of a chunk adds at least as much as the one before."""
    for length in range(2, units.size):
        if units[length] - units[length - 1] < units[length - 1] - units[length - 2]:
            return False
    return True


@jit
def _adjacent(positions: IntArray, index: int) -> bool:
    """Return whether the next position still in play is also the next one of the row."""
    return index + 1 < positions.size and bool(positions[index + 1] == positions[index] + 1)
