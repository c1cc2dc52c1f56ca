"""What metrics over word vectors share: the table, and what is done with words it lacks."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from tenbin.annotation.languages import parse_language
from tenbin.annotation.tokenizers import tokenizer_names
from tenbin.core.arrays import IdArray
from tenbin.core.batch import Batch, Column
from tenbin.core.errors import LowCoverage, UsageError
from tenbin.core.metric import AUTO, NAMES_DATA, Needs
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.core.signature import Signature
from tenbin.kernels.similarity.blocks import padded
from tenbin.metrics.vectors.block_metric import BlockMetric
from tenbin.metrics.vectors.choices import OutOfVocabulary
from tenbin.metrics.vectors.vector_words import VectorWords, kept_words
from tenbin.resources.lexicons.sudachi import load_sudachi
from tenbin.resources.vectors.defaults import default_vectors
from tenbin.resources.vectors.word_vectors import WordVectors, load_vectors

# Below this a reader should be told.
_LOW_COVERAGE = 0.5


@dataclass(frozen=True, kw_only=True)
class VectorMetric(BlockMetric):
    """A metric that reads tokens and looks their vectors up.

    Attributes:
        language: The target language; settled by the run.
        vectors: Word vectors: a resource or a file; ``auto``: those that Tenbin has for the
            language.
        oov: What a word without a vector is compared by: ``identity``, ``drop``, ``zero`` or
            ``subword``.
        fold_case: Whether a word that has no vector as it stands is looked up in lower case.
        min_coverage: Least share of words with a vector; below it nothing is scored.
    """

    language: str = AUTO
    vectors: str = field(default=AUTO, metadata=NAMES_DATA)
    oov: OutOfVocabulary = OutOfVocabulary.IDENTITY
    fold_case: bool = True
    min_coverage: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.language != AUTO:
            object.__setattr__(self, "language", parse_language(self.language).tag)
        valid = 0 <= self.min_coverage <= 1
        self.require("min_coverage", valid=valid, expected="a number from 0 to 1")

    def bind(self, language: str) -> Self:
        """Return the metric with tokeniser and vectors settled."""
        tongue = parse_language(language if self.language == AUTO else self.language)
        tokenizer = self.tokenizer
        if tokenizer == AUTO:
            # Tables of Chinese vectors list words; the other metrics compare characters.
            by_word = tongue.code == "zh" and "jieba" in tokenizer_names()
            tokenizer = "jieba" if by_word else tongue.tokenizer(self.family)
        vectors = default_vectors(tongue.tag) if self.vectors == AUTO else self.vectors
        bound = replace(self, language=tongue.tag, tokenizer=tokenizer, vectors=vectors)
        bound.identities()  # what is missing is told now
        return bound

    @property
    def needs(self) -> Needs:
        """Tokens and vectors."""
        return replace(super().needs, resources=frozenset({ResourceKind.VECTORS}))

    def words(self, batch: Batch) -> VectorWords:
        """Return the words of the pool."""
        column = self.token_column(batch)
        key = VectorMetric.words_key(self)
        return batch.once(("vector words", *key), lambda: self._looked_up(column))

    def table(self) -> WordVectors:
        """Return the vectors.

        Raises:
            UsageError: Words were to be composed from pieces, and the table has none.
        """
        table = load_vectors(self.vectors, self.language)
        if self.oov is OutOfVocabulary.SUBWORD and not table.has_subwords:
            raise UsageError(
                f"{self.name}: the vectors {table.identity.name!r} have no pieces of words, so "
                'oov="subword" is not possible; give a .bin file of fastText, or choose '
                'oov="identity".'
            )
        return table

    def check_batch(self, batch: Batch) -> list[str]:
        """Return a note if few words have a vector; raise `LowCoverage` if hardly any has.

        Only tokens with a letter count: punctuation and digits are alike in most languages, and
        would hide that the vectors are those of another one.
        """
        column = self.token_column(batch)
        known = self.words(batch).known
        spelled = np.array([has_letter(word) for word in column.vocabulary], dtype=np.bool_)
        used = np.unique(np.concatenate([batch.hypotheses, batch.references.values]))
        rows = column.rows
        words = np.concatenate([rows.row(string) for string in used] or [rows.values[:0]])
        words = words[spelled[words]]
        share = float(known[words].mean()) if len(words) else 1.0
        return coverage_notes(self, self.table().identity.name, share)

    def identities(self) -> list[ResourceIdentity]:
        """Return which data a score depends on."""
        return [self.table().identity]

    def signature(self) -> Signature:
        """Return every choice, and the fingerprint of the vectors."""
        plain = super().signature()
        if not self.is_bound:
            return plain
        entries = [identity.signature_entry for identity in self.identities()]
        return replace(plain, resources=tuple(entries))

    def signature_fields(self) -> tuple[tuple[str, str], ...]:
        """Return the parameters; vectors by their name and precision, wherever they lie."""
        plain = super().signature_fields()
        if not self.is_bound:
            return plain
        table = self.table()
        named = {"vectors": table.identity.name}
        fields = tuple((key, named.get(key, value)) for key, value in plain)
        return (*fields, ("precision", str(table.precision)))

    @property
    def is_bound(self) -> bool:
        """Whether everything is settled that depends on the language."""
        return AUTO not in (self.language, self.tokenizer, self.vectors)

    def words_key(self) -> tuple[Hashable, ...]:
        """Return what the words and their similarities depend on."""
        key = (self.tokens, self.vectors, self.language, self.oov, self.fold_case)
        return (*key, type(self).word_classes)

    def _looked_up(self, column: Column) -> VectorWords:
        words = column.vocabulary
        found = self.table().look_up(
            words,
            lowercase=self.fold_case,
            subwords=self.oov is OutOfVocabulary.SUBWORD,
            other_form=self._other_form(),
        )
        drops = self.oov is OutOfVocabulary.DROP
        return VectorWords(
            vocabulary=words,
            rows=kept_words(column.rows, found.present) if drops else column.rows,
            units=padded(found.units),
            known=found.present,
            classes=self.word_classes(words),
            equal_unknown=self.oov is not OutOfVocabulary.ZERO,
        )

    @staticmethod
    def word_classes(words: tuple[str, ...]) -> IdArray:
        """Return for each word the number of a class; words of one class are the same word."""
        return np.arange(len(words), dtype=np.int32)

    def _other_form(self) -> Callable[[str], str] | None:
        # Sudachi's dictionary knows many spellings of a word under one form.
        return load_sudachi().normalized_form if self.tokenizer.startswith("sudachi") else None


def has_letter(word: str) -> bool:
    """Return whether a token is more than punctuation and digits."""
    return any(map(str.isalpha, word))


def coverage_notes(metric: VectorMetric, vectors: str, share: float) -> list[str]:
    """Return a note on vectors that lack most of the words; raise if they lack nearly all."""
    if share < metric.min_coverage:
        raise LowCoverage(vectors, share, metric.min_coverage, metric.language)
    if share >= _LOW_COVERAGE:
        return []
    found = f"only {share:.0%} of the words have a vector in {vectors!r}"
    advice = "scores rest on the spelling of the others; are these vectors of the right language?"
    return [f"{found}: {advice}"]
