"""BERTScore (Zhang et al. 2020): each subword and the most similar one of the other side."""

from dataclasses import dataclass, field
from typing import ClassVar

from tenbin.annotation.encoders.settings import Device, NumberType
from tenbin.core.limits import LengthLimit, SegmentUnit
from tenbin.core.metric import AUTO, NAMES_DATA, MetricInfo, Property
from tenbin.core.parameters import Layer, Share
from tenbin.core.run_glossary import RUN
from tenbin.metrics.aggregations.baseline import NONE
from tenbin.metrics.aggregations.greedy import BertScoreMeans
from tenbin.metrics.choices import BertScoreMeasure
from tenbin.metrics.representations.contextual_subwords import ContextualSubwords
from tenbin.metrics.similarity_metric import PenaltyPoint, SimilarityMetric
from tenbin.penalty.choices import STRENGTH, Coefficient, NameSource, Penalty


@dataclass(frozen=True, kw_only=True)
class BertScore(SimilarityMetric):
    """BERTScore: how similar each subword is to the most similar subword of the other side, 0 to 1.

    Precision is the mean over subwords of the translation, recall over those of the reference, F
    their harmonic mean. Special tokens ([CLS], [SEP]) weigh nothing, but may be the most
    similar subword, as in the released package. The best reference counts; a corpus is the mean. An
    empty segment scores 0.
    """

    name: ClassVar[str] = "bertscore"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="BERTScore",
        summary="Each subword and the most similar one of the other side, by vectors in context.",
        citation="Zhang, Kishore, Wu, Weinberger, Artzi (2020), BERTScore: Evaluating Text "
        "Generation with BERT, ICLR.",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset(
            {Property.IDENTITY_IS_BEST, Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}
        ),
        weaknesses="Wrong names and numbers have near vectors and cost little. Scores of different "
        "models or layers do not compare.",
        oracle="bert-score 0.3.13",
        longest=LengthLimit(12_000, SegmentUnit.SUBWORDS),
    )
    representation = ContextualSubwords
    aggregation = BertScoreMeans
    penalty_point = PenaltyPoint.SIDES
    takes_rare = True

    language: str = AUTO
    model: str = field(default=AUTO, metadata=NAMES_DATA)
    layer: Layer | None = None
    idf: bool | str = field(default=False, metadata=NAMES_DATA)
    device: Device = Device.AUTO
    dtype: NumberType = NumberType.FLOAT32
    penalty: Penalty = Penalty.NONE
    names: NameSource = NameSource.AUTO
    strength: Share = STRENGTH
    glossary: str = field(default=RUN, metadata=NAMES_DATA)
    coefficient: Coefficient = Coefficient.DIRECTION
    measure: BertScoreMeasure = BertScoreMeasure.F_SCORE
    baseline: str = field(default=NONE, metadata=NAMES_DATA)
