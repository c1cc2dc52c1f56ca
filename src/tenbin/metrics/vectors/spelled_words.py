"""The words of a batch as their spelling compares them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from tenbin.core.arrays import IntArray, Ragged
from tenbin.kernels.edits.common_substring import ByteArray, common_substring
from tenbin.metrics.vectors.blocks import Blocks


@dataclass(frozen=True, slots=True, eq=False)
class SpelledWords:
    """Segments as rows of words, and the bytes of each word.

    Attributes:
        vocabulary: The words.
        rows: The words of each string of the pool.
        letters: The UTF-8 bytes of all words, one after the other.
        letter_bounds: Where those of each word start, and the end.
    """

    vocabulary: Sequence[str]
    rows: Ragged
    letters: ByteArray
    letter_bounds: IntArray

    @classmethod
    def of(cls, vocabulary: Sequence[str], rows: Ragged) -> Self:
        """Spell a vocabulary."""
        # A library user may hand over lone surrogates; they are characters like any other.
        spelled = [word.encode("utf-8", "surrogatepass") for word in vocabulary]
        bounds = np.cumsum([0, *map(len, spelled)], dtype=np.int64)
        return cls(vocabulary, rows, np.array(bytearray(b"".join(spelled)), dtype=np.uint8), bounds)

    def blocks(self, left: IntArray, right: IntArray) -> Blocks:
        """Return the similarities of pairs of pool positions."""
        values, starts = common_substring(
            self.letters, self.letter_bounds, self.rows.values, self.rows.offsets, left, right
        )
        lengths = self.rows.lengths
        return Blocks(values, starts, lengths[left], lengths[right])

    def tokens(self, row: int) -> tuple[str, ...]:
        """Return the words of a string of the pool."""
        return tuple(self.vocabulary[number] for number in self.rows.row(row))
