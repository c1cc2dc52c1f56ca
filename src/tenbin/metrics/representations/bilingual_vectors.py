"""Words of translations and of sources, compared by two tables of vectors in one space."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from tenbin.core.arrays import FloatArray, IdArray, IntArray, Ragged
from tenbin.core.batch import Annotation, Batch
from tenbin.core.counting import counted
from tenbin.core.errors import UsageError
from tenbin.core.metric import Needs
from tenbin.core.part import Entries, SignatureFacts
from tenbin.core.resource import ResourceIdentity
from tenbin.kernels.similarity.blocks import padded
from tenbin.metrics.choices import REQUIRED, OutOfVocabulary, WeightSource
from tenbin.metrics.representations.blocks import Blocks, BoolArray, compared_words
from tenbin.metrics.representations.collected_texts import (
    hypothesis_collections,
    source_collection,
)
from tenbin.metrics.representations.lexical_weights import ascii_lower_classes, lexical_weights
from tenbin.metrics.representations.representation import (
    ComparedTokens,
    OtherSide,
    PlaceWeights,
    TokenWeights,
)
from tenbin.metrics.representations.static_vectors import StaticVectors
from tenbin.metrics.representations.vector_tokens import VectorTokens, kept_words
from tenbin.metrics.tokens import Tokens
from tenbin.resources.vectors import WordVectors, load_vectors


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BilingualWords:
    """Rows of target words, then rows of source words, in one numbering.

    Attributes:
        words: Both vocabularies, the target language first, and the vectors of their words.
        folded: Words of one number are equal but for the case of letters A to Z.
        exact: Whether a word is in its table as it stands.
        equal_alike: Whether equal words of which one is not in its table are fully alike.
    """

    words: VectorTokens
    folded: IdArray
    exact: BoolArray
    equal_alike: bool

    @property
    def rows(self) -> Ragged:
        """The words of each string of the pool, as target words and then as source words."""
        return self.words.rows

    def blocks(self, left: IntArray, right: IntArray) -> Blocks:
        """Return the similarities of pairs of rows."""
        plain = self.words.blocks(left, right)
        if not self.equal_alike:
            return plain
        own, other = compared_words(plain, self.rows, left, right)
        equal = (self.folded[own] == self.folded[other]) & ~(self.exact[own] & self.exact[other])
        return plain._replace(values=np.where(equal, np.float32(1), plain.values))

    def tokens(self, row: int) -> tuple[str, ...]:
        """Return the words of a row as text."""
        return self.words.tokens(row)


@dataclass(frozen=True, kw_only=True)
class BilingualVectors(StaticVectors):
    """Words of the translation and of its source, with vectors; rare ones weigh more.

    Attributes:
        source_vectors: Word vectors of the source language, in the space of ``vectors``: a resource
            or a file; there is no default.
        source_tokenizer: Name of the tokenizer of the source language.
        idf: Where the frequencies of words are counted: in the ``sources``, for both sides; or, as
            published, those of hypotheses in the hypotheses of their ``system``, by which the same
            text scores differently in another system; or nowhere (``none``): all words weigh the
            same, so that segments can be scored one by one, as those of a table are.
    """

    compared_with: ClassVar[OtherSide] = OtherSide.SOURCE

    source_vectors: str
    source_tokenizer: str
    idf: WeightSource

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "source_tokenizer", self.source_tokenization.tokenizer)

    def bind(self, language: str, metric: str) -> Self:
        """Return the part with tokenizer and vectors settled."""
        if self.source_vectors == REQUIRED:
            raise UsageError(
                f"{metric} has no vectors of the source language. Name a resource or a file in the "
                'space of the target vectors with source_vectors="FILE".'
            )
        bound = super().bind(language, metric)
        own, other = bound.table(), bound.source_table()
        if own.dimensions != other.dimensions:
            raise UsageError(
                f"{metric}: {own.identity.name!r} has vectors of "
                f"{counted(own.dimensions, 'dimension')} and "
                f"{other.identity.name!r} of {other.dimensions}; vectors of both languages must "
                "lie in one space."
            )
        return bound

    @property
    def is_bound(self) -> bool:
        """Whether everything is settled."""
        return super().is_bound and self.source_vectors != REQUIRED

    @property
    def source_tokenization(self) -> Tokens:
        """How sources become words."""
        return Tokens(tokenizer=self.source_tokenizer, lowercase=self.lowercase)

    @property
    def source_annotation(self) -> Annotation:
        """The column that holds the tokens of sources."""
        return self.source_tokenization.annotation

    @property
    def needs(self) -> Needs:
        """Tokens of sources and hypotheses; with weights from them, all in one batch."""
        plain = super().needs
        missing = frozenset({"source_vectors"} if self.source_vectors == REQUIRED else ())
        return replace(
            plain,
            annotations=plain.annotations | {self.source_annotation},
            source_annotations=frozenset({self.source_annotation} - plain.annotations),
            collection=self.idf is not WeightSource.NONE,
            system_weights=self.idf is WeightSource.SYSTEM,
            parameters=missing,
        )

    def source_table(self) -> WordVectors:
        """Return the vectors of the source language."""
        return load_vectors(self.source_vectors, "und")

    def identities(self) -> list[ResourceIdentity]:
        """Return which data a score depends on."""
        plain = super().identities()
        return [*plain, self.source_table().identity] if plain else []

    def signature_facts(self) -> SignatureFacts:
        """Return tokens under sacrebleu's keys, and vectors by their names."""
        plain = super().signature_facts()
        if not self.is_bound:
            return plain
        named = {"source_vectors": self.source_table().identity.name}
        return replace(plain, names={**plain.names, **named})

    def versions(self) -> Entries:
        """Return the versions behind both tokenizers."""
        return (*super().versions(), *self.source_tokenization.versions())

    def rows_of_pairs(self, batch: Batch) -> tuple[IntArray, IntArray]:
        """Return the rows of words; those of sources come after those of the pool."""
        left, right = self.texts_of_pairs(batch)
        return left, right + len(batch.strings)

    def notes(self, batch: Batch) -> list[str]:
        """Return notes on vectors that lack words of the target or of the source language."""
        of_target, table = super().notes(batch), self.source_table()
        column, start = batch.column(self.source_annotation), len(self.column(batch).vocabulary)
        sources = np.unique(self.texts_of_pairs(batch)[1])
        words = self.found(batch)
        shared = None if words.shared is None else words.shared[start:]
        return [
            *of_target,
            *self.coverage_notes(column, sources, words.known[start:], table),
            *self.shared_notes(column, sources, shared, table),
        ]

    def found(self, batch: Batch) -> VectorTokens:
        """Return the words of both languages, and what is known about them."""
        return self.bilingual(batch).words

    def tokens(self, batch: Batch) -> ComparedTokens:
        """Return target and source words."""
        return self.bilingual(batch)

    def key(self) -> tuple[Hashable, ...]:
        """Return all that the words and their similarities depend on."""
        return (*super().key(), self.source_annotation, self.source_vectors)

    def bilingual(self, batch: Batch) -> BilingualWords:
        """Return target and source words."""
        key = ("bilingual words", *self.key())
        return batch.once(key, lambda: self._looked_up_both(batch))

    def weights(self, batch: Batch) -> TokenWeights:
        """Return YiSi's weights, or the same for all words."""
        if self.idf is WeightSource.NONE:
            return super().weights(batch)

        def learned() -> TokenWeights:
            rows = self.tokens(batch).rows
            target, source = self.column(batch), batch.column(self.source_annotation)
            theirs = lexical_weights(source.rows, source_collection(batch), source.vocabulary)

            def weigh(strings: IntArray) -> FloatArray:
                ours = lexical_weights(target.rows, strings, target.vocabulary)
                return np.concatenate([ours, theirs])[rows.values]

            if self.idf is WeightSource.SOURCES:
                # A word of the target language that no source has weighs most.
                both = weigh(source_collection(batch))
                return PlaceWeights(rows, both[np.newaxis], both)
            own = [weigh(strings) for strings in hypothesis_collections(batch)]
            return PlaceWeights(rows, np.stack(own), own[0])

        return batch.once(("bilingual weights", *self.key(), self.idf), learned)

    def _looked_up_both(self, batch: Batch) -> BilingualWords:
        target, source = self.column(batch), batch.column(self.source_annotation)
        vocabulary = (*target.vocabulary, *source.vocabulary)
        tables = ((self.table(), target.vocabulary), (self.source_table(), source.vocabulary))
        subwords = self.oov is OutOfVocabulary.SUBWORD
        found = [
            table.look_up(words, lowercase=self.fold_case, subwords=subwords and table.has_subwords)
            for table, words in tables
        ]
        exact = [table.look_up(words, lowercase=False).present for table, words in tables]
        known = np.concatenate([one.present for one in found])
        rows = _one_after_the_other(target.rows, source.rows, len(target.vocabulary))
        both = VectorTokens(
            vocabulary=vocabulary,
            rows=kept_words(rows, known) if self.oov is OutOfVocabulary.DROP else rows,
            units=padded(np.concatenate([one.units for one in found])),
            known=known,
            classes=np.arange(len(vocabulary), dtype=np.int32),
            equal_unknown=False,
            fold=None,
            shared=np.concatenate([one.shared for one in found]),
        )
        return BilingualWords(
            words=both,
            folded=ascii_lower_classes(vocabulary),
            exact=np.concatenate(exact),
            equal_alike=self.oov is not OutOfVocabulary.ZERO,
        )


def _one_after_the_other(first: Ragged, second: Ragged, shift: int) -> Ragged:
    """Return the rows of both, the values of the second one shifted."""
    return Ragged(
        np.concatenate([first.values, second.values + np.int32(shift)]),
        np.concatenate([first.offsets, second.offsets[1:] + first.offsets[-1]]),
    )
