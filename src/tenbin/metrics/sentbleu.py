"""sentBLEU, the segment baseline of the WMT metrics tasks."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tenbin.annotation.languages import TokenizerFamily
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.mean_references import MeanReferences
from tenbin.core.metric import MetricInfo, Property
from tenbin.metrics.bleu import Bleu
from tenbin.metrics.token_metric import TokenMetric


@dataclass(frozen=True, kw_only=True)
class SentBleu(TokenMetric):
    """Sentence BLEU with exponential smoothing and effective order; a system is the mean.

    The name stands for this one configuration; other smoothings are ``bleu`` with parameters.
    """

    name: ClassVar[str] = "sentbleu"
    family: ClassVar[TokenizerFamily] = TokenizerFamily.COMPARABLE
    info: ClassVar[MetricInfo] = MetricInfo(
        title="sentBLEU",
        summary="Smoothed BLEU of each segment, averaged; the segment baseline of WMT.",
        citation="Mathur, Wei, Freitag, Ma, Bojar (2020), Results of the WMT20 Metrics Shared "
        "Task, WMT.",
        higher_is_better=True,
        minimum=0.0,
        maximum=100.0,
        decimals=2,
        properties=frozenset(
            {
                Property.IDENTITY_IS_BEST,
                Property.REFERENCE_ORDER_FREE,
                Property.MEAN_OF_SEGMENTS,
            }
        ),
        weaknesses="Blind to synonyms; smoothing dominates on short segments.",
        oracle="sacrebleu 2.6.0 (sentence_bleu); DARR tau .3034 on WMT20 en-de",
    )

    def statistics(self, batch: Batch) -> FloatArray:
        """Return rows (sentence BLEU, 1)."""
        return self._rows(self._bleu.statistics(batch))

    def aggregated_statistics(self, batch: Batch, references: MeanReferences) -> FloatArray:
        """Return rows (sentence BLEU, 1) against the mean of references."""
        return self._rows(self._bleu.aggregated_statistics(batch, references))

    @property
    def _bleu(self) -> Bleu:
        return Bleu(tokenizer=self.tokenizer, lowercase=self.lowercase)

    def _rows(self, statistics: FloatArray) -> FloatArray:
        scores = self._bleu.segment_score(statistics)
        return np.column_stack([scores, np.ones(len(scores))])

    def signature_fields(self) -> tuple[tuple[str, str], ...]:
        """Return the facts of sacrebleu's sentence BLEU under sacrebleu's keys."""
        case, tokenizer = super().signature_fields()
        return (case, ("eff", "yes"), tokenizer, ("smooth", "exp"))
