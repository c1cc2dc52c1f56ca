"""From the numbers of phrases back to their words.

Phrases are counted and joined as numbers of 64 bits; words are looked up for those alone that the
table will have. There it shows whether one number stands for two phrases: then others are tried.
"""

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np

from tenbin.building.paraphrases.bitext import PackedSide
from tenbin.core.arrays import IntArray
from tenbin.kernels.phrases.numbers import NOWHERE, places_of_phrases

_BYTES = 8


def word_numbers(words: Sequence[str], seed: int) -> IntArray:
    """Return the number of each word: the same in all texts.

    >>> word_numbers(["house"], 0).tolist() == word_numbers(["the", "house"], 0)[1:].tolist()
    True
    """
    key = seed.to_bytes(_BYTES, "little")
    digests = b"".join(
        hashlib.blake2b(word.encode(), digest_size=_BYTES, key=key).digest() for word in words
    )
    return np.frombuffer(digests, dtype="<i8").astype(np.int64)


def spelled_phrases(
    sides: Iterable[PackedSide], wanted: IntArray, *, longest: int, seed: int
) -> list[str] | None:
    """Return the words of phrases, joined by spaces; None if one number is that of two phrases.

    Args:
        sides: Texts in one language; each phrase stands in one of them at least.
        wanted: Numbers of phrases, all different.
        longest: Most words of a phrase.
        seed: That of the numbers.

    Raises:
        ValueError: A phrase is in none of the texts.
    """
    found: list[str | None] = [None] * wanted.size
    for side in sides:
        words = word_numbers(side.words, seed)[side.values]
        places, lengths, clash = places_of_phrases(
            side.values, side.offsets, words, wanted, longest
        )
        if clash != NOWHERE:
            return None
        for slot in np.flatnonzero(places != NOWHERE).tolist():
            chosen = side.values[places[slot] : places[slot] + lengths[slot]].tolist()
            text = " ".join([side.words[word] for word in chosen])
            if found[slot] not in {None, text}:
                return None
            found[slot] = text
    spelled = [text for text in found if text is not None]
    if len(spelled) < len(found):
        raise ValueError("there is a phrase that is in none of the texts")
    return spelled
