"""Phrase pairs of a word-aligned bitext, streamed to Parquet."""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tenbin.building.bitext import PackedBitext, PackedSide
from tenbin.building.corpus import Phase, unseen
from tenbin.building.word_alignment import PackedLinks
from tenbin.core.arrays import IdArray, IntArray
from tenbin.core.errors import MissingExtra
from tenbin.kernels.consistent_phrases import consistent_phrases

BoolArray = npt.NDArray[np.bool_]

FILE_NAME = "phrases.parquet"
# Some 40 phrase pairs a segment, of some 50 bytes.
_SEGMENTS_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """Which phrase pairs are taken.

    Attributes:
        longest: Most words of a phrase, on either side.
        pivot_function_words: Words that alone make no pivot phrase; none: every phrase is one.
        drop_punctuation: Whether phrases of punctuation alone are left out.
    """

    longest: int = 7
    pivot_function_words: frozenset[str] = frozenset()
    drop_punctuation: bool = False


def arrow(name: str = "") -> Any:  # noqa: ANN401 - pyarrow ships no types
    """Return pyarrow or one of its modules.

    Raises:
        MissingExtra: It is not installed.
    """
    try:
        return import_module(f"pyarrow.{name}" if name else "pyarrow")
    except ImportError as error:
        raise MissingExtra("building a paraphrase table", "build") from error


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
    target language, words joined by spaces) and ``n``, how often the pair occurs in a stretch of
    text; the same pair may be there again.
    """
    pa, parquet = arrow(), arrow("parquet")
    fields = [("lang", pa.string()), ("f", pa.string()), ("e", pa.string()), ("n", pa.int64())]
    schema = pa.schema(fields)
    stops = extraction.pivot_function_words
    bare = extraction.drop_punctuation
    pivots = _Phrases(bitext.pivot, stops, punctuation=bare or bool(stops))
    targets = _Phrases(bitext.target, frozenset(), punctuation=bare)
    segments, total = bitext.lines.size, 0
    with (
        phase(f"{pivot}: extracting phrases", segments) as advance,
        parquet.ParquetWriter(path, schema, compression="zstd", use_dictionary=["lang"]) as writer,
    ):
        for first in range(0, segments, _SEGMENTS_AT_ONCE):
            end = min(first + _SEGMENTS_AT_ONCE, segments)
            part = slice(first, end)
            spans = _spans(bitext, links, part, extraction.longest)
            f, e = pivots.spans(part, spans[[0, 3, 4]]), targets.spans(part, spans[[0, 1, 2]])
            kept = pivots.allowed(*f) & targets.allowed(*e)
            found = [pivots.texts(f[0][kept], f[1][kept]), targets.texts(e[0][kept], e[1][kept])]
            table = pa.table(found, names=["f", "e"]).group_by(["f", "e"], use_threads=False)
            counted = table.aggregate([([], "count_all")])
            names = pa.repeat(pivot, counted.num_rows)
            columns = [names, *(counted[name] for name in ("f", "e", "count_all"))]
            writer.write_table(pa.table(columns, schema=schema))
            total += int(kept.sum())
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

    def __init__(self, side: PackedSide, stops: frozenset[str], *, punctuation: bool) -> None:
        self._side = side
        self._words = arrow().array(side.words, arrow().string())
        marks = [word in stops or (punctuation and _is_punctuation(word)) for word in side.words]
        stopped = np.array(marks, dtype=np.bool_)
        # How many words that make a phrase stand before each place of the text.
        counts = np.cumsum(~stopped[side.values]) if stopped.any() else None
        self._before = None if counts is None else np.concatenate([[0], counts])

    def spans(self, part: slice, spans: IdArray) -> tuple[IntArray, IntArray]:
        """Return places in the whole text of spans: segment of the part, first word, end."""
        starts = self._side.offsets[part][spans[0]]
        return starts + spans[1], starts + spans[2]

    def allowed(self, first: IntArray, end: IntArray) -> BoolArray:
        """Return which spans have a word that is none of those that alone make no phrase."""
        if self._before is None:
            return np.ones(first.size, dtype=np.bool_)
        return np.asarray(self._before[end] > self._before[first])

    def texts(self, first: IntArray, end: IntArray) -> Any:  # noqa: ANN401
        """Return the phrases of spans, words joined by spaces."""
        pa = arrow()
        sizes = end - first
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
        places = np.repeat(first - offsets[:-1], sizes) + np.arange(offsets[-1])
        words = self._words.take(pa.array(self._side.values[places]))
        lists = pa.ListArray.from_arrays(pa.array(offsets), words)
        return arrow("compute").binary_join(lists, " ")


def _is_punctuation(word: str) -> bool:
    return not any(character.isalnum() for character in word)
