"""Annotates each distinct string of a run once, column by column."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import numpy as np

from tenbin.annotation import eed_preprocessing
from tenbin.annotation.meteor.normalizer import MeteorNormalizer
from tenbin.annotation.tokenizers import load_tokenizer
from tenbin.core.arrays import Numbering, Ragged
from tenbin.core.batch import Annotation, AnnotationKind, Column
from tenbin.kernels.phrases.numbered_words import numbered_pieces

Normalize = Callable[[str], str]


def annotate(strings: Sequence[str], annotations: Iterable[Annotation]) -> dict[Annotation, Column]:
    """Return one column per annotation for a pool of strings."""
    pool = _Pool(strings)
    return {annotation: pool.column(annotation) for annotation in annotations}


class _Pool:
    """Strings, and the words between their blanks, which several columns are made from.

    A pool has far fewer distinct words than words, and cutting is the dearest step of most metrics:
    where a tokeniser allows it each distinct word is lower-cased and cut once, and its tokens are
    laid out wherever the word stands.
    """

    def __init__(self, strings: Sequence[str]) -> None:
        self.strings = strings

    def column(self, annotation: Annotation) -> Column:
        """Return the pool seen through an annotation."""
        if annotation.kind is AnnotationKind.CHARACTERS:
            normalize = NORMALIZERS[annotation.method]
            texts = _cased(self.strings, annotation)
            return Column(_code_points([normalize(text) for text in texts]))
        tokenizer = load_tokenizer(annotation.method)
        tokens = Numbering()
        if tokenizer.by_word and not self._has_line_feeds:
            words, rows = self._words
            pieces = tokens.rows(map(tokenizer.tokenize, _cased(words, annotation)))
            return Column(rows.spelled_out(pieces), tuple(tokens))
        if tokenizer.by_piece is not None and not annotation.lowercase:
            return self._cut_by_piece(tokenizer.by_piece)
        rows = tokens.rows(map(tokenizer.tokenize, _cased(self.strings, annotation)))
        return Column(rows, tuple(tokens))

    def _cut_by_piece(self, cutter: MeteorNormalizer) -> Column:
        """Return the tokens of each string; those with a piece that looks around are cut whole."""
        pieces, rows = self._pieces()
        parts = cutter.piece_tokens(pieces)
        inside, at_end = map(np.array, cutter.context_free(pieces))
        lasts = rows.offsets[1:] - 1  # every string has a piece, be it empty
        free = inside[rows.values]
        free[lasts] = at_end[rows.values[lasts]]
        whole = ~np.logical_and.reduceat(free, rows.offsets[:-1])
        # A string that is cut whole becomes one piece of its own.
        strings = np.flatnonzero(whole)
        kept = np.repeat(~whole, rows.lengths)
        kept[rows.offsets[strings]] = True
        values = rows.values.copy()
        values[rows.offsets[strings]] = len(pieces) + np.arange(len(strings))
        lengths = np.where(whole, 1, rows.lengths)
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
        lines = [" ".join(cutter(self.strings[number])) for number in strings.tolist()]
        tokens, token_rows = _without_empty(*_split_at_blanks([*parts, *lines]))
        return Column(Ragged(values[kept], offsets).spelled_out(token_rows), tuple(tokens))

    def _pieces(self) -> tuple[Sequence[str], Ragged]:
        """Return the distinct pieces between single blanks, and their numbers in each string."""
        if self._has_line_feeds:
            numbering = Numbering()
            rows = numbering.rows(text.split(" ") for text in self.strings)
            return tuple(numbering), rows
        return _split_at_blanks(self.strings)

    @cached_property
    def _has_line_feeds(self) -> bool:
        return any("\n" in text for text in self.strings)

    @cached_property
    def _words(self) -> tuple[tuple[str, ...], Ragged]:
        words = Numbering()
        rows = words.rows(text.split() for text in self.strings)
        return tuple(words), rows


def _split_at_blanks(texts: Sequence[str]) -> tuple[list[str], Ragged]:
    """Return the distinct pieces between blanks, and their numbers; no text has line feeds."""
    if not texts:
        return [], Ragged.from_rows([])
    # A library user may hand over lone surrogates; they are characters like any other.
    encoded = "\n".join(texts).encode("utf-8", "surrogatepass")
    found = numbered_pieces(np.frombuffer(encoded, dtype=np.uint8))
    spans = zip(found.starts.tolist(), found.stops.tolist(), strict=True)
    distinct = b"\n".join([encoded[start:stop] for start, stop in spans])
    pieces = distinct.decode("utf-8", "surrogatepass").split("\n")
    return pieces, Ragged(found.numbers, found.offsets)


def _without_empty(pieces: list[str], rows: Ragged) -> tuple[list[str], Ragged]:
    """Return pieces and rows without the empty piece, others numbered anew."""
    if "" not in pieces:
        return pieces, rows
    empty = pieces.index("")
    kept = rows.values != empty
    before = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(kept)])
    values = rows.values[kept]
    values[values > empty] -= 1
    return pieces[:empty] + pieces[empty + 1 :], Ragged(values, before[rows.offsets])


def _cased(texts: Sequence[str], annotation: Annotation) -> Iterable[str]:
    return (text.lower() for text in texts) if annotation.lowercase else texts


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
