"""The shorter length over the longer one."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.metric import MetricInfo, Property
from tenbin.metrics.token_metric import TokenMetric


@dataclass(frozen=True, kw_only=True)
class LengthRatio(TokenMetric):
    """Length ratio: words of the shorter side over words of the longer one, 0 to 1.

    Rows are ``(hypothesis words, words of the reference closest in length)``. Two empty sides
    score 1.

    Attributes:
        power: Exponent of the ratio; above 1 it penalizes small differences harder.
    """

    name: ClassVar[str] = "length-ratio"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="Length ratio",
        summary="How well the length of a translation fits its reference.",
        citation="This page.",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=3,
        properties=frozenset({Property.IDENTITY_IS_BEST, Property.REFERENCE_ORDER_FREE}),
        weaknesses="Looks at no word.",
        oracle="its definition",
    )

    power: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("power", valid=self.power > 0, expected="a positive number")

    def statistics(self, batch: Batch) -> FloatArray:
        """Return both lengths of each item."""
        lengths = self.token_column(batch).rows.lengths.astype(np.float64)
        left, right = batch.pairs()
        distance = np.abs(lengths[left] - lengths[right])
        # Closest first, then shorter, so that the order of references does not matter.
        preference = distance * (lengths.max(initial=0.0) + 1) + lengths[right]
        best = batch.best_pairs(preference, highest=False)
        return np.column_stack([lengths[batch.hypotheses], lengths[right[best]]])

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return the ratio of summed lengths."""
        shorter, longer = statistics.min(axis=-1), statistics.max(axis=-1)
        ratio = np.divide(shorter, longer, out=np.ones(np.shape(longer)), where=longer > 0)
        score: FloatArray = ratio**self.power
        return score

    def signature_versions(self) -> tuple[tuple[str, str], ...]:
        """Return our own version beside those of the tokenizer."""
        return (*super().signature_versions(), ("tenbin-length-ratio", "1.0"))
