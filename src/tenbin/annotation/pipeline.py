"""Annotates each distinct string of a run once, column by column."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from tenbin.annotation import eed_preprocessing
from tenbin.annotation.tokenizers import load_tokenizer
from tenbin.core.arrays import Ragged
from tenbin.core.batch import Annotation, AnnotationKind, Column

Normalize = Callable[[str], str]


def annotate(strings: Sequence[str], annotations: Iterable[Annotation]) -> dict[Annotation, Column]:
    """Return one column per annotation for a pool of strings."""
    return {annotation: _column(strings, annotation) for annotation in annotations}


def _column(strings: Sequence[str], annotation: Annotation) -> Column:
    texts = [text.lower() for text in strings] if annotation.lowercase else strings
    if annotation.kind is AnnotationKind.CHARACTERS:
        normalize = NORMALIZERS[annotation.method]
        return Column(_code_points([normalize(text) for text in texts]))
    tokenize = load_tokenizer(annotation.method).tokenize
    identifiers: dict[str, int] = {}
    rows = [
        [identifiers.setdefault(token, len(identifiers)) for token in tokenize(text)]
        for text in texts
    ]
    return Column(Ragged.from_rows(rows), tuple(identifiers))


def _code_points(texts: Sequence[str]) -> Ragged:
    offsets = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in texts], out=offsets[1:])
    # A library user may hand over lone surrogates; they are characters like any other.
    encoded = "".join(texts).encode("utf-32-le", "surrogatepass")
    return Ragged(np.frombuffer(encoded, dtype=np.int32), offsets)


def characters_of(vocabulary: Sequence[str]) -> Ragged:
    """Return the code points of each word of a vocabulary."""
    return _code_points(vocabulary)


def _unchanged(text: str) -> str:
    return text


def _without_whitespace(text: str) -> str:
    return "".join(text.split())


NORMALIZERS: dict[str, Normalize] = {
    "unchanged": _unchanged,
    "without-whitespace": _without_whitespace,
    "eed-en": eed_preprocessing.english,
    "eed-ja": eed_preprocessing.japanese,
}
