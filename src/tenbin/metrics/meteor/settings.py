"""METEOR's parameters, and how a language settles those that were left open."""

from dataclasses import dataclass, field, replace
from typing import Self

from tenbin.annotation.languages import TokenizerFamily, parse_language
from tenbin.annotation.meteor.normalizer import NORMALIZED_LANGUAGES
from tenbin.annotation.tokenizers import METEOR_TOKENIZERS, canonical_tokenizer
from tenbin.core.metric import AUTO, IN_FORMULA, NAMES_DATA, BaseMetric
from tenbin.metrics.meteor.defaults import (
    check_stages,
    default_lemmas,
    default_lexicon,
    installed_paraphrases,
    kept_stages,
    stage_weights,
    stages_of_task,
    stages_with_resources,
)
from tenbin.metrics.meteor.knowledge import NONE
from tenbin.metrics.meteor.parameters import (
    Compat,
    Similarity,
    Stage,
    Task,
    VectorKey,
    load_parameters,
    task_for,
)


@dataclass(frozen=True, kw_only=True)
class MeteorSettings(BaseMetric):
    """All that can be chosen.

    Attributes:
        language: The target language; settled by the run.
        tokenizer: ``meteor``, ``meteor-nopunct`` or ``meteor-lower`` (METEOR's own), or any other.
        lowercase: Whether text is lower-cased; METEOR's own normaliser always does.
        stages: The stages, in order; None: those that the language has resources for, with task
            ``universal`` of these no stems, and synonyms only of a lexicon that is named.
        weights: Weight of each stage, by position; None: those of the task.
        drop_missing: Whether a stage without a resource is left out, with its weight, and not an
            error.
        task: What the parameters were tuned for.
        alpha: Weight of recall; None: that of the task.
        beta: Exponent of the fragmentation; None: that of the task.
        gamma: Weight of the penalty for broken order; None: that of the task.
        delta: Weight of content words; None: that of the task.
        lexicon: Synonyms: ``wordnet``, another resource or a file; ``none``.
        lemmas: Whether synonyms are looked up by lemma too; None: for all lexicons but WordNet and
            Sudachi, and for WordNet too with compat ``meteor-e``.
        paraphrases: Paraphrase table: a resource or a file; ``none``.
        function_words: ``meteor-1.5`` (the English list for every language, as the released program
            does), ``language``, a resource or a file.
        vectors: Word vectors for the vector stage: a resource or a file.
        vector_key: ``surface`` or ``lemma``: how a word is looked up among the vectors.
        threshold: Least similarity of a vector match.
        similarity: ``half`` ((1 + cosine) / 2, as published) or ``cosine``.
        characters: Whether lengths and matches are counted in characters.
        compat: Whose habits are kept: ``1.5``, ``meteor-e`` or ``none``.
        beam: Paths that the aligner keeps.
    """

    language: str = AUTO
    tokenizer: str = AUTO
    lowercase: bool = True
    stages: tuple[Stage, ...] | None = None
    weights: tuple[float, ...] | None = field(default=None, metadata=IN_FORMULA)
    drop_missing: bool = False
    task: Task = Task.AUTO
    alpha: float | None = field(default=None, metadata=IN_FORMULA)
    beta: float | None = field(default=None, metadata=IN_FORMULA)
    gamma: float | None = field(default=None, metadata=IN_FORMULA)
    delta: float | None = field(default=None, metadata=IN_FORMULA)
    lexicon: str = field(default=AUTO, metadata=NAMES_DATA)
    lemmas: bool | None = None
    paraphrases: str = field(default=AUTO, metadata=NAMES_DATA)
    function_words: str = field(default="meteor-1.5", metadata=NAMES_DATA)
    vectors: str | None = field(default=None, metadata=NAMES_DATA)
    vector_key: VectorKey = VectorKey.SURFACE
    threshold: float = 0.80
    similarity: Similarity = Similarity.HALF
    characters: bool = False
    compat: Compat = Compat.METEOR_15
    beam: int = 40

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.language != AUTO:
            object.__setattr__(self, "language", parse_language(self.language).code)
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
        self.require(
            "weights",
            valid=all(0 <= weight <= 1 for weight in self.weights or ()),
            expected="numbers from 0 to 1",
        )
        for parameter in ("beta", "gamma"):
            value = getattr(self, parameter)
            self.require(parameter, valid=value is None or value >= 0, expected="0 or more")
        for parameter in ("alpha", "delta"):
            value = getattr(self, parameter)
            valid = value is None or 0 <= value <= 1
            self.require(parameter, valid=valid, expected="a number from 0 to 1")
        self.require("threshold", valid=0 <= self.threshold <= 1, expected="a number from 0 to 1")
        self.require("beam", valid=self.beam > 0, expected="a number of at least 1")

    def bind(self, language: str) -> Self:
        """Return the metric with everything settled that depends on language and resources."""
        tongue = parse_language(language if self.language == AUTO else self.language)
        code = tongue.code
        tokenizer = self.tokenizer
        if tokenizer == AUTO:
            words = tongue.tokenizer(TokenizerFamily.WORDS)
            tokenizer = METEOR_TOKENIZERS[0] if code in NORMALIZED_LANGUAGES else words
        lexicon = default_lexicon(code) if self.lexicon == AUTO else self.lexicon
        paraphrases = self.paraphrases
        if paraphrases == AUTO:
            paraphrases = installed_paraphrases(code)
        found = stages_with_resources(code, lexicon, paraphrases, self.vectors)
        task = task_for(self.task, code)
        own_lexicon = self.lexicon not in {AUTO, NONE}
        stages = self.stages or stages_of_task(task, found, own_lexicon=own_lexicon)
        weights = self.weights
        if self.drop_missing:
            stages, weights = kept_stages(stages, weights, found)
        check_stages(stages, code, lexicon=lexicon, paraphrases=paraphrases, vectors=self.vectors)
        defaults = load_parameters(task, code)
        return replace(
            self,
            language=code,
            tokenizer=tokenizer,
            stages=stages,
            weights=weights
            or stage_weights(stages, defaults, by_position=self.compat is Compat.METEOR_15),
            task=task,
            alpha=_given(self.alpha, defaults.alpha),
            beta=_given(self.beta, defaults.beta),
            gamma=_given(self.gamma, defaults.gamma),
            delta=_given(self.delta, defaults.delta),
            lexicon=lexicon if Stage.SYNONYM in stages else NONE,
            lemmas=default_lemmas(lexicon, code, self.compat)
            if self.lemmas is None
            else self.lemmas,
            paraphrases=paraphrases if Stage.PARAPHRASE in stages else NONE,
        )

    @property
    def _is_bound(self) -> bool:
        settled = (self.language, self.tokenizer, self.lexicon, self.paraphrases)
        return AUTO not in settled and None not in (self.stages, self.weights)

    @property
    def _stages(self) -> tuple[Stage, ...]:
        if self.stages is None:
            raise ValueError("the metric has not been bound to a language")
        return self.stages


def _given(value: float | None, default: float) -> float:
    return default if value is None else value
