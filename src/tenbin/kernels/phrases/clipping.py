"""Matches of rows in two tiers: phrases of common sets, each set clipped, then single words.

ParaEval (Zhou, Lin and Hovy 2006, section 3.2). An item is a row that is scored and one or more
other rows: for precision a hypothesis and its references, for recall a reference and the
hypothesis.

1.  Each other row is cut into occurrences of phrases that do not overlap, the longest first, then
    the leftmost. An occurrence belongs to the lowest of its sets that has a phrase in the scored
    row.
2.  The clip of a set is the largest number of its occurrences in any one other row.
3.  Spans of the scored row whose set has some clip left are matched, the longest first, then the
    leftmost, without overlap; each takes 1 from the set with most left, the lowest of equal ones.
4.  Words of the scored row that are in no such span match equal words, as often as the other row
    has them that has them most; occurrences of sets that were matched in step 3 do not count.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tenbin.kernels.arrays import IntArray
from tenbin.kernels.dispatch import compiled_twin
from tenbin.kernels.phrases.sets import PhraseRows

# Words of all rows of all items, and sets of their phrases, that the plain twin reads in half a
# second.
_WORTH_COMPILING = 1_000_000

_SetsOf = Callable[[int], frozenset[int]]


class PhraseMatch(NamedTuple):
    """A span of a row that counts for a set."""

    start: int
    length: int
    set: int


class TwoTierMatch(NamedTuple):
    """What was matched in an item, and by what.

    Attributes:
        phrases: The matched spans of the scored row, in the order in which they were taken.
        words: Places of its words that were matched on their own.
        occurrences: Of each other row, the occurrences of sets that the scored row has a phrase of.
        clips: The clip of each such set.
    """

    phrases: list[PhraseMatch]
    words: list[int]
    occurrences: list[list[PhraseMatch]]
    clips: dict[int, int]


def clipped_matches(
    rows: PhraseRows,
    scored: IntArray,
    others: IntArray,
    other_offsets: IntArray,
    *,
    least_scored: int = 1,
    least_other: int = 1,
) -> IntArray:
    """Return the matched words of each item: those in phrases, single ones; shape (items, 2).

    Args:
        rows: The pool.
        scored: Row of each item whose words are counted.
        others: Rows that they are matched with, one item after the other.
        other_offsets: Item i has ``others[other_offsets[i] : other_offsets[i + 1]]``.
        least_scored: Words that a phrase of the scored row must have.
        least_other: Words that a phrase of another row must have.

    Example:
        The words 0 1 and 2 are paraphrases. Of the row ``0 1 3 3``, two words match by them, and
        one by itself.

        >>> from tenbin.kernels.phrases.index import build_phrase_index, phrase_spans
        >>> table = np.array([0, 1, 2], dtype=np.int32), np.array([0, 2, 3])
        >>> none = np.empty(0, dtype=np.int64)
        >>> index = build_phrase_index(*table, none, none)
        >>> pool = np.array([0, 1, 3, 3, 2, 3], dtype=np.int32), np.array([0, 4, 6])
        >>> sets = {"set_values": np.zeros(2, dtype=np.int32), "set_offsets": np.arange(3)}
        >>> spans = {"spans": phrase_spans(*pool, index)}
        >>> rows = PhraseRows(values=pool[0], offsets=pool[1], set_count=1, **spans, **sets)
        >>> clipped_matches(rows, np.array([0]), np.array([1]), np.array([0, 1])).tolist()
        [[2, 1]]
    """
    items = (scored, others, other_offsets)
    lengths = np.diff(rows.set_offsets)[rows.spans.phrases]
    ends = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
    sizes = np.diff(rows.offsets) + np.diff(ends[rows.spans.offsets])
    work = int(sizes[scored].sum() + sizes[others].sum())
    if compiled := compiled_twin("phrases.clipping", work=work, threshold=_WORTH_COMPILING):
        spans = rows.spans
        counts: IntArray = compiled.clipped_matches(
            (rows.values, rows.offsets),
            (spans.offsets, spans.starts, spans.lengths, spans.phrases),
            (rows.set_values, rows.set_offsets),
            items,
            least_scored,
            least_other,
            # From numpy, which leaves it to the system to clear what is touched, and no more.
            tuple(
                np.zeros(size, dtype=np.int32)
                for size in (rows.set_offsets.size, rows.set_count, rows.set_count)
            ),
        )
        return counts
    return _plain_clipped_matches(rows, items, least_scored, least_other)


def _plain_clipped_matches(
    rows: PhraseRows,
    items: tuple[IntArray, IntArray, IntArray],
    least_scored: int,
    least_other: int,
) -> IntArray:
    scored, others, other_offsets = (array.tolist() for array in items)
    counts = np.zeros((len(scored), 2), dtype=np.int64)
    sets_of = cache(rows.sets)
    for item, (row, (first, end)) in enumerate(zip(scored, pairwise(other_offsets), strict=True)):
        found = _match(rows, sets_of, row, others[first:end], (least_scored, least_other))
        counts[item] = sum(match.length for match in found.phrases), len(found.words)
    return counts


def two_tier_match(
    rows: PhraseRows, scored: int, others: list[int], *, least_scored: int = 1, least_other: int = 1
) -> TwoTierMatch:
    """Return what is matched in one item; see `clipped_matches`."""
    return _match(rows, cache(rows.sets), scored, others, (least_scored, least_other))


def _match(
    rows: PhraseRows, sets_of: _SetsOf, scored: int, others: list[int], least: tuple[int, int]
) -> TwoTierMatch:
    spans = _spans(rows, sets_of, scored, least[0])
    own_sets = set().union(*(sets_of(phrase) for phrase in {phrase for _, _, phrase in spans}))
    occurrences = [
        _occurrences(_spans(rows, sets_of, other, least[1]), sets_of, own_sets) for other in others
    ]
    clips: Counter[int] = Counter()
    for one in occurrences:
        clips |= Counter(match.set for match in one)
    phrases = _clipped_phrases(spans, sets_of, Counter(clips))
    used = {place for match in phrases for place in _places(match)}
    own_words = rows.values[rows.offsets[scored] : rows.offsets[scored + 1]].tolist()
    taken = {match.set for match in phrases}
    free: Counter[int] = Counter()
    for other, found in zip(others, occurrences, strict=True):
        free |= _words_outside(rows, other, [match for match in found if match.set in taken])
    words = []
    for place, word in enumerate(own_words):
        if place not in used and free[word] > 0:
            free[word] -= 1
            words.append(place)
    return TwoTierMatch(phrases, words, occurrences, dict(sorted(clips.items())))


def _spans(rows: PhraseRows, sets_of: _SetsOf, row: int, least: int) -> list[tuple[int, int, int]]:
    """Return start, length and phrase of the spans of a row: the longest first, then leftmost."""
    spans = rows.spans
    part = slice(spans.offsets[row], spans.offsets[row + 1])
    columns = (column[part].tolist() for column in (spans.starts, spans.lengths, spans.phrases))
    found = [
        (start, length, phrase)
        for start, length, phrase in zip(*columns, strict=True)
        if length >= least and sets_of(phrase)
    ]
    return sorted(found, key=lambda span: (-span[1], span[0]))


def _occurrences(
    spans: list[tuple[int, int, int]], sets_of: _SetsOf, own_sets: set[int]
) -> list[PhraseMatch]:
    """Return the occurrences in a row that belong to a set of the scored row."""
    used: set[int] = set()
    found = []
    for start, length, phrase in spans:
        places = range(start, start + length)
        if used.isdisjoint(places):
            used.update(places)
            shared = sets_of(phrase) & own_sets
            # Others take their place, but their sets cannot be matched.
            if shared:
                found.append(PhraseMatch(start, length, min(shared)))
    return found


def _clipped_phrases(
    spans: list[tuple[int, int, int]], sets_of: _SetsOf, left: Counter[int]
) -> list[PhraseMatch]:
    used: set[int] = set()
    matched = []
    for start, length, phrase in spans:
        places = range(start, start + length)
        able = [number for number in left if left[number] > 0 and number in sets_of(phrase)]
        if able and used.isdisjoint(places):
            best = min(able, key=lambda number: (-left[number], number))
            left[best] -= 1
            used.update(places)
            matched.append(PhraseMatch(start, length, best))
    return matched


def _words_outside(rows: PhraseRows, row: int, matches: list[PhraseMatch]) -> Counter[int]:
    inside = {place for match in matches for place in _places(match)}
    words = rows.values[rows.offsets[row] : rows.offsets[row + 1]].tolist()
    return Counter(word for place, word in enumerate(words) if place not in inside)


def _places(match: PhraseMatch) -> range:
    return range(match.start, match.start + match.length)
