"""Annotates each distinct string of a run once, column by column."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import numpy as np

from tenbin.annotation import eed_preprocessing
from tenbin.annotation.meteor.normalizer import MeteorNormalizer
from tenbin.annotation.tokenizers import load_tokenizer
from tenbin.core.arrays import Numbering, Ragged
from tenbin.core.batch import Annotation, AnnotationKind, Column
from tenbin.kernels.strings.fields import numbered_fields

Normalize = Callable[[str], str]


def annotate(strings: Sequence[str], annotations: Iterable[Annotation]) -> dict[Annotation, Column]:
    """Return one column per annotation for a pool of strings."""
    pool = _Pool(strings)
    return {annotation: pool.column(annotation) for annotation in annotations}


class _Pool:
    """Strings and their words, which several columns share.

    A pool has far fewer distinct words than words, and tokenization is the most expensive step of
    most metrics: where a tokenizer allows it, each distinct word is lower-cased and tokenized once.
    """

    def __init__(self, strings: Sequence[str]) -> None:
        self.strings = strings

    def column(self, annotation: Annotation) -> Column:
        """Return the column of an annotation."""
        if annotation.kind is AnnotationKind.CHARACTERS:
            normalize = NORMALIZERS[annotation.method]
            texts = _cased(self.strings, annotation)
            return Column(_code_points([normalize(text) for text in texts]))
        tokenizer = load_tokenizer(annotation.method)
        tokens = Numbering()
        if tokenizer.by_word and not self._has_line_feeds:
            words, rows = self._words
            token_rows = tokens.rows(map(tokenizer.tokenize, _cased(words, annotation)))
            return Column(rows.spelled_out(token_rows), tuple(tokens))
        if tokenizer.by_field is not None and not annotation.lowercase:
            return self._cut_by_field(tokenizer.by_field)
        rows = tokens.rows(map(tokenizer.tokenize, _cased(self.strings, annotation)))
        return Column(rows, tuple(tokens))

    def _cut_by_field(self, cutter: MeteorNormalizer) -> Column:
        """Return the tokens of each string; those with a context-dependent field as a whole."""
        fields, rows = self._fields()
        parts = cutter.field_tokens(fields)
        inside, at_end = map(np.array, cutter.context_free(fields))
        lasts = rows.offsets[1:] - 1  # every string has a field, possibly empty
        free = inside[rows.values]
        free[lasts] = at_end[rows.values[lasts]]
        whole = ~np.logical_and.reduceat(free, rows.offsets[:-1])
        # A string that is tokenized as a whole becomes one field of its own.
        strings = np.flatnonzero(whole)
        used = np.repeat(~whole, rows.lengths)
        used[rows.offsets[strings]] = True
        values = rows.values.copy()
        values[rows.offsets[strings]] = len(fields) + np.arange(len(strings))
        lengths = np.where(whole, 1, rows.lengths)
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
        lines = [" ".join(cutter(self.strings[number])) for number in strings.tolist()]
        tokens, token_rows = _without_empty(*_split_at_spaces([*parts, *lines]))
        return Column(Ragged(values[used], offsets).spelled_out(token_rows), tuple(tokens))

    def _fields(self) -> tuple[Sequence[str], Ragged]:
        """Return the distinct fields between single spaces, and their numbers in each string."""
        if self._has_line_feeds:
            numbering = Numbering()
            rows = numbering.rows(text.split(" ") for text in self.strings)
            return tuple(numbering), rows
        return _split_at_spaces(self.strings)

    @cached_property
    def _has_line_feeds(self) -> bool:
        return any("\n" in text for text in self.strings)

    @cached_property
    def _words(self) -> tuple[tuple[str, ...], Ragged]:
        words = Numbering()
        rows = words.rows(text.split() for text in self.strings)
        return tuple(words), rows


def _split_at_spaces(texts: Sequence[str]) -> tuple[list[str], Ragged]:
    """Return the distinct fields between spaces, and their numbers; no text has line feeds."""
    if not texts:
        return [], Ragged.from_rows([])
    # Strings may have lone surrogates; they are characters like any other.
    encoded = "\n".join(texts).encode("utf-8", "surrogatepass")
    found = numbered_fields(np.frombuffer(encoded, dtype=np.uint8))
    spans = zip(found.starts.tolist(), found.stops.tolist(), strict=True)
    distinct = b"\n".join([encoded[start:stop] for start, stop in spans])
    fields = distinct.decode("utf-8", "surrogatepass").split("\n")
    return fields, Ragged(found.numbers, found.offsets)


def _without_empty(fields: list[str], rows: Ragged) -> tuple[list[str], Ragged]:
    """Return fields and rows without the empty field, the others renumbered."""
    if "" not in fields:
        return fields, rows
    empty = fields.index("")
    filled = rows.values != empty
    before = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(filled)])
    values = rows.values[filled]
    values[values > empty] -= 1
    return fields[:empty] + fields[empty + 1 :], Ragged(values, before[rows.offsets])


def _cased(texts: Sequence[str], annotation: Annotation) -> Iterable[str]:
    return (text.lower() for text in texts) if annotation.lowercase else texts


def _code_points(texts: Sequence[str]) -> Ragged:
    offsets = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in texts], out=offsets[1:])
    # Strings may have lone surrogates; they are characters like any other.
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
