"""The subwords of the student, and the words that are like each other in its table of vectors."""

from collections.abc import Sequence

import numpy as np
import torch
from torch.nn import functional

from benchmarks.students.arrays import Tensor, places, sent

_NEIGHBORS = 32
_AT_ONCE = 4_096
_SEED = 1
_ITSELF = -2.0  # less than any cosine
_INSIDE, _NEGATION = "##", "not"


class Vocabulary:
    """What variants of texts are made with.

    Attributes:
        continues: Which subwords stand within a word.
        replaceable: Which have neighbors: whole words and numbers.
        neighbors: The most similar words of each word, the nearest first; other numbers of a
            number, at random; elsewhere the subword itself. (subwords, how many)
        negation: The id of *not*.
    """

    def __init__(self, names: Sequence[str], vectors: Tensor) -> None:
        """Find the neighbors of all words.

        Args:
            names: All subwords by id.
            vectors: Their vectors.
        """
        inside = np.array([name.startswith(_INSIDE) for name in names])
        words = np.array([name.isalpha() for name in names]) & ~inside
        numbers = np.array([name.isdigit() for name in names])
        self.continues, self.replaceable = sent(inside), sent(words | numbers)
        self.negation = names.index(_NEGATION)
        count = min(_NEIGHBORS, max(int(words.sum()) - 1, 1))
        self.neighbors = places(len(names)).t().repeat(1, count)
        self._set_word_neighbors(sent(np.flatnonzero(words)), vectors, count)
        ids = np.flatnonzero(numbers)
        if len(ids):
            drawn = np.random.default_rng(_SEED).integers(len(ids), size=(len(ids), count))
            self.neighbors[sent(ids)] = sent(ids[drawn])

    def _set_word_neighbors(self, words: Tensor, vectors: Tensor, count: int) -> None:
        apart = vectors[words] - vectors[words].mean(0)
        units = functional.normalize(apart, dim=-1)
        for start in range(0, len(words), _AT_ONCE):
            alike = units[start : start + _AT_ONCE] @ units.T
            own = torch.arange(len(alike), device=alike.device)
            alike[own, own + start] = _ITSELF
            self.neighbors[words[start : start + _AT_ONCE]] = words[alike.topk(count, 1).indices]
