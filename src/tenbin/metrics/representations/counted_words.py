"""Distinct words with vectors, each as heavy as it is frequent in its text."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.metric import Needs
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.metrics.representations.representation import PlaceWeights, TokenWeights
from tenbin.metrics.representations.static_vectors import StaticVectors
from tenbin.metrics.representations.vector_tokens import VectorTokens, kept_words
from tenbin.metrics.representations.word_counts import distinct_words
from tenbin.resources.function_words import (
    FunctionWords,
    FunctionWordSource,
    load_function_words,
    read_function_words,
)


@dataclass(frozen=True, kw_only=True)
class CountedWords(StaticVectors):
    """The distinct words of each text, with vectors; each weighs what it is counted.

    Attributes:
        stop_words: Words to leave out: ``none``, ``language`` (the function words of the
            language), or a file with one word a line.
    """

    stop_words: str

    @property
    def needs(self) -> Needs:
        """Tokens, vectors and the stop words, if any."""
        plain = super().needs
        if self.stop_words == FunctionWordSource.NONE:
            return plain
        return replace(plain, resources=plain.resources | {ResourceKind.FUNCTION_WORDS})

    def identities(self) -> list[ResourceIdentity]:
        """Return which data a score depends on."""
        plain = super().identities()
        if not plain or self.stop_words == FunctionWordSource.NONE:
            return plain
        return [*plain, self._stop_words().identity]

    def key(self) -> tuple[Hashable, ...]:
        """Return all that the words and their similarities depend on."""
        return (*super().key(), "distinct", self.stop_words)

    def tokens(self, batch: Batch) -> VectorTokens:
        """Return the distinct words of each string of the pool."""
        return self._counted(batch)[0]

    def weights(self, batch: Batch) -> TokenWeights:
        """Return how often each word stands in its text."""
        words, counts = self._counted(batch)
        return PlaceWeights(words.rows, counts[np.newaxis], counts)

    def _counted(self, batch: Batch) -> tuple[VectorTokens, FloatArray]:
        plain = self.words(batch)

        def counted() -> tuple[VectorTokens, FloatArray]:
            rows = plain.rows
            if self.stop_words != FunctionWordSource.NONE:
                stopped = self._stop_words().words
                kept = [word.lower() not in stopped for word in plain.vocabulary]
                rows = kept_words(rows, np.array(kept, dtype=np.bool_))
            distinct, counts = distinct_words(rows)
            return replace(plain, rows=distinct), counts

        return batch.once(("counted words", *self.key()), counted)

    def _stop_words(self) -> FunctionWords:
        if self.stop_words == FunctionWordSource.LANGUAGE:
            return load_function_words(FunctionWordSource.LANGUAGE, self.language)
        return read_function_words(Path(self.stop_words), self.language)
