"""WER and PER: word edits, with and without regard to order."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from rapidfuzz.distance import Levenshtein

from tenbin.core.arrays import FloatArray, IntArray, Ragged
from tenbin.core.batch import Batch
from tenbin.core.limits import LengthLimit
from tenbin.core.metric import MetricInfo, Property
from tenbin.kernels.ngrams.index import ngram_index
from tenbin.kernels.ngrams.matches import common_ngrams
from tenbin.metrics.token_metric import TokenMetric

_Edits = Callable[[Ragged, IntArray, IntArray], IntArray]


def _info(
    title: str,
    summary: str,
    citation: str,
    weaknesses: str,
    oracle: str,
    longest: LengthLimit | None = None,
) -> MetricInfo:
    return MetricInfo(
        title=title,
        summary=summary,
        citation=citation,
        higher_is_better=False,
        minimum=0.0,
        maximum=float("inf"),
        decimals=2,
        properties=frozenset({Property.IDENTITY_IS_BEST, Property.REFERENCE_ORDER_FREE}),
        weaknesses=weaknesses,
        oracle=oracle,
        longest=longest,
    )


def error_rate(statistics: FloatArray) -> FloatArray:
    """Return edits over reference words, in percent, from rows ``(edits, reference words)``."""
    edits, length = statistics[..., 0], statistics[..., 1]
    without_reference = np.where(edits > 0, 1.0, 0.0)
    return 100 * np.divide(edits, length, out=without_reference, where=length > 0)


def _best_rows(batch: Batch, rows: Ragged, edits_of: _Edits) -> FloatArray:
    """Return edits and length of the best reference of each item."""
    left, right = batch.pairs()
    edits = edits_of(rows, left, right)
    pairs = np.column_stack([edits, rows.lengths[right]]).astype(np.float64)
    # Of equal rates the fewest edits count, so that the order of references is free.
    items = np.repeat(np.arange(len(batch)), batch.references.lengths)
    ranked = np.lexsort((pairs[:, 1], pairs[:, 0], error_rate(pairs), items))
    return pairs[ranked[batch.references.offsets[:-1]]]


def _word_edits(rows: Ragged, left: IntArray, right: IntArray) -> IntArray:
    """Return the word edit distance of each pair."""
    needed = np.unique(np.concatenate([left, right])).tolist()
    tokens = {row: rows.row(row).tolist() for row in needed}
    distances = (
        Levenshtein.distance(tokens[hypothesis], tokens[reference])
        for hypothesis, reference in zip(left.tolist(), right.tolist(), strict=True)
    )
    return np.fromiter(distances, dtype=np.int64, count=len(left))


def _unordered_edits(rows: Ragged, left: IntArray, right: IntArray) -> IntArray:
    """Return the words of the longer side that the other side does not have."""
    index = ngram_index(rows.values, rows.offsets, 1)
    common = common_ngrams(index, left, right)[:, 0]
    return np.maximum(rows.lengths[left], rows.lengths[right]) - common


@dataclass(frozen=True, kw_only=True)
class WordErrorRate(TokenMetric):
    """WER: word edits over words of the reference with the lowest rate, in percent.

    Edits and reference lengths add up over a corpus; of equal rates the one with the fewest edits
    counts. An empty reference gives 100 if the hypothesis has words and 0 if not.
    """

    name: ClassVar[str] = "wer"
    info: ClassVar[MetricInfo] = _info(
        "WER",
        "Word insertions, deletions and substitutions per reference word.",
        "Levenshtein (1966); Nießen, Och, Leusch, Ney (2000), An Evaluation Tool for Machine "
        "Translation, LREC.",
        "A moved phrase costs as much as a lost one; blind to synonyms.",
        "rapidfuzz's edit distance against a plain dynamic programme",
        LengthLimit(200_000),
    )

    def statistics(self, batch: Batch) -> FloatArray:
        """Return edits and length of the best reference of each item."""
        return _best_rows(batch, self.token_column(batch).rows, _word_edits)

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return edits over reference words, in percent."""
        return error_rate(statistics)


@dataclass(frozen=True, kw_only=True)
class PositionIndependentErrorRate(TokenMetric):
    """PER: WER without word order; (longer length - common words) over reference words."""

    name: ClassVar[str] = "per"
    info: ClassVar[MetricInfo] = _info(
        "PER",
        "Word error rate that ignores word order.",
        "Tillmann, Vogel, Ney, Zubiaga, Sawaf (1997), Accelerated DP Based Search for Statistical "
        "Translation, Eurospeech.",
        "A shuffled translation is perfect; blind to synonyms.",
        "its definition over word counts",
    )

    def statistics(self, batch: Batch) -> FloatArray:
        """Return words that are not common, and the length of the best reference, of each item."""
        return _best_rows(batch, self.token_column(batch).rows, _unordered_edits)

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return edits over reference words, in percent."""
        return error_rate(statistics)
