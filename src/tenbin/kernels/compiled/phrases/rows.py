"""Compiled twin of `tenbin.kernels.phrases.rows`: it copies no list but what is kept of it."""

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.phrases.rows import BoolArray


@jit
def narrowed_lists(
    phrases: IdArray,
    set_values: IdArray,
    set_offsets: IntArray,
    found: BoolArray,
    shared: BoolArray,
) -> tuple[IdArray, IdArray, IntArray]:
    """Return new numbers of phrases, and the sets that matter of each.

    Two arrays are given all False: one with a place for each phrase, one with two for each set.
    """
    once, twice = shared
    for phrase in phrases:
        found[phrase] = True
    numbers = np.empty(found.size, dtype=np.int32)
    kept = np.empty(phrases.size, dtype=np.int32)
    count = 0
    for phrase in range(found.size):
        if found[phrase]:
            numbers[phrase] = count
            kept[count] = phrase
            count += 1
            for number in set_values[set_offsets[phrase] : set_offsets[phrase + 1]]:
                twice[number] = once[number]
                once[number] = True
    values, offsets = _kept_lists(kept[:count], set_values, set_offsets, twice)
    renumbered = np.empty(phrases.size, dtype=np.int32)
    for place in range(phrases.size):
        renumbered[place] = numbers[phrases[place]]
    return renumbered, values, offsets


@jit
def _kept_lists(
    kept: IdArray, set_values: IdArray, set_offsets: IntArray, twice: BoolArray
) -> tuple[IdArray, IntArray]:
    """Return the lists of some phrases without the sets that do not matter."""
    offsets = np.zeros(kept.size + 1, dtype=np.int64)
    for place in range(kept.size):
        start, stop = set_offsets[kept[place]], set_offsets[kept[place] + 1]
        size = min(stop - start, 1)
        for number in set_values[start + 1 : stop]:
            size += twice[number]
        offsets[place + 1] = offsets[place] + size
    values = np.empty(offsets[-1], dtype=np.int32)
    size = 0
    for place in range(kept.size):
        start, stop = set_offsets[kept[place]], set_offsets[kept[place] + 1]
        for position in range(start, stop):
            if position == start or twice[set_values[position]]:
                values[size] = set_values[position]
                size += 1
    return values, offsets
