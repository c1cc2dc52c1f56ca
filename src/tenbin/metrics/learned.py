"""The learned metric: a joint encoder trained on human judgments, and BERTScore."""

from dataclasses import dataclass, field
from typing import ClassVar

from tenbin.annotation.encoders.settings import Device, NumberType
from tenbin.core.limits import LengthLimit, SegmentUnit
from tenbin.core.metric import AUTO, NAMES_DATA, MetricInfo, Property
from tenbin.core.parameters import Share
from tenbin.core.run_glossary import RUN
from tenbin.metrics.aggregations.judgment import JudgmentMixture
from tenbin.metrics.choices import REQUIRED
from tenbin.metrics.representations.judged_texts import JudgedTexts
from tenbin.metrics.similarity_metric import PenaltyPoint, SimilarityMetric
from tenbin.penalty.choices import NameSource, Penalty

# As those of the preset `tenbin`, which were chosen on twenty test sets.
_NUMBER, _LETTERS = 0.05, 0.02


@dataclass(frozen=True, kw_only=True)
class Learned(SimilarityMetric):
    """A learned score of hypothesis and reference, mixed with BERTScore of the same model, 0 to 1.

    A model reads the reference and the hypothesis together and says how good the translation is,
    as it learned from human judgments. A share of that and of BERTScore is the score, and a small
    one what the texts have in common letter by letter, which tells apart texts that are the same to
    a model without capitals; wrong numbers are penalized. The best reference counts; a corpus is
    the mean. A text that is equal to the reference scores 1, an empty one 0.
    """

    name: ClassVar[str] = "learned"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="Learned",
        summary="What a model learned from human judgments, and BERTScore of the same model.",
        citation="Tenbin; after Sellam, Das, Parikh (2020), BLEURT: Learning Robust Metrics for "
        "Text Generation, ACL, and Zhang et al. (2020), BERTScore, ICLR.",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset(
            {Property.IDENTITY_IS_BEST, Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}
        ),
        weaknesses="Judges texts of one language, and those best that are like what it was trained "
        "on. Scores of different adapters do not compare.",
        oracle="the formula in numpy; bert-score 0.3.13 for its share",
        longest=LengthLimit(12_000, SegmentUnit.SUBWORDS),
    )
    representation = JudgedTexts
    aggregation = JudgmentMixture
    penalty_point = PenaltyPoint.SCORE

    language: str = AUTO
    adapter: str = field(default=REQUIRED, metadata=NAMES_DATA)
    base: str = field(default=AUTO, metadata=NAMES_DATA)
    share: Share | None = None
    device: Device = Device.AUTO
    dtype: NumberType = NumberType.FLOAT32
    penalty: Penalty = Penalty.NUMBERS
    names: NameSource = NameSource.AUTO
    strength: Share = _NUMBER
    glossary: str = field(default=RUN, metadata=NAMES_DATA)
    letters: Share = _LETTERS
