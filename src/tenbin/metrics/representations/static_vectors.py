"""Words with vectors from a table, and what is done with words that it lacks."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from tenbin.annotation.glossary_words import with_glossary_names
from tenbin.annotation.languages import Language, TokenizerFamily, parse_language
from tenbin.core.arrays import IdArray, IntArray
from tenbin.core.batch import Batch, Column
from tenbin.core.errors import LowCoverage, UsageError
from tenbin.core.metric import AUTO, Needs
from tenbin.core.part import Entries, Part, SignatureFacts, part_of
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.kernels.similarity.blocks import padded
from tenbin.metrics.choices import OutOfVocabulary
from tenbin.metrics.representations.blocks import BoolArray
from tenbin.metrics.representations.lexical_weights import ascii_lower_classes, learned_weights
from tenbin.metrics.representations.representation import (
    ComparedTokens,
    Representation,
    TokenWeights,
)
from tenbin.metrics.representations.vector_tokens import VectorTokens, kept_words
from tenbin.metrics.tokens import Tokens
from tenbin.resources.lexicons.sudachi import load_sudachi
from tenbin.resources.vectors import WordVectors, load_vectors
from tenbin.resources.vectors.defaults import default_vectors, has_default_vectors
from tenbin.resources.vectors.word_vectors import KnownVectors, sharing_notes

NO_VECTORS = "none"
"""Value of ``vectors`` where a metric can do without: no word has a vector."""

# Below this a reader should be told.
_LOW_COVERAGE = 0.5


def word_tokenizer(language: Language) -> str:
    """Return the tokenizer that cuts a language into the words that tables of vectors list."""
    # The other metrics compare characters of Chinese.
    return "jieba" if language.code == "zh" else language.tokenizer(TokenizerFamily.WORDS)


@dataclass(frozen=True, kw_only=True)
class StaticVectors(Representation):
    """Words that are looked up among vectors; all weigh the same.

    Attributes:
        language: The target language; settled by the run.
        vectors: Word vectors: a resource or a file; ``auto``: those that Tenbin has for the
            language.
        oov: What a word without a vector is compared by: ``identity``, ``drop``, ``zero`` or
            ``subword``.
        fold_case: Whether a word that has no vector as it stands is looked up in lower case.
        min_coverage: Least share of words with a vector; below it nothing is scored.
        vectors_optional: Whether the metric can do without vectors; no parameter.
    """

    composed_of: ClassVar[tuple[type[Part], ...]] = (Tokens,)

    tokenizer: str
    lowercase: bool
    language: str
    vectors: str
    oov: OutOfVocabulary
    fold_case: bool
    min_coverage: float
    vectors_optional: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokenizer", self.tokenization.tokenizer)
        if self.language != AUTO:
            object.__setattr__(self, "language", parse_language(self.language).tag)

    @property
    def tokenization(self) -> Tokens:
        """How texts become words."""
        return part_of(Tokens, self)

    def bind(self, language: str, metric: str) -> Self:
        """Return the part with tokenizer and vectors settled.

        Raises:
            UsageError: Words were to be composed from subwords, and the table has none.
        """
        settled = parse_language(language)
        tokenizer = word_tokenizer(settled) if self.tokenizer == AUTO else self.tokenizer
        tokenizer = with_glossary_names(tokenizer, language)
        vectors = self._default(settled.tag) if self.vectors == AUTO else self.vectors
        bound = replace(self, language=settled.tag, tokenizer=tokenizer, vectors=vectors)
        if not bound.has_vectors:
            return bound
        table = bound.table()
        if self.oov is OutOfVocabulary.SUBWORD and not table.has_subwords:
            raise UsageError(
                f"{metric}: the vectors {table.identity.name!r} have no subwords, so "
                'oov="subword" is not possible; give a .bin file of fastText, or choose '
                'oov="identity".'
            )
        bound.identities()  # what is missing is told now
        return bound

    def _default(self, language: str) -> str:
        if self.vectors_optional and not has_default_vectors(language):
            return NO_VECTORS
        return default_vectors(language)

    @property
    def has_vectors(self) -> bool:
        """Whether words have vectors at all."""
        return not (self.vectors_optional and self.vectors == NO_VECTORS)

    @property
    def is_bound(self) -> bool:
        """Whether everything is settled that depends on the language."""
        return AUTO not in (self.language, self.tokenizer, self.vectors)

    @property
    def needs(self) -> Needs:
        """Tokens and vectors."""
        vectors = Needs(resources=frozenset({ResourceKind.VECTORS} if self.has_vectors else ()))
        return Needs.of_all((super().needs, self.tokenization.needs, vectors))

    def table(self) -> WordVectors:
        """Return the vectors."""
        return load_vectors(self.vectors, self.language)

    def identities(self) -> list[ResourceIdentity]:
        """Return which data a score depends on."""
        return [self.table().identity] if self.is_bound and self.has_vectors else []

    def versions(self) -> Entries:
        """Return the versions behind the tokenizer."""
        return self.tokenization.versions()

    def signature_facts(self) -> SignatureFacts:
        """Return tokens under sacrebleu's keys; vectors by their name and precision."""
        plain = self.tokenization.signature_facts()
        if not self.is_bound or not self.has_vectors:
            return plain
        table = self.table()
        return replace(
            plain,
            names={"vectors": table.identity.name},
            last=(("precision", str(table.precision)),),
        )

    def key(self) -> tuple[Hashable, ...]:
        """Return all that the words and their similarities depend on."""
        key = (self.tokenization.annotation, self.vectors, self.language, self.oov, self.fold_case)
        return (*key, type(self).classes)

    def column(self, batch: Batch) -> Column:
        """Return the words of the pool as they stand."""
        return batch.column(self.tokenization.annotation)

    def lengths(self, batch: Batch) -> IntArray:
        """Return how many words texts have, those that are dropped included."""
        return self.column(batch).rows.lengths

    def tokens(self, batch: Batch) -> ComparedTokens:
        """Return the words of the pool."""
        return self.words(batch)

    def words(self, batch: Batch) -> VectorTokens:
        """Return the words of the pool, one by one."""
        column, key = self.column(batch), StaticVectors.key(self)
        return batch.once(("vector words", *key), lambda: self._looked_up(column))

    @staticmethod
    def classes(found: KnownVectors) -> IdArray:
        """Return for each word the number of a class; words of one class are the same word."""
        return found.classes

    def notes(self, batch: Batch) -> list[str]:
        """Return a note if few words have a vector; raise `LowCoverage` if hardly any has."""
        if not self.has_vectors:
            return []
        used = np.unique(np.concatenate([batch.hypotheses, batch.references.values]))
        column, words = self.column(batch), self.found(batch)
        notes = self.coverage_notes(column, used, words.known, self.table())
        return [*notes, *self.shared_notes(column, used, words.shared, self.table())]

    def found(self, batch: Batch) -> VectorTokens:
        """Return the words, those of the target language first, and what is known about them."""
        return self.words(batch)

    def coverage_notes(
        self, column: Column, strings: IntArray, known: BoolArray, table: WordVectors
    ) -> list[str]:
        """Return a note on vectors that lack most of the words; raise if they lack nearly all.

        Only tokens with a letter count: punctuation and digits are alike in most languages, and
        would hide that the vectors are those of another one.
        """
        spelled = np.array(
            [any(map(str.isalpha, word)) for word in column.vocabulary], dtype=np.bool_
        )
        words = _words_of(column, strings)
        words = words[spelled[words]]
        share = float(known[words].mean()) if len(words) else 1.0
        vectors = table.identity.name
        if share < self.min_coverage:
            raise LowCoverage(vectors, share, self.min_coverage, self.language)
        if share >= _LOW_COVERAGE:
            return []
        found = f"only {share:.0%} of the words have a vector in {vectors!r}"
        advice = (
            "scores rest on the spelling of the others; are these vectors of the right language?"
        )
        return [f"{found}: {advice}"]

    @staticmethod
    def shared_notes(
        column: Column, strings: IntArray, shared: BoolArray | None, table: WordVectors
    ) -> list[str]:
        """Return a note on vectors that words share with others."""
        words = _words_of(column, strings)
        if shared is None or not len(words):
            return []
        return sharing_notes(table.identity.name, float(shared[words].mean()))

    def look_up(self, column: Column) -> KnownVectors:
        """Return the vectors of the words of a column."""
        return self.table().look_up(
            column.vocabulary,
            lowercase=self.fold_case,
            subwords=self.oov is OutOfVocabulary.SUBWORD,
            other_form=self._other_form(),
        )

    def _looked_up(self, column: Column) -> VectorTokens:
        if not self.has_vectors:
            return _without_vectors(column)
        words, found = column.vocabulary, self.look_up(column)
        drops = self.oov is OutOfVocabulary.DROP
        return VectorTokens(
            vocabulary=words,
            rows=kept_words(column.rows, found.present) if drops else column.rows,
            units=padded(found.units),
            known=found.present,
            classes=self.classes(found),
            equal_unknown=self.oov is not OutOfVocabulary.ZERO,
            fold=found.fold,
            shared=found.shared,
        )

    def _other_form(self) -> Callable[[str], str] | None:
        # Sudachi's dictionary knows many spellings of a word under one form.
        return load_sudachi().normalized_form if self.tokenizer.startswith("sudachi") else None


def _without_vectors(column: Column) -> VectorTokens:
    """Return words of which none has a vector."""
    size = len(column.vocabulary)
    return VectorTokens(
        vocabulary=column.vocabulary,
        rows=column.rows,
        units=padded(np.zeros((size, 1), dtype=np.float32)),
        known=np.zeros(size, dtype=np.bool_),
        classes=np.arange(size, dtype=np.int32),
        equal_unknown=True,
        fold=None,
    )


def _words_of(column: Column, strings: IntArray) -> IdArray:
    """Return the running words of some strings."""
    rows = column.rows
    return np.concatenate([rows.row(string) for string in strings] or [rows.values[:0]])


@dataclass(frozen=True, kw_only=True)
class RareWordVectors(StaticVectors):
    """The same, equal but for the case of letters A to Z being equal; rare words weigh more."""

    @staticmethod
    def classes(found: KnownVectors) -> IdArray:
        """Return for each word the number of a class; words of one class are the same word."""
        return ascii_lower_classes(found.forms)

    @property
    def needs(self) -> Needs:
        """Tokens, vectors, and all references of the test set in one batch."""
        return replace(super().needs, collection=True)

    def weights(self, batch: Batch) -> TokenWeights:
        """Return YiSi's weights, learned from the references."""
        return learned_weights(self, batch, self.column(batch))
