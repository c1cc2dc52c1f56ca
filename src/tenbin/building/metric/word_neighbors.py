"""Words that a model takes for similar before it reads them: the rows of its table of subwords.

Among the nearest words of a word are its other forms, synonyms, opposites and words of the same
kind: what translations of one text differ in.
"""

from collections.abc import Sequence

import numpy as np

from tenbin.kernels.arrays import Float32Array
from tenbin.kernels.similarity.nearest import nearest_rows

NEAREST = 32
"""Neighbors of a word that are kept."""

# What stands before a subword that begins a word, and before one that goes on with it.
_BEGINS, _GOES_ON = ("\u2581", "\u0120"), "##"
_USUAL_PLACE = 6.0  # the mean place among the neighbors of the one that is drawn


class WordNeighbors:
    """The nearest words of each word that is one subword of a model."""

    def __init__(self, names: Sequence[str], vectors: Float32Array) -> None:
        """Look for the neighbors.

        Args:
            names: All subwords of the model.
            vectors: Their vectors.
        """
        words = whole_words(names)
        self._words = list(words)
        self._places = {word: place for place, word in enumerate(self._words)}
        numbers = np.array(list(words.values()), dtype=np.int64)
        own = vectors[numbers]
        self._near = nearest_rows(own - (own.mean(axis=0) if len(own) else 0), NEAREST)

    def __len__(self) -> int:
        return len(self._words)

    def draw(self, word: str, rng: np.random.Generator) -> str | None:
        """Return a neighbor of a word with capitals like its own; None if the word is not known.

        Args:
            word: A word.
            rng: What is drawn from; near ones are drawn more often.
        """
        place = self._places.get(word.lower())
        if place is None or not self._near.shape[1]:
            return None
        rank = min(int(rng.exponential(_USUAL_PLACE)), self._near.shape[1] - 1)
        found = self._words[int(self._near[place, rank])]
        if len(word) > 1 and word.isupper():
            return found.upper()
        return found.capitalize() if word[0].isupper() else found


def whole_words(names: Sequence[str]) -> dict[str, int]:
    """Return the lower-cased words among subwords, with their numbers; the first one of a word.

    >>> whole_words(["[CLS]", "cat", "##s", "2010", "Cat", "a"])
    {'cat': 1, 'a': 5}
    >>> whole_words(["\u2581the", "ing", "\u2581,"])
    {'the': 0}
    """
    marked = any(name.startswith(_BEGINS) for name in names)
    found: dict[str, int] = {}
    for number, name in enumerate(names):
        if name.startswith(_GOES_ON) or (marked and not name.startswith(_BEGINS)):
            continue
        word = name.lstrip("".join(_BEGINS)).lower()
        if word.isalpha():
            found.setdefault(word, number)
    return found
