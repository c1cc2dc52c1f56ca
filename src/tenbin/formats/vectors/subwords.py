"""The character n-grams by which fastText composes the vectors of words.

Bojanowski, Grave, Joulin and Mikolov (2017), "Enriching Word Vectors with Subword Information".
"""

from collections.abc import Sequence

import numpy as np

from tenbin.core.arrays import IntArray
from tenbin.kernels.strings.hashes import signed_fnv_hashes

_BEGIN, _END = "<", ">"
# The end of a sentence is no word with characters.
_END_OF_SENTENCE = "</s>"
_CONTINUATION_MASK, _CONTINUATION = 0xC0, 0x80


def subword_buckets(
    words: Sequence[str], shortest: int, longest: int, buckets: int
) -> tuple[IntArray, IntArray]:
    """Return the buckets of the n-grams of each word, as Dictionary::computeSubwords orders them.

    The marks of a word's ends count as characters but are no n-gram of their own.

    Returns:
        Buckets of all words, one word after the other, and where each word's begin and end.

    Examples:
        >>> numbers, offsets = subword_buckets(["the", "</s>"], 3, 6, 2_000_000)
        >>> offsets.tolist()
        [0, 6, 6]
    """
    marked = ["" if word == _END_OF_SENTENCE else f"{_BEGIN}{word}{_END}" for word in words]
    text = np.frombuffer("".join(marked).encode("utf-8", "surrogatepass"), dtype=np.uint8)
    # Characters of all words: where each begins, and to which word it belongs.
    begins = np.flatnonzero((text & _CONTINUATION_MASK) != _CONTINUATION)
    sizes = np.fromiter(map(len, marked), dtype=np.int64, count=len(marked))
    owners = np.repeat(np.arange(len(marked)), sizes)
    lasts = np.cumsum(sizes)[owners]  # the character after the word's last
    firsts = lasts - sizes[owners]
    bounds = np.append(begins, text.size)
    starts: list[IntArray] = []
    stops: list[IntArray] = []
    for length in range(max(shortest, 1), longest + 1):
        chosen = np.flatnonzero(np.arange(begins.size) + length <= lasts)
        if length == 1:
            chosen = chosen[(chosen != firsts[chosen]) & (chosen + 1 != lasts[chosen])]
        starts.append(chosen)
        stops.append(chosen + length)
    first, stop = np.concatenate(starts or [begins[:0]]), np.concatenate(stops or [begins[:0]])
    order = np.lexsort((stop, first))
    first, stop = first[order], stop[order]
    hashes = signed_fnv_hashes(text, bounds[first], bounds[stop] - bounds[first])
    counts = np.bincount(owners[first], minlength=len(marked))
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return hashes.astype(np.int64) % max(buckets, 1), offsets
