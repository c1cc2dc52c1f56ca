"""Tokens that are compared by vectors, be these static or of a place in a text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from tenbin.annotation.encoders.encoded import EncodedTexts
from tenbin.core.arrays import IdArray, IntArray, Ragged
from tenbin.kernels.similarity.blocks import similarity_blocks
from tenbin.metrics.representations.blocks import Blocks, BoolArray, Float32Array


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
        makeup: Units of one number are made of the same tokens; None where that is a matter of the
            classes.
    """

    vocabulary: Sequence[str]
    rows: Ragged
    units: Float32Array
    known: BoolArray
    classes: IdArray
    equal_unknown: bool
    spellings: IdArray | None = None
    makeup: IdArray | None = None

    @classmethod
    def of_texts(cls, texts: EncodedTexts, makeup: IdArray | None = None) -> Self:
        """Return texts as an encoder left them; each unit is like itself alone."""
        return cls(
            vocabulary=texts.vocabulary,
            rows=texts.rows,
            units=texts.units,
            known=texts.known,
            classes=np.arange(len(texts.units), dtype=np.int32),
            equal_unknown=True,
            spellings=texts.subwords,
            makeup=makeup,
        )

    def blocks(self, left: IntArray, right: IntArray) -> Blocks:
        """Return the similarities of pairs of rows."""
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
