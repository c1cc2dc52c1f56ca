"""Longest common substrings of every word of one row and every word of another, for YiSi-0.

Lo (2019), "YiSi - a Unified Semantic MT Quality Evaluation and Estimation Metric for Languages with
Different Levels of Available Resources".
"""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import Float32Array, IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

ByteArray = npt.NDArray[np.uint8]

# Pairs of words; the plain twin, which compares each pair of words once, does a hundred thousand a
# second.
_WORTH_COMPILING = 50_000


def common_substring(
    letters: ByteArray,
    letter_offsets: IntArray,
    values: IdArray,
    offsets: IntArray,
    left: IntArray,
    right: IntArray,
) -> tuple[Float32Array, IntArray]:
    """Return the similarities of the words of each pair of rows, one block after the other.

    The similarity of two words is twice the length of their longest common substring, divided
    by the sum of their lengths; a word is a row of bytes.

    Args:
        letters: Bytes of all words, one word after the other.
        letter_offsets: Word w is ``letters[letter_offsets[w] : letter_offsets[w + 1]]``.
        values: Word ids of all rows, one row after the other.
        offsets: Row r is ``values[offsets[r] : offsets[r + 1]]``.
        left: Row of the hypothesis, per pair.
        right: Row of the reference, per pair.

    Returns:
        Similarities; where the block of each pair starts in them, and the end of the last. A block
        is row-major, shape (words of the left row, words of the right row).

    Example:
        >>> letters = np.frombuffer(b"matsmask", dtype=np.uint8)
        >>> words, bounds = np.array([0, 1], dtype=np.int32), np.array([0, 1, 2])
        >>> common_substring(
        ...     letters, np.array([0, 4, 8]), words, bounds, np.array([0, 0]), np.array([1, 0])
        ... )
        (array([0.5, 1. ], dtype=float32), array([0, 1, 2]))
    """
    lengths = np.diff(offsets)
    work = int(np.sum(lengths[left] * lengths[right]))
    compiled = compiled_twin("edits.common_substring", work=work, threshold=_WORTH_COMPILING)
    twin = plain_common_substring if compiled is None else compiled.common_substring
    blocks, starts = twin(letters, letter_offsets, values, offsets, left, right)
    return blocks, starts


def plain_common_substring(
    letters: ByteArray,
    letter_offsets: IntArray,
    values: IdArray,
    offsets: IntArray,
    left: IntArray,
    right: IntArray,
) -> tuple[Float32Array, IntArray]:
    """Return what `common_substring` returns, from the substrings of words as bytes."""
    lengths = np.diff(offsets)
    starts = np.zeros(len(left) + 1, dtype=np.int64)
    np.cumsum(lengths[left] * lengths[right], out=starts[1:])
    blocks = np.empty(starts[-1], dtype=np.float32)
    found: dict[tuple[int, int], float] = {}
    place = 0
    for one, other in zip(left, right, strict=True):
        there = values[offsets[other] : offsets[other + 1]].tolist()
        for here in values[offsets[one] : offsets[one + 1]].tolist():
            for word in there:
                if (here, word) not in found:
                    own, their = (
                        letters[letter_offsets[w] : letter_offsets[w + 1]].tobytes()
                        for w in (here, word)
                    )
                    found[here, word] = 2 * _longest(own, their) / (len(own) + len(their))
                blocks[place] = found[here, word]
                place += 1
    return blocks, starts


def _longest(one: bytes, other: bytes) -> int:
    """Return the length of the longest common substring."""
    longest = 0
    for start in range(len(one)):
        # A substring of the other word is extended until it is none.
        while start + longest < len(one) and one[start : start + longest + 1] in other:
            longest += 1
    return longest
