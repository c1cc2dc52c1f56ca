"""The words that a context model knows, and the special tokens around them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Self

import numpy as np

from tenbin.core.arrays import IdArray


class Special(IntEnum):
    """Ids that stand for no word: padding, an unknown word, start and end of a text."""

    PADDING = 0
    UNKNOWN = 1
    START = 2
    END = 3


@dataclass(frozen=True)
class Vocabulary:
    """Words with ids, the most frequent first.

    Attributes:
        words: The words; the id of a word is its place after the special tokens.
    """

    words: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.words) + len(Special)

    @classmethod
    def learned(cls, texts: Iterable[Sequence[str]], most: int) -> Self:
        """Return the most frequent words of some texts; equally frequent ones by their spelling.

        >>> Vocabulary.learned([["b", "a"], ["b", "c"]], 2).words
        ('b', 'a')
        """
        counts = Counter(word for words in texts for word in words)
        ranked = sorted(counts, key=lambda word: (-counts[word], word))
        return cls(tuple(ranked[:most]))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, start=len(Special))}

    def ids(self, words: Sequence[str]) -> IdArray:
        """Return the id of each word.

        >>> Vocabulary(("a", "b")).ids(["b", "c"]).tolist()
        [5, 1]
        """
        found = self._numbers
        return np.array([found.get(word, Special.UNKNOWN) for word in words], dtype=np.int32)
