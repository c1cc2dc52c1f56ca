"""Words with vectors and tf-idf weights, learned from the references or from word frequencies."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray, Ragged
from tenbin.core.batch import Batch
from tenbin.core.metric import Needs
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.metrics.choices import TermFrequency
from tenbin.metrics.representations.collected_texts import (
    SYSTEM,
    hypothesis_collections,
    occurrences,
    reference_collection,
    spread,
)
from tenbin.metrics.representations.representation import PairWeights, TokenWeights
from tenbin.metrics.representations.static_vectors import StaticVectors
from tenbin.metrics.representations.word_counts import counts_in_row, distinct_words
from tenbin.resources.frequencies import load_frequencies

REFERENCES = "references"
"""Value of ``idf``: segment frequencies are counted in the references, for both sides."""

# The old name of SYSTEM, which did not say what it does.
_TESTSET = "testset"

# Words of a segment, to turn the share of a word among words into a share of segments that have it.
_SEGMENT_LENGTH = 20
_MOST_FREQUENT = 0.999


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TermWeights:
    """What each word of each text weighs.

    Attributes:
        rows: The words of each string of the pool.
        in_row: Weight of each word by its occurrences in its own string.
        hypothesis: Weight of each word of the vocabulary in hypotheses, shape (systems, words), or
            (1, words) for all systems.
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
        words = self.rows.values[here]
        if len(self.hypothesis) == 1:
            by_word = self.hypothesis[0][words]
        else:
            by_word = self.hypothesis[np.repeat(systems, np.diff(own_bounds)), words]
        own = self.in_row[here] * by_word
        other = self.in_row[there] * self.reference[self.rows.values[there]]
        return PairWeights(own, own_bounds, other, other_bounds)


@dataclass(frozen=True, kw_only=True)
class TermVectors(StaticVectors):
    """Words with vectors that weigh (1 + log10 tf) × log10(1 + N / df).

    Attributes:
        tf: Where occurrences are counted: in the ``sentence`` or in the ``collection``.
        idf: Where segment frequencies are from: the ``references``, a word that none of them has
            counting as one that one of them has; ``wordfreq``, or a file with a word and its count
            on each line; or, for words of hypotheses, the hypotheses of their ``system``, by which
            the same text scores differently in another system.
    """

    tf: TermFrequency
    idf: str

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield parameters that are out of their range."""
        yield from super().faults()
        if self.idf in {"", _TESTSET}:
            yield "idf", f"{REFERENCES}, wordfreq, a file, or {SYSTEM} (weights of each system)"

    @property
    def needs(self) -> Needs:
        """Tokens and vectors; the whole test set in one batch where weights are learned from it."""
        plain = super().needs
        listed = frozenset({ResourceKind.FREQUENCIES} if self._looks_up else ())
        return replace(
            plain,
            resources=plain.resources | listed,
            collection=not self._looks_up or self.tf is TermFrequency.COLLECTION,
            system_weights=self.idf == SYSTEM,
        )

    @property
    def _looks_up(self) -> bool:
        """Whether segment frequencies are from a dictionary."""
        return self.idf not in {REFERENCES, SYSTEM}

    def identities(self) -> list[ResourceIdentity]:
        """Return which data a score depends on."""
        plain = super().identities()
        if not plain or not self._looks_up:
            return plain
        return [*plain, load_frequencies(self.idf, self.language).identity]

    def weights(self, batch: Batch) -> TokenWeights:
        """Return tf-idf weights."""
        words = self.words(batch)

        def learned() -> TermWeights:
            found = None
            if self._looks_up:
                found = load_frequencies(self.idf, self.language).shares(words.vocabulary)
            by_system = hypothesis_collections(batch) if self.idf == SYSTEM else None
            references = reference_collection(batch)
            size = len(words.vocabulary)
            return term_weights(words.rows, size, references, self.tf, found, by_system)

        return batch.once(("term weights", *self.key(), self.tf, self.idf), learned)


def term_weights(
    rows: Ragged,
    size: int,
    references: IntArray,
    tf: TermFrequency,
    word_shares: FloatArray | None,
    systems: Sequence[IntArray] | None,
) -> TermWeights:
    """Return (1 + log10 tf) * log10(1 + N / df) of every word.

    Args:
        rows: The words of each string of the pool.
        size: Size of the vocabulary.
        references: The strings that weights are learned from: all references of the test set.
        tf: Where occurrences are counted.
        word_shares: Share of each word of the vocabulary among running words, to take the place of
            segment frequencies; None to learn these.
        systems: For weights that differ between systems, the hypotheses of each.
    """
    # A segment counts once for each of its distinct words.
    distinct, _ = distinct_words(rows)

    def weights(strings: IntArray) -> FloatArray:
        if word_shares is None:
            # A word that was never seen weighs as much as one that was seen once.
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
    learned = weights(references)
    return TermWeights(
        rows=rows,
        in_row=1 + np.log10(counts_in_row(rows)) if by_sentence else np.ones(len(rows.values)),
        hypothesis=learned[np.newaxis]
        if systems is None
        else np.stack([weights(strings) for strings in systems]),
        reference=learned,
    )
