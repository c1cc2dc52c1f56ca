"""Compiled twin of `kernels.phrases.joined_sets`: a forest whose roots are the lowest sets."""

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.compiled.jit import jit


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
        parents[number] = parents[parents[number]]  # every second step shortens the way
        number = parents[number]
    return number
