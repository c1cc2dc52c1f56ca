"""The penalty of Tanahashi et al. (2020): rare tokens that are linked to others."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tenbin.annotation.encoders.encoded import BoolArray, EncodedTexts, PieceFlag
from tenbin.annotation.languages import parse_language
from tenbin.core.arrays import FloatArray, IdArray, IntArray
from tenbin.kernels.similarity.maxima import block_maxima
from tenbin.metrics.vectors.blocks import Blocks
from tenbin.penalty.names.comparison import Coefficient, NamedTokens, NamePenalty


class RareLink(NamedTuple):
    """A rare token and the token it is linked to, which reads otherwise."""

    token: str
    partner: str


@dataclass(frozen=True, slots=True, eq=False)
class RareTokens:
    """The rare tokens of texts, and what they cost where they were linked to others.

    Attributes:
        texts: The texts.
        rare: Which pieces of the vocabulary are rare.
        language: Their language; Japanese is compared by its readings.
        coefficient: How readings are compared.
    """

    texts: EncodedTexts
    rare: BoolArray
    language: str
    coefficient: Coefficient

    def factors(self, part: Blocks, left: IntArray, right: IntArray) -> FloatArray:
        """Return what precision and recall of pairs of texts are multiplied by, shape (pairs, 2).

        Args:
            part: The similarities of the pairs.
            left: The translation of each pair.
            right: Its reference.
        """
        columns, rows = block_maxima(part.values, part.starts, part.heights, part.widths)
        ends = np.cumsum(part.heights), np.cumsum(part.widths)
        found = np.ones((len(left), 2))
        penalty = NamePenalty(coefficient=self.coefficient)
        for pair, (own, other) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
            sides = self._tokens(own), self._tokens(other)
            forth = columns[ends[0][pair] - part.heights[pair] : ends[0][pair]]
            back = rows[ends[1][pair] - part.widths[pair] : ends[1][pair]]
            found[pair, 0] = penalty.factor(sides[0], sides[1], forth)
            found[pair, 1] = penalty.factor(sides[1], sides[0], back)
        return found

    def links(self, own: int, other: int, best: IdArray) -> list[RareLink]:
        """Return the rare tokens of a text that are linked to what reads otherwise.

        Args:
            own: The text.
            other: The text it is compared with.
            best: The most similar token of the other, of each token.
        """
        mine, yours = self._tokens(own), self._tokens(other)
        words, partners = self.texts.tokens(own), self.texts.tokens(other)
        return [
            RareLink(words[place], partners[best[place]] if best[place] >= 0 else "")
            for place in mine.marked
            if mine.reading(place) != yours.reading(int(best[place]))
        ]

    def _tokens(self, row: int) -> NamedTokens:
        units = self.texts.rows.row(row)
        return NamedTokens.of(
            self.texts.tokens(row),
            self.rare[self.texts.pieces[units]],
            parse_language(self.language).code,
            self.texts.having(PieceFlag.SPECIAL)[units],
        )
