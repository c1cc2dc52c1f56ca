"""Similarity of every word of one row to every word of another, from word vectors.

What WAS, MAS and HAS (see `tenbin.kernels.similarity.threshold_sums`), YiSi and MEE look at:
one block of cosines per pair of rows.
"""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import Float32Array, IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

BoolArray = npt.NDArray[np.bool_]

LANES = 16  # partial sums of a dot product
# Tables pruned to fewer rows give one vector to several words. Such words are near, not identical.
MOST_OF_DIFFERENT_WORDS = np.float32(1 - 2**-20)

# Products of two coordinates; the plain twin makes about six hundred million a second.
_WORTH_COMPILING = 300_000_000


def similarity_blocks(
    units: Float32Array,
    classes: IdArray,
    known: BoolArray,
    values: IdArray,
    offsets: IntArray,
    left: IntArray,
    right: IntArray,
    *,
    equal_unknown: bool,
) -> tuple[Float32Array, IntArray]:
    """Return the similarities of the words of each pair of rows, one block after the other.

    The similarity of two words is

    - exactly 1 if their class is the same and both are known, or ``equal_unknown`` is true;
    - else 0 if one of them is not known;
    - else the dot product of their vectors, which is the cosine, clipped to -1 and
      ``1 - 2**-20``.

    The dot product is made of 32-bit sums in a fixed order: coordinates d, d + 16, d + 32, ... are
    added to partial sum d, then partial sum k + 8 to partial sum k, k + 4 to k, and so on. A pair
    of words therefore has one similarity, to the last bit, in every batch, either way round.

    A block takes four bytes per pair of words: cut long lists of pairs into several calls. Vectors
    whose dimensions are not a multiple of 16 are copied at every call; `padded` does that once.

    Args:
        units: Vectors of length 1, shape (words, dimensions).
        classes: Class of each word, from 0; words of a class are the same word.
        known: Which words have a vector.
        values: Word ids of all rows, one row after the other.
        offsets: Row r is ``values[offsets[r] : offsets[r + 1]]``.
        left: Row of the hypothesis, per pair.
        right: Row of the reference, per pair.
        equal_unknown: Whether words of one class are similar although a vector is missing.

    Returns:
        Similarities; where the block of each pair starts in them, and the end of the last. A block
        is row-major, shape (words of the left row, words of the right row).

    Example:
        >>> vectors = np.array([[1, 0, 0], [0.8, 0.6, 0], [0, 0, 0]], dtype=np.float32)
        >>> rows, bounds = np.array([1, 2, 0, 1, 2], dtype=np.int32), np.array([0, 2, 5])
        >>> known = np.array([True, True, False])
        >>> blocks, starts = similarity_blocks(
        ...     vectors, np.arange(3, dtype=np.int32), known, rows, bounds,
        ...     np.array([0]), np.array([1]), equal_unknown=True,
        ... )
        >>> blocks[starts[0] : starts[1]].reshape(2, 3)
        array([[0.8, 1. , 0. ],
               [0. , 0. , 1. ]], dtype=float32)
    """
    lengths = np.diff(offsets)
    work = int(np.sum(lengths[left] * lengths[right])) * units.shape[1]
    compiled = compiled_twin("similarity.blocks", work=work, threshold=_WORTH_COMPILING)
    twin = plain_similarity_blocks if compiled is None else compiled.similarity_blocks
    blocks, starts = twin(
        padded(units), classes, known, values, offsets, left, right, equal_unknown
    )
    return blocks, starts


def padded(units: Float32Array) -> Float32Array:
    """Return vectors with zeros appended so that their dimensions are a multiple of 16.

    Vectors that need no zeros are returned as they are. Similarities do not change.
    """
    words, dimensions = units.shape
    missing = -dimensions % LANES if dimensions else LANES
    if missing == 0:
        return np.ascontiguousarray(units, dtype=np.float32)
    wider = np.zeros((words, dimensions + missing), dtype=np.float32)
    wider[:, :dimensions] = units
    return wider


def plain_similarity_blocks(
    units: Float32Array,
    classes: IdArray,
    known: BoolArray,
    values: IdArray,
    offsets: IntArray,
    left: IntArray,
    right: IntArray,
    equal_unknown: bool,  # noqa: FBT001 - as in the compiled twin
) -> tuple[Float32Array, IntArray]:
    """Return what `similarity_blocks` returns for padded vectors, one block at a time."""
    lengths = np.diff(offsets)
    starts = np.zeros(len(left) + 1, dtype=np.int64)
    np.cumsum(lengths[left] * lengths[right], out=starts[1:])
    blocks = np.zeros(starts[-1], dtype=np.float32)
    for pair, (one, other) in enumerate(zip(left, right, strict=True)):
        here = values[offsets[one] : offsets[one + 1]]
        there = values[offsets[other] : offsets[other + 1]]
        both_known = known[here, np.newaxis] & known[there]
        same = (classes[here, np.newaxis] == classes[there]) & (both_known | equal_unknown)
        cosines = np.clip(
            _dot_products(units[here], units[there]), np.float32(-1), MOST_OF_DIFFERENT_WORDS
        )
        block = np.where(same, np.float32(1), np.where(both_known, cosines, np.float32(0)))
        blocks[starts[pair] : starts[pair + 1]] = block.ravel()
    return blocks, starts


def _dot_products(here: Float32Array, there: Float32Array) -> Float32Array:
    sums = np.zeros((len(here), len(there), LANES), dtype=np.float32)
    for start in range(0, here.shape[1], LANES):
        part = slice(start, start + LANES)
        sums += here[:, np.newaxis, part] * there[:, part]
    while sums.shape[2] > 1:
        half = sums.shape[2] // 2
        sums = sums[:, :, :half] + sums[:, :, half:]
    return sums[:, :, 0]
