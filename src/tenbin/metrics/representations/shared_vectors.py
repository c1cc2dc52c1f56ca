"""Different words that have one vector: a pruned table gives many words the row of a neighbor.

Their cosine is 1 and says nothing: they may be two names or two years. What tells such words apart
is their spelling, so that its similarity takes the place of the cosine. Words that are spelled
alike but for case, or that a dictionary takes for spellings of one word, keep the cosine.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from tenbin.core.arrays import IdArray, IntArray
from tenbin.kernels.similarity.blocks import MOST_OF_DIFFERENT_WORDS
from tenbin.metrics.representations.blocks import Float32Array

_VECTORS_AT_ONCE = 4096

Fold = Callable[[str], str]
"""What makes spellings of one word equal."""


def without_shared_vectors(
    values: Float32Array,
    words_of: Callable[[IntArray], tuple[IdArray, IdArray]],
    vocabulary: Sequence[str],
    fold: Fold,
) -> Float32Array:
    """Return similarities in which words that only share a vector are as alike as their spelling.

    Args:
        values: Similarities as `tenbin.kernels.similarity.blocks` returns them, which makes those
            of different words with one vector recognizable; changed in place.
        words_of: Returns the two words behind some of the similarities.
        vocabulary: The words as text.
        fold: What makes spellings of one word equal.
    """
    places = np.flatnonzero(values == MOST_OF_DIFFERENT_WORDS)
    if not places.size:
        return values
    own, other = words_of(places)
    size = np.int64(len(vocabulary))
    pairs, again = np.unique(own * size + other, return_inverse=True)
    found = spelling_similarities(
        [fold(vocabulary[word]) for word in (pairs // size).tolist()],
        [fold(vocabulary[word]) for word in (pairs % size).tolist()],
    )
    values[places] = np.minimum(found, MOST_OF_DIFFERENT_WORDS)[again]
    return values


def vector_numbers(units: Float32Array) -> npt.NDArray[np.uint64]:
    """Return a number for each vector; equal vectors have the same, others in all likelihood not.

    >>> units = np.array([[0.6, 0.8], [0.8, 0.6], [0.6, 0.8]], dtype=np.float32)
    >>> one, two, three = vector_numbers(units).tolist()
    >>> one == three, one == two
    (True, False)
    """
    factors = np.random.default_rng(0).integers(1, 2**63, units.shape[1], dtype=np.uint64)
    bits = np.ascontiguousarray(units).view(np.uint32)
    numbers = np.empty(len(units), dtype=np.uint64)
    # Whole numbers, which wrap around: unlike those of rounded ones their sums have one order.
    for start in range(0, len(units), _VECTORS_AT_ONCE):
        part = slice(start, start + _VECTORS_AT_ONCE)
        numbers[part] = (bits[part] * factors).sum(axis=1, dtype=np.uint64)
    return numbers


def spelling_similarities(left: Sequence[str], right: Sequence[str]) -> Float32Array:
    """Return 1 - edit distance / length of the longer word, for pairs of words.

    >>> spelling_similarities(["2018", "カービィ"], ["2019", "メタナイト"]).tolist()
    [0.75, 0.0]
    """
    return np.asarray(
        cpdist(left, right, scorer=Levenshtein.normalized_similarity), dtype=np.float32
    )
