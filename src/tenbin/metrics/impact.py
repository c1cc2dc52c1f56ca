"""IMPACT (Echizen-ya and Araki 2007): recursive longest common subsequences."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.batch import Batch
from tenbin.core.limits import LengthLimit
from tenbin.core.metric import AUTO, NAMES_DATA, MetricInfo, Property
from tenbin.core.parameters import Range, Share
from tenbin.core.part import Part
from tenbin.core.run_glossary import RUN
from tenbin.kernels.edits.chunked_subsequence import chunked_subsequence
from tenbin.metrics.f_score import f_by_ratio
from tenbin.metrics.token_metric import TokenMetric, best_segment_rows
from tenbin.metrics.tokens import Tokens
from tenbin.penalty.applied import AppliedPenalty
from tenbin.penalty.choices import STRENGTH, NameSource, Penalty


@dataclass(frozen=True, kw_only=True)
class Impact(TokenMetric):
    """IMPACT: F-score over the chunks of successive longest common subsequences, 0 to 1.

    Each round takes a longest common subsequence of the words still free, weighs each unbroken
    chunk by its length to the power beta, and each later round by another factor alpha. No common
    word scores 0. The best reference counts; a corpus is the mean.

    Attributes:
        alpha: Factor per round, below 1.
        beta: Reward of long chunks, at least 1.
    """

    name: ClassVar[str] = "impact"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="IMPACT",
        summary="Long common chunks, found round by round, reward fluent word order.",
        citation="Echizen-ya, Araki (2007), Automatic Evaluation of Machine Translation based on "
        "Recursive Acquisition of an Intuitive Common Parts Continuum, MT Summit XI.",
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
        weaknesses="Matches exact words only. The formulas follow the authors' description; the "
        "default parameters and the tie-break between equal subsequences are Tenbin's decision.",
        oracle="worked examples, brute force on short segments; no public program is known",
        longest=LengthLimit(10_000),
    )
    composed_of: ClassVar[tuple[type[Part], ...]] = (Tokens, AppliedPenalty)

    lowercase: bool = True
    language: str = AUTO
    penalty: Penalty = Penalty.NONE
    names: NameSource = NameSource.AUTO
    strength: Share = STRENGTH
    glossary: str = field(default=RUN, metadata=NAMES_DATA)
    alpha: Annotated[float, Range(least=0, most=1, below=True)] = 0.1
    beta: Annotated[float, Range(least=1, most=10)] = 1.2

    def statistics(self, batch: Batch) -> FloatArray:
        """Return rows (score, 1)."""
        rows = self.token_column(batch).rows
        left, right = batch.pairs()
        weight = chunked_subsequence(
            rows.values, rows.offsets, left, right, alpha=self.alpha, beta=self.beta
        )
        scores = self._f_score(weight, rows.lengths[left], rows.lengths[right])
        scores = self.part(AppliedPenalty).apply(batch, 0, scores)
        return best_segment_rows(batch, scores, highest=True)

    def _f_score(self, weight: FloatArray, own: IntArray, reference: IntArray) -> FloatArray:
        matched = weight > 0
        root = np.where(matched, weight, 1.0) ** (1 / self.beta)
        recall = root / np.maximum(reference, 1)
        precision = root / np.maximum(own, 1)
        return np.where(matched, f_by_ratio(precision, recall), 0.0)
