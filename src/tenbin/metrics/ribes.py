"""RIBES 1.03 (Isozaki et al. 2010): rank correlation of word order."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.limits import LengthLimit
from tenbin.core.metric import MetricInfo, Property
from tenbin.core.parameters import Exponent
from tenbin.kernels.ranking.order_correlation import order_correlation
from tenbin.metrics.clipped_ngrams import brevity_penalty
from tenbin.metrics.token_metric import TokenMetric, best_segment_rows


@dataclass(frozen=True, kw_only=True)
class Ribes(TokenMetric):
    """RIBES: NKT * P**alpha * BP**beta of the best reference; a corpus is the mean.

    NKT is the share of linked word pairs in reference order, P the share of hypothesis words that
    are linked, BP the brevity penalty. Fewer than two links score 0, unless one word answers one.
    An empty hypothesis, or an empty reference, scores 0.

    Attributes:
        alpha: Weight of the unigram precision.
        beta: Weight of the brevity penalty.
    """

    name: ClassVar[str] = "ribes"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="RIBES",
        summary="Rank correlation of the order of shared words; made for distant language pairs.",
        citation="Isozaki, Hirao, Duh, Sudoh, Tsukada (2010), Automatic Evaluation of Translation "
        "Quality for Distant Language Pairs, EMNLP; as in RIBES 1.03.",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset({Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}),
        weaknesses="Words that are not shared cost little; depends on the tokenizer; repeated "
        "words without a unique neighborhood are not linked, even in identical texts.",
        oracle="RIBES.py 1.03.1",
        longest=LengthLimit(10_000),
    )

    lowercase: bool = True
    alpha: Exponent = 0.25
    beta: Exponent = 0.10

    def statistics(self, batch: Batch) -> FloatArray:
        """Return rows (score, 1)."""
        rows = self.token_column(batch).rows
        left, right = batch.pairs()
        links, ascending = order_correlation(rows.values, rows.offsets, left, right).T
        own, reference = rows.lengths[left], rows.lengths[right]
        single = (links == 1) & (reference == 1)
        pairs = np.maximum(links * (links - 1) / 2, 1.0)
        correlation = np.where(single, 1.0, ascending / pairs)
        linked = np.where(single | (links > 1), links, 0)
        precision = linked / np.maximum(own, 1)
        penalty = brevity_penalty(own.astype(np.float64), reference.astype(np.float64))
        # 0 ** 0 is 1: with alpha 0 a hypothesis without links must still score 0.
        score = np.where(linked > 0, correlation * precision**self.alpha * penalty**self.beta, 0.0)
        return best_segment_rows(batch, score, highest=True)
