"""The references and sources that a context model is trained on, read from files."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tenbin.annotation.context.pairs import ContextPairs
from tenbin.annotation.languages import parse_language
from tenbin.annotation.pipeline import annotate
from tenbin.annotation.tokenizers import canonical_tokenizer, load_tokenizer
from tenbin.core.arrays import Numbering
from tenbin.core.batch import Annotation, AnnotationKind
from tenbin.core.errors import InputError, UsageError
from tenbin.core.metric import AUTO
from tenbin.formats.lines import STANDARD_INPUT
from tenbin.formats.test_files import open_test_set
from tenbin.formats.wmt_layout import find_wmt_files
from tenbin.metrics.aggregations.trained_context import SOURCE_TOKENIZER
from tenbin.metrics.representations.static_vectors import word_tokenizer
from tenbin.resources.store.fingerprints import file_sha256


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextTexts:
    """Files with one segment per line, and how they are tokenized.

    Attributes:
        source: The source text.
        references: Its reference texts; each of them is a pair with the source.
        language: The language of the references.
        source_language: That of the source; empty: not known.
        tokenizer: The tokenizer of the references; ``auto``: that of their language.
        source_tokenizer: The tokenizer of the source; ``auto``: that of its language, or 13a.
        lowercase: Whether texts are lower-cased.
        notes: What was chosen by default.
    """

    source: str
    references: tuple[str, ...]
    language: str
    source_language: str = ""
    tokenizer: str = AUTO
    source_tokenizer: str = AUTO
    lowercase: bool = False
    notes: tuple[str, ...] = field(default=())

    def tokens(self) -> dict[str, str]:
        """Return how the texts are tokenized, by the parameters of the metric."""
        own, other = self.tokenizer, self.source_tokenizer
        if own == AUTO:
            own = word_tokenizer(parse_language(self.language))
        if other == AUTO:
            known = self.source_language
            other = word_tokenizer(parse_language(known)) if known else SOURCE_TOKENIZER
        return {
            "tokenizer": canonical_tokenizer(own),
            "source_tokenizer": canonical_tokenizer(other),
            "lowercase": str(self.lowercase),
        }

    def pairs(self) -> ContextPairs:
        """Read and tokenize the texts.

        Raises:
            InputError: A file cannot be read, or no pair has words on both sides.
            LengthMismatch: The files differ in their number of segments.
            UsageError: A text is not a file.
        """
        self._require_files()
        opened = open_test_set({}, self.references, self.source)
        pool = Numbering()
        references = [pool.numbers(tuple(file.lines())) for file in opened.reference_files]
        sources = pool.numbers(tuple(opened.source_file.lines())) if opened.source_file else None
        tokens = self.tokens()
        own, other = (
            Annotation(kind=AnnotationKind.TOKENS, method=tokens[name], lowercase=self.lowercase)
            for name in ("tokenizer", "source_tokenizer")
        )
        strings = tuple(pool)
        columns = annotate(strings, {own, other})
        found = ContextPairs.of_columns(
            strings,
            columns[own],
            columns[other],
            zip(
                np.concatenate(references).tolist(),
                np.tile(np.asarray(sources), len(references)).tolist(),
                strict=True,
            ),
        )
        if not len(found):
            raise InputError(
                f"{self.source}: no segment has words in the source and in a reference, so that "
                "there is nothing to train on. Check that these are the right files."
            )
        return found

    def files(self) -> list[dict[str, Any]]:
        """Return the names and hashes of the files, for a card."""
        named = [*self.references, self.source]
        return [{"name": Path(path).name, "sha256": file_sha256(Path(path))} for path in named]

    def versions(self) -> dict[str, str]:
        """Return the programs behind the tokenizers."""
        tokens = self.tokens()
        used = (load_tokenizer(tokens[name]) for name in ("tokenizer", "source_tokenizer"))
        return dict(entry for one in used for entry in one.versions)

    def _require_files(self) -> None:
        for path in (self.source, *self.references):
            if path == STANDARD_INPUT or (Path(path).exists() and not Path(path).is_file()):
                raise UsageError(f"{path}: texts are read again after an interruption. Give files.")


def texts_of_set(
    folder: str,
    pair: str,
    references: Sequence[str] | None = None,
    **tokens: Any,  # noqa: ANN401
) -> ContextTexts:
    """Return the files of a language pair of a test set in the mt-metrics-eval layout.

    Args:
        folder: The test set.
        pair: The language pair.
        references: Names such as ``refA``; the first one by default.
        tokens: How they are tokenized; see `ContextTexts`.

    Raises:
        UsageError: The set has no such reference.
        InputError: There is no such set or pair, or it has no source text.
    """
    found = find_wmt_files(folder, pair, references=references)
    if found.source is None:
        raise InputError(
            f"{folder}: there is no source text of {pair} (sources/{pair}.txt), which the context "
            "model is to predict."
        )
    source, _, target = pair.partition("-")
    notes = tuple(note for note in found.notes if "(`references`)" in note)
    return ContextTexts(
        source=found.source,
        references=tuple(found.references.values()),
        language=target.replace("_", "-"),
        source_language=source.replace("_", "-"),
        notes=tuple(note.replace("scored against", "trained on") for note in notes),
        **tokens,
    )
