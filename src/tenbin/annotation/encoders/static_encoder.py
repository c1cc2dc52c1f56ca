"""Word vectors as an encoder: a word has the same vector in every context."""

from collections.abc import Callable, Sequence

import numpy as np

from tenbin.annotation.encoders.encoded import EncodedTexts, SubwordFlag
from tenbin.annotation.languages import TokenizerFamily, parse_language
from tenbin.annotation.tokenizers import load_tokenizer
from tenbin.core.arrays import Numbering
from tenbin.core.errors import InputError
from tenbin.core.resource import ResourceIdentity
from tenbin.resources.lexicons.sudachi import load_sudachi
from tenbin.resources.vectors.word_vectors import WordVectors, sharing_notes

_NOTED_SHARE, _LEAST_SHARE = 0.5, 0.1


class StaticEncoder:
    """Splits texts into words and looks their vectors up.

    A word without a vector has similarity 1 to itself and 0 to other words. There are no special
    tokens.
    """

    def __init__(self, vectors: WordVectors, language: str) -> None:
        parsed = parse_language(language)
        # Tables of Chinese vectors list words; the other metrics compare characters.
        name = "jieba" if parsed.code == "zh" else parsed.tokenizer(TokenizerFamily.WORDS)
        self._vectors = vectors
        self._tokenizer = load_tokenizer(name)

    @property
    def identity(self) -> ResourceIdentity:
        """Which vectors they are."""
        return self._vectors.identity

    @property
    def versions(self) -> tuple[tuple[str, str], ...]:
        """The tokenizer and its version."""
        return self._tokenizer.versions

    def encode(self, texts: Sequence[str]) -> EncodedTexts:
        """Return one row per text; a unit is a word."""
        words = Numbering()
        rows = words.rows(self._tokenizer.tokenize(text) for text in texts)
        vocabulary = tuple(words)
        found = self._vectors.look_up(vocabulary, other_form=self._other_form())
        unknown = np.where(found.present, 0, SubwordFlag.UNKNOWN)
        shared = np.where(found.shared, SubwordFlag.SHARED, 0)
        return EncodedTexts(
            rows=rows,
            units=found.units,
            known=found.present,
            subwords=np.arange(len(vocabulary), dtype=np.int32),
            vocabulary=vocabulary,
            flags=(unknown | shared).astype(np.uint8),
            same=found.classes,
            fold=found.fold,
        )

    def tokenize(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the words of each text."""
        return [self._tokenizer.tokenize(text) for text in texts]

    def notes(self, encoded: EncodedTexts) -> list[str]:
        """Return a note if few words have a vector."""
        share = float(encoded.known[encoded.rows.values].mean()) if len(encoded.rows.values) else 1
        name = self.identity.name
        if share < _LEAST_SHARE:
            raise InputError(
                f"only {share:.1%} of the words of the texts have a vector in {name!r}, expected "
                f"at least {_LEAST_SHARE:.0%}: these are vectors of another language. Name those "
                'of the language of the texts (model="static:VECTORS").'
            )
        words = encoded.rows.values
        shared = float(encoded.having(SubwordFlag.SHARED)[words].mean()) if len(words) else 0.0
        notes = sharing_notes(name, shared)
        if share >= _NOTED_SHARE:
            return notes
        found = f"only {share:.0%} of the words have a vector in {name!r}"
        advice = "the others are compared by spelling; are these vectors of the right language?"
        return [f"{found}: {advice}", *notes]

    def _other_form(self) -> Callable[[str], str] | None:
        # Sudachi's dictionary maps many spellings of a word to one form.
        by_sudachi = self._tokenizer.name.startswith("sudachi")
        return load_sudachi().normalized_form if by_sudachi else None
