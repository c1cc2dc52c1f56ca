"""The candidates of one pair as a table, for the compiled aligner."""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.match_candidates import CandidateSpans

BoolArray = npt.NDArray[np.bool_]

# Columns of a table of matches: number in the batch, spans, what the match adds to the rank of a
# path, distance of the two starts.
NUMBER, RIGHT_START, RIGHT_STOP, LEFT_START, LEFT_STOP, GAIN, APART = range(7)


@jit
def chunk_count(table: IntArray, chosen: BoolArray) -> int:
    """Return the number of chunks of the chosen matches of a pair."""
    chunks = 0
    right_end = left_end = -1
    for place in range(len(table)):
        if chosen[table[place, NUMBER]]:
            if table[place, RIGHT_START] != right_end or table[place, LEFT_START] != left_end:
                chunks += 1
            right_end, left_end = table[place, RIGHT_STOP], table[place, LEFT_STOP]
    return chunks


@jit
def match_table(
    spans: CandidateSpans, gains: IntArray, start: int, stop: int, length: int
) -> tuple[IntArray, IntArray]:
    """Return the candidates of a pair by right position, in the order given at each."""
    _, right_starts, right_lengths, left_starts, left_lengths = spans
    bounds = np.zeros(length + 2, dtype=np.int64)
    for number in range(start, stop):
        bounds[right_starts[number] + 2] += 1
    for position in range(2, length + 2):
        bounds[position] += bounds[position - 1]
    table = np.empty((stop - start, 7), dtype=np.int64)
    for number in range(start, stop):
        place = bounds[right_starts[number] + 1]
        bounds[right_starts[number] + 1] += 1  # in the end, where the position after it begins
        table[place, NUMBER] = number
        table[place, RIGHT_START] = right_starts[number]
        table[place, RIGHT_STOP] = right_starts[number] + right_lengths[number]
        table[place, LEFT_START] = left_starts[number]
        table[place, LEFT_STOP] = left_starts[number] + left_lengths[number]
        table[place, GAIN] = gains[number]
        table[place, APART] = abs(right_starts[number] - left_starts[number])
    return bounds, table


@jit
def distance_bound(table: IntArray) -> int:
    """Return a number above the distance of any path: a path meets each match at most once."""
    cost = 1
    for place in range(len(table)):
        cost += table[place, APART]
    return cost


@jit
def definite_matches(table: IntArray, left_length: int, right_length: int) -> IntArray:
    """Return the definite match at each right position, -1 where there is none."""
    left_cover = np.zeros(left_length, dtype=np.int64)
    right_cover = np.zeros(right_length, dtype=np.int64)
    for place in range(len(table)):
        for position in range(table[place, LEFT_START], table[place, LEFT_STOP]):
            left_cover[position] += 1
        for position in range(table[place, RIGHT_START], table[place, RIGHT_STOP]):
            right_cover[position] += 1
    definite = np.full(right_length, -1, dtype=np.int64)
    for place in range(len(table)):
        shared = False
        for position in range(table[place, LEFT_START], table[place, LEFT_STOP]):
            shared |= left_cover[position] > 1
        for position in range(table[place, RIGHT_START], table[place, RIGHT_STOP]):
            shared |= right_cover[position] > 1
        if not shared:
            definite[table[place, RIGHT_START]] = place
    return definite
