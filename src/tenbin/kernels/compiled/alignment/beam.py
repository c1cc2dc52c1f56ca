"""Compiled twin of `tenbin.kernels.alignment.beam`.

Paths are sorted by one number, the *rank*: weight first, then chunks, then distance, each in units
that exceed all that can come after it, so that a greater rank is a better path. A path is a row of
a table; the matches it has taken are a chain of nodes (match, node before), and the left words it
has used are bits. Where paths branch, the steps are compared before any path is copied.
"""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.alignment.match_candidates import CandidateSpans
from tenbin.kernels.arrays import IntArray
from tenbin.kernels.compiled.jit import jit

BoolArray = npt.NDArray[np.bool_]

# Columns of a table of matches: number in the batch, spans, what the match adds to the rank of a
# path, distance of the two starts.
NUMBER, RIGHT_START, RIGHT_STOP, LEFT_START, LEFT_STOP, GAIN, APART = range(7)
COLUMNS = 7
BLOCK = 64  # bits of a number
NONE = -1  # no match at a position, no bit of a word
# Where the matches of each right position begin that are not definite, the table of them, their
# left words as bits.
_Matches = tuple[IntArray, IntArray, IntArray]
# Working space: two tables of paths, rows of paths in order, two tables of steps, nodes.
_Space = tuple[IntArray, IntArray, IntArray, IntArray]
# Columns of a table of paths: rank, end of the last match on the left (or none) and on the right,
# last node, then the left words used.
_RANK, _LEFT_END, _RIGHT_END, _NODE, _USED = range(5)
_NO_MATCH, _MIXED = -1, -2
_NO_NODE = -1
# Columns of a table of steps: rank, and which path does what, side by side in one number, which is
# smaller for what comes first. A path takes the match at a place of the table, or none.
_MOVE = 1
_ACTION_BITS = 32
_SKIP, _CARRY_ON = 1 << 30, 1 << 31
_ACTION_MASK = (1 << _ACTION_BITS) - 1


@jit
def count_cover(
    spans: CandidateSpans, start: int, stop: int, left_cover: IntArray, right_cover: IntArray
) -> None:
    """Write by how many candidates from start to stop each word of either row is covered."""
    _, right_starts, right_lengths, left_starts, left_lengths = spans
    left_cover[:] = 0
    right_cover[:] = 0
    for number in range(start, stop):
        for place in range(left_lengths[number]):
            left_cover[left_starts[number] + place] += 1
        for place in range(right_lengths[number]):
            right_cover[right_starts[number] + place] += 1


@jit
def find_definite(
    spans: CandidateSpans,
    start: int,
    stop: int,
    left_cover: IntArray,
    right_cover: IntArray,
    definite: IntArray,
) -> int:
    """Write which definite candidate each right position has; return how many others there are."""
    _, right_starts, right_lengths, left_starts, left_lengths = spans
    definite[:] = NONE
    others = 0
    for number in range(start, stop):
        shared = False
        for place in range(left_lengths[number]):
            shared |= left_cover[left_starts[number] + place] > 1
        for place in range(right_lengths[number]):
            shared |= right_cover[right_starts[number] + place] > 1
        if shared:
            others += 1
        else:
            definite[right_starts[number]] = number
    return others


@jit
def fill_table(
    spans: CandidateSpans,
    gains: IntArray,
    start: int,
    stop: int,
    definite: IntArray,
    bounds: IntArray,
    table: IntArray,
) -> int:
    """Write the candidates that are not definite by right position, in the order given at each.

    Args:
        spans: The candidates of all pairs.
        gains: What each adds to the weight of a path.
        start: First candidate of the pair.
        stop: First of the next pair.
        definite: The definite candidate of each right position.
        bounds: Where to write where the matches of each position begin; two more than positions.
        table: Where to write the matches.

    Returns:
        A number above the distance of any path: a path meets each match at most once.
    """
    _, right_starts, right_lengths, left_starts, left_lengths = spans
    bounds[:] = 0
    for number in range(start, stop):
        if definite[right_starts[number]] != number:
            bounds[right_starts[number] + 2] += 1
    for position in range(2, bounds.size):
        bounds[position] += bounds[position - 1]
    distances = 1
    for number in range(start, stop):
        right, left = right_starts[number], left_starts[number]
        if definite[right] == number:
            continue
        place = bounds[right + 1]
        bounds[right + 1] += 1  # in the end, where the position after it begins
        table[place, NUMBER] = number
        table[place, RIGHT_START] = right
        table[place, RIGHT_STOP] = right + right_lengths[number]
        table[place, LEFT_START] = left
        table[place, LEFT_STOP] = left + left_lengths[number]
        table[place, GAIN] = gains[number]
        table[place, APART] = abs(right - left)
        distances += table[place, APART]
    return distances


@jit
def fill_masks(table: IntArray, bits: IntArray, masks: IntArray) -> int:
    """Write the left words of each match as bits; return the number of blocks that they take.

    Only words that paths compete for have a bit, so that one block does for most pairs.

    Args:
        table: The matches.
        bits: Working space, one item for each left word.
        masks: Where to write; a row for each match, with enough blocks for all left words.
    """
    bits[:] = NONE
    size = 0
    for place in range(len(table)):
        for position in range(table[place, LEFT_START], table[place, LEFT_STOP]):
            if bits[position] == NONE:
                bits[position] = size
                size += 1
    blocks = (size + BLOCK - 1) // BLOCK
    for place in range(len(table)):
        for block in range(blocks):
            masks[place, block] = 0
        for position in range(table[place, LEFT_START], table[place, LEFT_STOP]):
            masks[place, bits[position] // BLOCK] |= 1 << (bits[position] % BLOCK)
    return blocks


@jit
def note_alignment(spans: CandidateSpans, taken: IntArray, chosen: BoolArray) -> int:
    """Mark the matches of an alignment, given by right position; return the number of chunks."""
    _, _, right_lengths, left_starts, left_lengths = spans
    chunks = 0
    right_end = left_end = NONE
    for position in range(taken.size):
        number = taken[position]
        if number == NONE:
            continue
        chosen[number] = True
        if position != right_end or left_starts[number] != left_end:
            chunks += 1
        right_end = position + right_lengths[number]
        left_end = left_starts[number] + left_lengths[number]
    return chunks


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
    longest_left = longest_right = most = 0
    for pair in range(right_lengths.size):
        longest_left = max(longest_left, left_lengths[pair])
        longest_right = max(longest_right, right_lengths[pair])
        most = max(most, offsets[pair + 1] - offsets[pair])
    blocks = longest_left // BLOCK + 1
    matches = (
        np.empty(longest_right + 2, dtype=np.int64),
        np.empty((most, COLUMNS), dtype=np.int64),
        np.empty((most, blocks), dtype=np.int64),
    )
    left_words = np.empty(longest_left, dtype=np.int64)
    right_words = np.empty((2, longest_right), dtype=np.int64)
    # Two tables: one is read while the other is written.
    paths = np.empty((2, width, _USED + blocks), dtype=np.int64)
    steps = np.empty((2, width, 2), dtype=np.int64)
    order = np.empty(width, dtype=np.int64)
    nodes = np.empty((width * longest_right + 1, 2), dtype=np.int64)
    space = paths, order, steps, nodes
    for pair in range(right_lengths.size):
        start, stop, length = offsets[pair], offsets[pair + 1], right_lengths[pair]
        if start == stop:
            continue
        left_row = left_words[: left_lengths[pair]]
        cover, taken = right_words[0, :length], right_words[1, :length]
        count_cover(spans, start, stop, left_row, cover)
        others = find_definite(spans, start, stop, left_row, cover, taken)
        if others > 0:
            bounds, table = matches[0][: length + 2], matches[1][:others]
            chunk_cost = fill_table(spans, gains, start, stop, taken, bounds, table)
            for place in range(others):
                table[place, GAIN] *= chunk_cost * (length + 1)
            blocks = fill_masks(table, left_row, matches[2])
            contested = bounds, table, matches[2]
            node = _search(spans, taken, contested, blocks, space, chunk_cost, inherited)
            while node != _NO_NODE:
                place = nodes[node, 0]
                taken[table[place, RIGHT_START]] = table[place, NUMBER]
                node = nodes[node, 1]
        chunks[pair] = note_alignment(spans, taken, chosen)
    return chosen, chunks


@jit
def _search(
    spans: CandidateSpans,
    definite: IntArray,
    matches: _Matches,
    blocks: int,
    space: _Space,
    chunk_cost: int,
    inherited: bool,  # noqa: FBT001
) -> int:
    """Return the last node of the best path; definite matches have no nodes."""
    _, _, right_lengths, left_starts, left_lengths = spans
    paths, order, steps, nodes = space
    bounds = matches[0]
    now, other = paths[0], paths[1]
    now[0, : _USED + blocks] = 0
    now[0, _NODE] = _NO_NODE
    order[0] = 0  # rows of the paths, best first
    count, node_count = 1, 0
    left_end = _NO_MATCH  # of all paths, or mixed; then it is in the table
    right_end = 0  # of the last definite match
    for position in range(definite.size):
        number = definite[position]
        if position < right_end:
            continue
        if bounds[position] < bounds[position + 1]:
            if left_end != _MIXED:
                now[:count, _LEFT_END] = left_end
                left_end = _MIXED
            count = _branch(
                position, matches, now, blocks, order[:count], steps, chunk_cost, inherited
            )
            node_count = _follow(
                steps[0, :count], order, matches, now, other, blocks, nodes, node_count
            )
            now, other = other, now
            for row in range(count):
                order[row] = row
            continue
        # No path branches. What all of them do alike changes no order and is not counted.
        left_start = _NO_MATCH if number == NONE else int(left_starts[number])
        if left_end == _MIXED:
            within = _end_chunks(now, count, position, left_start, chunk_cost)
            _sort(order, count, now)
            if within:
                continue
        left_end = _NO_MATCH
        if number != NONE:
            left_end = left_start + left_lengths[number]
            right_end = position + right_lengths[number]
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
    blocks: int,
    order: IntArray,
    steps: IntArray,
    chunk_cost: int,
    inherited: bool,  # noqa: FBT001
) -> int:
    """Write the best steps that paths make at a position, best first; return their number."""
    bounds, table, masks = matches
    first, end = bounds[position], bounds[position + 1]
    highest = table[first:end, GAIN].max()
    best, rest = steps[0], steps[1]
    width = len(best)
    count = waiting = 0
    for ordinal in range(order.size):
        row = order[ordinal]
        rank, left_end = paths[row, _RANK], paths[row, _LEFT_END]
        if count == width and rank + highest <= best[width - 1, _RANK]:
            break
        move = ordinal << _ACTION_BITS
        if position < paths[row, _RIGHT_END]:
            count = _insert(best, count, rank, move | _CARRY_ON)
            continue
        for place in range(first, end):
            if not _is_free(paths, row, masks, place, blocks):
                continue
            reached = rank + table[place, GAIN]
            if left_end not in (_NO_MATCH, table[place, LEFT_START]):
                reached -= chunk_cost
            if inherited:
                rank -= table[place, APART]
            else:
                reached -= table[place, APART]
            count = _insert(best, count, reached, move | place)
        if left_end != _NO_MATCH:
            rank -= chunk_cost
        rest[waiting, _RANK], rest[waiting, _MOVE] = rank, move | _SKIP
        waiting += 1
    # Skipping is worse than taking, mostly, and comes last: it then makes way for fewer others.
    for place in range(waiting):
        count = _insert(best, count, rest[place, _RANK], rest[place, _MOVE])
    return count


@jit
def _is_free(paths: IntArray, row: int, masks: IntArray, place: int, blocks: int) -> bool:
    """Return whether a path has used none of the left words of a match."""
    shared = 0
    for block in range(blocks):
        shared |= paths[row, _USED + block] & masks[place, block]
    return shared == 0


@jit
def _insert(steps: IntArray, count: int, rank: int, move: int) -> int:
    """Put a step where it belongs if it is among the best; return the number of steps."""
    place = count
    if count < len(steps):
        count += 1
    else:
        place -= 1
        worst = steps[place, _RANK]
        if rank < worst or (rank == worst and move > steps[place, _MOVE]):
            return count
    while place > 0:
        before = steps[place - 1, _RANK]
        if rank < before or (rank == before and move > steps[place - 1, _MOVE]):
            break
        steps[place, _RANK] = before
        steps[place, _MOVE] = steps[place - 1, _MOVE]
        place -= 1
    steps[place, _RANK] = rank
    steps[place, _MOVE] = move
    return count


@jit
def _follow(
    steps: IntArray,
    order: IntArray,
    matches: _Matches,
    before: IntArray,
    after: IntArray,
    blocks: int,
    nodes: IntArray,
    node_count: int,
) -> int:
    """Write the paths that steps lead to into another table; return the number of nodes."""
    _, table, masks = matches
    for row in range(len(steps)):
        parent = order[steps[row, _MOVE] >> _ACTION_BITS]
        action = steps[row, _MOVE] & _ACTION_MASK
        for column in range(_USED + blocks):
            after[row, column] = before[parent, column]
        after[row, _RANK] = steps[row, _RANK]
        if action == _SKIP:
            after[row, _LEFT_END] = _NO_MATCH
        elif action != _CARRY_ON:
            after[row, _LEFT_END] = table[action, LEFT_STOP]
            after[row, _RIGHT_END] = table[action, RIGHT_STOP]
            for block in range(blocks):
                after[row, _USED + block] |= masks[action, block]
            nodes[node_count, 0], nodes[node_count, 1] = action, after[row, _NODE]
            after[row, _NODE] = node_count
            node_count += 1
    return node_count


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
