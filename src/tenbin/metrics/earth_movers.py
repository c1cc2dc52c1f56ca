"""WMD (Kusner et al. 2015), WE_WPI (Echizen'ya et al. 2019) and MoverScore (Zhao et al. 2019).

Three earth movers' distances: of static vectors, with word positions, of vectors in context.
"""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from tenbin.annotation.encoders.settings import Device, NumberType
from tenbin.core.limits import LengthLimit, SegmentUnit
from tenbin.core.metric import AUTO, NAMES_DATA, MetricInfo, Property
from tenbin.core.parameters import Layer, Share, whole_number
from tenbin.core.run_glossary import RUN
from tenbin.metrics.aggregations.transport import MoverScoreWork, PositionedWork, WordMoversWork
from tenbin.metrics.choices import (
    DistanceForm,
    FlowAlignment,
    MoverScoreVariant,
    OutOfVocabulary,
    PositionPenalty,
    TermFrequency,
)
from tenbin.metrics.representations.counted_words import CountedWords
from tenbin.metrics.representations.joined_subwords import JoinedSubwords
from tenbin.metrics.representations.term_vectors import REFERENCES, TermVectors
from tenbin.metrics.similarity_metric import PenaltyPoint, SimilarityMetric
from tenbin.penalty.choices import STRENGTH, NameSource, Penalty
from tenbin.resources.function_words import FunctionWordSource


@dataclass(frozen=True, kw_only=True)
class WordMovers(SimilarityMetric):
    """WMD: the least work that turns one segment's words into the other's, as a score.

    Each distinct word has the share of its occurrences as weight; moving it to another word costs
    the Euclidean distance of their vectors. The score is 1 / (1 + WMD), 0 to 1, or -WMD. A word
    without a vector is as far from any other word as words that have nothing in common; with
    ``oov="drop"``, as in the paper, it is left out. An empty segment is infinitely far away. The
    best reference counts; a corpus is the mean.
    """

    name: ClassVar[str] = "wmd"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="WMD",
        summary="Word Mover's Distance: the work of moving words to words.",
        citation="Kusner, Sun, Kolkin, Weinberger (2015), From Word Embeddings To Document "
        "Distances, ICML.",
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
        weaknesses="Blind to word order. As good as its vectors.",
        oracle="POT ot.emd2",
        longest=LengthLimit(10_000),
    )
    representation = CountedWords
    aggregation = WordMoversWork
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
    form: DistanceForm = DistanceForm.INVERSE
    stop_words: str = field(default=FunctionWordSource.NONE.value, metadata=NAMES_DATA)

    def __post_init__(self) -> None:
        super().__post_init__()
        # A factor would bring a distance nearer.
        valid = self.form is DistanceForm.INVERSE or self.penalty is Penalty.NONE
        self.require("penalty", valid=valid, expected="none, with form=negative")


@dataclass(frozen=True, kw_only=True)
class WeWpi(SimilarityMetric):
    """WE_WPI: 1 - the work of moving words to words, which costs more the farther they moved.

    Every word has a tf-idf weight, by the references of the test set. The similarity of two words
    is their cosine, lowered by how far apart their relative positions are; moving weight costs
    1 - similarity. The best reference counts; a corpus is the mean. An empty segment scores 0.
    """

    name: ClassVar[str] = "we_wpi"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="WE_WPI",
        summary="Earth mover's distance of words that knows their positions.",
        citation="Echizen'ya, Araki, Hovy (2019), Word Embedding-Based Automatic MT Evaluation "
        "Metric using Word Position Information, NAACL.",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset(
            {
                Property.REFERENCE_ORDER_FREE,
                Property.MEAN_OF_SEGMENTS,
                Property.WEIGHTS_FROM_REFERENCES,
            }
        ),
        weaknesses="The formulas are reconstructed from descriptions and not confirmed by the "
        "authors. Weights depend on the references of the test set: compare systems on one test "
        "set only. As good as its vectors.",
        oracle="POT ot.emd2; worked examples of the reconstruction",
        longest=LengthLimit(4_000),
    )
    representation = TermVectors
    aggregation = PositionedWork
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
    position: PositionPenalty = PositionPenalty.LINEAR
    alignment: FlowAlignment = FlowAlignment.SOFT
    normalized: bool = True
    tf: TermFrequency = TermFrequency.SENTENCE
    clip: bool = True
    idf: str = field(default=REFERENCES, metadata=NAMES_DATA)


@dataclass(frozen=True, kw_only=True)
class MoverScore(SimilarityMetric):
    """MoverScore: the least work that turns one text's subwords into the other's, as a score.

    Subwords weigh their idf in the references of the test set; punctuation and subwords that go on
    with a word weigh nothing. Moving weight costs the Euclidean distance of the vectors. The score
    is 1 / (1 + work) on one layer (v2), or 1 - work on the least, mean and greatest of five layers
    (v1). The best reference counts; a corpus is the mean. A segment without subwords that weigh
    anything is as far away as can be. With ``ngram=2`` pairs of neighbors are moved in place of
    subwords.
    """

    name: ClassVar[str] = "moverscore"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="MoverScore",
        summary="The work of moving subwords to subwords, by vectors in context.",
        citation="Zhao, Peyrard, Liu, Gao, Meyer, Eger (2019), MoverScore: Text Generation "
        "Evaluating with Contextualized Embeddings and Earth Mover Distance, EMNLP.",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset(
            {
                Property.REFERENCE_ORDER_FREE,
                Property.MEAN_OF_SEGMENTS,
                Property.WEIGHTS_FROM_REFERENCES,
            }
        ),
        weaknesses="Weights depend on the references of the test set: compare on one test set "
        "only; those of the published programs depend on the system too (idf=system). Blind to "
        "punctuation.",
        oracle="worked examples; POT ot.emd2 for the work",
        longest=LengthLimit(6_000, SegmentUnit.SUBWORDS),
    )
    representation = JoinedSubwords
    aggregation = MoverScoreWork
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
    variant: MoverScoreVariant = MoverScoreVariant.V2
    ngram: Annotated[int, whole_number(1, 20)] = 1
