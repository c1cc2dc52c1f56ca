"""METEOR as a metric: parameters, statistics, score, alignment."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, Self

import numpy as np

from tenbin.annotation.languages import TokenizerFamily, parse_language
from tenbin.annotation.meteor_normalizer import NORMALIZED_LANGUAGES
from tenbin.annotation.tokenizers import METEOR_TOKENIZERS, canonical_tokenizer
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.batch import Annotation, AnnotationKind, Batch, Column
from tenbin.core.metric import AUTO, BaseMetric, MetricInfo, Needs, Property
from tenbin.core.signature import Signature
from tenbin.kernels.word_matches import Nearness
from tenbin.matching.stage_alignment import AlignedPairs, align_pairs, match_counts
from tenbin.metrics.meteor.defaults import (
    OWN_MORPHOLOGY,
    check_stages,
    default_lexicon,
    default_stages,
    installed_paraphrases,
    stage_weights,
)
from tenbin.metrics.meteor.formula import MeteorParts, meteor_parts
from tenbin.metrics.meteor.knowledge import NONE, Knowledge, load_knowledge
from tenbin.metrics.meteor.parameters import Stage, Task, load_parameters, task_for


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
        tokenizer: ``meteor``, ``meteor-nopunct`` or ``meteor-lower`` (METEOR's own), or any other.
        lowercase: Whether text is lower-cased; METEOR's own normaliser always does.
        stages: The stages, in order; None: those that the language has resources for.
        weights: Weight of each stage, by position; None: those of the task.
        task: What the parameters were tuned for.
        alpha: Weight of recall; None: that of the task.
        beta: Exponent of the fragmentation; None: that of the task.
        gamma: Weight of the penalty; None: that of the task.
        delta: Weight of content words; None: that of the task.
        lexicon: Synonyms: ``wordnet``, another resource or a file; ``none``.
        lemmas: Whether synonyms are looked up by lemma too; None: for all lexicons but WordNet and
            Sudachi, and for WordNet too with compat ``meteor-e``.
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
    lemmas: bool | None = None
    paraphrases: str = AUTO
    function_words: str = "meteor-1.5"
    vectors: str | None = None
    threshold: float = 0.80
    similarity: Similarity = Similarity.HALF
    characters: bool = False
    compat: Compat = Compat.METEOR_15
    beam: int = 40

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tokenizer not in {AUTO, *METEOR_TOKENIZERS}:
            object.__setattr__(self, "tokenizer", canonical_tokenizer(self.tokenizer))
        stages = self.stages
        self.require(
            "stages",
            valid=stages is None or (bool(stages) and len(set(stages)) == len(stages)),
            expected="distinct stages, at least one",
        )
        self.require(
            "weights",
            valid=self.weights is None or stages is None or len(self.weights) == len(stages),
            expected="one weight per stage",
        )
        for parameter in ("alpha", "delta"):
            value = getattr(self, parameter)
            valid = value is None or 0 <= value <= 1
            self.require(parameter, valid=valid, expected="a number from 0 to 1")
        self.require("threshold", valid=0 <= self.threshold <= 1, expected="a number from 0 to 1")
        self.require("beam", valid=self.beam > 0, expected="a number of at least 1")

    def bind(self, language: str) -> Self:
        """Return the metric with everything settled that depends on language and resources."""
        code = parse_language(language).code
        tokenizer = self.tokenizer
        if tokenizer == AUTO:
            words = parse_language(language).tokenizer(TokenizerFamily.WORDS)
            tokenizer = METEOR_TOKENIZERS[0] if code in NORMALIZED_LANGUAGES else words
        lexicon = default_lexicon(code) if self.lexicon == AUTO else self.lexicon
        paraphrases = self.paraphrases
        if paraphrases == AUTO:
            paraphrases = installed_paraphrases(code)
        stages = self.stages or default_stages(code, lexicon, paraphrases, self.vectors)
        check_stages(stages, code, lexicon=lexicon, paraphrases=paraphrases, vectors=self.vectors)
        task = task_for(self.task, code)
        defaults = load_parameters(task, code)
        lemmas = self.lemmas
        if lemmas is None:
            lemmas = self.compat is Compat.METEOR_E or lexicon not in OWN_MORPHOLOGY
        return replace(
            self,
            language=code,
            tokenizer=tokenizer,
            stages=stages,
            weights=self.weights
            or stage_weights(stages, defaults, by_position=self.compat is Compat.METEOR_15),
            task=task,
            alpha=_given(self.alpha, defaults.alpha),
            beta=_given(self.beta, defaults.beta),
            gamma=_given(self.gamma, defaults.gamma),
            delta=_given(self.delta, defaults.delta),
            lexicon=lexicon if Stage.SYNONYM in stages else NONE,
            lemmas=lemmas,
            paraphrases=paraphrases if Stage.PARAPHRASE in stages else NONE,
        )

    @property
    def tokens(self) -> Annotation:
        """The annotation the metric reads."""
        own = self.tokenizer in METEOR_TOKENIZERS
        method = f"{self.tokenizer}:{self.language}" if own else self.tokenizer
        return Annotation(
            kind=AnnotationKind.TOKENS, method=method, lowercase=self.lowercase and not own
        )

    @property
    def needs(self) -> Needs:
        """Tokens of hypotheses and references."""
        return Needs(annotations=frozenset({self.tokens}))

    def statistics(self, batch: Batch) -> FloatArray:
        """Return METEOR's sufficient statistics for the best reference of each item."""
        column = batch.column(self.tokens)
        left, right = batch.pairs()
        counts = self.pair_counts(column, left, right, self._knowledge())
        return counts[batch.best_pairs(self.score(counts), highest=True)]

    def pair_counts(
        self, column: Column, left: IntArray, right: IntArray, knowledge: Knowledge
    ) -> FloatArray:
        """Return the sufficient statistics of each pair of strings."""
        words = column.vocabulary
        lengths = [len(word) if self.characters else 1 for word in words]
        functional = [word in knowledge.function_words.words for word in words]
        return match_counts(
            column.rows,
            left,
            right,
            self._aligned(column, left, right, knowledge),
            np.array(functional, dtype=np.bool_),
            stages=len(self._stages),
            sizes=np.array(lengths, dtype=np.int64),
        )

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return METEOR."""
        return self.parts(statistics).score

    def parts(self, statistics: FloatArray) -> MeteorParts:
        """Return what the score is made of."""
        return meteor_parts(
            statistics,
            np.array(self.weights),
            alpha=self.alpha or 0.0,
            beta=self.beta or 0.0,
            gamma=self.gamma or 0.0,
            delta=self.delta or 0.0,
        )

    def signature(self) -> Signature:
        """Return every choice, and the fingerprints of the resources that are used."""
        plain = super().signature()
        if self.language == AUTO:
            return plain
        entries = [identity.signature_entry for identity in self._knowledge().identities()]
        return replace(plain, resources=tuple(entries))

    @property
    def _stages(self) -> tuple[Stage, ...]:
        if self.stages is None:
            raise ValueError("the metric has not been bound to a language")
        return self.stages

    def _knowledge(self) -> Knowledge:
        return load_knowledge(
            language=self.language,
            function_words=self.function_words,
            lexicon=self.lexicon,
            lemmas=bool(self.lemmas),
            paraphrases=self.paraphrases,
            vectors=self.vectors,
        )

    def _aligned(
        self, column: Column, left: IntArray, right: IntArray, knowledge: Knowledge
    ) -> AlignedPairs:
        nearness = Nearness(
            threshold=self.threshold,
            halved=self.similarity is Similarity.HALF,
            of_equal_words=self.compat is Compat.METEOR_E,
        )
        known = knowledge.of_words(column.vocabulary, self._stages, self.language, nearness)
        quirks = self.compat is not Compat.NONE
        return align_pairs(column.rows, left, right, known, compat=quirks, beam=self.beam)


def _given(value: float | None, default: float) -> float:
    return default if value is None else value
