"""BLEU (Papineni et al. 2002), with sacrebleu's numbers."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

import numpy as np

from tenbin.annotation.languages import TokenizerFamily
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.mean_references import MeanReferences
from tenbin.core.metric import MetricInfo, Property
from tenbin.core.parameters import Range
from tenbin.core.part import Part
from tenbin.metrics.clipped_ngrams import ClippedNgrams, Order, brevity_penalty
from tenbin.metrics.token_metric import TokenMetric
from tenbin.metrics.tokens import Tokens


class Smoothing(StrEnum):
    """What stands for the precision of an order without matches (Chen and Cherry 2014)."""

    EXP = "exp"
    FLOOR = "floor"
    ADD_K = "add-k"
    NONE = "none"


class EffectiveOrder(StrEnum):
    """Where the geometric mean stops at the longest n-gram the hypothesis has.

    SEGMENT is the habit of sacrebleu: off for a corpus, on for a single segment.
    """

    SEGMENT = "segment"
    ALWAYS = "always"
    NEVER = "never"


_DEFAULT_VALUES = {Smoothing.FLOOR: 0.1, Smoothing.ADD_K: 1.0}
_SIGNATURE_ORDERS = {
    EffectiveOrder.SEGMENT: "no",
    EffectiveOrder.ALWAYS: "yes",
    EffectiveOrder.NEVER: "never",
}


@dataclass(frozen=True, kw_only=True)
class Bleu(TokenMetric):
    """BLEU: brevity penalty times the geometric mean of clipped n-gram precisions, 0 to 100.

    Segment scores use the effective order, as sacrebleu's sentence BLEU does; the corpus score does
    not. An empty hypothesis, or one without a common word, scores 0.

    Attributes:
        smoothing: ``exp``, ``floor``, ``add-k`` or ``none``.
        smoothing_value: The value of ``floor`` (0.1) and ``add-k`` (1).
        effective_order: ``segment``, ``always`` or ``never``.
    """

    name: ClassVar[str] = "bleu"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="BLEU",
        summary="Clipped n-gram precision with a brevity penalty; the field's oldest habit.",
        citation="Papineni, Roukos, Ward, Zhu (2002), BLEU: a Method for Automatic Evaluation of "
        "Machine Translation, ACL; numbers as Post (2018), A Call for Clarity in Reporting BLEU "
        "Scores, WMT.",
        higher_is_better=True,
        minimum=0.0,
        maximum=100.0,
        decimals=2,
        properties=frozenset({Property.REFERENCE_ORDER_FREE}),
        weaknesses="Blind to synonyms and inflection; weak on single segments; depends on the "
        "tokenizer. A corpus of segments shorter than four tokens scores 0 unless "
        'effective_order="always".',
        oracle="sacrebleu 2.6.0",
    )
    family: ClassVar[TokenizerFamily] = TokenizerFamily.COMPARABLE
    composed_of: ClassVar[tuple[type[Part], ...]] = (Tokens, ClippedNgrams)

    max_order: Order = 4
    smoothing: Smoothing = Smoothing.EXP
    smoothing_value: Annotated[float, Range(least=0, most=1_000, above=True)] | None = None
    effective_order: EffectiveOrder = EffectiveOrder.SEGMENT

    def __post_init__(self) -> None:
        super().__post_init__()
        value = self.smoothing_value
        self.require(
            "smoothing_value",
            valid=value is None or self.smoothing in _DEFAULT_VALUES,
            expected="None; only smoothing floor and add-k take a value",
        )
        # More than one match for none would lift precisions over 1, and BLEU over 100.
        self.require(
            "smoothing_value",
            valid=value is None or self.smoothing is not Smoothing.FLOOR or value <= 1,
            expected="a number of at most 1 with smoothing floor",
        )

    def statistics(self, batch: Batch) -> FloatArray:
        """Return lengths, clipped matches and totals of each item."""
        return self.part(ClippedNgrams).statistics(batch, self.token_column(batch).rows)

    def aggregated_statistics(self, batch: Batch, references: MeanReferences) -> FloatArray:
        """Return lengths, clipped matches and totals against the mean of references."""
        rows = self.token_column(batch).rows
        return self.part(ClippedNgrams).mean_statistics(batch, references, rows)

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return corpus BLEU."""
        return self._bleu(statistics, effective=self.effective_order is EffectiveOrder.ALWAYS)

    def segment_score(self, statistics: FloatArray) -> FloatArray:
        """Return sentence BLEU."""
        return self._bleu(statistics, effective=self.effective_order is not EffectiveOrder.NEVER)

    def precisions(self, statistics: FloatArray) -> FloatArray:
        """Return smoothed precisions in percent, shape (..., N); NaN where there is no n-gram."""
        _, _, matches, totals = self.part(ClippedNgrams).counts(statistics)
        value = self.smoothing_value or _DEFAULT_VALUES.get(self.smoothing, 0.0)
        precisions = np.full(matches.shape, np.nan)
        open_orders = np.ones(matches.shape[:-1], dtype=bool)
        divisor = np.ones(matches.shape[:-1])
        for order in range(self.max_order):
            match, total = matches[..., order], totals[..., order]
            if self.smoothing is Smoothing.ADD_K and order > 0:
                match, total = match + value, total + value
            open_orders = open_orders & (total > 0)
            missing = open_orders & (match == 0)
            if self.smoothing is Smoothing.EXP:
                divisor = np.where(missing, divisor * 2, divisor)
                match = np.where(missing, 1 / divisor, match)
            elif self.smoothing is Smoothing.FLOOR:
                match = np.where(missing, value, match)
            np.divide(100.0 * match, total, out=precisions[..., order], where=open_orders)
        return precisions

    def _bleu(self, statistics: FloatArray, *, effective: bool) -> FloatArray:
        own, reference, matches, _ = self.part(ClippedNgrams).counts(statistics)
        precisions = self.precisions(statistics)
        defined = ~np.isnan(precisions)
        orders = np.maximum(defined.sum(axis=-1), 1) if effective else self.max_order
        with np.errstate(divide="ignore"):
            logarithms = np.where(defined, np.log(np.where(defined, precisions, 1.0)), 0.0)
        if not effective:
            logarithms = np.where(defined, logarithms, -np.inf)
        mean = np.exp(logarithms.sum(axis=-1) / orders)
        scored = matches.any(axis=-1)
        return np.where(scored, brevity_penalty(own, reference) * mean, 0.0)

    def signature_fields(self) -> tuple[tuple[str, str], ...]:
        """Return sacrebleu's facts under sacrebleu's keys."""
        case, tokenizer = super().signature_fields()[:2]
        smooth: str = self.smoothing
        value = self.smoothing_value or _DEFAULT_VALUES.get(self.smoothing)
        if value is not None:
            smooth = f"{self.smoothing}[{value:.2f}]"
            if round(value, 2) != value:
                smooth = f"{self.smoothing}[{value!r}]"
        fields = (case, ("eff", _SIGNATURE_ORDERS[self.effective_order]), tokenizer)
        order = () if self.max_order == 4 else (("order", str(self.max_order)),)  # noqa: PLR2004
        return (*fields, ("smooth", smooth), *order)
