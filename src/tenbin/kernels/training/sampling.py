"""Which words are kept in a text, and which are drawn as negative samples.

Mikolov et al. (2013), "Distributed Representations of Words and Phrases and their
Compositionality", sections 2.2 and 2.3, with the formulas of their program word2vec. Chances are
whole numbers of 2**-32, to be compared with 32 random bits.
"""

import numpy as np

from tenbin.kernels.arrays import FloatArray, IntArray
from tenbin.kernels.training.random_bits import HALF

NEGATIVE_EXPONENT = 0.75  # Mikolov et al. (2013), section 2.2
CERTAIN = 1 << HALF


def kept_chances(counts: IntArray, sample: float) -> IntArray:
    """Return with which chance each occurrence of a word is kept, as a number of 2**-32.

    A word of frequency f is kept with probability ``(sqrt(f / sample) + 1) * sample / f``, at most
    1; with a ``sample`` of 0 always. (So does the program; the paper prints ``sqrt(sample / f)``.)

    >>> kept_chances(np.array([900, 100]), 0.1) / CERTAIN
    array([0.44444444, 1.        ])
    """
    if sample == 0:
        return np.full(counts.size, CERTAIN, dtype=np.int64)
    frequent = counts / counts.sum() / sample
    chances = np.minimum((np.sqrt(frequent) + 1) / frequent, 1)
    whole: IntArray = np.floor(chances * CERTAIN).astype(np.int64)
    return whole


def negative_chances(counts: IntArray) -> FloatArray:
    """Return the probabilities of the words as negative samples: their counts to the power of 3/4.

    >>> negative_chances(np.array([16, 1])).tolist()
    [0.8888888888888888, 0.1111111111111111]
    """
    weights = counts.astype(np.float64) ** NEGATIVE_EXPONENT
    chances: FloatArray = weights / weights.sum()
    return chances


def alias_table(chances: FloatArray) -> IntArray:
    """Return a table from which a word is drawn in constant time: the alias method of Walker.

    Walker (1977), "An Efficient Method for Generating Discrete Random Variables with General
    Distributions", in the form of Vose (1991): a place is drawn evenly; with the chance of the
    place the word is that of the same number, otherwise that of its alias.

    Args:
        chances: Probability of each word.

    Returns:
        For each place its chance, as a number of 2**-32, and its alias; shape (words, 2).
    """
    count = chances.size
    left = (chances * count).tolist()
    table = np.stack([np.full(count, CERTAIN), np.arange(count)], axis=1)
    poor = [number for number, share in enumerate(left) if share < 1]
    rich = [number for number, share in enumerate(left) if share >= 1]
    while poor and rich:
        small, large = poor.pop(), rich[-1]
        table[small] = int(left[small] * CERTAIN), large
        left[large] -= 1 - left[small]
        if left[large] < 1:
            poor.append(rich.pop())
    return table
