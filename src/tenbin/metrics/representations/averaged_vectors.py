"""Words with vectors to be averaged: of length 1, or as long as in their file."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Self

from tenbin.core.batch import Batch
from tenbin.core.errors import UsageError
from tenbin.core.part import SignatureFacts
from tenbin.metrics.choices import OutOfVocabulary, VectorLength
from tenbin.metrics.representations.representation import ComparedTokens
from tenbin.metrics.representations.static_vectors import StaticVectors
from tenbin.metrics.representations.vector_tokens import VectorTokens
from tenbin.resources.vectors.lengths import load_lengths


@dataclass(frozen=True, kw_only=True)
class AveragedWords(StaticVectors):
    """Words that are looked up among vectors, whose length may count.

    Attributes:
        vector_length: The length of the vectors that are averaged: ``unit`` (all 1), or ``raw``
            (as in their file; a word without a vector has the mean length of the file).
    """

    vector_length: VectorLength

    def bind(self, language: str, metric: str) -> Self:
        """Return the part with tokenizer and vectors settled.

        Raises:
            UsageError: Lengths count, and the vectors have none.
        """
        if self.vector_length is VectorLength.UNIT:
            return super().bind(language, metric)
        if self.oov is OutOfVocabulary.SUBWORD:
            raise UsageError(
                f'{metric}: vector_length="raw" needs vectors of whole words, so oov="subword" is '
                'not possible with it; choose oov="drop", as in the paper, or "identity".'
            )
        bound = super().bind(language, metric)
        load_lengths(bound.vectors, bound.language)  # what is missing is told now
        return bound

    def signature_facts(self) -> SignatureFacts:
        """Return those of the words; lengths are named where they are not 1."""
        facts = super().signature_facts()
        if self.vector_length is not VectorLength.UNIT:
            return facts
        # Signatures written before there was a choice stay what they are.
        return replace(facts, replaced=facts.replaced | {"vector_length"})

    def tokens(self, batch: Batch) -> ComparedTokens:
        """Return the words of the pool."""
        words = self.words(batch)
        if self.vector_length is VectorLength.UNIT:
            return words
        key: tuple[Hashable, ...] = ("lengths of vector words", *self.key())
        return batch.once(key, lambda: self._with_lengths(batch, words))

    def _with_lengths(self, batch: Batch, words: VectorTokens) -> VectorTokens:
        lengths = load_lengths(self.vectors, self.language)
        rows = self.look_up(self.column(batch)).rows
        return replace(words, lengths=lengths.of(rows), unknown_length=lengths.mean)
