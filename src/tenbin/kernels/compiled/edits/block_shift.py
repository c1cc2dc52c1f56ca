"""Compiled twin of `tenbin.kernels.edits.block_shift`.

It finds the same shifts with less work: candidates are tried longest block first, and those that
provably cannot win are never measured.
"""

from typing import NamedTuple

import numpy as np

from tenbin.kernels.arrays import FloatArray, IdArray, IntArray
from tenbin.kernels.compiled.edits.levenshtein import Pattern, edit_distance, prepared, release
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.edits.block_shift import BLANK

_LONGEST_INSERTION = 8  # tokens; beyond that the bound costs as much as the distance itself


class Spelling(NamedTuple):
    """The characters of each token, as rows."""

    values: IdArray
    offsets: IntArray


class Bounds(NamedTuple):
    """Distances that bound the distance after a shift, which takes a block out and puts it in.

    Either half of that changes the distance by at most the size of the block. So the distance with
    the block in neither place, or in both, is a bound; it takes one grid row, not a grid, and the
    latter is stored in ``doubled``: (size, bound) of the last block tried, by direction and target.
    """

    before: IdArray  # of each prefix of the row to each prefix of the reference
    after: IdArray  # of what follows those prefixes
    doubled: IntArray


@jit
def block_shift_distance(
    values: IdArray,
    offsets: IntArray,
    character_values: IdArray,
    character_offsets: IntArray,
    left: IntArray,
    right: IntArray,
) -> FloatArray:
    """Return what `tenbin.kernels.edits.block_shift.block_shift_distance` returns."""
    distances = np.empty((left.size, 2), np.float64)
    spelling = Spelling(character_values, character_offsets)
    token_classes = np.zeros(character_offsets.size, np.int32)
    highest = BLANK
    for character in character_values:
        highest = max(highest, character)
    character_classes = np.zeros(highest + 1, np.int32)
    for pair in range(left.size):
        # Copies, as numba takes the rows of a read-only pool for another type than those made here.
        hypothesis = values[offsets[left[pair]] : offsets[left[pair] + 1]].copy()
        reference = values[offsets[right[pair]] : offsets[right[pair] + 1]].copy()
        pattern = prepared(reference, token_classes)
        shifted = _shifted(hypothesis, pattern, spelling)
        release(pattern)
        text = _spelled(shifted, spelling)
        pattern = prepared(_spelled(reference, spelling), character_classes)
        cost = _shift_cost(hypothesis, shifted, character_offsets)
        distances[pair, 0] = edit_distance(text, pattern) + cost
        distances[pair, 1] = text.size
        release(pattern)
    return distances


@jit
def _spelled(tokens: IdArray, spelling: Spelling) -> IdArray:
    """Return the characters of the tokens with one blank between two tokens."""
    size = max(tokens.size - 1, 0)
    for token in tokens:
        size += spelling.offsets[token + 1] - spelling.offsets[token]
    text = np.full(size, BLANK, np.int32)
    end = 0
    for token in tokens:
        for position in range(spelling.offsets[token], spelling.offsets[token + 1]):
            text[end] = spelling.values[position]
            end += 1
        end += 1
    return text


@jit
def _shifted(hypothesis: IdArray, pattern: Pattern, spelling: Spelling) -> IdArray:
    """Return the hypothesis after all shifts."""
    size = pattern.symbols.size
    if hypothesis.size == 0 or size == 0:
        return hypothesis
    least = _least_distance(hypothesis, pattern)
    current = hypothesis
    rate = edit_distance(current, pattern) / size
    while True:
        reached, best = _best_shift(current, pattern, spelling, rate, least)
        if reached < 0:
            return current
        rate -= rate - reached / size  # not simply reached / size: see the plain twin
        current = best


@jit
def _least_distance(hypothesis: IdArray, pattern: Pattern) -> int:
    """Return the distance of the hypothesis in the best of all orders: no shift goes below it."""
    free = np.zeros(pattern.masks.shape[0], np.int64)
    for symbol in pattern.symbols:
        free[pattern.classes[symbol]] += 1
    common = 0
    for symbol in hypothesis:
        if free[pattern.classes[symbol]] > 0:
            free[pattern.classes[symbol]] -= 1
            common += 1
    return max(hypothesis.size, pattern.symbols.size) - common


@jit
def _best_shift(
    current: IdArray, pattern: Pattern, spelling: Spelling, rate: float, least: int
) -> tuple[int, IdArray]:
    """Return the distance of the best shifted row and that row; -1 if none is below the rate."""
    reference = pattern.symbols
    best, candidate = np.empty_like(current), np.empty_like(current)
    reached, distance = -1, edit_distance(current, pattern)
    limit = distance if rate > distance / reference.size else distance - 1
    if limit < least:
        return reached, best
    before = _prefix_distances(current, reference)
    backwards = _prefix_distances(current[::-1].copy(), reference[::-1].copy())
    doubled = np.zeros((2, reference.size, 2), np.int64)
    bounds = Bounds(before, backwards[::-1, ::-1].copy(), doubled)
    for start, target, size in _common_blocks(current, reference):
        if reached == 0 or distance - 2 * size > limit:
            break  # the blocks to come are no larger
        bound = max(least, _joined(bounds.before[start], bounds.after[start + size]) - size)
        if bound > limit:
            continue
        _move(current, start, target, size, candidate)
        loses_ties = reached >= 0 and not _is_after(candidate, best, spelling)
        allowed = limit - 1 if loses_ties else limit
        if size <= _LONGEST_INSERTION:
            bound = max(bound, _doubled_bound(bounds, reference, start, target, size))
        if bound > allowed:
            continue
        moved = edit_distance(candidate, pattern)
        if moved <= allowed:
            reached = limit = moved
            best, candidate = candidate, best
    return reached, best


@jit
def _prefix_distances(current: IdArray, reference: IdArray) -> IdArray:
    """Return the edit distance of each prefix of a row to each prefix of the other."""
    grid = np.empty((current.size + 1, reference.size + 1), np.int32)
    for position in range(reference.size + 1):
        grid[0, position] = position
    for position in range(current.size):
        _extend(grid[position], current[position], reference, grid[position + 1])
    return grid


@jit
def _extend(row: IdArray, symbol: int, reference: IdArray, following: IdArray) -> None:
    """Fill the grid row after the given one, that of one more symbol."""
    following[0] = row[0] + 1
    for i in range(reference.size):
        replaced = row[i] + (reference[i] != symbol)
        following[i + 1] = min(replaced, min(row[i + 1], following[i]) + 1)


@jit
def _joined(before: IdArray, after: IdArray) -> int:
    """Return the distance of two halves put together, each given by its grid row."""
    least = before[0] + after[0]
    for i in range(1, before.size):
        least = min(least, before[i] + after[i])
    return int(least)


@jit
def _doubled_bound(bounds: Bounds, reference: IdArray, start: int, target: int, size: int) -> int:
    """Return a lower bound on the distance after a shift, from the row with the block twice."""
    rightward = int(target > start)
    known = bounds.doubled[rightward, target]
    if known[0] != size:
        place = min(target + rightward * size, bounds.before.shape[0] - 1)
        row = bounds.before[place]
        for symbol in reference[target : target + size]:
            following = np.empty_like(row)
            _extend(row, symbol, reference, following)
            row = following
        known[0], known[1] = size, _joined(row, bounds.after[place]) - size
    return int(known[1])


@jit
def _common_blocks(current: IdArray, reference: IdArray) -> IntArray:
    """Return (start, target, size) of the longest block at each pair of equal tokens, by size."""
    sizes = np.zeros((current.size + 1, reference.size + 1), np.int32)
    firsts = np.zeros(min(current.size, reference.size) + 2, np.int64)
    for start in range(current.size - 1, -1, -1):
        for target in range(reference.size - 1, -1, -1):
            if current[start] == reference[target]:
                sizes[start, target] = sizes[start + 1, target + 1] + 1
                if start != target:
                    firsts[sizes[start, target] - 1] += 1
    for size in range(firsts.size - 2, -1, -1):  # counts, one size off, become where a size begins
        firsts[size] += firsts[size + 1]
    blocks = np.empty((firsts[0], 3), np.int64)
    for start in range(current.size):
        for target in range(reference.size):
            size = sizes[start, target]
            if size > 0 and start != target:
                block = blocks[firsts[size]]
                block[0], block[1], block[2] = start, target, size
                firsts[size] += 1
    return blocks


@jit
def _move(current: IdArray, start: int, target: int, size: int, moved: IdArray) -> None:
    """Write the row with a block moved to index ``target`` of the row without it."""
    target = min(target, current.size - size)
    for position in range(current.size):
        if target <= position < target + size:
            source = start + position - target
        elif position < target:
            source = position if position < start else position + size
        else:
            source = position - size if position < start + size else position
        moved[position] = current[source]


@jit
def _is_after(candidate: IdArray, best: IdArray, spelling: Spelling) -> bool:
    """Say whether a row comes after another one in the order of their tokens' spelling."""
    position = 0
    while position < candidate.size and candidate[position] == best[position]:
        position += 1
    if position == candidate.size:
        return False
    a, a_end = spelling.offsets[candidate[position]], spelling.offsets[candidate[position] + 1]
    b, b_end = spelling.offsets[best[position]], spelling.offsets[best[position] + 1]
    while a < a_end and b < b_end and spelling.values[a] == spelling.values[b]:
        a += 1
        b += 1
    return bool(a < a_end and (b == b_end or spelling.values[a] > spelling.values[b]))


@jit
def _shift_cost(hypothesis: IdArray, shifted: IdArray, character_offsets: IntArray) -> float:
    """Return the cost of the blocks that were moved to the right."""
    cost = 0.0
    position = 0
    while position < hypothesis.size:
        found = position
        while found < shifted.size and shifted[found] != hypothesis[position]:
            found += 1
        size = characters = 0
        if found > position:
            while (
                found + size < shifted.size and hypothesis[position + size] == shifted[found + size]
            ):
                token = hypothesis[position + size]
                characters += character_offsets[token + 1] - character_offsets[token]
                size += 1
        if size > 0:
            cost += characters / size
        position += max(size, 1)
    return cost
