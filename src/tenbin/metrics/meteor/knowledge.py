"""What METEOR's stages know about the words of a pool, from the resources they were given."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tenbin.annotation.concepts import concept_rows
from tenbin.annotation.lemmas import load_lemmatizer
from tenbin.annotation.stems import stem_ids
from tenbin.core.resource import ResourceIdentity
from tenbin.kernels.alignment.match_candidates import Relation
from tenbin.kernels.alignment.word_matches import Nearness, WordKnowledge
from tenbin.matching.paraphrase_tables import paraphrases_for
from tenbin.matching.stage_alignment import StageKnowledge
from tenbin.metrics.meteor.parameters import Stage
from tenbin.resources.file_cache import cached_by_file
from tenbin.resources.function_words import (
    FunctionWords,
    FunctionWordSource,
    load_function_words,
    read_function_words,
)
from tenbin.resources.lexicons.files import WORDNET, load_lexicon
from tenbin.resources.lexicons.lexicon import Lexicon
from tenbin.resources.lexicons.wordnet import load_wordnet
from tenbin.resources.paraphrases import ParaphraseTable
from tenbin.resources.vectors import WordVectors, load_vectors

NONE = "none"

_RELATIONS = {
    Stage.EXACT: Relation.SAME_WORD,
    Stage.STEM: Relation.SAME_CLASS,
    Stage.SYNONYM: Relation.SHARED_SET,
    Stage.PARAPHRASE: Relation.PHRASE,
    Stage.VECTOR: Relation.NEAR_VECTOR,
}
# In the search for an alignment an exact match counts 1 and any other one half (METEOR 1.5).
_BEAM_WEIGHTS = {Stage.EXACT: 1.0}
_OTHER_BEAM_WEIGHT = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Knowledge:
    """The resources of one configuration; None where a stage is not used."""

    function_words: FunctionWords
    lexicon: Lexicon | None = None
    lemma_of: Callable[[str], str] | None = None
    paraphrases: ParaphraseTable | None = None
    vectors: WordVectors | None = None
    vector_key_of: Callable[[str], str] | None = None
    lemma_versions: tuple[tuple[str, str], ...] = ()

    def identities(self) -> list[ResourceIdentity]:
        """Return which data a score depends on."""
        used = (self.function_words, self.lexicon, self.paraphrases, self.vectors)
        return [resource.identity for resource in used if resource is not None]

    def of_words(
        self,
        vocabulary: tuple[str, ...],
        stages: tuple[Stage, ...],
        language: str,
        nearness: Nearness,
    ) -> StageKnowledge:
        """Return what the stages know about a vocabulary."""
        words = WordKnowledge()
        if Stage.STEM in stages:
            words = replace(words, classes=stem_ids(vocabulary, language))
        if Stage.SYNONYM in stages and self.lexicon is not None:
            sets = concept_rows(vocabulary, self.lexicon, self.lemma_of)
            words = replace(words, set_values=sets.values, set_offsets=sets.offsets)
        if Stage.VECTOR in stages and self.vectors is not None:
            key_of = self.vector_key_of
            keys = vocabulary if key_of is None else [key_of(word) for word in vocabulary]
            # METEOR-E looks words up as they are.
            known = self.vectors.look_up(keys, lowercase=False)
            rows = np.where(known.present, known.classes, np.int32(-1))
            words = replace(words, vector_rows=rows, vectors=known.units)
        table = self.paraphrases
        weights = [_BEAM_WEIGHTS.get(stage, _OTHER_BEAM_WEIGHT) for stage in stages]
        return StageKnowledge(
            stages=tuple(_RELATIONS[stage] for stage in stages),
            words=words,
            nearness=nearness,
            phrases=None if table is None else table.index,
            phrase_words=np.empty(0, np.int32) if table is None else table.numbers(vocabulary),
            beam_weights=np.array(weights),
        )


@cached_by_file("function_words", "lexicon", "paraphrases", "vectors")
def load_knowledge(
    *,
    language: str,
    tokenizer: str,
    function_words: str,
    lexicon: str,
    lemmas: bool,
    paraphrases: str,
    vectors: str | None,
    vector_lemmas: bool,
) -> Knowledge:
    """Open the resources of a configuration; ``none`` and None are left out.

    With ``lemmas`` a word is looked up as it stands and by its lemma, and WordNet's own rules for
    base forms are not used. With ``vector_lemmas`` vectors are looked up by lemma alone.
    """
    by_lemma = lemmas and lexicon != NONE
    table = None if paraphrases == NONE else paraphrases_for(paraphrases, language, tokenizer)
    vectors_by_lemma = vector_lemmas and vectors is not None
    lemmatizer = load_lemmatizer(language) if by_lemma or vectors_by_lemma else None
    lemma_of = None if lemmatizer is None else lemmatizer.lemma
    return Knowledge(
        _function_words(function_words, language),
        lexicon=None if lexicon == NONE else _lexicon(lexicon, language, lemmas=lemmas),
        lemma_of=lemma_of if by_lemma else None,
        paraphrases=table,
        vectors=None if vectors is None else load_vectors(vectors, language),
        vector_key_of=lemma_of if vectors_by_lemma else None,
        lemma_versions=() if lemmatizer is None else lemmatizer.versions,
    )


def _lexicon(name: str, language: str, *, lemmas: bool) -> Lexicon:
    if name == WORDNET:
        return load_wordnet(morphology=not lemmas)
    return load_lexicon(name, language)


def _function_words(name: str, language: str) -> FunctionWords:
    if name in list(FunctionWordSource):
        return load_function_words(FunctionWordSource(name), language)
    return read_function_words(Path(name), language)
