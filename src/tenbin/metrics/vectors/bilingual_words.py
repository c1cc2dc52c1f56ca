"""The words of hypotheses and of sources, compared by two tables of vectors in one space."""

from dataclasses import dataclass

import numpy as np

from tenbin.core.arrays import IdArray, IntArray, Ragged
from tenbin.metrics.vectors.blocks import Blocks, compared_words
from tenbin.metrics.vectors.vector_words import BoolArray, VectorWords


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BilingualWords:
    """Rows of target words, then rows of source words, in one numbering.

    Attributes:
        words: Both vocabularies, the target language first, and the vectors of their words.
        folded: Words of one number are equal but for the case of letters A to Z.
        exact: Whether a word is in its table as it stands.
        equal_alike: Whether equal words of which one is not in its table are fully alike.
    """

    words: VectorWords
    folded: IdArray
    exact: BoolArray
    equal_alike: bool

    @property
    def rows(self) -> Ragged:
        """The words of each string of the pool, as target words and then as source words."""
        return self.words.rows

    @property
    def known(self) -> BoolArray:
        """Whether a word has a vector."""
        return self.words.known

    def blocks(self, left: IntArray, right: IntArray) -> Blocks:
        """Return the similarities of pairs of rows."""
        plain = self.words.blocks(left, right)
        if not self.equal_alike:
            return plain
        own, other = compared_words(plain, self.rows, left, right)
        equal = (self.folded[own] == self.folded[other]) & ~(self.exact[own] & self.exact[other])
        return plain._replace(values=np.where(equal, np.float32(1), plain.values))

    def tokens(self, row: int) -> tuple[str, ...]:
        """Return the words of a row as text."""
        return self.words.tokens(row)
