"""Compiled twin of `tenbin.kernels.beam_alignment`.

What paths are sorted by is one number, the *rank*: weight first, then chunks, then distance, each
in units that exceed all that can come after it, so that a greater rank is a better path. A path is
a row of a table; what it has taken is a chain of nodes (match, node before), and the left words it
has used are bits. Where paths branch, the steps are compared before any path is copied.
"""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.compiled.match_table import (
    APART,
    GAIN,
    LEFT_START,
    LEFT_STOP,
    NUMBER,
    RIGHT_STOP,
    BoolArray,
    chunk_count,
    definite_matches,
    distance_bound,
    match_table,
)
from tenbin.kernels.match_candidates import CandidateSpans

_BitArray = npt.NDArray[np.uint64]

# Where the matches of each right position begin, and the table of them.
_Matches = tuple[IntArray, IntArray]
# Columns of a table of paths: rank, end of the last match on the left (or none) and on the right,
# last node.
_RANK, _LEFT_END, _RIGHT_END, _NODE = range(4)
_NO_MATCH, _MIXED = -1, -2
_NO_NODE = -1
# Columns of a table of steps: rank, and what is done by which path, side by side in one number.
_MOVE = 1
_PATH_BITS = 20
_PATH_MASK = (1 << _PATH_BITS) - 1
# What a step does instead of taking a match.
_SKIP, _CARRY_ON = -1, -2


@jit
def beam_alignment(
    spans: CandidateSpans,
    gains: IntArray,
    left_lengths: IntArray,
    right_lengths: IntArray,
    width: int,
    inherited: bool,  # noqa: FBT001 - numba calls by position
) -> tuple[BoolArray, IntArray]:
    """Return which candidates were chosen and, per pair, the chunks of the final alignment."""
    offsets = spans[0]
    chosen = np.zeros(gains.size, dtype=np.bool_)
    chunks = np.zeros(right_lengths.size, dtype=np.int64)
    longest_left = longest_right = 0
    for pair in range(right_lengths.size):
        longest_left = max(longest_left, left_lengths[pair])
        longest_right = max(longest_right, right_lengths[pair])
    # Two tables each: one is read while the other is written.
    paths = np.empty((width, 4), dtype=np.int64), np.empty((width, 4), dtype=np.int64)
    blocks = longest_left // 64 + 1
    used = (
        np.empty((width, blocks), dtype=np.uint64),
        np.empty((width, blocks), dtype=np.uint64),
    )
    steps = np.empty((width, 2), dtype=np.int64)
    nodes = np.empty((width * longest_right + 1, 2), dtype=np.int64)
    for pair in range(right_lengths.size):
        start, stop = offsets[pair], offsets[pair + 1]
        if start == stop:
            continue
        bounds, table = match_table(spans, gains, start, stop, right_lengths[pair])
        definite = definite_matches(table, left_lengths[pair], right_lengths[pair])
        chunk_cost = distance_bound(table)
        for place in range(len(table)):
            table[place, GAIN] *= chunk_cost * (right_lengths[pair] + 1)
        node = _search((bounds, table), definite, paths, used, steps, nodes, chunk_cost, inherited)
        for place in definite:
            if place >= 0:
                chosen[table[place, NUMBER]] = True
        while node != _NO_NODE:
            chosen[table[nodes[node, 0], NUMBER]] = True
            node = nodes[node, 1]
        chunks[pair] = chunk_count(table, chosen)
    return chosen, chunks


@jit
def _search(
    matches: _Matches,
    definite: IntArray,
    paths: tuple[IntArray, IntArray],
    used: tuple[_BitArray, _BitArray],
    steps: IntArray,
    nodes: IntArray,
    chunk_cost: int,
    inherited: bool,  # noqa: FBT001
) -> int:
    """Return the last node of the best path; definite matches have no nodes."""
    bounds, table = matches
    order = np.arange(len(steps))  # rows of the paths, best first
    now, other = paths
    used_now, used_other = used
    now[0, _RANK] = now[0, _RIGHT_END] = 0
    now[0, _NODE] = _NO_NODE
    used_now[0] = 0
    count, node_count = 1, 0
    left_end = _NO_MATCH  # of all paths, or mixed; then it is in the table
    right_end = 0  # of the last definite match
    for position in range(definite.size):
        place = definite[position]
        if position < right_end:
            continue
        if place < 0 and bounds[position] < bounds[position + 1]:
            if left_end != _MIXED:
                now[:count, _LEFT_END] = left_end
                left_end = _MIXED
            count = _branch(
                position, matches, now, used_now, order[:count], steps, chunk_cost, inherited
            )
            node_count = _follow(
                steps, count, table, (now, other), (used_now, used_other), nodes, node_count
            )
            now, other = other, now
            used_now, used_other = used_other, used_now
            for row in range(count):
                order[row] = row
            continue
        # No path branches. What all of them do alike changes no order and is not counted.
        left_start = _NO_MATCH if place < 0 else table[place, LEFT_START]
        if left_end == _MIXED:
            within = _end_chunks(now, count, position, left_start, chunk_cost)
            _sort(order, count, now)
            if within:
                continue
        left_end = _NO_MATCH
        if place >= 0:
            left_end, right_end = table[place, LEFT_STOP], table[place, RIGHT_STOP]
    if left_end == _MIXED:
        _end_chunks(now, count, definite.size, _NO_MATCH, chunk_cost)
        _sort(order, count, now)
    return int(now[order[0], _NODE])


@jit
def _end_chunks(
    paths: IntArray, count: int, position: int, left_start: int, chunk_cost: int
) -> bool:
    """Count open chunks that do not go on; return whether a path is still within a match."""
    within = False
    for row in range(count):
        if position < paths[row, _RIGHT_END]:
            within = True
        elif paths[row, _LEFT_END] not in (_NO_MATCH, left_start):
            paths[row, _RANK] -= chunk_cost
            paths[row, _LEFT_END] = _NO_MATCH
    return within


@jit
def _branch(
    position: int,
    matches: _Matches,
    paths: IntArray,
    used: _BitArray,
    order: IntArray,
    steps: IntArray,
    chunk_cost: int,
    inherited: bool,  # noqa: FBT001
) -> int:
    """Write the best steps that paths make at a position, best first; return their number."""
    bounds, table = matches
    count = 0
    for row in order:
        rank, left_end = paths[row, _RANK], paths[row, _LEFT_END]
        if position < paths[row, _RIGHT_END]:
            count = _insert(steps, count, rank, row, _CARRY_ON)
            continue
        for place in range(bounds[position], bounds[position + 1]):
            left_start = table[place, LEFT_START]
            if not _is_free(used, row, left_start, table[place, LEFT_STOP]):
                continue
            taken = rank + table[place, GAIN]
            if left_end not in (_NO_MATCH, left_start):
                taken -= chunk_cost
            if inherited:
                rank -= table[place, APART]
            else:
                taken -= table[place, APART]
            count = _insert(steps, count, taken, row, place)
        if left_end != _NO_MATCH:
            rank -= chunk_cost
        count = _insert(steps, count, rank, row, _SKIP)
    return count


@jit
def _is_free(used: _BitArray, row: int, start: int, stop: int) -> bool:
    """Return whether a path has not used some left words."""
    for word in range(start, stop):
        if (used[row, word >> 6] >> np.uint64(word & 63)) & np.uint64(1):
            return False
    return True


@jit
def _insert(steps: IntArray, count: int, rank: int, path: int, takes: int) -> int:
    """Put a step where it belongs, after its equals, if it is among the best; return the count."""
    place = count
    if count < len(steps):
        count += 1
    else:
        place -= 1
        if rank <= steps[place, _RANK]:
            return count
    while place > 0 and rank > steps[place - 1, _RANK]:
        steps[place, _RANK] = steps[place - 1, _RANK]
        steps[place, _MOVE] = steps[place - 1, _MOVE]
        place -= 1
    steps[place, _RANK] = rank
    steps[place, _MOVE] = (takes << _PATH_BITS) | path
    return count


@jit
def _follow(
    steps: IntArray,
    count: int,
    table: IntArray,
    paths: tuple[IntArray, IntArray],
    used: tuple[_BitArray, _BitArray],
    nodes: IntArray,
    node_count: int,
) -> int:
    """Write the paths that steps lead to into the other table; return the number of nodes."""
    before, after = paths
    used_before, used_after = used
    for row in range(count):
        parent, takes = steps[row, _MOVE] & _PATH_MASK, steps[row, _MOVE] >> _PATH_BITS
        for column in range(4):
            after[row, column] = before[parent, column]
        for block in range(used_after.shape[1]):
            used_after[row, block] = used_before[parent, block]
        if takes == _SKIP:
            after[row, _LEFT_END] = _NO_MATCH
        elif takes >= 0:
            for word in range(table[takes, LEFT_START], table[takes, LEFT_STOP]):
                used_after[row, word >> 6] |= np.uint64(1) << np.uint64(word & 63)
            node_count = _take(after, row, table, takes, nodes, node_count)
        after[row, _RANK] = steps[row, _RANK]
    return node_count


@jit
def _take(
    paths: IntArray, row: int, table: IntArray, place: int, nodes: IntArray, node_count: int
) -> int:
    """Note that a path takes a match, but for its rank; return the number of nodes."""
    paths[row, _LEFT_END] = table[place, LEFT_STOP]
    paths[row, _RIGHT_END] = table[place, RIGHT_STOP]
    nodes[node_count, 0], nodes[node_count, 1] = place, paths[row, _NODE]
    paths[row, _NODE] = node_count
    return node_count + 1


@jit
def _sort(order: IntArray, count: int, paths: IntArray) -> None:
    """Sort row numbers by rank, stably; they are nearly in order."""
    for last in range(1, count):
        row = order[last]
        rank = paths[row, _RANK]
        place = last
        while place > 0 and rank > paths[order[place - 1], _RANK]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = row
