"""NIST (Doddington 2002): n-gram matches weighted by the information they carry."""

from dataclasses import dataclass, replace
from math import log
from typing import ClassVar

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.metric import MetricInfo, Needs, Property
from tenbin.core.part import Part
from tenbin.kernels.ngrams.index import NgramIndex, ngram_index, ngram_totals
from tenbin.kernels.ngrams.matches import weighted_clipped_ngrams
from tenbin.metrics.clipped_ngrams import NgramOrders, Order
from tenbin.metrics.representations.collected_texts import reference_collection
from tenbin.metrics.token_metric import TokenMetric
from tenbin.metrics.tokens import Tokens

# Doddington (2002), section 3.2: a translation two thirds as long as its references scores half.
_PENALTY = log(2) / log(1.5) ** 2


@dataclass(frozen=True, kw_only=True)
class Nist(TokenMetric):
    """NIST: information-weighted n-gram precision, summed over orders, times a length penalty.

    The information of an n-gram is log2(count of its first n - 1 words / its count) in the
    references of the whole test set, all references together; segments use the weights of the
    set. An empty hypothesis scores 0.
    """

    name: ClassVar[str] = "nist"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="NIST",
        summary="n-gram precision in which rare n-grams weigh more.",
        citation="Doddington (2002), Automatic Evaluation of Machine Translation Quality Using "
        "N-gram Co-occurrence Statistics, HLT; as in mteval-v13a.",
        higher_is_better=True,
        minimum=0.0,
        maximum=float("inf"),
        decimals=4,
        properties=frozenset({Property.REFERENCE_ORDER_FREE, Property.WEIGHTS_FROM_REFERENCES}),
        weaknesses="Has no upper bound and depends on the size of the test set: compare systems on "
        "one test set only. A segment alone has no information weights of its own.",
        oracle="NLTK 3.10 corpus_nist, one reference",
    )
    composed_of: ClassVar[tuple[type[Part], ...]] = (Tokens, NgramOrders)

    max_order: Order = 5

    @property
    def needs(self) -> Needs:
        """Tokens, and all references of the test set in one batch."""
        return replace(super().needs, collection=True)

    def statistics(self, batch: Batch) -> FloatArray:
        """Return weighted matches, totals and lengths of each item."""
        rows = self.token_column(batch).rows
        index = ngram_index(rows.values, rows.offsets, self.max_order)
        reference_rows = batch.references.values.astype(np.int64)
        matches = weighted_clipped_ngrams(
            index,
            _information(index, reference_collection(batch)),
            batch.hypotheses,
            reference_rows,
            batch.references.offsets,
        )
        lengths = rows.lengths
        own = lengths[batch.hypotheses]
        totals = self.part(NgramOrders).totals(own)
        reference_total = np.add.reduceat(lengths[reference_rows], batch.references.offsets[:-1])
        mean_reference = reference_total / batch.references.lengths
        return np.column_stack([matches, totals, own, mean_reference])

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return the weighted precisions, summed, times the length penalty."""
        matches = statistics[..., : self.max_order]
        totals = statistics[..., self.max_order : 2 * self.max_order]
        own, reference = statistics[..., -2], statistics[..., -1]
        precision = (matches / np.maximum(totals, 1)).sum(axis=-1)
        ratio = np.divide(own, reference, out=np.ones(np.shape(own)), where=reference > 0)
        ratio = np.minimum(ratio, 1.0)
        logarithm = np.log(np.where(ratio > 0, ratio, 1.0))
        penalty = np.where(ratio > 0, np.exp(-_PENALTY * logarithm**2), 0.0)
        score: FloatArray = penalty * precision
        return score


def _information(index: NgramIndex, reference_rows: np.ndarray) -> list[FloatArray]:
    """Return the information weight of each n-gram; 0 where the references do not have it."""
    totals = ngram_totals(index, reference_rows)
    weights = []
    for order, counts in enumerate(totals):
        prefix = totals[order - 1][index.prefixes[order]] if order else totals[0].sum()
        quotient = np.divide(prefix, counts, out=np.ones(len(counts)), where=counts > 0)
        weights.append(np.log2(quotient))
    return weights
