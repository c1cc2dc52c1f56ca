"""Compiled twin of `tenbin.kernels.phrases.sets`.

Narrowing copies only the parts of lists that are used; sets are joined by union-find, with the
lowest set as the root.
"""

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.phrases.sets import BoolArray


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
    selected = np.empty(phrases.size, dtype=np.int32)
    count = 0
    for phrase in range(found.size):
        if found[phrase]:
            numbers[phrase] = count
            selected[count] = phrase
            count += 1
            for number in set_values[set_offsets[phrase] : set_offsets[phrase + 1]]:
                twice[number] = once[number]
                once[number] = True
    values, offsets = _selected_lists(selected[:count], set_values, set_offsets, twice)
    renumbered = np.empty(phrases.size, dtype=np.int32)
    for place in range(phrases.size):
        renumbered[place] = numbers[phrases[place]]
    return renumbered, values, offsets


@jit
def _selected_lists(
    selected: IdArray, set_values: IdArray, set_offsets: IntArray, twice: BoolArray
) -> tuple[IdArray, IntArray]:
    """Return the lists of some phrases without the sets that do not matter."""
    offsets = np.zeros(selected.size + 1, dtype=np.int64)
    for place in range(selected.size):
        start, stop = set_offsets[selected[place]], set_offsets[selected[place] + 1]
        size = min(stop - start, 1)
        for number in set_values[start + 1 : stop]:
            size += twice[number]
        offsets[place + 1] = offsets[place] + size
    values = np.empty(offsets[-1], dtype=np.int32)
    size = 0
    for place in range(selected.size):
        start, stop = set_offsets[selected[place]], set_offsets[selected[place] + 1]
        for position in range(start, stop):
            if position == start or twice[set_values[position]]:
                values[size] = set_values[position]
                size += 1
    return values, offsets


@jit
def joined_sets(set_values: IdArray, set_offsets: IntArray) -> IdArray:
    """Return for each element the joined set it is in, named by its lowest set; -1 for none."""
    size = 1 + (set_values.max() if set_values.size else -1)
    parents = np.arange(size).astype(np.int32)
    for element in range(set_offsets.size - 1):
        for place in range(set_offsets[element] + 1, set_offsets[element + 1]):
            one, two = _root(parents, set_values[place - 1]), _root(parents, set_values[place])
            parents[max(one, two)] = min(one, two)
    joined = np.full(set_offsets.size - 1, -1, dtype=np.int32)
    for element in range(joined.size):
        if set_offsets[element] < set_offsets[element + 1]:
            joined[element] = _root(parents, set_values[set_offsets[element]])
    return joined


@jit
def _root(parents: IdArray, number: int) -> int:
    while parents[number] != number:
        parents[number] = parents[parents[number]]  # path halving
        number = parents[number]
    return number
