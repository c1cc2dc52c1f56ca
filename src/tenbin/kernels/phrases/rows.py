"""Rows of words with the phrases in them and the sets that these phrases are in."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin
from tenbin.kernels.phrases.index import PhraseSpans

# Spans from which the memory of the plain twin, with its copies of all lists, is worth a start-up.
_WORTH_COMPILING = 60_000

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PhraseRows:
    """Rows of words, the phrases in them, and the sets of each phrase.

    Attributes:
        values: Words of all rows; equal ids mean equal words.
        offsets: Row r is ``values[offsets[r] : offsets[r + 1]]``.
        spans: The phrases in the rows.
        set_values: Sets of all phrases, ascending for each phrase.
        set_offsets: Phrase p is in the sets ``set_values[set_offsets[p] : set_offsets[p + 1]]``.
        set_count: How many sets there are.
    """

    values: IdArray
    offsets: IntArray
    spans: PhraseSpans
    set_values: IdArray
    set_offsets: IntArray
    set_count: int

    def sets(self, phrase: int) -> frozenset[int]:
        """Return the sets of a phrase."""
        start, stop = self.set_offsets[phrase : phrase + 2]
        return frozenset(self.set_values[start:stop].tolist())


def narrowed(rows: PhraseRows) -> PhraseRows:
    """Return the same rows with those phrases and sets alone that can matter for a match.

    Phrases that occur in no row are left out, and sets with one phrase that does, but for the
    lowest set of each phrase: equal phrases share that one. No match changes. A large table becomes
    small, and one batch may use it many times. Phrases get new numbers, in the same order; sets
    keep theirs.
    """
    phrases = rows.spans.phrases
    compiled = compiled_twin("phrases.rows", work=phrases.size, threshold=_WORTH_COMPILING)
    lists = _plain_narrowed_lists if compiled is None else compiled.narrowed_lists
    # From numpy, which leaves it to the system to clear what is touched, and no more.
    found = np.zeros(rows.set_offsets.size - 1, dtype=np.bool_)
    shared = np.zeros((2, rows.set_count), dtype=np.bool_)
    numbers, set_values, set_offsets = lists(
        phrases, rows.set_values, rows.set_offsets, found, shared
    )
    return replace(
        rows,
        spans=replace(rows.spans, phrases=numbers),
        set_values=set_values,
        set_offsets=set_offsets,
    )


def _plain_narrowed_lists(
    phrases: IdArray,
    set_values: IdArray,
    set_offsets: IntArray,
    found: BoolArray,
    shared: BoolArray,
) -> tuple[IdArray, IdArray, IntArray]:
    found[phrases] = True
    kept = np.flatnonzero(found)
    numbers = np.empty(found.size, dtype=np.int32)
    numbers[kept] = np.arange(kept.size)
    starts, counts = set_offsets[kept], np.diff(set_offsets)[kept]
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
    places = np.arange(offsets[-1])
    values = set_values[np.repeat(starts - offsets[:-1], counts) + places]
    # A set with two phrases stands in two places, so that one of them is not its last.
    last = np.zeros(shared.shape[1], dtype=np.int64)
    last[values] = places
    shared[1, values[last[values] != places]] = True
    matters = shared[1, values]
    matters[offsets[:-1][counts > 0]] = True
    ends = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(matters)])
    return numbers[phrases], values[matters], ends[offsets]
