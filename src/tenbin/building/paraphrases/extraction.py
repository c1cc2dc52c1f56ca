"""Phrase pairs of a word-aligned bitext, streamed to Parquet."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tenbin.building.corpus import Phase, unseen
from tenbin.building.paraphrases.alignment import PackedLinks
from tenbin.building.paraphrases.bitext import PackedBitext, PackedSide
from tenbin.building.paraphrases.spelling import word_numbers
from tenbin.core.arrays import IdArray, IntArray
from tenbin.formats.parquet import arrow
from tenbin.kernels.phrases.consistent import consistent_phrases
from tenbin.kernels.phrases.numbers import counted_pairs, phrase_numbers

BoolArray = npt.NDArray[np.bool_]

FILE_NAME = "phrases.parquet"
EXTRA = "build"
# Some 40 phrase pairs a segment, of some 50 bytes while they are counted.
_SEGMENTS_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """Which phrase pairs are taken.

    Attributes:
        longest: Most words of a phrase, on either side.
        pivot_function_words: Words that alone make no pivot phrase; none: every phrase is one.
        drop_punctuation: Whether phrases of punctuation alone are left out.
        seed: Of the numbers of phrases.
    """

    longest: int = 7
    pivot_function_words: frozenset[str] = frozenset()
    drop_punctuation: bool = False
    seed: int = 0


def write_phrase_pairs(
    path: Path,
    bitext: PackedBitext,
    links: PackedLinks,
    pivot: str,
    extraction: Extraction,
    *,
    phase: Phase = unseen,
) -> int:
    """Extract phrase pairs, write them to a file, and return how many there are.

    The columns are ``lang`` (the pivot language), ``f`` and ``e`` (phrases of the pivot and of the
    target language, as numbers; see `tenbin.building.paraphrases.spelling`) and ``n``, how often
    the pair occurs in a stretch of text; the same pair may be there again.
    """
    pa, parquet = arrow(extra=EXTRA), arrow("parquet", extra=EXTRA)
    name = pa.dictionary(pa.int8(), pa.string())
    fields = [("lang", name), ("f", pa.int64()), ("e", pa.int64()), ("n", pa.int64())]
    schema = pa.schema(fields)
    stops = extraction.pivot_function_words
    bare = extraction.drop_punctuation
    seed = extraction.seed
    pivots = _Phrases(bitext.pivot, stops, punctuation=bare or bool(stops), seed=seed)
    targets = _Phrases(bitext.target, frozenset(), punctuation=bare, seed=seed)
    segments, total = bitext.lines.size, 0
    with (
        phase(f"{pivot}: extracting phrases", segments) as advance,
        # Numbers of phrases look random: there is nothing to compress in them.
        parquet.ParquetWriter(
            path, schema, compression="none", use_dictionary=["lang", "n"], write_statistics=False
        ) as writer,
    ):
        for first in range(0, segments, _SEGMENTS_AT_ONCE):
            end = min(first + _SEGMENTS_AT_ONCE, segments)
            part = slice(first, end)
            spans = _spans(bitext, links, part, extraction.longest)
            f, e = pivots.spans(part, spans[[0, 3, 4]]), targets.spans(part, spans[[0, 1, 2]])
            allowed = [one for one in (pivots.allowed(*f), targets.allowed(*e)) if one is not None]
            if allowed:
                kept = np.logical_and.reduce(allowed)
                f, e = (f[0][kept], f[1][kept]), (e[0][kept], e[1][kept])
            counted = counted_pairs(pivots.numbers(*f), targets.numbers(*e))
            codes = pa.array(np.zeros(counted[0].size, dtype=np.int8))
            names = pa.DictionaryArray.from_arrays(codes, [pivot])
            writer.write_table(pa.table([names, *map(pa.array, counted)], schema=schema))
            total += f[0].size
            if advance is not None:
                advance(end - first)
    return total


def _spans(bitext: PackedBitext, links: PackedLinks, part: slice, longest: int) -> IdArray:
    """Return the spans of a part of the segments, see `consistent_phrases`."""
    bounds = links[2][part.start : part.stop + 1]
    chosen = slice(bounds[0], bounds[-1])
    inside = links[0][chosen], links[1][chosen], bounds - bounds[0]
    return consistent_phrases(
        inside, (bitext.pivot.lengths[part], bitext.target.lengths[part]), longest
    )


class _Phrases:
    """The phrases of one side of a bitext."""

    def __init__(
        self, side: PackedSide, stops: frozenset[str], *, punctuation: bool, seed: int
    ) -> None:
        self._side = side
        self._numbers = word_numbers(side.words, seed)[side.values]
        marks = [word in stops or (punctuation and _is_punctuation(word)) for word in side.words]
        stopped = np.array(marks, dtype=np.bool_)
        # How many words that make a phrase stand before each place of the text.
        counts = np.cumsum(~stopped[side.values]) if stopped.any() else None
        self._before = None if counts is None else np.concatenate([[0], counts])

    def spans(self, part: slice, spans: IdArray) -> tuple[IntArray, IntArray]:
        """Return places in the whole text of spans: segment of the part, first word, end."""
        starts = self._side.offsets[part][spans[0]]
        return starts + spans[1], starts + spans[2]

    def allowed(self, first: IntArray, end: IntArray) -> BoolArray | None:
        """Return which spans have a word that is none of those that alone make no phrase.

        None: all of them.
        """
        if self._before is None:
            return None
        return np.asarray(self._before[end] > self._before[first])

    def numbers(self, first: IntArray, end: IntArray) -> IntArray:
        """Return the numbers of the phrases of spans."""
        return phrase_numbers(self._numbers, first, end)


def _is_punctuation(word: str) -> bool:
    return not any(character.isalnum() for character in word)
