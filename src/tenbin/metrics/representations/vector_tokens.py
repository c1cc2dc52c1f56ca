"""Tokens that are compared by vectors, be these static or of a place in a text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from tenbin.annotation.encoders.encoded import EncodedTexts, SubwordFlag
from tenbin.core.arrays import FloatArray, IdArray, IntArray, Ragged
from tenbin.kernels.similarity.blocks import similarity_blocks
from tenbin.metrics.representations.blocks import (
    Blocks,
    BoolArray,
    Float32Array,
    part_bounds,
    words_of_places,
)
from tenbin.metrics.representations.shared_vectors import (
    Fold,
    vector_numbers,
    without_shared_vectors,
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class VectorTokens:
    """Texts as rows of units, and what is known about each unit: a word, or a subword in a text.

    Attributes:
        vocabulary: The tokens as text.
        rows: The units of each text, without those that are dropped.
        units: A vector of length 1 for each unit; null where there is none.
        known: Whether there is one.
        classes: Units of one class are the same token.
        equal_unknown: Whether equal tokens without a vector are alike.
        spellings: The place of each unit in the vocabulary; None where a unit is a word of it.
        fold: What makes spellings of one token equal, where different tokens share a vector; None
            where that tells nothing, as between two languages.
        shared: Whether the table gives the vector of a unit to other words too; None: to none.
        makeup: Units of one number are made of the same tokens; None where that is a matter of the
            classes.
        lengths: The length of each unit's vector, for aggregations that add vectors up; None: all
            have length 1.
        unknown_length: The length of the dimension of a unit without a vector.
        is_special: Which units are special tokens of a model, which stand in no text; None: none.
    """

    vocabulary: Sequence[str]
    rows: Ragged
    units: Float32Array
    known: BoolArray
    classes: IdArray
    equal_unknown: bool
    spellings: IdArray | None = None
    makeup: IdArray | None = None
    fold: Fold | None = str.lower
    shared: BoolArray | None = None
    lengths: FloatArray | None = None
    unknown_length: float = 1.0
    is_special: BoolArray | None = None

    @classmethod
    def of_texts(cls, texts: EncodedTexts, makeup: IdArray | None = None) -> Self:
        """Return texts as an encoder left them."""
        return cls(
            vocabulary=texts.vocabulary,
            rows=texts.rows,
            units=texts.units,
            known=texts.known,
            classes=texts.classes,
            equal_unknown=True,
            spellings=texts.subwords,
            makeup=makeup,
            fold=texts.fold,
            is_special=texts.having(SubwordFlag.SPECIAL),
        )

    def blocks(self, left: IntArray, right: IntArray) -> Blocks:
        """Return the similarities of pairs of rows."""
        return self.told_apart(self.cosines(left, right), left, right)

    def same_vectors(self, left: int, right: int) -> BoolArray:
        """Return which tokens of two rows are different tokens with one vector."""
        own, other = self.rows.row(left), self.rows.row(right)
        both = self.known[own][:, np.newaxis] & self.known[other]
        different = self.classes[own][:, np.newaxis] != self.classes[other]
        here, there = vector_numbers(self.units[own]), vector_numbers(self.units[other])
        found: BoolArray = both & different & (here[:, np.newaxis] == there)
        return found

    def excess(self, left: IntArray, right: IntArray) -> FloatArray:
        """Return by how much products exceed similarities, summed up over each pair of rows.

        For aggregations that add vectors up: what they count too much, as different tokens share a
        vector.
        """
        _, number = np.unique(vector_numbers(self.units), return_inverse=True)
        tokens = np.unique(np.stack([number, self.classes]), axis=1)
        # Most words have a vector of their own, whatever the case of their letters.
        count = np.bincount(tokens[0], minlength=1)
        few = replace(self, rows=kept_words(self.rows, (count[number] > 1) & self.known))
        if not len(few.rows.values):
            return np.zeros(len(left))
        totals = np.zeros(len(left))
        lengths = few.rows.lengths
        for start, stop in part_bounds(lengths[left] * lengths[right]):
            sides = left[start:stop], right[start:stop]
            cosines = few.cosines(*sides)
            before = cosines.values.copy()
            after = few.told_apart(cosines, *sides).values
            lost = np.where(before == after, 0.0, 1.0 - after)
            if self.lengths is not None:
                everywhere = np.arange(len(lost))
                own, other = words_of_places(cosines, few.rows, sides, everywhere)
                lost = lost * self.lengths[own] * self.lengths[other]
            ends = np.concatenate([np.zeros(1), np.cumsum(lost, dtype=np.float64)])
            totals[start:stop] = np.diff(ends[cosines.starts])
        return totals

    def cosines(self, left: IntArray, right: IntArray) -> Blocks:
        """Return the cosines of pairs of rows."""
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

    def told_apart(self, blocks: Blocks, left: IntArray, right: IntArray) -> Blocks:
        """Return cosines in which different tokens with one vector are as alike as spelled."""
        if self.fold is None:
            return blocks

        def words_of(places: IntArray) -> tuple[IdArray, IdArray]:
            own, other = words_of_places(blocks, self.rows, (left, right), places)
            if self.spellings is None:
                return own, other
            return self.spellings[own], self.spellings[other]

        without_shared_vectors(blocks.values, words_of, self.vocabulary, self.fold)
        return blocks

    def tokens(self, row: int) -> tuple[str, ...]:
        """Return the tokens of a row as text."""
        units = self.rows.row(row)
        places = units if self.spellings is None else self.spellings[units]
        return tuple(self.vocabulary[place] for place in places.tolist())


def kept_words(rows: Ragged, kept: BoolArray) -> Ragged:
    """Return rows without the words that are not kept.

    >>> fewer = kept_words(Ragged.from_rows([[0, 1], [1], [0]]), np.array([True, False]))
    >>> [fewer.row(number).tolist() for number in range(3)]
    [[0], [], [0]]
    """
    stays = kept[rows.values]
    ends = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(stays)])
    return Ragged(rows.values[stays], ends[rows.offsets])


def vectors_of(tokens: object) -> VectorTokens:
    """Return tokens with their vectors.

    Raises:
        TypeError: They have none, so that the aggregation does not suit the representation.
    """
    if not isinstance(tokens, VectorTokens):
        raise TypeError("the aggregation reads vectors, which the representation does not give")
    return tokens
