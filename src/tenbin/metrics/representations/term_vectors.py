"""Words with vectors and tf-idf weights, learned from the test set or from word frequencies."""

from dataclasses import dataclass, replace

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray, Ragged
from tenbin.core.batch import Batch
from tenbin.core.metric import Needs
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.metrics.choices import TermFrequency
from tenbin.metrics.representations.collected_texts import (
    hypothesis_collections,
    occurrences,
    reference_collection,
    spread,
)
from tenbin.metrics.representations.representation import PairWeights, TokenWeights
from tenbin.metrics.representations.static_vectors import StaticVectors
from tenbin.metrics.representations.word_counts import counts_in_row, distinct_words
from tenbin.resources.frequencies import load_frequencies

TESTSET = "testset"
"""Value of ``idf``: segment frequencies are counted in the texts that are scored."""

# Words of a segment, to turn the share of a word among words into a share of segments that have it.
_SEGMENT_LENGTH = 20
_MOST_FREQUENT = 0.999


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TermWeights:
    """What each word of each text weighs.

    Attributes:
        rows: The words of each string of the pool.
        in_row: Weight of each word by its occurrences in its own string.
        hypothesis: Weight of each word of the vocabulary by system, shape (systems, words).
        reference: Weight of each word of the vocabulary in references.
    """

    rows: Ragged
    in_row: FloatArray
    hypothesis: FloatArray
    reference: FloatArray

    def of_pairs(self, systems: IntArray, left: IntArray, right: IntArray) -> PairWeights:
        """Return the weights of the words of pairs of texts."""
        here, own_bounds = spread(self.rows, left)
        there, other_bounds = spread(self.rows, right)
        system = np.repeat(systems, np.diff(own_bounds))
        own = self.in_row[here] * self.hypothesis[system, self.rows.values[here]]
        other = self.in_row[there] * self.reference[self.rows.values[there]]
        return PairWeights(own, own_bounds, other, other_bounds)


@dataclass(frozen=True, kw_only=True)
class TermVectors(StaticVectors):
    """Words with vectors that weigh (1 + log10 tf) × log10(1 + N / df).

    Attributes:
        tf: Where occurrences are counted: in the ``sentence`` or in the ``collection``.
        idf: Where segment frequencies are from: ``testset``, ``wordfreq``, or a file with a word
            and its count on each line.
    """

    tf: TermFrequency
    idf: str

    @property
    def needs(self) -> Needs:
        """Tokens and vectors; the whole test set in one batch where weights are learned from it."""
        plain = super().needs
        listed = frozenset() if self.idf == TESTSET else frozenset({ResourceKind.FREQUENCIES})
        learned = self.idf == TESTSET or self.tf is TermFrequency.COLLECTION
        return replace(plain, resources=plain.resources | listed, collection=learned)

    def identities(self) -> list[ResourceIdentity]:
        """Return which data a score depends on."""
        plain = super().identities()
        if not plain or self.idf == TESTSET:
            return plain
        return [*plain, load_frequencies(self.idf, self.language).identity]

    def weights(self, batch: Batch) -> TokenWeights:
        """Return tf-idf weights, those of translations by their system."""
        words = self.words(batch)

        def learned() -> TermWeights:
            found = None
            if self.idf != TESTSET:
                found = load_frequencies(self.idf, self.language).shares(words.vocabulary)
            return term_weights(batch, words.rows, len(words.vocabulary), self.tf, found)

        return batch.once(("term weights", *self.key(), self.tf, self.idf), learned)


def term_weights(
    batch: Batch, rows: Ragged, size: int, tf: TermFrequency, word_shares: FloatArray | None
) -> TermWeights:
    """Return (1 + log10 tf) * log10(1 + N / df) of every word.

    Args:
        batch: The whole test set, where weights are learned from it.
        rows: The words of each string of the pool.
        size: Size of the vocabulary.
        tf: Where occurrences are counted.
        word_shares: Share of each word of the vocabulary among running words, to take the place of
            segment frequencies; None to learn these from the hypotheses of each system and from
            the references.
    """
    own = hypothesis_collections(batch)
    other = reference_collection(batch)
    # Once for all systems: a segment counts once for each of its distinct words.
    distinct, _ = distinct_words(rows)

    def weights(strings: IntArray) -> FloatArray:
        if word_shares is None:
            counts = occurrences(distinct, strings, size)
            inverse = len(strings) / np.maximum(counts, 1)
        else:
            rest = np.log1p(-np.minimum(word_shares, _MOST_FREQUENT))
            inverse = 1 / -np.expm1(_SEGMENT_LENGTH * rest)
        found: FloatArray = np.log10(1 + inverse)
        if tf is TermFrequency.COLLECTION:
            found = found * (1 + np.log10(np.maximum(occurrences(rows, strings, size), 1)))
        return found

    by_sentence = tf is TermFrequency.SENTENCE
    return TermWeights(
        rows=rows,
        in_row=1 + np.log10(counts_in_row(rows)) if by_sentence else np.ones(len(rows.values)),
        hypothesis=np.stack([weights(strings) for strings in own]),
        reference=weights(other),
    )
