"""Compiled twin of `tenbin.kernels.alignment.match_totals`."""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.alignment.match_totals import Side
from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.compiled.jit import jit


@jit
def match_totals(
    values: IdArray,
    offsets: IntArray,
    side: Side,
    pair_offsets: IntArray,
    stages: IdArray,
    chosen: npt.NDArray[np.bool_],
    counts: IntArray,
    stage_count: int,
) -> IntArray:
    """Return sums over the words of the chosen matches, shape (pairs, stages, kinds of counts)."""
    starts, lengths, rows = side
    kinds = counts.shape[1]
    totals = np.zeros((rows.size, stage_count, kinds), dtype=np.int64)
    for pair in range(rows.size):
        row_start = offsets[rows[pair]]
        for match in range(pair_offsets[pair], pair_offsets[pair + 1]):
            if not chosen[match]:
                continue
            first = row_start + starts[match]
            for place in range(first, first + lengths[match]):
                for kind in range(kinds):
                    totals[pair, stages[match], kind] += counts[values[place], kind]
    return totals
