"""Words that are compared by their spelling: by common substrings, or as equal or not."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from tenbin.core.alignment import MatchKind
from tenbin.core.arrays import IntArray, Ragged
from tenbin.core.batch import Batch
from tenbin.core.metric import Needs
from tenbin.core.part import Entries, Part, SignatureFacts, part_of
from tenbin.kernels.edits.common_substring import ByteArray, common_substring
from tenbin.metrics.representations.blocks import Blocks, Float32Array, compared_words
from tenbin.metrics.representations.lexical_weights import learned_weights
from tenbin.metrics.representations.representation import (
    ComparedTokens,
    Representation,
    TokenWeights,
)
from tenbin.metrics.tokens import Tokens


@dataclass(frozen=True, slots=True, eq=False)
class LetterRows:
    """Texts as rows of words, and the bytes of each word.

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


@dataclass(frozen=True, slots=True, eq=False)
class WordRows:
    """Texts as rows of words that are equal or not.

    Attributes:
        vocabulary: The words.
        rows: The words of each string of the pool.
    """

    vocabulary: Sequence[str]
    rows: Ragged

    def blocks(self, left: IntArray, right: IntArray) -> Blocks:
        """Return 1 for equal words of pairs of pool positions, and 0 for others."""
        heights, widths = self.rows.lengths[left], self.rows.lengths[right]
        starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(heights * widths)])
        empty: Float32Array = np.empty(int(starts[-1]), dtype=np.float32)
        shaped = Blocks(empty, starts, heights, widths)
        own, other = compared_words(shaped, self.rows, left, right)
        return shaped._replace(values=(own == other).astype(np.float32))

    def tokens(self, row: int) -> tuple[str, ...]:
        """Return the words of a string of the pool."""
        return tuple(self.vocabulary[number] for number in self.rows.row(row))


@dataclass(frozen=True, kw_only=True)
class EqualWords(Representation):
    """Words that are alike if they are equal; all weigh the same."""

    composed_of: ClassVar[tuple[type[Part], ...]] = (Tokens,)

    tokenizer: str
    lowercase: bool

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokenizer", self.tokenization.tokenizer)

    @property
    def tokenization(self) -> Tokens:
        """How texts become words."""
        return part_of(Tokens, self)

    def bind(self, language: str, metric: str) -> Self:
        """Return the part with the tokenizer settled."""
        return replace(self, tokenizer=self.tokenization.bind(language, metric).tokenizer)

    @property
    def needs(self) -> Needs:
        """Tokens."""
        return Needs.of_all((super().needs, self.tokenization.needs))

    def signature_facts(self) -> SignatureFacts:
        """Return case and tokenizer under sacrebleu's keys."""
        return self.tokenization.signature_facts()

    def versions(self) -> Entries:
        """Return the versions behind the tokenizer."""
        return self.tokenization.versions()

    def key(self) -> tuple[Hashable, ...]:
        """Return all that the words and their similarities depend on."""
        return ("equal words", self.tokenization.annotation)

    def tokens(self, batch: Batch) -> ComparedTokens:
        """Return the words of the pool."""
        column = batch.column(self.tokenization.annotation)
        return WordRows(column.vocabulary, column.rows)


@dataclass(frozen=True, kw_only=True)
class SpelledWords(EqualWords):
    """Words alike by 2 × the longest common run of bytes / both lengths; rare ones weigh more."""

    match_kind: ClassVar[MatchKind] = MatchKind.SPELLING

    @property
    def needs(self) -> Needs:
        """Tokens, and all references of the test set in one batch."""
        return replace(super().needs, collection=True)

    def key(self) -> tuple[Hashable, ...]:
        """Return all that the words and their similarities depend on."""
        return ("spelling", self.tokenization.annotation)

    def tokens(self, batch: Batch) -> LetterRows:
        """Return the words of the pool."""
        column = batch.column(self.tokenization.annotation)
        key = ("spelled words", *self.key())
        return batch.once(key, lambda: LetterRows.of(column.vocabulary, column.rows))

    def weights(self, batch: Batch) -> TokenWeights:
        """Return YiSi's weights, learned from the references."""
        return learned_weights(self, batch, batch.column(self.tokenization.annotation))
