"""Phrase pairs of a word-aligned bitext, as hashes, streamed to Parquet.

Phrases are counted and joined as 64-bit hashes; their words are looked up only for the phrases of
the final table. A hash collision shows there, and then another seed is tried.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tenbin.building.corpus import Phase, no_progress
from tenbin.building.paraphrases.alignment import PackedLinks
from tenbin.building.paraphrases.bitext import PackedBitext, PackedSide
from tenbin.core.arrays import IdArray, IntArray
from tenbin.formats.parquet import arrow
from tenbin.kernels.phrases.consistent import consistent_phrases
from tenbin.kernels.phrases.hashes import NOWHERE, counted_pairs, phrase_hashes, places_of_phrases

_BYTES = 8
BoolArray = npt.NDArray[np.bool_]

FILE_NAME = "phrases.parquet"
EXTRA = "build"
# Some 40 phrase pairs a segment, of some 50 bytes while they are counted.
_SEGMENTS_AT_ONCE = 20_000


def word_hashes(words: Sequence[str], seed: int) -> IntArray:
    """Return a hash of each word, the same in all texts.

    >>> word_hashes(["house"], 0).tolist() == word_hashes(["the", "house"], 0)[1:].tolist()
    True
    """
    key = seed.to_bytes(_BYTES, "little")
    digests = b"".join(
        hashlib.blake2b(word.encode(), digest_size=_BYTES, key=key).digest() for word in words
    )
    return np.frombuffer(digests, dtype="<i8").astype(np.int64)


def phrase_texts(
    sides: Iterable[PackedSide], wanted: IntArray, *, longest: int, seed: int
) -> list[str] | None:
    """Return the words of phrases, joined by spaces; None if two phrases have the same hash.

    Args:
        sides: Texts in one language; each phrase occurs in at least one of them.
        wanted: Hashes of phrases, all different.
        longest: Maximum number of words of a phrase.
        seed: The seed of the hashes.

    Raises:
        ValueError: A phrase is in none of the texts.
    """
    found: list[str | None] = [None] * wanted.size
    for side in sides:
        words = word_hashes(side.words, seed)[side.values]
        places, lengths, clash = places_of_phrases(
            side.values, side.offsets, words, wanted, longest
        )
        if clash != NOWHERE:
            return None
        for slot in np.flatnonzero(places != NOWHERE).tolist():
            chosen = side.values[places[slot] : places[slot] + lengths[slot]].tolist()
            text = " ".join([side.words[word] for word in chosen])
            if found[slot] not in {None, text}:
                return None
            found[slot] = text
    spelled = [text for text in found if text is not None]
    if len(spelled) < len(found):
        raise ValueError("there is a phrase that is in none of the texts")
    return spelled


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The settings of the extraction.

    Attributes:
        longest: Maximum number of words of a phrase, on either side.
        pivot_function_words: A pivot phrase of these words alone is left out.
        drop_punctuation: Whether phrases of punctuation alone are left out.
        seed: The seed of the hashes of phrases.
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
    phase: Phase = no_progress,
) -> int:
    """Extract phrase pairs, write them to a file, and return their number.

    The columns are ``lang`` (the pivot language), ``f`` and ``e`` (phrases of the pivot and of the
    target language, as hashes) and ``n``, the count of the pair in a part of the text; the same
    pair may occur again.
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
        # Hashes cannot be compressed.
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
                both = np.logical_and.reduce(allowed)
                f, e = (f[0][both], f[1][both]), (e[0][both], e[1][both])
            counted = counted_pairs(pivots.hashes(*f), targets.hashes(*e))
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
        self._numbers = word_hashes(side.words, seed)[side.values]
        flags = [word in stops or (punctuation and _is_punctuation(word)) for word in side.words]
        stopped = np.array(flags, dtype=np.bool_)
        # The number of words before each position that can make a phrase.
        counts = np.cumsum(~stopped[side.values]) if stopped.any() else None
        self._before = None if counts is None else np.concatenate([[0], counts])

    def spans(self, part: slice, spans: IdArray) -> tuple[IntArray, IntArray]:
        """Return places in the whole text of spans: segment of the part, first word, end."""
        starts = self._side.offsets[part][spans[0]]
        return starts + spans[1], starts + spans[2]

    def allowed(self, first: IntArray, end: IntArray) -> BoolArray | None:
        """Return which spans have a word that can make a phrase; None for all of them."""
        if self._before is None:
            return None
        return np.asarray(self._before[end] > self._before[first])

    def hashes(self, first: IntArray, end: IntArray) -> IntArray:
        """Return the hashes of the phrases of spans."""
        return phrase_hashes(self._numbers, first, end)


def _is_punctuation(word: str) -> bool:
    return not any(character.isalnum() for character in word)
