"""Compiled twin of `tenbin.kernels.phrase_matches`.

The phrases of one row are hung into a few short chains; the lists of the phrases of the other row
are read from beginning to end.
"""

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.compiled.jit import jit

_Rows = tuple[IdArray, IntArray]
_Spans = tuple[IntArray, IdArray, IdArray, IdArray]
_Lists = tuple[IntArray, IdArray]

_CHAINS = 512  # a power of two, well above the number of phrases in a row
_FIRST_CAPACITY = 1 << 12


@jit
def phrase_matches(
    rows: _Rows, left: IntArray, right: IntArray, spans: _Spans, lists: _Lists, stage: int
) -> tuple[IntArray, IdArray]:
    """Return offsets by pair; start and length on the right and the left, shape (4, matches)."""
    values, offsets = rows
    pair_offsets = np.zeros(left.size + 1, dtype=np.int64)
    found = np.empty((4, _FIRST_CAPACITY), dtype=np.int32)
    size = 0
    for pair in range(left.size):
        here, there = left[pair], right[pair]
        left_row = values[offsets[here] : offsets[here + 1]]
        right_row = values[offsets[there] : offsets[there + 1]]
        if stage == 0 or not np.array_equal(left_row, right_row):
            found, size = _link(spans, there, here, lists, found, size, 0)
            found, size = _link(spans, here, there, lists, found, size, 2)
        pair_offsets[pair + 1] = size
    return pair_offsets, found[:, :size].copy()


@jit
def _link(
    spans: _Spans,
    source_row: int,
    target_row: int,
    lists: _Lists,
    found: IdArray,
    size: int,
    source_column: int,
) -> tuple[IdArray, int]:
    """Add each source span with each target span that is listed as its paraphrase.

    Source spans are written from one column of ``found`` on, target spans into the other two.
    """
    offsets, starts, lengths, phrases = spans
    list_offsets, paraphrases = lists
    target_column = 2 - source_column
    first, end = offsets[target_row], offsets[target_row + 1]
    heads = np.full(_CHAINS, -1, dtype=np.int64)
    following = np.empty(end - first, dtype=np.int64)
    for target in range(end - 1, first - 1, -1):  # backwards: chains begin with the first start
        chain = phrases[target] & (_CHAINS - 1)
        following[target - first] = heads[chain]
        heads[chain] = target
    for source in range(offsets[source_row], offsets[source_row + 1]):
        phrase = phrases[source]
        for place in range(list_offsets[phrase], list_offsets[phrase + 1]):
            target = heads[paraphrases[place] & (_CHAINS - 1)]
            while target >= 0:
                if phrases[target] == paraphrases[place]:
                    if size == found.shape[1]:
                        wider = np.empty((4, 2 * size), dtype=np.int32)
                        wider[:, :size] = found
                        found = wider
                    found[source_column, size] = starts[source]
                    found[source_column + 1, size] = lengths[source]
                    found[target_column, size] = starts[target]
                    found[target_column + 1, size] = lengths[target]
                    size += 1
                target = following[target - first]
    return found, size
