"""What moving weight from token to token costs: the distance of vectors, or likeness and place."""

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.kernels.similarity.blocks import MOST_OF_DIFFERENT_WORDS
from tenbin.metrics.representations.blocks import compared_words
from tenbin.metrics.representations.compared import Compared
from tenbin.metrics.representations.vector_tokens import vectors_of

FARTHEST = 2.0
"""Vectors have length 1, so two of them are never farther apart."""

_NEAR = 0.75
_UNITS_AT_ONCE = 20_000


def distances(compared: Compared, least: float = 0.0) -> FloatArray:
    """Return the Euclidean distances of vectors of length 1, from their cosines.

    The smaller the distance of two tokens, the less is left of a cosine in 32 bits; where it is
    small it is that of the vectors themselves.

    Args:
        compared: The pairs.
        least: The least distance of vectors that are not made of the same tokens.
    """
    part, tokens = compared.blocks, vectors_of(compared.tokens)
    units = tokens.units
    cosines = part.values.astype(np.float64)
    found: FloatArray = np.sqrt(np.maximum(2 - 2 * cosines, 0.0))
    near = np.flatnonzero((found > 0) & (found < _NEAR))
    own, other = (side[near] for side in compared_words(part, tokens.rows, *compared.rows))
    # In a test set the same two words are near each other dozens of times.
    size = np.int64(len(units))
    pairs, again = np.unique(own * size + other, return_inverse=True)
    own, other = np.divmod(pairs, size)
    exact = np.empty(len(pairs))
    for start in range(0, len(pairs), _UNITS_AT_ONCE):
        some = slice(start, start + _UNITS_AT_ONCE)
        apart = units[own[some]].astype(np.float64) - units[other[some]]
        exact[some] = np.sqrt((apart * apart).sum(axis=1))
    # Tokens that share a vector are not as near as it: their likeness is that of their spelling.
    only_shared = (exact[again] == 0) & (part.values[near] < MOST_OF_DIFFERENT_WORDS)
    if least:
        # N-grams of the same subwords may weigh them otherwise, by next to nothing.
        makeup = tokens.classes if tokens.makeup is None else tokens.makeup
        exact = np.where(makeup[own] == makeup[other], exact, np.maximum(exact, least))
    found[near] = np.where(only_shared, found[near], exact[again])
    return found
