"""Adds up, pair by pair and stage by stage, what the words of chosen matches count."""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

_BoolArray = npt.NDArray[np.bool_]
# One side of matches: start and length of each, and the row of each pair.
Side = tuple[IdArray, IdArray, IntArray]

# Matches that the plain twin adds up in half a second.
_WORTH_COMPILING = 4_000_000


def match_totals(
    values: IdArray,
    offsets: IntArray,
    side: Side,
    pair_offsets: IntArray,
    stages: IdArray,
    chosen: _BoolArray,
    *,
    counts: IntArray,
    stage_count: int,
) -> IntArray:
    """Return sums over the words of the chosen matches, shape (pairs, stages, kinds of counts).

    Args:
        values: Word ids of all rows.
        offsets: Row r is ``values[offsets[r] : offsets[r + 1]]``.
        side: Start and length of each match in its row, and the row of each pair.
        pair_offsets: Pair p has the matches ``pair_offsets[p]`` to ``pair_offsets[p + 1]``.
        stages: Stage of each match.
        chosen: Which matches count.
        counts: What each word id counts, shape (words, kinds).
        stage_count: Number of stages.

    Example:
        Two matches of one pair, of one word and of two; words count 1 and their number.

        >>> rows, bounds = np.array([2, 0, 1], dtype=np.int32), np.array([0, 3])
        >>> starts, lengths = np.array([0, 1], dtype=np.int32), np.array([1, 2], dtype=np.int32)
        >>> match_totals(
        ...     rows, bounds, (starts, lengths, np.array([0])), np.array([0, 2]),
        ...     np.array([0, 1], dtype=np.int32), np.array([True, True]),
        ...     counts=np.array([[1, 0], [1, 1], [1, 2]]), stage_count=2,
        ... ).tolist()
        [[[1, 2], [2, 1]]]
    """
    compiled = compiled_twin("alignment.match_totals", work=chosen.size, threshold=_WORTH_COMPILING)
    totals = _plain_match_totals if compiled is None else compiled.match_totals
    found: IntArray = totals(
        values, offsets, side, pair_offsets, stages, chosen, counts, stage_count
    )
    return found


def _plain_match_totals(
    values: IdArray,
    offsets: IntArray,
    side: Side,
    pair_offsets: IntArray,
    stages: IdArray,
    chosen: _BoolArray,
    counts: IntArray,
    stage_count: int,
) -> IntArray:
    starts, lengths, rows = side
    pairs = np.repeat(np.arange(rows.size), np.diff(pair_offsets))[chosen]
    first = offsets[rows[pairs]] + starts[chosen]
    # Running sums: any span is one subtraction.
    running = np.zeros((values.size + 1, counts.shape[1]), dtype=np.int64)
    np.cumsum(counts[values], axis=0, out=running[1:])
    totals = np.zeros((rows.size, stage_count, counts.shape[1]), dtype=np.int64)
    np.add.at(totals, (pairs, stages[chosen]), running[first + lengths[chosen]] - running[first])
    return totals
