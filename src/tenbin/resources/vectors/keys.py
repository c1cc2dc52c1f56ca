"""The keys under which a vector table stores words: the hash that spaCy uses for strings.

With these keys spaCy's tables need not bring their words. The chance that two of a million words
have the same key is one in ten million. A word that happens to be the name of one of spaCy's own
symbols ("agent", "root", "LOC") is an exception: its key in spaCy is the number of the symbol
(spacy/symbols.pxd of spaCy 3.8, the names that can be words).
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import accumulate

import numpy as np

from tenbin.core.arrays import IntArray
from tenbin.formats.vectors.stream import KeyArray, KeyedRows
from tenbin.kernels.strings.hashes import ByteArray, murmur_hashes

SEED = 1
# All symbols are below; a hash this small occurs once in 10**14 words.
_MOST_SYMBOLS = 2**16


def concatenated(words: Sequence[str]) -> tuple[ByteArray, IntArray]:
    """Return the words in UTF-8, concatenated, and their offsets.

    >>> data, offsets = concatenated(["à", "b"])
    >>> data.tobytes().decode(), offsets.tolist()
    ('àb', [0, 2, 3])
    """
    # A lone surrogate is in no table, but may be in a text passed by a program.
    parts = [word.encode("utf-8", "surrogatepass") for word in words]
    ends = accumulate(map(len, parts), initial=0)
    offsets = np.fromiter(ends, dtype=np.int64, count=len(parts) + 1)
    return np.frombuffer(b"".join(parts), dtype=np.uint8), offsets


def word_keys(words: Sequence[str]) -> KeyArray:
    """Return the key of each word: MurmurHash64A with seed 1 of its UTF-8.

    >>> word_keys(["apple", "pear"]).tolist()[0]
    8566208034543834098
    """
    return murmur_hashes(*concatenated(words), seed=SEED)


@cache
def _symbols() -> dict[int, str]:
    table = files("tenbin.resources").joinpath("bundled", "spacy-symbols.tsv")
    rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    return {int(key): word for key, word in rows}


def with_words(keyed: KeyedRows) -> KeyedRows:
    """Return the rows with symbols replaced by hashes, and with the words if all are known."""
    keys = keyed.keys.copy()
    for place in np.flatnonzero(keys < _MOST_SYMBOLS).tolist():
        word = _symbols().get(int(keys[place]))
        if word is not None:
            keys[place] = word_keys([word])[0]
    if not keyed.strings:
        return replace(keyed, keys=keys)
    strings = [*keyed.strings, *_symbols().values()]
    hashes = word_keys(strings)
    order = np.argsort(hashes)
    places = np.minimum(np.searchsorted(hashes[order], keys), hashes.size - 1)
    found = order[places]
    known = bool((hashes[found] == keys).all())
    words = [strings[number] for number in found.tolist()] if known else None
    return replace(keyed, keys=keys, words=words)
