"""The words of a batch as vectors compare them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tenbin.core.arrays import IdArray, IntArray, Ragged
from tenbin.kernels.similarity.blocks import similarity_blocks
from tenbin.metrics.vectors.blocks import Blocks, Float32Array

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class VectorWords:
    """Segments as rows of words, and what is known about each word.

    Attributes:
        vocabulary: The words.
        rows: The words of each string of the pool, without those that are dropped.
        units: A vector of length 1 for each word; null where there is none.
        known: Whether there is one.
        classes: Words of one class are the same word.
        equal_unknown: Whether equal words without a vector are alike.
    """

    vocabulary: Sequence[str]
    rows: Ragged
    units: Float32Array
    known: BoolArray
    classes: IdArray
    equal_unknown: bool

    def blocks(self, left: IntArray, right: IntArray) -> Blocks:
        """Return the similarities of pairs of pool positions."""
        values, starts = similarity_blocks(
            self.units,
            self.classes,
            self.known,
            self.rows.values,
            self.rows.offsets,
            left,
            right,
            equal_unknown=self.equal_unknown,
        )
        lengths = self.rows.lengths
        return Blocks(values, starts, lengths[left], lengths[right])

    def tokens(self, string: int) -> tuple[str, ...]:
        """Return the words of a string of the pool."""
        return tuple(self.vocabulary[number] for number in self.rows.row(string))


def kept_words(rows: Ragged, kept: BoolArray) -> Ragged:
    """Return rows without the words that are not kept.

    >>> fewer = kept_words(Ragged.from_rows([[0, 1], [1], [0]]), np.array([True, False]))
    >>> [fewer.row(number).tolist() for number in range(3)]
    [[0], [], [0]]
    """
    stays = kept[rows.values]
    ends = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(stays)])
    return Ragged(rows.values[stays], ends[rows.offsets])
