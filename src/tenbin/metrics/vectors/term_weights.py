"""The tf-idf weights of WE_WPI, learned from the test set or taken from word frequencies."""

from dataclasses import dataclass

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray, Ragged
from tenbin.core.batch import Batch
from tenbin.metrics.vectors.choices import TermFrequency
from tenbin.metrics.vectors.word_counts import counts_in_row
from tenbin.metrics.vectors.word_weights import (
    hypothesis_collections,
    occurrences,
    reference_collection,
    segment_frequencies,
    spread,
    system_numbers,
)

# Words of a segment, to turn the share of a word among words into a share of segments that have it.
_SEGMENT_LENGTH = 20
_MOST_FREQUENT = 0.999


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TermWeights:
    """What each word of each segment weighs.

    Attributes:
        rows: The words of each string of the pool.
        in_row: Weight of each word by its occurrences in its own string.
        hypothesis: Weight of each word of the vocabulary by system, shape (systems, words).
        reference: Weight of each word of the vocabulary in references.
        systems: The system of each pair of a batch.
    """

    rows: Ragged
    in_row: FloatArray
    hypothesis: FloatArray
    reference: FloatArray
    systems: IntArray

    def of_hypotheses(self, pairs: slice, strings: IntArray) -> tuple[FloatArray, IntArray]:
        """Return the weights of the words of some hypotheses, and their bounds."""
        places, bounds = spread(self.rows, strings)
        system = np.repeat(self.systems[pairs], np.diff(bounds))
        return self.in_row[places] * self.hypothesis[system, self.rows.values[places]], bounds

    def of_references(self, strings: IntArray) -> tuple[FloatArray, IntArray]:
        """Return the weights of the words of some references, and their bounds."""
        places, bounds = spread(self.rows, strings)
        return self.in_row[places] * self.reference[self.rows.values[places]], bounds


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

    def weights(strings: IntArray) -> FloatArray:
        if word_shares is None:
            counts = segment_frequencies(rows, strings, size)
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
        systems=np.repeat(system_numbers(batch), batch.references.lengths),
    )
