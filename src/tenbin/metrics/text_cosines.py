"""SV and one-hot similarity (Matsuo, Komachi and Sudoh 2017): cosines of whole texts."""

from dataclasses import dataclass, field
from typing import ClassVar

from tenbin.core.metric import AUTO, NAMES_DATA, MetricInfo, Property
from tenbin.core.parameters import Share
from tenbin.core.run_glossary import RUN
from tenbin.metrics.aggregations.cosines import CosineOfCounts, CosineOfMeans
from tenbin.metrics.choices import OutOfVocabulary, VectorLength
from tenbin.metrics.representations.averaged_vectors import AveragedWords
from tenbin.metrics.representations.spelled_words import EqualWords
from tenbin.metrics.similarity_metric import PenaltyPoint, SimilarityMetric
from tenbin.penalty.choices import STRENGTH, NameSource, Penalty


@dataclass(frozen=True, kw_only=True)
class AveragedVectors(SimilarityMetric):
    """SV: the cosine of the mean word vectors of two segments, -1 to 1.

    Vectors have length 1, or that of their file (``vector_length="raw"``, as in the paper). Each
    word without a vector is a dimension of its own; with ``oov="drop"``, as in the paper, it is
    left out. The best reference counts; a corpus is the mean. An empty segment scores 0.
    """

    name: ClassVar[str] = "sv"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="SV",
        summary="Cosine of averaged word vectors.",
        citation="Matsuo, Komachi, Sudoh (2017), Word-Alignment-Based Segment-Level Machine "
        "Translation Evaluation using Word Embeddings.",
        higher_is_better=True,
        minimum=-1.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset(
            {
                Property.IDENTITY_IS_BEST,
                Property.REFERENCE_ORDER_FREE,
                Property.MEAN_OF_SEGMENTS,
            }
        ),
        weaknesses="Long segments are all alike; blind to word order. As good as its vectors.",
        oracle="worked examples of the definition",
    )
    representation = AveragedWords
    aggregation = CosineOfMeans
    penalty_point = PenaltyPoint.SCORE

    tokenizer: str = AUTO
    lowercase: bool = False
    language: str = AUTO
    vectors: str = field(default=AUTO, metadata=NAMES_DATA)
    oov: OutOfVocabulary = OutOfVocabulary.IDENTITY
    fold_case: bool = True
    min_coverage: Share = 0.1
    penalty: Penalty = Penalty.NONE
    names: NameSource = NameSource.AUTO
    strength: Share = STRENGTH
    glossary: str = field(default=RUN, metadata=NAMES_DATA)
    vector_length: VectorLength = VectorLength.UNIT


@dataclass(frozen=True, kw_only=True)
class OneHot(SimilarityMetric):
    """One-hot similarity: the cosine of the word counts of two segments, 0 to 1.

    A segment is the mean of its words, each a dimension of its own. The best reference counts; a
    corpus is the mean. An empty segment scores 0.
    """

    name: ClassVar[str] = "onehot"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="One-hot",
        summary="Cosine of word counts; the baseline of metrics over word vectors.",
        citation="Matsuo, Komachi, Sudoh (2017), Word-Alignment-Based Segment-Level Machine "
        "Translation Evaluation using Word Embeddings.",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset(
            {
                Property.IDENTITY_IS_BEST,
                Property.REFERENCE_ORDER_FREE,
                Property.MEAN_OF_SEGMENTS,
            }
        ),
        weaknesses="Equal words only, whatever their order; frequent words and punctuation weigh "
        "as much as any other.",
        oracle="published examples of the paper",
    )
    representation = EqualWords
    aggregation = CosineOfCounts
    penalty_point = PenaltyPoint.SCORE

    tokenizer: str = AUTO
    lowercase: bool = False
    language: str = AUTO
    penalty: Penalty = Penalty.NONE
    names: NameSource = NameSource.AUTO
    strength: Share = STRENGTH
    glossary: str = field(default=RUN, metadata=NAMES_DATA)
