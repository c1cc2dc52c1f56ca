"""Clipped n-grams as a part of a metric: the statistics of BLEU and of its steps."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray, Ragged
from tenbin.core.batch import Batch
from tenbin.core.mean_references import MeanReferences
from tenbin.core.parameters import whole_number
from tenbin.core.part import Part, SignatureFacts
from tenbin.kernels.ngrams.expected import expected_matches
from tenbin.kernels.ngrams.index import NgramIndex, ngram_index
from tenbin.kernels.ngrams.matches import clipped_ngrams

_LARGEST_ORDER = 10
Order = Annotated[int, whole_number(1, _LARGEST_ORDER)]
"""The longest n-gram."""


@dataclass(frozen=True, kw_only=True)
class NgramOrders(Part):
    """N-grams of all lengths up to one.

    Attributes:
        max_order: N, the longest n-gram.
    """

    max_order: Order

    def totals(self, lengths: IntArray) -> IntArray:
        """Return how many n-grams of each order texts of some lengths have."""
        totals: IntArray = np.maximum(lengths[:, None] - np.arange(self.max_order), 0)
        return totals


@dataclass(frozen=True, kw_only=True)
class ClippedNgrams(NgramOrders):
    """Statistics of BLEU: lengths, clipped matches and totals per order.

    Rows are ``(hypothesis length, closest reference length, matches 1..N, totals 1..N)``. The clip
    of an n-gram is its largest count in any one reference; the closest reference length is the
    shorter one on a tie.
    """

    def signature_facts(self) -> SignatureFacts:
        """Return the order under a short key."""
        order = ("order", str(self.max_order))
        return SignatureFacts(replaced=frozenset({"max_order"}), last=(order,))

    def statistics(self, batch: Batch, rows: Ragged) -> FloatArray:
        """Return lengths, clipped matches and totals of each item."""
        index = ngram_index(rows.values, rows.offsets, self.max_order)
        matches = clipped_ngrams(
            index,
            batch.hypotheses,
            batch.references.values.astype(np.int64),
            batch.references.offsets,
        )
        lengths = rows.lengths
        left, right = batch.pairs()
        difference = np.abs(lengths[left] - lengths[right])
        # Closest first, then shorter: one number that sorts by both.
        closeness = difference * (lengths.max(initial=0) + 1.0) + lengths[right]
        closest = batch.best_pairs(closeness, highest=False)
        own = lengths[batch.hypotheses]
        columns = [own, lengths[right[closest]], matches, self.totals(own)]
        return np.column_stack(columns).astype(np.float64)

    def mean_statistics(self, batch: Batch, references: MeanReferences, rows: Ragged) -> FloatArray:
        """Return the same against the mean of references: their mean length, their mean counts.

        DeNero, Chiang and Knight (2009), section 3.
        """
        index = ngram_index(rows.values, rows.offsets, self.max_order)
        matches = mean_matches(index, batch.hypotheses, references)
        lengths = rows.lengths.astype(np.float64)[:, None]
        mean = references.means(lengths, batch.hypotheses)
        own = rows.lengths[batch.hypotheses]
        return np.column_stack([own, mean, matches, self.totals(own)]).astype(np.float64)

    def counts(
        self, statistics: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Split statistics into hypothesis length, reference length, matches and totals."""
        n = self.max_order
        return (
            statistics[..., 0],
            statistics[..., 1],
            statistics[..., 2 : 2 + n],
            statistics[..., 2 + n :],
        )

    def plain_precisions(self, statistics: FloatArray) -> FloatArray:
        """Return matches over totals, 0 where there is nothing to count."""
        _, _, matches, totals = self.counts(statistics)
        return np.divide(matches, totals, out=np.zeros(matches.shape), where=totals > 0)

    def geometric_mean(self, statistics: FloatArray) -> FloatArray:
        """Return the geometric mean of the precisions."""
        product = np.prod(self.plain_precisions(statistics), axis=-1)
        mean: FloatArray = np.power(product, 1 / self.max_order)
        return mean


def mean_matches(index: NgramIndex, hypotheses: IntArray, references: MeanReferences) -> FloatArray:
    """Return the n-grams in common with the mean of references, shape (items, orders).

    Args:
        index: The n-grams of all strings of the pool.
        hypotheses: The pool position of each item's hypothesis.
        references: The references in groups.
    """
    texts = references.texts
    return expected_matches(
        index,
        hypotheses,
        texts.values.astype(np.int64),
        np.repeat(np.arange(len(texts)), texts.lengths),
        references.counts,
        references.groups,
        references.left_out,
        references.divisors,
    )


def brevity_penalty(own: FloatArray, reference: FloatArray) -> FloatArray:
    """Return 1 where the hypothesis is not shorter, exp(1 - r/c) where it is, 0 where empty."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        short = np.where(own > 0, np.exp(1 - reference / own), 0.0)
    return np.where(own < reference, short, 1.0)
