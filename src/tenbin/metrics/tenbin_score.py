"""The preset `tenbin`: BERTScore with what was found to agree better with people."""

from dataclasses import dataclass, field
from typing import ClassVar

from tenbin.annotation.encoders.settings import Device, NumberType
from tenbin.core.limits import LengthLimit, SegmentUnit
from tenbin.core.metric import AUTO, NAMES_DATA, MetricInfo, Property
from tenbin.core.parameters import Layer, Share
from tenbin.core.run_glossary import RUN
from tenbin.metrics.aggregations.mixture import GreedyMixture
from tenbin.metrics.representations.sentences import SubwordsAndSentences
from tenbin.metrics.similarity_metric import PenaltyPoint, SimilarityMetric
from tenbin.penalty.choices import Coefficient, NameSource, Penalty

# Chosen on twenty test sets; docs/formulas/tenbin.md has the search and what it is worth.
_POSITION, _PUNCTUATION, _RECALL, _NUMBER, _SENTENCE, _LETTERS = 0.4, 0.5, 0.6, 0.05, 0.15, 0.02


@dataclass(frozen=True, kw_only=True)
class TenbinScore(SimilarityMetric):
    """Tenbin's preset: BERTScore with positions, wrong numbers and the sense of the whole.

    Each subword is compared with the most similar one of the other side, as in BERTScore; those
    that stand far apart are less alike, punctuation weighs less, recall more than precision, and
    wrong numbers are penalized. A share of the score is the cosine of the two texts as a whole, and
    a small one what they have in common letter by letter, which tells apart texts that are the same
    to a model without capitals. The best reference counts; a corpus is the mean. An empty segment
    scores 0.
    """

    name: ClassVar[str] = "tenbin"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="Tenbin",
        summary="BERTScore with positions, numbers and whole sentences, chosen on WMT data.",
        citation="Tenbin; after Zhang et al. (2020), BERTScore: Evaluating Text Generation with "
        "BERT, ICLR.",
        higher_is_better=True,
        minimum=-1.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset(
            {Property.IDENTITY_IS_BEST, Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}
        ),
        weaknesses="Its settings were chosen for translations into English. Scores of different "
        "models or layers do not compare.",
        oracle="bert-score 0.3.13, with all that is added turned off",
        longest=LengthLimit(12_000, SegmentUnit.SUBWORDS),
    )
    representation = SubwordsAndSentences
    aggregation = GreedyMixture
    penalty_point = PenaltyPoint.SIDES
    takes_rare = True

    language: str = AUTO
    model: str = field(default=AUTO, metadata=NAMES_DATA)
    layer: Layer | None = None
    idf: bool | str = field(default=False, metadata=NAMES_DATA)
    device: Device = Device.AUTO
    dtype: NumberType = NumberType.FLOAT32
    penalty: Penalty = Penalty.NUMBERS
    names: NameSource = NameSource.AUTO
    strength: Share = _NUMBER
    glossary: str = field(default=RUN, metadata=NAMES_DATA)
    coefficient: Coefficient = Coefficient.DIRECTION
    position: Share = _POSITION
    punctuation: Share = _PUNCTUATION
    alpha: Share = _RECALL
    sentence: Share = _SENTENCE
    letters: Share = _LETTERS
