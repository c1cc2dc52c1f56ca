"""The candidates of one pair for the compiled aligner: definite ones, and a table of the others."""

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
