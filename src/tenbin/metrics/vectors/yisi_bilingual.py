"""YiSi-2 (Lo 2019): the translation against the source, by vectors of two languages."""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from tenbin.annotation.tokenizers import canonical_tokenizer, load_tokenizer
from tenbin.core.arrays import FloatArray, IntArray, Ragged
from tenbin.core.batch import Annotation, AnnotationKind, Batch
from tenbin.core.errors import UsageError
from tenbin.core.metric import NAMES_DATA, MetricInfo, Needs, Property
from tenbin.core.resource import ResourceIdentity
from tenbin.kernels.similarity.blocks import padded
from tenbin.metrics.vectors.bilingual_words import BilingualWords
from tenbin.metrics.vectors.blocks import Blocks
from tenbin.metrics.vectors.choices import REQUIRED, OutOfVocabulary
from tenbin.metrics.vectors.vector_metric import VectorMetric, coverage_notes, has_letter
from tenbin.metrics.vectors.vector_words import VectorWords, kept_words
from tenbin.metrics.vectors.word_weights import (
    hypothesis_collections,
    lexical_weights,
    source_collection,
    system_numbers,
    system_runs,
)
from tenbin.metrics.vectors.yisi import CITATION, Yisi, ascii_lower_classes
from tenbin.resources.vectors.word_vectors import WordVectors, load_vectors


@dataclass(frozen=True, kw_only=True)
class Yisi2(Yisi, VectorMetric):
    """YiSi-2: n-grams of source and translation, words compared across languages, 0 to 1.

    Reads no reference. The vectors of both languages must lie in one space. Words are alike by
    their cosine, or 0 if that is negative or a vector is missing; words that are equal but for the
    case of letters A to Z are fully alike if one of them is not in its table as it stands. Rare
    words weigh more, by the sources and by the hypotheses of the system. A corpus is the mean. An
    empty segment scores 0.

    Attributes:
        source_vectors: Word vectors of the source language, in the space of ``vectors``: a resource
            or a file; there is no default.
        source_tokenizer: Name of the tokeniser of the source language.
    """

    name: ClassVar[str] = "yisi2"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="YiSi-2",
        summary="n-grams of the source that the translation answers, by bilingual vectors.",
        citation=CITATION,
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset({Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}),
        weaknesses="Static vectors in place of the contextual ones of the WMT submissions, and "
        "tables of two languages in one space are rare. Weights depend on the test set.",
        oracle="YiSi (chikiulo/yisi fd07bfc), its sample data",
    )

    compared_with: ClassVar[str] = "source"

    source_vectors: str = field(default=REQUIRED, metadata=NAMES_DATA)
    source_tokenizer: str = "13a"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "source_tokenizer", canonical_tokenizer(self.source_tokenizer))

    def bind(self, language: str) -> Self:
        """Return the metric with tokeniser and vectors settled."""
        if self.source_vectors == REQUIRED:
            raise UsageError(
                "yisi2 has no vectors of the source language. Name a resource or a file in the "
                'space of the target vectors with source_vectors="FILE".'
            )
        return super().bind(language)

    @property
    def source_tokens(self) -> Annotation:
        """The annotation of source texts."""
        return Annotation(
            kind=AnnotationKind.TOKENS, method=self.source_tokenizer, lowercase=self.lowercase
        )

    @property
    def needs(self) -> Needs:
        """Tokens of sources and hypotheses, the whole test set in one batch."""
        missing = frozenset({"source_vectors"} if self.source_vectors == REQUIRED else ())
        return replace(
            super().needs,
            source=True,
            references=False,
            annotations=frozenset({self.tokens, self.source_tokens}),
            source_annotations=frozenset({self.source_tokens} - {self.tokens}),
            parameters=missing,
        )

    def source_table(self) -> WordVectors:
        """Return the vectors of the source language."""
        return load_vectors(self.source_vectors, "und")

    def identities(self) -> list[ResourceIdentity]:
        """Return which data a score depends on."""
        own, other = self.table(), self.source_table()
        if own.dimensions != other.dimensions:
            raise UsageError(
                f"yisi2: {own.identity.name!r} has vectors of {own.dimensions} dimensions and "
                f"{other.identity.name!r} of {other.dimensions}; vectors of both languages must "
                "lie in one space."
            )
        return [own.identity, other.identity]

    def signature_fields(self) -> tuple[tuple[str, str], ...]:
        """Return the parameters; vectors by their names, wherever they lie."""
        plain = super().signature_fields()
        if not self.is_bound or self.source_vectors == REQUIRED:
            return plain
        named = {"source_vectors": self.source_table().identity.name}
        return tuple((key, named.get(key, value)) for key, value in plain)

    def signature_versions(self) -> tuple[tuple[str, str], ...]:
        """Return the versions behind both tokenisers."""
        own = load_tokenizer(self.source_tokenizer).versions
        return tuple(dict.fromkeys((*super().signature_versions(), *own)))

    def statistics(self, batch: Batch) -> FloatArray:
        """Return rows (score, 1)."""
        return np.column_stack([self.pair_scores(batch), np.ones(len(batch))])

    def pairs(self, batch: Batch) -> tuple[IntArray, IntArray]:
        """Return hypotheses and sources; rows of source words come after those of the pool."""
        if batch.sources is None:
            raise UsageError("yisi2 reads the source text, which was not given.")
        return batch.hypotheses, batch.sources + len(batch.strings)

    def pair_range(self, batch: Batch, item: int) -> tuple[int, int]:  # noqa: ARG002
        """Return the number of the one pair of an item."""
        return item, item + 1

    def check_batch(self, batch: Batch) -> list[str]:
        """Return notes on vectors that lack words of the target or of the source language."""
        notes = super().check_batch(batch)
        words = self.words(batch).words
        column = batch.column(self.source_tokens)
        start = len(self.token_column(batch).vocabulary)
        sources = np.unique(self.pairs(batch)[1] - len(batch.strings))
        found = np.concatenate([column.rows.row(string) for string in sources])
        spelled = np.array([has_letter(word) for word in column.vocabulary], dtype=np.bool_)
        found = found[spelled[found]] + start
        share = float(words.known[found].mean()) if len(found) else 1.0
        return notes + coverage_notes(self, self.source_table().identity.name, share)

    def words_key(self) -> tuple[Hashable, ...]:
        """Return all that the words and their similarities depend on."""
        return (*super().words_key(), self.source_tokens, self.source_vectors)

    def words(self, batch: Batch) -> BilingualWords:  # type: ignore[override]
        """Return target and source words."""
        return batch.once(
            ("bilingual words", *self.words_key()), lambda: self._looked_up_both(batch)
        )

    def block_scores(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return the scores of some pairs; each system has weights of its own."""
        count = len(part.heights)
        left, right = (side[first : first + count] for side in self.pairs(batch))
        scores = [np.empty(0)]
        for system, start, stop in system_runs(batch, first, count):
            own, other = self._weights(batch, system)
            run = slice(start, stop)
            means = self.means(batch, part.some(start, stop), left[run], right[run], own, other)
            scores.append(self.f_scores(means))
        return np.concatenate(scores)

    def pair_weights(self, batch: Batch, pair: int) -> tuple[FloatArray, FloatArray]:
        """Return the weight of each word of all rows, on the left and on the right of a pair."""
        return self._weights(batch, int(system_numbers(batch)[pair]))

    def _weights(self, batch: Batch, system: int) -> tuple[FloatArray, FloatArray]:
        """Return the weights of all words: by the hypotheses of a system, by the sources."""
        words = self.words(batch)

        def learned() -> tuple[FloatArray, FloatArray]:
            target, source = self.token_column(batch), batch.column(self.source_tokens)
            ours = lexical_weights(
                target.rows, hypothesis_collections(batch)[system], target.vocabulary
            )
            theirs = lexical_weights(source.rows, source_collection(batch), source.vocabulary)
            both = np.concatenate([ours, theirs])[words.rows.values]
            return both, both

        return batch.once(("bilingual weights", system, *self.words_key()), learned)

    def _looked_up_both(self, batch: Batch) -> BilingualWords:
        target, source = self.token_column(batch), batch.column(self.source_tokens)
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
        both = VectorWords(
            vocabulary=vocabulary,
            rows=kept_words(rows, known) if self.oov is OutOfVocabulary.DROP else rows,
            units=padded(np.concatenate([one.units for one in found])),
            known=known,
            classes=np.arange(len(vocabulary), dtype=np.int32),
            equal_unknown=False,
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
