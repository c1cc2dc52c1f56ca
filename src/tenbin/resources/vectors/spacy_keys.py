"""The words of spaCy's tables, which know them by their hash alone.

A word that happens to be the name of one of spaCy's own symbols ("agent", "root", "LOC") is an
exception: its key is the number of the symbol (spacy/symbols.pxd of spaCy 3.8, the names that can
be words).
"""

from dataclasses import replace
from functools import cache
from importlib.resources import files

import numpy as np

from tenbin.formats.vectors.stream import KeyedRows
from tenbin.resources.vectors.word_keys import word_keys

# All symbols are below; that the hash of a word is so small happens once in 10**14 words.
_MOST_SYMBOLS = 2**16


@cache
def _symbols() -> dict[int, str]:
    table = files("tenbin.resources").joinpath("bundled", "spacy-symbols.tsv")
    rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    return {int(key): word for key, word in rows}


def with_words(keyed: KeyedRows) -> KeyedRows:
    """Return keys and rows with every key a hash, and with the words if all of them are known."""
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
