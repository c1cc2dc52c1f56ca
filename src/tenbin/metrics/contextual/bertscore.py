"""BERTScore (Zhang et al. 2020): each piece and the most similar piece of the other side."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import ClassVar

import numpy as np

from tenbin.annotation.encoders.settings import View
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.metric import NAMES_DATA, MetricInfo, Property
from tenbin.core.resource import ResourceIdentity
from tenbin.metrics.contextual import bertscore_steps
from tenbin.metrics.contextual.baseline import NONE, Baseline, read_baseline
from tenbin.metrics.contextual.greedy_means import harmonic_means
from tenbin.metrics.contextual.greedy_metric import GreedyMetric
from tenbin.metrics.vectors.block_metric import Reasons
from tenbin.metrics.vectors.blocks import Blocks, Float32Array


class Measure(StrEnum):
    """Which of the three numbers is the score: precision, recall, or their harmonic mean."""

    PRECISION = "p"
    RECALL = "r"
    F_SCORE = "f"


@dataclass(frozen=True, kw_only=True)
class BertScore(GreedyMetric):
    """BERTScore: how similar each piece is to the most similar piece of the other side, 0 to 1.

    Precision is the mean over pieces of the translation, recall over those of the reference, F
    their harmonic mean. Marks of the model ([CLS], [SEP]) weigh nothing, but may be the most
    similar piece, as in the released package. The best reference counts; a corpus is the mean. An
    empty segment scores 0.

    Attributes:
        measure: The score: ``f``, ``p`` (precision) or ``r`` (recall).
        baseline: A file of the package bert-score with the scores of unrelated texts, which become
            0, so that scores spread more; scores may then be negative. ``none``: no such file.
    """

    name: ClassVar[str] = "bertscore"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="BERTScore",
        summary="Each piece and its most similar piece of the other side, by vectors in context.",
        citation="Zhang, Kishore, Wu, Weinberger, Artzi (2020), BERTScore: Evaluating Text "
        "Generation with BERT, ICLR.",
        higher_is_better=True,
        minimum=-1.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset(
            {Property.IDENTITY_IS_BEST, Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}
        ),
        weaknesses="Wrong names and numbers have near vectors and cost little. Scores of different "
        "models or layers do not compare.",
        oracle="bert-score 0.3.13",
    )

    measure: Measure = Measure.F_SCORE
    baseline: str = field(default=NONE, metadata=NAMES_DATA)

    def view(self) -> View:
        """Return the layer."""
        return View((self.layer or 0,))

    def block_scores(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return the chosen one of the three numbers for some pairs."""
        return self.three(batch, first, part)[:, list(Measure).index(self.measure)]

    def three(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return precision, recall and F of some pairs, shape (pairs, 3)."""
        precision, recall = self.sides_of(batch, first, part).T
        three = np.column_stack([precision, recall, harmonic_means(precision, recall)])
        return self.rescaled(three)

    def rescaled(self, three: FloatArray) -> FloatArray:
        """Return precision, recall and F with the baseline at 0, if there is one."""
        levels = self.levels()
        if levels is None:
            return three
        return np.asarray((three - levels) / (1 - np.array(levels)), dtype=np.float64)

    def levels(self) -> Baseline | None:
        """Return what unrelated texts score, where a file says it."""
        if self.baseline == NONE:
            return None
        return read_baseline(path=self.baseline, layer=self.layer or 0)[0]

    def reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return the most similar pieces as links, and the way to the score."""
        measure = list(Measure).index(self.measure)
        facts = self.facts(batch, pair, similarities)
        sides = self.sides(batch, pair)
        return bertscore_steps.reasons(sides, similarities, facts, measure, self.levels())

    def identities(self) -> list[ResourceIdentity]:
        """Return which data a score depends on."""
        found = super().identities()
        if self.baseline != NONE:
            found.append(read_baseline(path=self.baseline, layer=self.layer or 0)[1])
        return found

    def signature_fields(self) -> tuple[tuple[str, str], ...]:
        """Return the parameters; the baseline by the name of its file."""
        named = {"baseline": Path(self.baseline).name}
        return tuple((key, named.get(key, value)) for key, value in super().signature_fields())
