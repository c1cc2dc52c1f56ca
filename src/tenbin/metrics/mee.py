"""MEE (Mukherjee et al. 2020): words matched greedily, by form and then by vector."""

from dataclasses import dataclass, field
from typing import ClassVar

from tenbin.core.limits import LengthLimit
from tenbin.core.metric import AUTO, NAMES_DATA, MetricInfo, Property
from tenbin.core.parameters import Cosine, Share
from tenbin.core.run_glossary import RUN
from tenbin.metrics.aggregations.rounds import MatchingRounds
from tenbin.metrics.choices import OutOfVocabulary
from tenbin.metrics.representations.static_vectors import StaticVectors
from tenbin.metrics.similarity_metric import PenaltyPoint, SimilarityMetric
from tenbin.penalty.choices import STRENGTH, NameSource, Penalty


@dataclass(frozen=True, kw_only=True)
class Mee(SimilarityMetric):
    """MEE: the mean of three F-scores of words matched exactly, by root and by synonym, 0 to 1.

    Each word of the hypothesis takes the first equal word of the reference; then each word without
    a match takes the first remaining word with a cosine of at least ``root`` (of the same root) or
    ``synonym`` (a synonym). F counts the exact matches, those and the roots, all. The best
    reference counts; a corpus is the mean. No match scores 0.
    """

    name: ClassVar[str] = "mee"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="MEE",
        summary="Words matched by form and by vector, in three rounds.",
        citation="Mukherjee, Ala, Shrivastava, Sharma (2020), MEE: An Automatic Metric for "
        "Evaluation Using Embeddings for Machine Translation, DSAA.",
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
        weaknesses="Takes the first word that is near enough, not the nearest; blind to word "
        "order. As good as its vectors.",
        oracle="worked examples of the definition",
        longest=LengthLimit(10_000),
    )
    representation = StaticVectors
    aggregation = MatchingRounds
    penalty_point = PenaltyPoint.SCORE

    tokenizer: str = AUTO
    lowercase: bool = False
    language: str = AUTO
    vectors: str = field(default=AUTO, metadata=NAMES_DATA)
    oov: OutOfVocabulary = OutOfVocabulary.ZERO
    fold_case: bool = True
    min_coverage: Share = 0.1
    penalty: Penalty = Penalty.NONE
    names: NameSource = NameSource.AUTO
    strength: Share = STRENGTH
    glossary: str = field(default=RUN, metadata=NAMES_DATA)
    alpha: Share = 0.9
    root: Cosine = 0.5
    synonym: Cosine = 0.4
    compat: bool = False
