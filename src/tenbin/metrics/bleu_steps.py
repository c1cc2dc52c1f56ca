"""BLEU taken apart in three steps, as the study on ParaEval does (Zhou et al. 2006, table 6)."""

from dataclasses import dataclass
from typing import ClassVar

from tenbin.annotation.languages import TokenizerFamily
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.metric import MetricInfo, Property
from tenbin.core.part import Part
from tenbin.metrics.clipped_ngrams import ClippedNgrams, Order, brevity_penalty
from tenbin.metrics.token_metric import TokenMetric
from tenbin.metrics.tokens import Tokens

_CITATION = (
    "Zhou, Lin, Hovy (2006), Re-evaluating Machine Translation Results with Paraphrase Support, "
    "EMNLP, table 6; Papineni et al. (2002)."
)


def _info(title: str, summary: str, weaknesses: str) -> MetricInfo:
    return MetricInfo(
        title=title,
        summary=summary,
        citation=_CITATION,
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset({Property.REFERENCE_ORDER_FREE}),
        weaknesses=weaknesses,
        oracle="worked example of Papineni et al. (2002); sacrebleu 2.6.0 without smoothing",
    )


@dataclass(frozen=True, kw_only=True)
class ModifiedUnigramPrecision(TokenMetric):
    """MUP: clipped unigram matches over hypothesis words, 0 to 1. An empty hypothesis scores 0."""

    name: ClassVar[str] = "mup"
    info: ClassVar[MetricInfo] = _info(
        "MUP",
        "Clipped unigram precision: the first step of BLEU.",
        "Sees no word order, no recall.",
    )
    family: ClassVar[TokenizerFamily] = TokenizerFamily.COMPARABLE
    composed_of: ClassVar[tuple[type[Part], ...]] = (Tokens, ClippedNgrams)

    max_order: Order = 1

    def statistics(self, batch: Batch) -> FloatArray:
        """Return lengths, clipped matches and totals of each item."""
        return self.part(ClippedNgrams).statistics(batch, self.token_column(batch).rows)

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return the precision of single words."""
        return self.part(ClippedNgrams).plain_precisions(statistics)[..., 0]


@dataclass(frozen=True, kw_only=True)
class GeometricMean(TokenMetric):
    """GM: geometric mean of the clipped precisions of orders 1 to N, unsmoothed, 0 to 1."""

    name: ClassVar[str] = "gm"
    info: ClassVar[MetricInfo] = _info(
        "GM",
        "Geometric mean of clipped n-gram precisions: the second step of BLEU.",
        "0 whenever one order has no match, so of little use on single segments.",
    )
    family: ClassVar[TokenizerFamily] = TokenizerFamily.COMPARABLE
    composed_of: ClassVar[tuple[type[Part], ...]] = (Tokens, ClippedNgrams)

    max_order: Order = 4

    def statistics(self, batch: Batch) -> FloatArray:
        """Return lengths, clipped matches and totals of each item."""
        return self.part(ClippedNgrams).statistics(batch, self.token_column(batch).rows)

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return the geometric mean of the precisions."""
        return self.part(ClippedNgrams).geometric_mean(statistics)


@dataclass(frozen=True, kw_only=True)
class PenalizedGeometricMean(TokenMetric):
    """BP-BLEU: GM times the brevity penalty, 0 to 1; BLEU without smoothing."""

    name: ClassVar[str] = "bp-bleu"
    info: ClassVar[MetricInfo] = _info(
        "BP-BLEU",
        "Geometric mean times brevity penalty: the third step of BLEU.",
        "As GM; the brevity penalty depends on the number of references.",
    )
    family: ClassVar[TokenizerFamily] = TokenizerFamily.COMPARABLE
    composed_of: ClassVar[tuple[type[Part], ...]] = (Tokens, ClippedNgrams)

    max_order: Order = 4

    def statistics(self, batch: Batch) -> FloatArray:
        """Return lengths, clipped matches and totals of each item."""
        return self.part(ClippedNgrams).statistics(batch, self.token_column(batch).rows)

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return BP times GM."""
        ngrams = self.part(ClippedNgrams)
        own, reference, _, _ = ngrams.counts(statistics)
        score: FloatArray = brevity_penalty(own, reference) * ngrams.geometric_mean(statistics)
        return score
