"""WAS, MAS and HAS (Song and Roth 2015; Matsuo, Komachi and Sudoh 2017): alignments of vectors."""

from dataclasses import dataclass, field
from typing import ClassVar

from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.limits import LengthLimit
from tenbin.core.metric import AUTO, NAMES_DATA, MetricInfo, Property
from tenbin.core.parameters import Cosine, Share
from tenbin.core.run_glossary import RUN
from tenbin.metrics.aggregations.thresholded import MeanOfAll, MeanOfMatching, MeanOfMaxima
from tenbin.metrics.choices import OutOfVocabulary, Rejected, RejectionOrder
from tenbin.metrics.representations.static_vectors import StaticVectors
from tenbin.metrics.similarity_metric import PenaltyPoint, SimilarityMetric
from tenbin.metrics.threshold_sweep import swept_statistics
from tenbin.penalty.choices import STRENGTH, NameSource, Penalty

_CITATION = (
    "Matsuo, Komachi, Sudoh (2017), Word-Alignment-Based Segment-Level Machine Translation "
    "Evaluation using Word Embeddings; after Song, Roth (2015), Unsupervised Sparse Vector "
    "Densification for Short Text Similarity, NAACL."
)
_TRAITS = frozenset({Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS})


@dataclass(frozen=True, kw_only=True)
class Was(SimilarityMetric):
    """WAS: the mean cosine of every word of the hypothesis with every word of the reference.

    Cosines below the threshold count 0 (or are left out). With the default threshold of 1 only
    equal words count; ``was-paper`` takes all pairs, as equation 3 of the paper does. The best
    reference counts; a corpus is the mean. An empty segment scores 0.
    """

    name: ClassVar[str] = "was"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="WAS",
        summary="Whole Alignment Similarity: mean cosine of all pairs of words.",
        citation=_CITATION,
        higher_is_better=True,
        minimum=-1.0,
        maximum=1.0,
        decimals=4,
        properties=_TRAITS,
        weaknesses="Falls with the length of a segment, as most pairs of words are unlike; "
        "identical texts do not score 1. Blind to word order. At its best with a threshold of 1, "
        "the default, where word vectors no longer matter; MAS and HAS rank segments better.",
        oracle="worked examples of the definition",
        longest=LengthLimit(10_000),
    )
    representation = StaticVectors
    aggregation = MeanOfAll
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
    # Matsuo et al. (2017), section 5: best on NTCIR-8; so it is on all WMT sets that were held out.
    threshold: Cosine = 1.0
    rejected: Rejected = Rejected.ZERO
    length_penalty: bool = False

    def sweep_statistics(self, batch: Batch, thresholds: FloatArray) -> FloatArray:
        """Return the statistics of each item at each threshold, shape (items, thresholds, 4)."""
        return swept_statistics(self, batch, thresholds)


@dataclass(frozen=True, kw_only=True)
class Mas(SimilarityMetric):
    """MAS: the mean cosine of each word with the most similar word of the other side.

    The mean of both directions. A word whose cosines are all below the threshold counts 0 (or is
    left out). The best reference counts; a corpus is the mean. An empty segment scores 0.
    """

    name: ClassVar[str] = "mas"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="MAS",
        summary="Maximum Alignment Similarity: each word and its most similar one, both ways.",
        citation=_CITATION,
        higher_is_better=True,
        minimum=-1.0,
        maximum=1.0,
        decimals=4,
        properties=_TRAITS | {Property.IDENTITY_IS_BEST},
        weaknesses="A word may answer many; blind to word order. As good as its vectors.",
        oracle="worked examples of the definition",
        longest=LengthLimit(10_000),
    )
    representation = StaticVectors
    aggregation = MeanOfMaxima
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
    threshold: Cosine = 0.0
    rejected: Rejected = Rejected.ZERO
    length_penalty: bool = False

    def sweep_statistics(self, batch: Batch, thresholds: FloatArray) -> FloatArray:
        """Return the statistics of each item at each threshold, shape (items, thresholds, 4)."""
        return swept_statistics(self, batch, thresholds)


@dataclass(frozen=True, kw_only=True)
class Has(SimilarityMetric):
    """HAS: the mean cosine of words that are matched one to one so that the sum is largest.

    As many words are matched as the shorter side has. Links below the threshold count 0 (or are
    left out). The best reference counts; a corpus is the mean. An empty segment scores 0.
    """

    name: ClassVar[str] = "has"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="HAS",
        summary="Hungarian Alignment Similarity: the best one-to-one matching of words.",
        citation=_CITATION,
        higher_is_better=True,
        minimum=-1.0,
        maximum=1.0,
        decimals=4,
        properties=_TRAITS | {Property.IDENTITY_IS_BEST},
        weaknesses="Words that the longer side has more cost nothing; blind to word order. As good "
        "as its vectors.",
        oracle="scipy linear_sum_assignment; worked examples of the definition",
        longest=LengthLimit(6_000),
    )
    representation = StaticVectors
    aggregation = MeanOfMatching
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
    threshold: Cosine = 0.0
    rejected: Rejected = Rejected.ZERO
    length_penalty: bool = False
    order: RejectionOrder = RejectionOrder.MATCH_THEN_REJECT

    def sweep_statistics(self, batch: Batch, thresholds: FloatArray) -> FloatArray:
        """Return the statistics of each item at each threshold, shape (items, thresholds, 4)."""
        return swept_statistics(self, batch, thresholds)
