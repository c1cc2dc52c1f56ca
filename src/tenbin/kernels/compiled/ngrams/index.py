"""Compiled twin of `tenbin.kernels.ngrams.index`: a hash table, then a counting sort, per order."""

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.compiled.jit import jit

_FREE = -1  # keys are never negative
_FIRST_CAPACITY = 1 << 10  # slots; always a power of two
# Knuth, The Art of Computer Programming 3, 6.4: 2**64 / golden ratio, here as a signed number. It
# spreads the keys over the slots; keys are compared in full, so a collision costs time, not truth.
_SPREAD = 0x9E3779B97F4A7C15 - (1 << 64)


def ngram_index(
    values: IdArray, offsets: IntArray, order: int
) -> tuple[list[IdArray], list[IntArray], list[IdArray]]:
    """Return sorted ids, row offsets and prefix ids, each a list with one array per order."""
    ids: list[IdArray] = []
    id_offsets: list[IntArray] = []
    prefixes: list[IdArray] = []
    starting = np.zeros(values.size, dtype=np.int32)  # id of the n-gram starting at each position
    for n in range(1, order + 1):
        prefixes.append(_number_order(starting, values, offsets, n))
        row_lengths = np.maximum(np.diff(offsets) - n + 1, 0)
        id_offsets.append(np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(row_lengths)]))
        ids.append(_sorted_rows(starting, offsets, id_offsets[-1], prefixes[-1].size))
    return ids, id_offsets, prefixes


@jit
def _free_slot(keys: IntArray, key: np.int64) -> np.int64:
    """Return the slot that holds a key, or else the free slot where it belongs."""
    mask = keys.size - 1
    slot = ((key * _SPREAD) >> 32) & mask
    while keys[slot] != key and keys[slot] != _FREE:
        slot = (slot + 1) & mask
    return slot


@jit
def _number_order(starting: IdArray, values: IdArray, offsets: IntArray, n: int) -> IdArray:
    """Number the n-grams by first occurrence and return the prefix id of each.

    ``starting`` comes in with the id of the (n-1)-gram that starts at each position and leaves with
    that of the n-gram; the last n - 1 positions of a row keep what they had. The key of an n-gram
    in the hash table is its prefix id and its last token, side by side in 64 bits: exact.
    """
    keys = np.full(_FIRST_CAPACITY, _FREE, dtype=np.int64)
    slot_ids = np.empty(_FIRST_CAPACITY, dtype=np.int32)
    prefixes = np.empty(_FIRST_CAPACITY, dtype=np.int32)
    size = 0
    for row in range(offsets.size - 1):
        for position in range(offsets[row], offsets[row + 1] - n + 1):
            last = np.int64(values[position + n - 1]) & 0xFFFFFFFF
            key = (np.int64(starting[position]) << 32) | last
            slot = _free_slot(keys, key)
            if keys[slot] == key:
                starting[position] = slot_ids[slot]
                continue
            keys[slot] = key
            slot_ids[slot] = size
            prefixes[size] = starting[position]
            starting[position] = size
            size += 1
            if 2 * size == keys.size:  # half full: beyond that, probing gets long
                wider_keys = np.full(2 * keys.size, _FREE, dtype=np.int64)
                wider_ids = np.empty(wider_keys.size, dtype=np.int32)
                for old in range(keys.size):
                    if keys[old] != _FREE:
                        slot = _free_slot(wider_keys, keys[old])
                        wider_keys[slot] = keys[old]
                        wider_ids[slot] = slot_ids[old]
                keys, slot_ids = wider_keys, wider_ids
                prefixes = np.append(prefixes, np.empty_like(prefixes))
    return prefixes[:size].copy()


@jit
def _sorted_rows(starting: IdArray, offsets: IntArray, id_offsets: IntArray, size: int) -> IdArray:
    """Return the ids of each row in increasing order.

    Two counting passes, rows by id and then ids by row: linear in time, and a third of what sorting
    each row takes to compile.
    """
    rows = id_offsets.size - 1
    ends = np.zeros(size + 1, dtype=np.int64)  # bucket of id i: from ends[i] to ends[i + 1]
    for row in range(rows):
        first = offsets[row]
        for position in range(first, first + id_offsets[row + 1] - id_offsets[row]):
            ends[starting[position] + 1] += 1
    for ngram in range(size):
        ends[ngram + 1] += ends[ngram]
    holders = np.empty(id_offsets[rows], dtype=np.int32)  # the rows of each id, bucket by bucket
    for row in range(rows):
        first = offsets[row]
        for position in range(first, first + id_offsets[row + 1] - id_offsets[row]):
            ngram = starting[position]
            holders[ends[ngram]] = row
            ends[ngram] += 1  # in the end, where the bucket of the id ends
    ids = np.empty(id_offsets[rows], dtype=np.int32)
    cursors = id_offsets[:rows].copy()
    place = 0
    for ngram in range(size):
        while place < ends[ngram]:
            row = holders[place]
            ids[cursors[row]] = ngram
            cursors[row] += 1
            place += 1
    return ids
