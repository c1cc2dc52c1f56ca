"""How well the n-grams of two rows stand for each other, for YiSi.

Lo (2019), "YiSi - a Unified Semantic MT Quality Evaluation and Estimation Metric for Languages with
Different Levels of Available Resources", without semantic roles.
"""

import numpy as np

from tenbin.kernels.arrays import Float32Array, FloatArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

# Entries of all blocks times the size of n-grams; the plain twin does about ten million a second.
_WORTH_COMPILING = 5_000_000


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
    """Return, per pair of rows, how much of the left and of the right n-grams the other side has.

    With the weights w of the left row, an n-gram starting at i and one of the right row starting at
    j have the similarity ``sum(w[i + k] * s[i + k, j + k]) / sum(w[i + k])``, k = 0 .. n - 1. The
    first number is the mean over i, weighted by ``sum(w[i + k])``, of the greatest such similarity
    or 0, whichever is greater; the second one is the same with the sides exchanged. Both are 0 if a
    row is empty or has no weight. The size n is ``size`` or the length of the shorter row.

    Args:
        blocks: Similarities of all pairs, row-major, one block after the other.
        starts: Where the block of each pair starts, and the end of the last.
        offsets: Where each row starts among the words of all rows, and the end of the last.
        left: Row of the hypothesis, per pair: the rows of its block.
        right: Row of the reference, per pair: the columns of its block.
        left_weights: Weight of every word of all rows where it stands on the left, not negative.
        right_weights: Weight of every word of all rows where it stands on the right.
        size: Greatest n-gram size, at least 1.

    Returns:
        Shape (pairs, 2): precision, recall.

    Raises:
        ValueError: If the size is less than 1.

    Example:
        >>> block = np.array([1, 0, 0.5, 0, 1, 0], dtype=np.float32)
        >>> weights = np.array([1, 1, 1, 1, 2.0])
        >>> windowed_similarity(
        ...     block, np.array([0, 6]), np.array([0, 2, 5]), np.array([0]), np.array([1]),
        ...     weights, weights, 2,
        ... )
        array([[1. , 0.4]])
    """
    if size < 1:
        raise ValueError(f"n-grams of {size} words: the size must be at least 1")
    compiled = compiled_twin(
        "similarity.windows", work=blocks.size * size, threshold=_WORTH_COMPILING
    )
    twin = plain_windowed_similarity if compiled is None else compiled.windowed_similarity
    means: FloatArray = twin(
        blocks, starts, offsets, left, right, left_weights, right_weights, size
    )
    return means


def plain_windowed_similarity(
    blocks: Float32Array,
    starts: IntArray,
    offsets: IntArray,
    left: IntArray,
    right: IntArray,
    left_weights: FloatArray,
    right_weights: FloatArray,
    size: int,
) -> FloatArray:
    """Return what `windowed_similarity` returns, from the matrix of all pairs of n-grams."""
    means = np.zeros((len(left), 2))
    for pair, (one, other) in enumerate(zip(left, right, strict=True)):
        here, there = slice(*offsets[one : one + 2]), slice(*offsets[other : other + 2])
        height, width = here.stop - here.start, there.stop - there.start
        block = blocks[starts[pair] : starts[pair + 1]].reshape(height, width)
        means[pair, 0] = _weighted_mean(block, left_weights[here], size)
        means[pair, 1] = _weighted_mean(block.T, right_weights[there], size)
    return means


def _weighted_mean(block: Float32Array, weights: FloatArray, size: int) -> float:
    """Return how much of the n-grams of the rows of a block its columns have."""
    size = min(size, *block.shape)
    if size == 0:
        return 0.0
    tall, wide = block.shape[0] - size + 1, block.shape[1] - size + 1
    sums = np.zeros((tall, wide))
    totals = np.zeros(tall)
    for k in range(size):
        sums += weights[k : k + tall, np.newaxis] * block[k : k + tall, k : k + wide]
        totals += weights[k : k + tall]
    # Cumulative sums go one by one; the sums of NumPy, and of Python since 3.12, do not.
    total = np.cumsum(totals)[-1]
    covered = np.cumsum(np.maximum(sums.max(axis=1), 0.0))[-1]
    return float(covered / total) if total else 0.0
