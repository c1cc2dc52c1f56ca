"""EED, the extended edit distance (Stanchev et al. 2019)."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, Self

from tenbin.annotation.languages import parse_language
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Annotation, AnnotationKind, Batch
from tenbin.core.limits import LengthLimit, SegmentUnit
from tenbin.core.metric import BaseMetric, MetricInfo, Needs, Property
from tenbin.core.parameters import Cost
from tenbin.kernels.edits.jump_distance import JumpCosts, jump_distance, truncated_jump_distance
from tenbin.metrics.token_metric import best_segment_rows


class EedVariant(StrEnum):
    """The authors published two programs that differ by up to 0.06 on a segment."""

    PYTHON = "python"
    CPP = "cpp"


class EedPreprocessing(StrEnum):
    """The authors' rules for English and Japanese, or none."""

    AUTO = "auto"
    ENGLISH = "en"
    JAPANESE = "ja"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Eed(BaseMetric):
    """EED: character edits with jumps between words, over reference characters, 0 to 1.

    Identical texts score a little above 0 in the Python variant, because positions that the search
    never visits count towards coverage; the C++ variant gives 0. The best reference counts; a
    corpus is the mean.

    Attributes:
        alpha: Cost of a jump.
        rho: Cost of a position visited more than once, or never.
        deletion: Cost of passing over a hypothesis character.
        insertion: Cost of a missing reference character.
        preprocessing: ``en``, ``ja``, ``none``, or ``auto``: ``ja`` for scripts without spaces.
        variant: ``python`` (the paper's definition) or ``cpp`` (the authors' command line).
    """

    name: ClassVar[str] = "eed"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="EED",
        summary="Character edit distance in which whole phrases may move for the price of a jump.",
        citation="Stanchev, Wang, Ney (2019), EED: Extended Edit Distance Measure for Machine "
        "Translation, WMT.",
        higher_is_better=False,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset({Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}),
        weaknesses="Identical texts are not exactly 0; its English pre-processing has quirks "
        "(3.5 becomes '3 .5'); blind to synonyms.",
        oracle="the Python and C++ functions of its authors",
        longest=LengthLimit(60_000, SegmentUnit.CHARACTERS),
    )

    alpha: Cost = 2.0
    rho: Cost = 0.3
    deletion: Cost = 0.2
    insertion: Cost = 1.0
    preprocessing: EedPreprocessing = EedPreprocessing.AUTO
    variant: EedVariant = EedVariant.PYTHON

    def bind(self, language: str) -> Self:
        """Return the metric with the pre-processing settled."""
        if self.preprocessing is not EedPreprocessing.AUTO:
            return self
        spaced = parse_language(language).spaced
        rules = EedPreprocessing.ENGLISH if spaced else EedPreprocessing.JAPANESE
        return replace(self, preprocessing=rules)

    @property
    def _characters(self) -> Annotation:
        rules = self.preprocessing
        method = "unchanged" if rules is EedPreprocessing.NONE else f"eed-{rules}"
        return Annotation(kind=AnnotationKind.CHARACTERS, method=method)

    @property
    def needs(self) -> Needs:
        """Characters after pre-processing."""
        return Needs(annotations=frozenset({self._characters}))

    def statistics(self, batch: Batch) -> FloatArray:
        """Return rows (score, 1)."""
        rows = batch.column(self._characters).rows
        left, right = batch.pairs()
        distance = jump_distance if self.variant is EedVariant.PYTHON else truncated_jump_distance
        costs = JumpCosts(self.alpha, self.rho, self.deletion, self.insertion)
        scores = distance(rows.values, rows.offsets, left, right, costs)
        return best_segment_rows(batch, scores, highest=False)
