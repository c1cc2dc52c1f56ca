"""METEOR as a metric: parameters, statistics, score, alignment."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, Self

import numpy as np

from tenbin.annotation.languages import TokenizerFamily, parse_language
from tenbin.annotation.meteor_normalizer import NORMALIZED_LANGUAGES
from tenbin.annotation.tokenizers import canonical_tokenizer, load_tokenizer
from tenbin.core.alignment import Alignment, Match, MatchKind, Span
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.batch import Annotation, AnnotationKind, Batch, Column
from tenbin.core.metric import AUTO, BaseMetric, MetricInfo, Needs, Property, signature_value
from tenbin.core.signature import Signature
from tenbin.matching.stage_alignment import AlignedPairs, align_pairs, match_counts
from tenbin.metrics.meteor.formula import MeteorParts, meteor_parts
from tenbin.metrics.meteor.knowledge import Knowledge, load_knowledge
from tenbin.metrics.meteor.parameters import (
    MeteorParameters,
    Stage,
    Task,
    load_parameters,
    task_for,
)
from tenbin.version import __version__


class Compat(StrEnum):
    """Which program's habits are kept.

    METEOR_15: the aligner of METEOR 1.5 with its two quirks, its WordNet morphology, weights by
    position in the list of stages. METEOR_E: METEOR-E, which looks synonyms up by surface and lemma
    and lets equal words match by vector too. NONE: no quirks.
    """

    METEOR_15 = "1.5"
    METEOR_E = "meteor-e"
    NONE = "none"


class Similarity(StrEnum):
    """What a vector threshold is compared with."""

    HALF = "half"
    COSINE = "cosine"


@dataclass(frozen=True, kw_only=True)
class Meteor(BaseMetric):
    """METEOR: F-score of words matched by form, stem, synonym, paraphrase or vector, 0 to 1.

    Function words weigh less than content words, and a penalty grows with the number of chunks that
    the matched words fall into. The best reference counts; the corpus score comes from summed
    statistics. No match scores 0.

    Attributes:
        language: The target language; settled by the run.
        tokenizer: ``meteor`` for the languages METEOR normalises, or any other tokeniser.
        lowercase: Whether text is lower-cased; METEOR's own normaliser always does.
        stages: The stages, in order; None: those that the language has resources for.
        weights: Weight of each stage, by position; None: those of the task.
        task: What the parameters were tuned for.
        alpha: Weight of recall; None: that of the task.
        beta: Exponent of the fragmentation; None: that of the task.
        gamma: Weight of the penalty; None: that of the task.
        delta: Weight of content words; None: that of the task.
        lexicon: Synonyms: ``wordnet``, another resource or a file; ``none``.
        paraphrases: Paraphrase table: a resource or a file; ``none``.
        function_words: ``meteor-1.5`` (the English list for every language, as the released program
            does), ``language``, a resource or a file.
        vectors: Word vectors for the vector stage: a resource or a file.
        threshold: Least similarity of a vector match.
        similarity: ``half`` ((1 + cosine) / 2, as published) or ``cosine``.
        characters: Whether lengths and matches are counted in characters.
        compat: Whose habits are kept: ``1.5``, ``meteor-e`` or ``none``.
        beam: Paths that the aligner keeps.
    """

    name: ClassVar[str] = "meteor"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="METEOR",
        summary="Words matched by form, stem, synonym and paraphrase, with a penalty for order.",
        citation="Denkowski, Lavie (2014), Meteor Universal: Language Specific Translation "
        "Evaluation for Any Target Language, WMT; Servan, Bérard, Elloumi, Blanchon, Besacier "
        "(2016), Word2Vec vs DBnary: Augmenting METEOR using Vector Representations or Lexical "
        "Resources, COLING.",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset({Property.IDENTITY_IS_BEST}),
        weaknesses="As good as its resources: without them it is a weighted word F-score. The "
        "fragmentation penalty is harsh on free word order.",
        oracle="METEOR 1.5 and METEOR-E",
    )

    language: str = AUTO
    tokenizer: str = AUTO
    lowercase: bool = True
    stages: tuple[Stage, ...] | None = None
    weights: tuple[float, ...] | None = None
    task: Task = Task.AUTO
    alpha: float | None = None
    beta: float | None = None
    gamma: float | None = None
    delta: float | None = None
    lexicon: str = AUTO
    paraphrases: str = AUTO
    function_words: str = "meteor-1.5"
    vectors: str | None = None
    threshold: float = 0.80
    similarity: Similarity = Similarity.HALF
    characters: bool = False
    compat: Compat = Compat.METEOR_15
    beam: int = 40
