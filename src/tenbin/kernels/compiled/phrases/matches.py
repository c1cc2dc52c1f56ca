"""Compiled twin of `tenbin.kernels.phrases.matches`.

The lists of a large table are long, and few of their phrases occur in a batch. The lists of the
phrases that do are copied without the others first; then, pair by pair, the phrases of one row are
hung into chains, one a phrase, and the lists of the phrases of the other row are read.
"""

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.compiled.jit import jit

_Rows = tuple[IdArray, IntArray]
_Spans = tuple[IntArray, IdArray, IdArray, IdArray]
_Lists = tuple[IntArray, IdArray]

_END = -1  # of a chain
_FIRST_CAPACITY = 1 << 12


@jit
def phrase_matches(
    rows: _Rows, left: IntArray, right: IntArray, spans: _Spans, lists: _Lists, stage: int
) -> tuple[IntArray, IdArray]:
    """Return offsets by pair; start and length on the right and the left, shape (4, matches)."""
    values, offsets = rows
    pair_offsets = np.zeros(left.size + 1, dtype=np.int64)
    found = np.empty((4, _FIRST_CAPACITY), dtype=np.int32)
    span_offsets, starts, lengths, phrases = spans
    numbers, known_lists = _known_lists(phrases, lists)
    known_spans = span_offsets, starts, lengths, numbers
    # The first span of each phrase; all chains are empty between pairs.
    heads = np.full(known_lists[0].size, _END, dtype=np.int64)
    pair = 0
    while pair < left.size:
        here, there = left[pair], right[pair]
        left_row = values[offsets[here] : offsets[here + 1]]
        right_row = values[offsets[there] : offsets[there + 1]]
        size = pair_offsets[pair]
        if stage == 0 or not np.array_equal(left_row, right_row):
            size = _link(known_spans, there, here, known_lists, heads, found, size, 0)
            size = _link(known_spans, here, there, known_lists, heads, found, size, 2)
        if size > found.shape[1]:
            wider = np.empty((4, 2 * size), dtype=np.int32)
            wider[:, : pair_offsets[pair]] = found[:, : pair_offsets[pair]]
            found = wider
            continue
        pair += 1
        pair_offsets[pair] = size
    return pair_offsets, found[:, : pair_offsets[-1]].copy()


@jit
def _known_lists(phrases: IdArray, lists: _Lists) -> tuple[IdArray, _Lists]:
    """Return the phrases of spans numbered by first occurrence, and lists of such numbers alone."""
    list_offsets, paraphrases = lists
    known = np.zeros(list_offsets.size, dtype=np.int32)  # number + 1 of a phrase that occurs
    firsts = np.empty(phrases.size, dtype=np.int32)
    numbers = np.empty(phrases.size, dtype=np.int32)
    count = 0
    for place in range(phrases.size):
        phrase = phrases[place]
        if known[phrase] == 0:
            firsts[count] = phrase
            count += 1
            known[phrase] = count
        numbers[place] = known[phrase] - 1
    offsets = np.zeros(count + 1, dtype=np.int64)
    size = 0
    for number in range(count):
        size += list_offsets[firsts[number] + 1] - list_offsets[firsts[number]]
    selected = np.empty(size, dtype=np.int32)
    size = 0
    for number in range(count):
        for place in range(list_offsets[firsts[number]], list_offsets[firsts[number] + 1]):
            other = known[paraphrases[place]]
            if other > 0:
                selected[size] = other - 1
                size += 1
        offsets[number + 1] = size
    return numbers, (offsets, selected[:size].copy())


@jit
def _link(
    spans: _Spans,
    source_row: int,
    target_row: int,
    lists: _Lists,
    heads: IntArray,
    found: IdArray,
    size: int,
    source_column: int,
) -> int:
    """Add each source span with each target span that is listed as its paraphrase.

    Source spans are written from one column of ``found`` on, target spans into the other two, as
    long as there is room. What is returned is the size with all of them.
    """
    offsets, starts, lengths, phrases = spans
    list_offsets, paraphrases = lists
    target_column = 2 - source_column
    first, end = offsets[target_row], offsets[target_row + 1]
    following = np.empty(end - first, dtype=np.int64)
    for target in range(end - 1, first - 1, -1):  # backwards: chains begin with the first start
        following[target - first] = heads[phrases[target]]
        heads[phrases[target]] = target
    for source in range(offsets[source_row], offsets[source_row + 1]):
        phrase = phrases[source]
        for place in range(list_offsets[phrase], list_offsets[phrase + 1]):
            target = heads[paraphrases[place]]
            while target != _END:
                if size < found.shape[1]:
                    found[source_column, size] = starts[source]
                    found[source_column + 1, size] = lengths[source]
                    found[target_column, size] = starts[target]
                    found[target_column + 1, size] = lengths[target]
                size += 1
                target = following[target - first]
    for target in range(first, end):
        heads[phrases[target]] = _END
    return size
