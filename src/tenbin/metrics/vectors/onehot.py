"""One-hot similarity (Matsuo, Komachi and Sudoh 2017): the cosine of word counts."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tenbin.core.alignment import Alignment
from tenbin.core.arrays import FloatArray, IntArray, Ragged
from tenbin.core.batch import Batch
from tenbin.core.explanation import Explanation, Step
from tenbin.core.metric import MetricInfo, Property
from tenbin.metrics.penalties import PenalisedMetric
from tenbin.metrics.token_metric import TokenMetric, best_segment_rows
from tenbin.metrics.vectors.links import linked, n
from tenbin.metrics.vectors.word_counts import shared_counts, squared_counts


@dataclass(frozen=True, kw_only=True)
class OneHot(PenalisedMetric, TokenMetric):
    """One-hot similarity: the cosine of the word counts of two segments, 0 to 1.

    A segment is the mean of its words, each a dimension of its own. The best reference counts; a
    corpus is the mean. An empty segment scores 0.
    """

    name: ClassVar[str] = "onehot"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="One-hot",
        summary="Cosine of word counts; the baseline of metrics over word vectors.",
        citation="Matsuo, Komachi, Sudoh (2017), Word-Alignment-Based Segment-Level Machine "
        "Translation Evaluation using Word Embeddings.",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset(
            {
                Property.IDENTITY_IS_BEST,
                Property.REFERENCE_ORDER_FREE,
                Property.MEAN_OF_SEGMENTS,
            }
        ),
        weaknesses="Equal words only, whatever their order; frequent words and punctuation weigh "
        "as much as any other.",
        oracle="published examples of the paper",
    )

    def statistics(self, batch: Batch) -> FloatArray:
        """Return rows (score, 1)."""
        left, right = batch.pairs()
        cosines = _cosines(self.token_column(batch).rows, left, right)
        return best_segment_rows(batch, self.lowered(batch, cosines), highest=True)

    def align(self, batch: Batch, item: int) -> Alignment:
        """Return the equal words of an item and its best reference."""
        return self.explain(batch, item).alignment

    def explain(self, batch: Batch, item: int) -> Explanation:
        """Return the equal words of an item and its best reference, and the way to its score."""
        column = self.token_column(batch)
        right = batch.references.row(item).astype(np.int64)
        left = np.repeat(batch.hypotheses[item], right.size)
        cosines = _cosines(column.rows, left, right)
        first = int(batch.references.offsets[item])
        scores = self.lowered_part(batch, first, cosines)
        best = int(np.argmax(scores))  # the first wins a tie, as in statistics()
        sides = tuple(column.tokens(left[best])), tuple(column.tokens(right[best]))
        equal = np.equal.outer(column.rows.row(left[best]), column.rows.row(right[best]))
        squares = squared_counts(column.rows)
        own, other = float(squares[left[best]]), float(squares[right[best]])
        product = f"{int(equal.sum())} / √({n(own)} × {n(other)})"
        score = float(cosines[best])
        steps = (
            Step(
                "equal pairs", "Σ count here × count there, over all words", "", float(equal.sum())
            ),
            Step("translation", "Σ count², over its words", "", own),
            Step("reference", "Σ count², over its words", "", other),
            Step("score", "cosine of the counts", product if score else "0", score),
        )
        links = linked(sides, equal.astype(np.float64), equal)
        links, all_steps = self.lowered_reasons(batch, first + best, (links, steps))
        return Explanation(
            alignment=links,
            steps=all_steps,
            score=float(scores[best]),
            signature=self.signature(),
            reference=best + 1,
            reference_count=right.size,
        )


def _cosines(rows: Ragged, left: IntArray, right: IntArray) -> FloatArray:
    """Return the cosine of the word counts of each pair of rows."""
    squares = squared_counts(rows)
    lengths = np.sqrt(squares[left] * squares[right])
    shared = shared_counts(rows, left, right)
    cosines = np.divide(shared, lengths, out=np.zeros(len(left)), where=lengths > 0)
    # √(a² b²) may fall a bit short of ab where the two differ.
    return np.minimum(cosines, 1.0)
