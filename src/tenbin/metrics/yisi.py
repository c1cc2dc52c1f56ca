"""YiSi-0, YiSi-1 and YiSi-2 (Lo 2019) on words, static vectors and vectors in context.

Without semantic roles. One aggregation for all of them: they differ in their representation.
"""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from tenbin.annotation.encoders.settings import Device, NumberType
from tenbin.core.limits import LengthLimit, SegmentUnit
from tenbin.core.metric import AUTO, NAMES_DATA, MetricInfo, Property
from tenbin.core.parameters import Layer, Share, whole_number
from tenbin.core.run_glossary import RUN
from tenbin.metrics.aggregations.windows import NgramWindows
from tenbin.metrics.choices import REQUIRED, OutOfVocabulary, WeightSource
from tenbin.metrics.representations.bilingual_vectors import BilingualVectors
from tenbin.metrics.representations.spelled_words import SpelledWords
from tenbin.metrics.representations.static_vectors import RareWordVectors
from tenbin.metrics.representations.text_subwords import BilingualSubwords, TextSubwords
from tenbin.metrics.similarity_metric import PenaltyPoint, SimilarityMetric
from tenbin.penalty.choices import STRENGTH, NameSource, Penalty

_CITATION = (
    "Lo (2019), YiSi - a Unified Semantic MT Quality Evaluation and Estimation Metric for "
    "Languages with Different Levels of Available Resources, WMT."
)
_TRAITS = frozenset(
    {
        Property.IDENTITY_IS_BEST,
        Property.REFERENCE_ORDER_FREE,
        Property.MEAN_OF_SEGMENTS,
        Property.WEIGHTS_FROM_REFERENCES,
    }
)
_TRAITS_BY_SOURCE = frozenset(
    {
        Property.REFERENCE_ORDER_FREE,
        Property.MEAN_OF_SEGMENTS,
        Property.WEIGHTS_FROM_SOURCES,
    }
)


@dataclass(frozen=True, kw_only=True)
class Yisi0(SimilarityMetric):
    """YiSi-0: n-grams of the other side, words compared by their longest common substring, 0 to 1.

    Two words are 2 × the longest common run of bytes / both lengths alike. Rare words weigh more.
    The best reference counts; a corpus is the mean. An empty segment scores 0.
    """

    name: ClassVar[str] = "yisi0"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="YiSi-0",
        summary="n-grams of words that share letters, rare words first; needs no resource.",
        citation=_CITATION,
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=_TRAITS,
        weaknesses="Weights depend on the test set: compare systems on one test set only. Words "
        "that share letters by chance count as alike.",
        oracle="YiSi (chikiulo/yisi fd07bfc), its sample data",
        longest=LengthLimit(8_000),
    )
    representation = SpelledWords
    aggregation = NgramWindows
    penalty_point = PenaltyPoint.SCORE

    tokenizer: str = AUTO
    lowercase: bool = False
    alpha: Share = 0.8
    ngram: Annotated[int, whole_number(1, 20)] = 3
    language: str = AUTO
    penalty: Penalty = Penalty.NONE
    names: NameSource = NameSource.AUTO
    strength: Share = STRENGTH
    glossary: str = field(default=RUN, metadata=NAMES_DATA)


@dataclass(frozen=True, kw_only=True)
class Yisi1(SimilarityMetric):
    """YiSi-1: n-grams of the other side, words compared by vectors, 0 to 1.

    Words that are equal but for the case of letters A to Z are fully alike, others by their cosine,
    or 0 if that is negative or a vector is missing. Rare words weigh more. The best reference
    counts; a corpus is the mean. An empty segment scores 0.
    """

    name: ClassVar[str] = "yisi1"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="YiSi-1",
        summary="n-grams of words with near vectors, rare words first.",
        citation=_CITATION,
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=_TRAITS,
        weaknesses="Static vectors in place of the contextual ones of the WMT submissions. Weights "
        "depend on the test set: compare systems on one test set only.",
        oracle="YiSi (chikiulo/yisi fd07bfc), its sample data",
        longest=LengthLimit(8_000),
    )
    representation = RareWordVectors
    aggregation = NgramWindows
    penalty_point = PenaltyPoint.SCORE

    tokenizer: str = AUTO
    lowercase: bool = False
    language: str = AUTO
    vectors: str = field(default=AUTO, metadata=NAMES_DATA)
    oov: OutOfVocabulary = OutOfVocabulary.IDENTITY
    fold_case: bool = True
    min_coverage: Share = 0.1
    alpha: Share = 0.8
    ngram: Annotated[int, whole_number(1, 20)] = 3
    penalty: Penalty = Penalty.NONE
    names: NameSource = NameSource.AUTO
    strength: Share = STRENGTH
    glossary: str = field(default=RUN, metadata=NAMES_DATA)


@dataclass(frozen=True, kw_only=True)
class Yisi2(SimilarityMetric):
    """YiSi-2: n-grams of source and translation, words compared across languages, 0 to 1.

    Reads no reference. The vectors of both languages must lie in one space. Words are alike by
    their cosine, or 0 if that is negative or a vector is missing; words that are equal but for the
    case of letters A to Z are fully alike if one of them is not in its table as it stands. Words
    that are rare in the sources weigh more. A corpus is the mean. An empty segment scores 0.
    """

    name: ClassVar[str] = "yisi2"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="YiSi-2",
        summary="n-grams of the source that the translation answers, by bilingual vectors.",
        citation=_CITATION,
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=_TRAITS_BY_SOURCE,
        weaknesses="Static vectors in place of the contextual ones of the WMT submissions, and "
        "tables of two languages in one space are rare. Weights depend on the sources of the test "
        "set, and say little of words of the target language; those of the published program "
        "depend on the system (idf=system).",
        oracle="YiSi (chikiulo/yisi fd07bfc), its sample data",
        longest=LengthLimit(8_000),
    )
    representation = BilingualVectors
    aggregation = NgramWindows

    tokenizer: str = AUTO
    lowercase: bool = False
    language: str = AUTO
    vectors: str = field(default=AUTO, metadata=NAMES_DATA)
    oov: OutOfVocabulary = OutOfVocabulary.IDENTITY
    fold_case: bool = True
    min_coverage: Share = 0.1
    alpha: Share = 0.8
    ngram: Annotated[int, whole_number(1, 20)] = 3
    source_vectors: str = field(default=REQUIRED, metadata=NAMES_DATA)
    source_tokenizer: str = "13a"
    idf: WeightSource = WeightSource.SOURCES


@dataclass(frozen=True, kw_only=True)
class ContextYisi1(SimilarityMetric):
    """YiSi-1 in context: n-grams of the other side, subwords compared by a model's vectors, 0 to 1.

    Subwords are as alike as the cosine of their vectors, or 0 if that is negative. Rare
    subwords weigh more. The best reference counts; a corpus is the mean. An empty segment scores 0.

    Attributes:
        ngram: Subwords of an n-gram; as many as the shorter segment has, where that is fewer.
    """

    name: ClassVar[str] = "yisi1-context"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="YiSi-1, contextual",
        summary="n-grams of subwords with near vectors in context, rare subwords first.",
        citation=_CITATION,
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=_TRAITS,
        weaknesses="Without semantic roles. Weights depend on the test set: compare systems on one "
        "test set only.",
        oracle="yisi1 on the same static vectors and words",
        longest=LengthLimit(12_000, SegmentUnit.SUBWORDS),
    )
    representation = TextSubwords
    aggregation = NgramWindows
    penalty_point = PenaltyPoint.SCORE

    language: str = AUTO
    model: str = field(default=AUTO, metadata=NAMES_DATA)
    layer: Layer | None = None
    idf: bool | str = field(default=True, metadata=NAMES_DATA)
    device: Device = Device.AUTO
    dtype: NumberType = NumberType.FLOAT32
    penalty: Penalty = Penalty.NONE
    names: NameSource = NameSource.AUTO
    strength: Share = STRENGTH
    glossary: str = field(default=RUN, metadata=NAMES_DATA)
    alpha: Share = 0.8
    ngram: Annotated[int, whole_number(1, 20)] = 3


@dataclass(frozen=True, kw_only=True)
class ContextYisi2(SimilarityMetric):
    """YiSi-2 in context: n-grams of source and translation, by a model of both languages, 0 to 1.

    Reads no reference. Subwords are as alike as the cosine of their vectors, or 0 if that is
    negative. Subwords that are rare in the sources weigh more. A corpus is the mean. An empty
    segment scores 0.

    Attributes:
        ngram: Subwords of an n-gram; as many as the shorter segment has, where that is fewer.
    """

    name: ClassVar[str] = "yisi2-context"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="YiSi-2, contextual",
        summary="n-grams of the source that the translation answers, by a model of both languages.",
        citation=_CITATION,
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=_TRAITS_BY_SOURCE,
        weaknesses="Without semantic roles. As good as the model at bringing both languages into "
        "one space: a model of one language gives numbers too. Weights depend on the sources of "
        "the test set, and say little of words of the target language.",
        oracle="a plain program over the same vectors; not compared with the WMT submissions",
        longest=LengthLimit(12_000, SegmentUnit.SUBWORDS),
    )
    representation = BilingualSubwords
    aggregation = NgramWindows

    language: str = AUTO
    model: str = field(default=AUTO, metadata=NAMES_DATA)
    layer: Layer | None = None
    idf: bool | str = field(default=True, metadata=NAMES_DATA)
    device: Device = Device.AUTO
    dtype: NumberType = NumberType.FLOAT32
    alpha: Share = 0.8
    ngram: Annotated[int, whole_number(1, 20)] = 3
