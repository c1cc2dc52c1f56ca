"""Compiled twin of `tenbin.kernels.alignment.greedy_links`: marks the words that are taken."""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import Float32Array, IdArray, IntArray
from tenbin.kernels.compiled.jit import jit

_BoolArray = npt.NDArray[np.bool_]


@jit
def greedy_links(
    blocks: Float32Array,
    starts: IntArray,
    values: IdArray,
    offsets: IntArray,
    left: IntArray,
    right: IntArray,
    least: tuple[float, float],
    every: bool,  # noqa: FBT001 - numba has no keyword-only arguments
) -> tuple[IntArray, IdArray, IdArray, _BoolArray]:
    """Return counts by pair; by left word, equal word, near word, whether of its root."""
    counts = np.zeros((left.size, 3), dtype=np.int64)
    size = 0
    for pair in range(left.size):
        size += offsets[left[pair] + 1] - offsets[left[pair]]
    equal = np.full(size, -1, dtype=np.int32)
    near = np.full(size, -1, dtype=np.int32)
    same_root = np.zeros(size, dtype=np.bool_)
    first = 0
    for pair in range(left.size):
        here = values[offsets[left[pair]] : offsets[left[pair] + 1]]
        there = values[offsets[right[pair]] : offsets[right[pair] + 1]]
        taken = np.zeros(there.size, dtype=np.bool_)
        for i in range(here.size):
            j = _first_equal(here[i], there, taken)
            if j >= 0:
                taken[j] = True
                equal[first + i] = j
                counts[pair, 0] += 1
        for i in range(here.size):
            if equal[first + i] >= 0 and not every:
                continue
            row = starts[pair] + i * there.size
            j = _first_near(blocks[row : row + there.size], taken, min(least[0], least[1]))
            if j >= 0:
                taken[j] = True
                near[first + i] = j
                same_root[first + i] = blocks[row + j] >= least[0]
                counts[pair, 1 if same_root[first + i] else 2] += 1
        first += here.size
    return counts, equal, near, same_root


@jit
def _first_equal(word: int, there: IdArray, taken: _BoolArray) -> int:
    """Return the first place of a word that is not taken, or -1."""
    for j in range(there.size):
        if there[j] == word and not taken[j]:
            return j
    return -1


@jit
def _first_near(similarities: Float32Array, taken: _BoolArray, least: float) -> int:
    """Return the first place that is similar enough and not taken, or -1."""
    for j in range(taken.size):
        if similarities[j] >= least and not taken[j]:
            return j
    return -1
