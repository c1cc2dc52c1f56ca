"""What another package would ship: metrics that keep the contracts, and one that breaks them."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Annotation, AnnotationKind, Batch
from tenbin.core.metric import BaseMetric, MetricInfo, Needs, Property


@dataclass(frozen=True, kw_only=True)
class LetterOverlap(BaseMetric):
    """Letters that hypothesis and best reference share over all their letters, a corpus as a mean.

    Attributes:
        lowercase: Whether case is ignored.
        exponent: Power to which the share is raised.
    """

    name: ClassVar[str] = "overlap"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="Overlap",
        summary="Shared letters.",
        citation="None: made up for a test.",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=3,
        properties=frozenset(
            {Property.IDENTITY_IS_BEST, Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}
        ),
        weaknesses="Blind to almost everything.",
        oracle="none",
    )

    lowercase: bool = True
    exponent: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("exponent", valid=self.exponent > 0, expected="a positive number")

    @property
    def _letters(self) -> Annotation:
        return Annotation(
            kind=AnnotationKind.CHARACTERS, method="without-whitespace", lowercase=self.lowercase
        )

    @property
    def needs(self) -> Needs:
        """Characters."""
        return Needs(annotations=frozenset({self._letters}))

    def statistics(self, batch: Batch) -> FloatArray:
        """Return rows (score of the best reference, 1)."""
        shares = [self._share(batch, *pair) for pair in zip(*batch.pairs(), strict=True)]
        scores = np.array(shares) ** self.exponent
        best = scores[batch.best_pairs(scores, highest=True)]
        return np.column_stack([best, np.ones(len(best))])

    def _share(self, batch: Batch, left: int, right: int) -> float:
        rows = batch.column(self._letters).rows
        own, other = set(rows.row(left).tolist()), set(rows.row(right).tolist())
        return len(own & other) / max(len(own | other), 1)


@dataclass(frozen=True, kw_only=True)
class SourceOverlap(LetterOverlap):
    """Letters that hypothesis and source share; reads no reference."""

    name: ClassVar[str] = "source-overlap"
    info: ClassVar[MetricInfo] = replace(
        LetterOverlap.info,
        properties=frozenset({Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}),
    )

    @property
    def needs(self) -> Needs:
        """Characters of hypotheses and sources."""
        return replace(super().needs, references=False, source=True)

    def statistics(self, batch: Batch) -> FloatArray:
        """Return rows (score, 1)."""
        if batch.sources is None:
            raise ValueError("the sources that the metric needs are missing")
        shares = [
            self._share(batch, *pair) for pair in zip(batch.hypotheses, batch.sources, strict=True)
        ]
        return np.column_stack([np.array(shares) ** self.exponent, np.ones(len(shares))])


@dataclass(frozen=True, kw_only=True)
class CarelessOverlap(LetterOverlap):
    """The same with typical faults, each of which a contract must find."""

    name: ClassVar[str] = "careless-overlap"

    def statistics(self, batch: Batch) -> FloatArray:
        """Read the first reference alone, and scale by the batch."""
        first = batch.references.offsets[:-1]
        rows = batch.column(self._letters).rows
        shares = [
            len(set(rows.row(left)) & set(rows.row(right))) / (1 + len(rows.row(right)))
            for left, right in zip(*(side[first] for side in batch.pairs()), strict=True)
        ]
        return np.column_stack([np.array(shares) * len(batch), np.ones(len(shares))])

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return one number for the whole stack."""
        return np.array(statistics[..., 0].sum() / statistics[..., 1].sum())

    def signature_fields(self) -> tuple[tuple[str, str], ...]:
        """Keep the exponent to itself."""
        return super().signature_fields()[:1]
