"""BLEU taken apart in three steps, as the study on ParaEval does (Zhou et al. 2006, table 6)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.metric import MetricInfo, Property
from tenbin.metrics.bleu import NgramCounts, brevity_penalty

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
class ModifiedUnigramPrecision(NgramCounts):
    """MUP: clipped unigram matches over hypothesis words, 0 to 1. An empty hypothesis scores 0."""

    name: ClassVar[str] = "mup"
    info: ClassVar[MetricInfo] = _info(
        "MUP",
        "Clipped unigram precision: the first step of BLEU.",
        "Sees no word order, no recall.",
    )

    max_order: int = 1

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return the precision of single words."""
        return self.plain_precisions(statistics)[..., 0]

    def plain_precisions(self, statistics: FloatArray) -> FloatArray:
        """Return matches over totals, 0 where there is nothing to count."""
        _, _, matches, totals = self.counts(statistics)
        return np.divide(matches, totals, out=np.zeros(matches.shape), where=totals > 0)

    def signature_fields(self) -> tuple[tuple[str, str], ...]:
        """Return case, tokeniser and order."""
        return (*super().signature_fields()[:2], ("order", str(self.max_order)))


@dataclass(frozen=True, kw_only=True)
class GeometricMean(ModifiedUnigramPrecision):
    """GM: geometric mean of the clipped precisions of orders 1 to N, unsmoothed, 0 to 1."""

    name: ClassVar[str] = "gm"
    info: ClassVar[MetricInfo] = _info(
        "GM",
        "Geometric mean of clipped n-gram precisions: the second step of BLEU.",
        "0 whenever one order has no match, so of little use on single segments.",
    )

    max_order: int = 4

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return the geometric mean of the precisions."""
        product = np.prod(self.plain_precisions(statistics), axis=-1)
        mean: FloatArray = np.power(product, 1 / self.max_order)
        return mean


@dataclass(frozen=True, kw_only=True)
class PenalisedGeometricMean(GeometricMean):
    """BP-BLEU: GM times the brevity penalty, 0 to 1; BLEU without smoothing."""

    name: ClassVar[str] = "bp-bleu"
    info: ClassVar[MetricInfo] = _info(
        "BP-BLEU",
        "Geometric mean times brevity penalty: the third step of BLEU.",
        "As GM; the brevity penalty depends on the number of references.",
    )

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return BP times GM."""
        own, reference, _, _ = self.counts(statistics)
        score: FloatArray = brevity_penalty(own, reference) * super().score(statistics)
        return score
