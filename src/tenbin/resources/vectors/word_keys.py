"""The number under which a table of vectors knows a word.

It is the hash that spaCy uses for strings, so that spaCy's tables need not bring their words. Of
two words of a million, the chance to have the same key is one in ten million.
"""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from tenbin.core.arrays import IntArray
from tenbin.formats.vectors.stream import KeyArray
from tenbin.kernels.strings.hashes import ByteArray, murmur_hashes

SEED = 1


def laid_out(words: Sequence[str]) -> tuple[ByteArray, IntArray]:
    """Return the words in UTF-8 end to end, and where each begins and ends.

    >>> data, offsets = laid_out(["à", "b"])
    >>> data.tobytes().decode(), offsets.tolist()
    ('àb', [0, 2, 3])
    """
    # A lone surrogate is in no table, but may be in a text that a program hands over.
    parts = [word.encode("utf-8", "surrogatepass") for word in words]
    ends = accumulate(map(len, parts), initial=0)
    offsets = np.fromiter(ends, dtype=np.int64, count=len(parts) + 1)
    return np.frombuffer(b"".join(parts), dtype=np.uint8), offsets


def word_keys(words: Sequence[str]) -> KeyArray:
    """Return the key of each word: MurmurHash64A with seed 1 of its UTF-8.

    >>> word_keys(["apple", "pear"]).tolist()[0]
    8566208034543834098
    """
    return murmur_hashes(*laid_out(words), seed=SEED)
