"""Compiled twin of `tenbin.kernels.similarity.windows`.

All n-grams of the right row are compared with one of the left row at a time, both ways at once.
"""

import numpy as np

from tenbin.kernels.arrays import Float32Array, FloatArray, IntArray
from tenbin.kernels.compiled.jit import jit


@jit
def windowed_similarity(
    blocks: Float32Array,
    starts: IntArray,
    offsets: IntArray,
    left: IntArray,
    right: IntArray,
    left_weights: FloatArray,
    right_weights: FloatArray,
    size: int,
) -> FloatArray:
    """Return precision and recall of the n-grams, shape (pairs, 2)."""
    means = np.zeros((left.size, 2))
    longest = 0
    for row in range(offsets.size - 1):
        longest = max(longest, offsets[row + 1] - offsets[row])
    workspace = np.empty((3, longest))
    for pair in range(left.size):
        here = left_weights[offsets[left[pair]] : offsets[left[pair] + 1]]
        there = right_weights[offsets[right[pair]] : offsets[right[pair] + 1]]
        block = blocks[starts[pair] : starts[pair + 1]]
        least = min(size, here.size, there.size)
        if least > 0:
            means[pair, 0], means[pair, 1] = _means(block, here, there, least, workspace)
    return means


@jit
def _means(
    block: Float32Array, here: FloatArray, there: FloatArray, size: int, workspace: FloatArray
) -> tuple[float, float]:
    """Return precision and recall of one pair, for n-grams no longer than either row."""
    width = there.size
    tall, wide = here.size - size + 1, width - size + 1
    by_here, by_there, best = workspace[0, :wide], workspace[1, :wide], workspace[2, :wide]
    best[:] = 0.0
    precision = 0.0
    for i in range(tall):
        by_here[:] = 0.0
        by_there[:] = 0.0
        for k in range(size):
            weight = here[i + k]
            row = block[(i + k) * width + k : (i + k) * width + k + wide]
            weights = there[k : k + wide]
            for j in range(wide):
                similarity = np.float64(row[j])
                by_here[j] += weight * similarity
                by_there[j] += weights[j] * similarity
        greatest = 0.0
        for j in range(wide):
            greatest = max(greatest, by_here[j])
            best[j] = max(best[j], by_there[j])
        precision += greatest
    recall = 0.0
    for j in range(wide):
        recall += best[j]
    return _share(precision, here, size), _share(recall, there, size)


@jit
def _share(covered: float, weights: FloatArray, size: int) -> float:
    """Return what part of the weight of all n-grams is covered; 0 where they have none."""
    total = 0.0
    for i in range(weights.size - size + 1):
        weight = 0.0
        for k in range(size):
            weight += weights[i + k]
        total += weight
    return covered / total if total != 0.0 else 0.0
