"""METEOR's parameters, and how a language settles those that were left open."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from tenbin.annotation.glossary_words import with_glossary_names
from tenbin.annotation.languages import TokenizerFamily, parse_language
from tenbin.annotation.meteor.normalizer import NORMALIZED_LANGUAGES
from tenbin.annotation.stems import load_stemmer
from tenbin.annotation.tokenizers import METEOR_TOKENIZERS, canonical_tokenizer, load_tokenizer
from tenbin.core.batch import Annotation, AnnotationKind
from tenbin.core.metric import AUTO, Needs
from tenbin.core.part import Entries, Part
from tenbin.core.resource import ResourceIdentity
from tenbin.kernels.alignment.word_matches import Nearness
from tenbin.metrics.meteor.defaults import (
    REQUIRED,
    check_stages,
    default_lemmas,
    default_lexicon,
    default_paraphrases,
    default_threshold,
    kept_stages,
    stage_weights,
    stages_of_task,
    stages_with_resources,
    unused_paraphrases,
)
from tenbin.metrics.meteor.knowledge import NONE, Knowledge, load_knowledge
from tenbin.metrics.meteor.parameters import (
    Compat,
    MeteorTask,
    Similarity,
    Stage,
    VectorKey,
    load_parameters,
    task_for,
)
from tenbin.resources.function_words import default_source
from tenbin.resources.vectors.defaults import default_vectors


@dataclass(frozen=True, kw_only=True)
class MeteorSettings(Part):
    """All that can be chosen.

    Attributes:
        language: The target language; settled by the run.
        tokenizer: ``meteor``, ``meteor-nopunct`` or ``meteor-lower`` (METEOR's own), or any other.
        lowercase: Whether text is lower-cased; METEOR's own normalizer always does.
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
        paraphrases: Paraphrase table: a resource or a file; ``none``; ``auto``: none, be one
            installed or not, unless ``stages`` names the stage: then METEOR's of the language.
        function_words: ``meteor-1.5`` (the English list, as the released program has it for each of
            its languages), ``language`` (that of the language), ``wordfreq``, ``none`` or a file;
            ``auto``: ``language`` for Japanese and Chinese, else ``meteor-1.5``.
        vectors: Word vectors for the vector stage: a resource or a file; ``auto``: those of Tenbin
            for the language.
        vector_key: ``surface`` or ``lemma``: how a word is looked up among the vectors.
        threshold: Least similarity of a vector match; None: that of the vectors, if they are a
            resource for which one was measured, else .80.
        similarity: ``half`` ((1 + cosine) / 2, as published) or ``cosine``.
        characters: Whether lengths and matches are counted in characters.
        compat: Whose habits are kept: ``1.5``, ``meteor-e`` or ``none``.
        beam: Paths that the aligner keeps.
    """

    language: str
    tokenizer: str
    lowercase: bool
    stages: tuple[Stage, ...] | None
    weights: tuple[float, ...] | None
    drop_missing: bool
    task: MeteorTask
    alpha: float | None
    beta: float | None
    gamma: float | None
    delta: float | None
    lexicon: str
    lemmas: bool | None
    paraphrases: str
    function_words: str
    vectors: str | None
    vector_key: VectorKey
    threshold: float | None
    similarity: Similarity
    characters: bool
    compat: Compat
    beam: int

    def __post_init__(self) -> None:
        if self.language != AUTO:
            object.__setattr__(self, "language", parse_language(self.language).code)
        if self.tokenizer not in {AUTO, *METEOR_TOKENIZERS}:
            object.__setattr__(self, "tokenizer", canonical_tokenizer(self.tokenizer))

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield parameters that are out of their range."""
        stages, weights = self.stages, self.weights
        if stages is not None and (not stages or len(set(stages)) != len(stages)):
            yield "stages", "distinct stages, at least one"
        if weights is not None and stages is not None and len(weights) != len(stages):
            yield "weights", "one weight per stage"

    def bind(self, language: str, metric: str) -> Self:  # noqa: ARG002 - messages name METEOR
        """Return the settings with all settled that depends on language and resources."""
        settled = parse_language(language)
        code = settled.code
        tokenizer = self.tokenizer
        if tokenizer == AUTO:
            words = settled.tokenizer(TokenizerFamily.WORDS)
            tokenizer = METEOR_TOKENIZERS[0] if code in NORMALIZED_LANGUAGES else words
        lexicon = default_lexicon(code) if self.lexicon == AUTO else self.lexicon
        paraphrases = self.paraphrases
        if paraphrases == AUTO:
            drops = self.drop_missing
            paraphrases = default_paraphrases(code, self.stages, drop_missing=drops)
        vectors = default_vectors(settled.tag) if self.vectors == AUTO else self.vectors
        found = stages_with_resources(code, lexicon, paraphrases, vectors)
        task = task_for(self.task, code)
        own_lexicon = self.lexicon not in {AUTO, NONE}
        stages = self.stages or stages_of_task(task, found, own_lexicon=own_lexicon)
        weights = self.weights
        if self.drop_missing:
            stages, weights = kept_stages(stages, weights, found)
        check_stages(stages, code, lexicon=lexicon, paraphrases=paraphrases, vectors=vectors)
        defaults = load_parameters(task, code)
        return replace(
            self,
            language=code,
            tokenizer=with_glossary_names(tokenizer, language),
            stages=stages,
            weights=weights
            or stage_weights(stages, defaults, by_position=self.compat is Compat.METEOR_15),
            task=task,
            alpha=_given(self.alpha, defaults.alpha),
            beta=_given(self.beta, defaults.beta),
            gamma=_given(self.gamma, defaults.gamma),
            delta=_given(self.delta, defaults.delta),
            function_words=str(default_source(code))
            if self.function_words == AUTO
            else self.function_words,
            lexicon=lexicon if Stage.SYNONYM in stages else NONE,
            lemmas=default_lemmas(lexicon, code, self.compat)
            if self.lemmas is None
            else self.lemmas,
            paraphrases=paraphrases if Stage.PARAPHRASE in stages else NONE,
            vectors=vectors,
            threshold=_given(self.threshold, default_threshold(vectors)),
        )

    def unused_resources(self, language: str) -> dict[str, str]:
        """Return data that is installed and could be named, by parameter, before binding."""
        matched = self.stages is None or (Stage.PARAPHRASE in self.stages and self.drop_missing)
        if self.paraphrases != AUTO or not matched:
            return {}
        own = language if self.language == AUTO else self.language
        name = unused_paraphrases(parse_language(own).code)
        return {} if name is None else {"paraphrases": name}

    @property
    def annotation(self) -> Annotation:
        """The column that holds the tokens."""
        own = self.tokenizer in METEOR_TOKENIZERS
        method = f"{self.tokenizer}:{self.language}" if own else self.tokenizer
        return Annotation(
            kind=AnnotationKind.TOKENS, method=method, lowercase=self.lowercase and not own
        )

    @property
    def needs(self) -> Needs:
        """Tokens of hypotheses and references, and the data that a preset leaves to the user."""
        missing = [name for name in ("lexicon", "vectors") if getattr(self, name) == REQUIRED]
        return Needs(annotations=frozenset({self.annotation}), parameters=frozenset(missing))

    def identities(self) -> list[ResourceIdentity]:
        """Return which data a score depends on."""
        return self.knowledge().identities() if self.is_bound else []

    def versions(self) -> Entries:
        """Return the versions of the programs that cut words and find stems and lemmas."""
        if not self.is_bound:
            return ()
        stems = load_stemmer(self.language).versions if Stage.STEM in self.settled_stages else ()
        own = self.tokenizer in METEOR_TOKENIZERS
        words = () if own else load_tokenizer(self.tokenizer).versions
        return (*words, *stems, *self.knowledge().lemma_versions)

    def knowledge(self) -> Knowledge:
        """Return the resources of the stages."""
        return load_knowledge(
            language=self.language,
            tokenizer=self.tokenizer,
            function_words=self.function_words,
            lexicon=self.lexicon,
            lemmas=bool(self.lemmas),
            paraphrases=self.paraphrases,
            vectors=self.vectors if Stage.VECTOR in self.settled_stages else None,
            vector_lemmas=self.vector_key is VectorKey.LEMMA,
        )

    @property
    def nearness(self) -> Nearness:
        """When two vectors are near."""
        return Nearness(
            threshold=_given(self.threshold, default_threshold(self.vectors)),
            halved=self.similarity is Similarity.HALF,
            of_equal_words=self.compat is Compat.METEOR_E,
        )

    @property
    def is_bound(self) -> bool:
        """Whether everything is settled that depends on language and resources."""
        named = (self.language, self.tokenizer, self.lexicon, self.paraphrases, self.vectors)
        settled = (*named, self.function_words)
        return AUTO not in settled and None not in (self.stages, self.weights, self.threshold)

    @property
    def settled_stages(self) -> tuple[Stage, ...]:
        """The stages, in order."""
        if self.stages is None:
            raise ValueError("the metric has not been bound to a language")
        return self.stages


def _given(value: float | None, default: float) -> float:
    return default if value is None else value
