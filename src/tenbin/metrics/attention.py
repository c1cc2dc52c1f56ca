"""WE_WPI-Attention (Echizen'ya 2021): WE_WPI and the context vectors of a trained model."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from tenbin.annotation.context.context_model import ContextVector
from tenbin.annotation.context.recipe import (
    BATCH,
    EMBEDDING,
    EPOCHS,
    LAYERS,
    RATE,
    REPEATS,
    SEED,
    UNITS,
    VOCABULARY,
    BatchSize,
    Layers,
    MostWords,
    Passes,
    Rate,
    Seed,
    Units,
)
from tenbin.core.limits import LengthLimit
from tenbin.core.metric import AUTO, NAMES_DATA, MetricInfo, Property
from tenbin.core.parameters import Range, Share
from tenbin.core.run_glossary import RUN
from tenbin.metrics.aggregations.context_mixture import ContextMixture
from tenbin.metrics.aggregations.trained_context import SOURCE_TOKENIZER, TEST_SET
from tenbin.metrics.choices import (
    FlowAlignment,
    OutOfVocabulary,
    PositionPenalty,
    TermFrequency,
)
from tenbin.metrics.representations.term_vectors import REFERENCES, TermVectors
from tenbin.metrics.similarity_metric import PenaltyPoint, SimilarityMetric
from tenbin.penalty.choices import STRENGTH, NameSource, Penalty

Weight = Annotated[float, Range(least=0, most=1_000)]
# Echizen'ya (2021), section 3.3: the model has seen few texts, so that it counts little.
_CONTEXT_WEIGHT, _WORDS_WEIGHT = 1.0, 10.0


@dataclass(frozen=True, kw_only=True)
class WeWpiAttention(SimilarityMetric):
    """WE_WPI-Attention: WE_WPI and, with a small weight, the cosine of two context vectors.

    An encoder-decoder of two GRUs with attention is trained to predict the sources of the test set
    from its references: the results are transductive. The decoder reads the source beside the
    reference and beside the hypothesis; the mean of what it attends to is the context vector of
    each, and their cosine, or 0 if it is negative, is averaged with WE_WPI. For a language without
    word vectors the score is the cosine alone. The best reference counts; a corpus is the mean. An
    empty segment scores 0.
    """

    name: ClassVar[str] = "we_wpi_attention"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="WE_WPI-Attention",
        summary="WE_WPI and context vectors of a model trained on the test set.",
        citation="Echizen'ya (2021), Application of context vector by attention in automatic "
        "evaluation based on word embedding, Japio YEAR BOOK.",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset(
            {
                Property.REFERENCE_ORDER_FREE,
                Property.MEAN_OF_SEGMENTS,
                Property.WEIGHTS_FROM_REFERENCES,
                Property.WEIGHTS_FROM_SOURCES,
            }
        ),
        weaknesses="Transductive: its model has seen the references of the test set, so scores "
        "compare on one test set only, and a text alone cannot be scored as in its test set. Sizes "
        "and training are not published. Takes minutes of training.",
        oracle="a plain program in 64 bits for network, gradients and vectors; worked examples",
        longest=LengthLimit(4_000),
    )
    representation = TermVectors
    aggregation = ContextMixture
    penalty_point = PenaltyPoint.SCORE
    vectors_optional = True

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
    w1: Weight = _CONTEXT_WEIGHT
    w2: Weight = _WORDS_WEIGHT
    context: str = field(default=TEST_SET, metadata=NAMES_DATA)
    context_vector: ContextVector = ContextVector.ATTENTION
    other_references: bool = False
    source_tokenizer: str = SOURCE_TOKENIZER
    layers: Layers = LAYERS
    units: Units = UNITS
    embedding: Units = EMBEDDING
    rate: Rate = RATE
    epochs: Passes = EPOCHS
    repeats: Passes = REPEATS
    batch: BatchSize = BATCH
    vocabulary: MostWords = VOCABULARY
    seed: Seed = SEED
