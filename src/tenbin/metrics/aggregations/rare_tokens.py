"""The penalty of Tanahashi et al. (2020): rare tokens that are linked to others."""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from tenbin.annotation.encoders.encoded import BoolArray, EncodedTexts, SubwordFlag
from tenbin.annotation.languages import parse_language
from tenbin.core.arrays import FloatArray, IdArray, IntArray
from tenbin.core.batch import Batch
from tenbin.core.errors import UsageError
from tenbin.core.part import Entries, Part
from tenbin.kernels.similarity.maxima import block_maxima
from tenbin.metrics.representations.blocks import Blocks
from tenbin.metrics.representations.contextual_subwords import ContextualSubwords
from tenbin.metrics.representations.representation import Representation
from tenbin.penalty.choices import Coefficient, NameSource, Penalty
from tenbin.penalty.names.comparison import NamedTokens, NamePenalty
from tenbin.resources.lexicons.sudachi import load_sudachi


class RareLink(NamedTuple):
    """A rare token and the token it is linked to, which reads otherwise."""

    token: str
    partner: str


@dataclass(frozen=True, slots=True, eq=False)
class RareTokens:
    """The rare tokens of texts, and what they cost where they were linked to others.

    Attributes:
        texts: The texts.
        rare: Which subwords of the vocabulary are rare.
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
            self.rare[self.texts.subwords[units]],
            parse_language(self.language).code,
            self.texts.having(SubwordFlag.SPECIAL)[units],
        )


@dataclass(frozen=True, kw_only=True)
class RareTokenPenalty(Part):
    """Rare tokens in the place of names: what a metric with links of its own penalizes by itself.

    Attributes:
        names: What tells names from words: ``rare`` (tokens that are rare by the dictionary that
            ``idf`` names), ``propn`` (the part of speech, by Sudachi or jieba), ``ner`` (GiNZA),
            ``capitals``, ``glossary`` (those of the glossary alone); ``auto``: what the language
            allows.
        coefficient: With ``names="rare"``, how rare tokens are compared with what they are linked
            to: ``direction``, ``shared`` or ``token``; ``strength`` does not enter.
    """

    language: str
    idf: bool | str
    penalty: Penalty
    names: NameSource
    coefficient: Coefficient

    @property
    def penalizes(self) -> bool:
        """Whether rare tokens are penalized that were linked to others."""
        return self.penalty.names and self.names is NameSource.RARE

    def bind(self, language: str, metric: str) -> Self:  # noqa: ARG002 - of any language
        """Return the part as it is.

        Raises:
            UsageError: Rare tokens are to be penalized, and there is no dictionary to know them by.
        """
        if self.penalizes and not isinstance(self.idf, str):
            raise UsageError(
                f'{metric}: names="rare" needs a dictionary of document frequencies. Make one '
                'of a large corpus with "tenbin build idf" and name it (idf=FILE), or tell names '
                'otherwise (names="auto").'
            )
        return self

    def versions(self) -> Entries:
        """Return the programs that read rare tokens."""
        japanese = self.language.split("-")[0] == "ja"
        return load_sudachi().versions if self.penalizes and japanese else ()

    def notes(self, representation: Representation) -> list[str]:
        """Return notes on what the dictionary takes for rare."""
        frequencies = _encoder_part(representation).frequencies() if self.penalizes else None
        return [] if frequencies is None else frequencies.notes()

    def rare_tokens(self, representation: Representation, batch: Batch) -> RareTokens | None:
        """Return the rare tokens of the texts; None where they are not penalized."""
        if not self.penalizes:
            return None
        subwords = _encoder_part(representation)
        frequencies = subwords.frequencies()
        if frequencies is None:
            raise ValueError("rare tokens are known by a dictionary")
        texts = subwords.texts(batch)
        rare = frequencies.rare(texts.vocabulary)
        if self.penalty.numbers:
            # Numbers are penalized as numbers, once.
            rare &= [not any(map(str.isdecimal, token)) for token in texts.vocabulary]
        return RareTokens(texts, rare, self.language, self.coefficient)


def _encoder_part(representation: Representation) -> ContextualSubwords:
    if not isinstance(representation, ContextualSubwords):
        raise TypeError("rare tokens are known by the dictionary of an encoder")
    return representation
