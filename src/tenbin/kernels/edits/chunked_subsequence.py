"""Common subsequences taken round after round and weighed by their unbroken chunks, for IMPACT.

Echizen-ya and Araki (2007), "Automatic Evaluation of Machine Translation based on Recursive
Acquisition of an Intuitive Common Parts Continuum". The choice among equally long subsequences is
ours, see `chunked_subsequence`.
"""

import math
from typing import NamedTuple

import numpy as np

from tenbin.kernels.arrays import FloatArray, IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

# Cells of the table of left by right positions; the plain twin fills about 1.5 million a second.
_WORTH_COMPILING = 1_500_000
# Worths closer than 2**-30 (about 1e-9) are equal, so that rounding decides no tie.
_FINEST_EXPONENT = 30
# Worth and length of an alignment share one 64-bit integer in the compiled twin.
_ROOM_EXPONENT = 60

# Numbers both twins look up, so that they agree to the last bit: weight of each round, worth of
# a chunk of each length, and, by the length of the shorter row, the units per worth in which worths
# are compared. A bare tuple, because numba's disk cache stores the module path of any class.
ChunkTables = tuple[FloatArray, FloatArray, FloatArray]


def chunked_subsequence(
    values: IdArray,
    offsets: IntArray,
    left: IntArray,
    right: IntArray,
    *,
    alpha: float,
    beta: float,
) -> FloatArray:
    """Return, per pair of rows, the weighed chunks of repeated longest common subsequences.

    Round ``i = 0, 1, ...`` takes a longest common subsequence of the ids not taken before, adds
    ``alpha**i * sum(length(c) ** beta)`` over its chunks ``c``, and marks its ids as taken, until
    none is left in common. A chunk is a maximal run of ids adjacent in both rows; adjacency is
    judged on the rows as given, so taking an id does not make its neighbors adjacent.

    Among the longest alignments of a round the one is taken

    1. whose ``sum(length(c) ** beta)`` is largest (equal within about 1e-9), then
    2. whose sum over chunks of ``|start in left / its length - start in right / its length|`` is
       smallest (compared exactly), then
    3. whose list of (right position, left position) comes first.

    A row without common ids, or an empty one, gives 0.

    Args:
        values: Ids of all rows, one row after the other.
        offsets: Row ``r`` is ``values[offsets[r] : offsets[r + 1]]``.
        left: Row of the hypothesis, per pair.
        right: Row of the reference, per pair.
        alpha: Weight of a round relative to the one before, from 0 to 1.
        beta: Exponent of the length of a chunk; above 1 rewards long chunks. So large that
            ``length**beta`` leaves the range of a float, it raises `OverflowError`.

    Returns:
        Shape (pairs,).

    >>> values = np.array([4, 1, 5, 1, 2, 3, 1, 2, 3, 4, 1, 5], dtype=np.int32)
    >>> rows = np.array([0, 6, 12])
    >>> chunked_subsequence(values, rows, np.array([0]), np.array([1]), alpha=0.1, beta=2.0)
    array([9.9])
    """
    lengths = np.diff(offsets)
    longest = int(np.minimum(lengths[left], lengths[right]).max(initial=0))
    tables = _tables(longest, alpha, beta)
    work = int(np.sum(lengths[left] * lengths[right]))
    compiled = compiled_twin("edits.chunked_subsequence", work=work, threshold=_WORTH_COMPILING)
    twin = plain_chunked_subsequence if compiled is None else compiled.chunked_subsequence
    totals: FloatArray = twin(values, offsets, left, right, tables)
    return totals


def plain_chunked_subsequence(
    values: IdArray, offsets: IntArray, left: IntArray, right: IntArray, tables: ChunkTables
) -> FloatArray:
    """Return what `chunked_subsequence` returns, by comparing whole alignments."""
    weights, worths, scales = tables
    totals = np.zeros(len(left))
    for pair, (one, other) in enumerate(zip(left, right, strict=True)):
        hypothesis = values[offsets[one] : offsets[one + 1]].tolist()
        reference = values[offsets[other] : offsets[other + 1]].tolist()
        scale = scales.item(min(len(hypothesis), len(reference)))
        units = [round(worth * scale) for worth in worths.tolist()]
        total = 0.0
        for weight in weights.tolist():
            chunks = _best_chunks(hypothesis, reference, units)
            round_worth = 0.0  # not `sum`, which compensates for rounding since Python 3.12
            for chunk in chunks:
                round_worth += worths.item(chunk.length)
                for step in range(chunk.length):
                    hypothesis[chunk.hypothesis_start + step] = None
                    reference[chunk.reference_start + step] = None
            total += weight * round_worth
            if not chunks:
                break
        totals[pair] = total
    return totals


class _Chunk(NamedTuple):
    reference_start: int
    hypothesis_start: int
    length: int


class _Alignment(NamedTuple):
    """An alignment of two ends of rows; the better of two is the smaller as a tuple."""

    unmatched: int = 0  # minus the matched positions
    unworthy: int = 0  # minus the units of worth
    displacement: int = 0
    # Start of the first chunk in either row, minus its length (the longer comes first in the list
    # of positions), and the same again for the rest.
    chunks: tuple[int, int, int, tuple[object, ...]] | tuple[()] = ()


def _best_chunks(
    hypothesis: list[int | None], reference: list[int | None], units: list[int]
) -> list[_Chunk]:
    """Return the chunks of the best alignment; ids already taken are None."""
    rows, columns = len(reference), len(hypothesis)
    # Best alignment of reference[i:] with hypothesis[j:] that does not pair i with j.
    apart = [[_Alignment()] * (columns + 1) for _ in range(rows + 1)]
    best_below = [_Alignment()] * (columns + 1)
    runs_below = [0] * (columns + 1)
    for i in reversed(range(rows)):
        best = [_Alignment()] * (columns + 1)
        runs = [0] * (columns + 1)
        for j in reversed(range(columns)):
            apart[i][j] = best[j] = min(best_below[j], best[j + 1])
            if reference[i] is None or reference[i] != hypothesis[j]:
                continue
            runs[j] = runs_below[j + 1] + 1
            # |j / columns - i / rows| in units of 1 / (rows * columns): whole numbers.
            displacement = abs(j * rows - i * columns)
            for length in range(1, runs[j] + 1):
                rest = apart[i + length][j + length]
                joined = _Alignment(
                    rest.unmatched - length,
                    rest.unworthy - units[length],
                    rest.displacement + displacement,
                    (i, j, -length, rest.chunks),
                )
                best[j] = min(best[j], joined)
        best_below, runs_below = best, runs
    return _listed(best_below[0])


def _listed(alignment: _Alignment) -> list[_Chunk]:
    chunks = []
    rest: tuple[object, ...] = alignment.chunks
    while rest:
        reference_start, hypothesis_start, minus_length, rest = rest  # type: ignore[assignment]
        chunks.append(_Chunk(reference_start, hypothesis_start, -minus_length))  # type: ignore[arg-type, operator]
    return chunks


def _tables(longest: int, alpha: float, beta: float) -> ChunkTables:
    """Return the tables for chunks up to a length.

    Powers of Python numbers, one by one: vectorized powers may differ in the last bit with the
    place in the array, and a pair must not be scored by what else is in its batch.
    """
    lengths = range(longest + 1)
    worths = [float(length) ** beta for length in lengths]
    weights = [float(alpha) ** number for number in lengths]
    scales = [_scale(length, worths[length]) for length in lengths]
    return np.array(weights), np.array(worths), np.array(scales)


def _scale(length: int, worth: float) -> float:
    """Return the number of units per worth for rows of which the shorter has this length.

    A power of two, so that nothing is lost but what is below one unit; smaller than the finest only
    where the whole would not fit (length 500 at an exponent of 4, say).
    """
    _, room = math.frexp(max(worth, length) * length)
    return math.ldexp(1.0, min(_FINEST_EXPONENT, _ROOM_EXPONENT - room))
