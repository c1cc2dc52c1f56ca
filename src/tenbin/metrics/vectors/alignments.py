"""WAS, MAS and HAS (Song and Roth 2015; Matsuo, Komachi and Sudoh 2017): alignments of vectors."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tenbin.core.arrays import FloatArray, IdArray
from tenbin.core.batch import Batch
from tenbin.core.metric import MetricInfo, Property
from tenbin.kernels.alignment.assignment import assignment
from tenbin.kernels.similarity.threshold_sums import TOLERANCE, link_sums, threshold_sums
from tenbin.metrics.bleu import brevity_penalty
from tenbin.metrics.vectors import alignment_steps
from tenbin.metrics.vectors.block_metric import Reasons
from tenbin.metrics.vectors.blocks import Blocks, Float32Array
from tenbin.metrics.vectors.choices import Rejected, RejectionOrder
from tenbin.metrics.vectors.penalised_blocks import PenalisedVectorMetric

_CITATION = (
    "Matsuo, Komachi, Sudoh (2017), Word-Alignment-Based Segment-Level Machine Translation "
    "Evaluation using Word Embeddings; after Song, Roth (2015), Unsupervised Sparse Vector "
    "Densification for Short Text Similarity, NAACL."
)
_TRAITS = frozenset({Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS})


@dataclass(frozen=True, kw_only=True)
class AlignmentSimilarity(PenalisedVectorMetric):
    """What the three share: the threshold and what becomes of alignments below it.

    Rows are ``(score, 1, hypothesis length, reference length)``, of the best reference.

    Attributes:
        threshold: An alignment with a smaller cosine is rejected; -1 rejects none.
        rejected: What a rejected alignment becomes: ``zero`` (it counts 0) or ``survivors`` (the
            mean is over the others).
        length_penalty: Whether a system's score is multiplied by the brevity penalty of BLEU, from
            its summed lengths; segment scores are not.
    """

    threshold: float = 0.0
    rejected: Rejected = Rejected.ZERO
    length_penalty: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        valid = -1 <= self.threshold <= 1
        self.require("threshold", valid=valid, expected="a number from -1 to 1")

    def statistics(self, batch: Batch) -> FloatArray:
        """Return scores and lengths of each item."""
        rows: FloatArray = self.sweep_statistics(batch, np.array([self.threshold]))[:, 0]
        return rows

    def sweep_statistics(self, batch: Batch, thresholds: FloatArray) -> FloatArray:
        """Return the statistics of each item at each threshold, shape (items, thresholds, 4)."""
        parts = [self.swept_scores(part, thresholds) for _, part in self.parts(batch)]
        plain = np.concatenate(parts) if parts else np.empty((0, len(thresholds)))
        scores = self.lowered(batch, plain)
        lengths = self.token_column(batch).rows.lengths
        left, right = batch.pairs()
        swept = np.empty((len(batch), len(thresholds), 4))
        for place in range(len(thresholds)):
            best = batch.best_pairs(scores[:, place], highest=True)
            swept[:, place, 0] = scores[best, place]
            swept[:, place, 1] = 1.0
            swept[:, place, 2] = lengths[left[best]]
            swept[:, place, 3] = lengths[right[best]]
        return swept

    def segment_score(self, statistics: FloatArray) -> FloatArray:
        """Return the mean of segment scores, whatever their lengths."""
        return super().score(statistics)

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return the mean of segment scores, with a penalty for a short text where asked for."""
        mean = super().score(statistics)
        if not self.length_penalty:
            return mean
        return mean * brevity_penalty(statistics[..., 2], statistics[..., 3])

    def block_scores(self, batch: Batch, first: int, part: Blocks) -> FloatArray:  # noqa: ARG002
        """Return the scores of some pairs."""
        scores: FloatArray = self.swept_scores(part, np.array([self.threshold]))[:, 0]
        return scores

    @abstractmethod
    def swept_scores(self, part: Blocks, thresholds: FloatArray) -> FloatArray:
        """Return the score of each pair at each threshold."""

    def mean(self, totals: FloatArray, kept: FloatArray, all_of: FloatArray) -> FloatArray:
        """Return totals over what was kept, or over all there is; over nothing it is 0."""
        counts = kept if self.rejected is Rejected.SURVIVORS else all_of[:, None]
        counts = np.broadcast_to(counts, totals.shape)
        return np.divide(totals, counts, out=np.zeros(totals.shape), where=counts > 0)

    def kept(self, similarities: Float32Array) -> np.ndarray:
        """Return which similarities reach the threshold."""
        reached: np.ndarray = similarities >= self.threshold - TOLERANCE
        return reached


@dataclass(frozen=True, kw_only=True)
class Was(AlignmentSimilarity):
    """WAS: the mean cosine of every word of the hypothesis with every word of the reference.

    Cosines below the threshold count 0 (or are left out). The best reference counts; a corpus is
    the mean. An empty segment scores 0.
    """

    name: ClassVar[str] = "was"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="WAS",
        summary="Whole Alignment Similarity: mean cosine of all pairs of words.",
        citation=_CITATION,
        higher_is_better=True,
        minimum=-1.0,
        maximum=1.0,
        decimals=4,
        properties=_TRAITS,
        weaknesses="Falls with the length of a segment, as most pairs of words are unlike; "
        "identical texts do not score 1. Blind to word order. As good as its vectors.",
        oracle="worked examples of the definition",
    )

    def swept_scores(self, part: Blocks, thresholds: FloatArray) -> FloatArray:
        """Return the score of each pair at each threshold."""
        sums = threshold_sums(part.values, part.starts, part.heights, part.widths, thresholds)
        area = (part.heights * part.widths).astype(np.float64)
        return self.mean(sums[:, :, 0], sums[:, :, 1], area)

    def reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return all links that are kept, and their mean."""
        sides = self.sides(batch, pair)
        kept = self.kept(similarities)
        return alignment_steps.whole(sides, similarities, kept, self.threshold, self.rejected)


@dataclass(frozen=True, kw_only=True)
class Mas(AlignmentSimilarity):
    """MAS: the mean cosine of each word with the most similar word of the other side.

    The mean of both directions. A word whose cosines are all below the threshold counts 0 (or is
    left out). The best reference counts; a corpus is the mean. An empty segment scores 0.
    """

    name: ClassVar[str] = "mas"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="MAS",
        summary="Maximum Alignment Similarity: each word and its most similar one, both ways.",
        citation=_CITATION,
        higher_is_better=True,
        minimum=-1.0,
        maximum=1.0,
        decimals=4,
        properties=_TRAITS | {Property.IDENTITY_IS_BEST},
        weaknesses="A word may answer many; blind to word order. As good as its vectors.",
        oracle="worked examples of the definition",
    )

    def swept_scores(self, part: Blocks, thresholds: FloatArray) -> FloatArray:
        """Return the score of each pair at each threshold."""
        sums = threshold_sums(part.values, part.starts, part.heights, part.widths, thresholds)
        own = self.mean(sums[:, :, 2], sums[:, :, 3], part.heights.astype(np.float64))
        other = self.mean(sums[:, :, 4], sums[:, :, 5], part.widths.astype(np.float64))
        return (own + other) / 2

    def reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return the best link of each word, and the means of both directions."""
        sides = self.sides(batch, pair)
        kept = self.kept(similarities)
        return alignment_steps.maximum(sides, similarities, kept, self.threshold, self.rejected)


@dataclass(frozen=True, kw_only=True)
class Has(AlignmentSimilarity):
    """HAS: the mean cosine of words that are matched one to one so that the sum is largest.

    As many words are matched as the shorter side has. Links below the threshold count 0 (or are
    left out). The best reference counts; a corpus is the mean. An empty segment scores 0.

    Attributes:
        order: Whether weak links are rejected after the matching (``match_then_reject``) or count
            0 before it (``zero_first``).
    """

    name: ClassVar[str] = "has"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="HAS",
        summary="Hungarian Alignment Similarity: the best one-to-one matching of words.",
        citation=_CITATION,
        higher_is_better=True,
        minimum=-1.0,
        maximum=1.0,
        decimals=4,
        properties=_TRAITS | {Property.IDENTITY_IS_BEST},
        weaknesses="Words that the longer side has more cost nothing; blind to word order. As good "
        "as its vectors.",
        oracle="scipy linear_sum_assignment; worked examples of the definition",
    )

    order: RejectionOrder = RejectionOrder.MATCH_THEN_REJECT

    def swept_scores(self, part: Blocks, thresholds: FloatArray) -> FloatArray:
        """Return the score of each pair at each threshold."""
        shorter = np.minimum(part.heights, part.widths).astype(np.float64)
        if self.order is RejectionOrder.MATCH_THEN_REJECT:
            sums = self._linked(part, part.values, thresholds)
        else:
            steps = [self._zeroed(part, np.array([one])) for one in thresholds]
            sums = np.concatenate(steps, axis=1)
        return self.mean(sums[:, :, 0], sums[:, :, 1], shorter)

    def reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return the links of the matching that are kept, and their mean."""
        height, width = similarities.shape
        flat = similarities.reshape(-1)
        if self.order is RejectionOrder.ZERO_FIRST:
            flat = np.where(self.kept(flat), flat, np.float32(0))
        bounds = np.array([0, flat.size])
        columns = assignment(flat, bounds, np.array([height]), np.array([width]))
        kept = np.zeros(similarities.shape, dtype=np.bool_)
        matched = np.flatnonzero(columns >= 0)
        kept[matched, columns[matched]] = True
        kept &= self.kept(similarities)
        sides = self.sides(batch, pair)
        return alignment_steps.one_to_one(sides, similarities, kept, self.threshold, self.rejected)

    def _zeroed(self, part: Blocks, threshold: FloatArray) -> FloatArray:
        reached = part.values >= threshold[0] - TOLERANCE
        return self._linked(part, np.where(reached, part.values, np.float32(0)), threshold)

    def _linked(self, part: Blocks, matched_by: Float32Array, thresholds: FloatArray) -> FloatArray:
        columns: IdArray = assignment(matched_by, part.starts, part.heights, part.widths)
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(part.heights)])
        return link_sums(part.values, part.starts, part.widths, columns, offsets, thresholds)
