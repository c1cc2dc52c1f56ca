"""Paraphrase sets: the sets of the phrases in rows of words, and sets joined if they share one."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin
from tenbin.kernels.phrases.index import PhraseSpans

# Spans from which the compiled twin, which copies no lists, saves enough memory.
_WORTH_NARROWING = 60_000

BoolArray = npt.NDArray[np.bool_]
# Memberships that the plain twin joins in half a second.
_WORTH_JOINING = 400_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PhraseRows:
    """Rows of words, the phrases in them, and the sets of each phrase.

    Attributes:
        values: Words of all rows; equal ids mean equal words.
        offsets: Row r is ``values[offsets[r] : offsets[r + 1]]``.
        spans: The phrases in the rows.
        set_values: Sets of all phrases, ascending for each phrase.
        set_offsets: Phrase p is in the sets ``set_values[set_offsets[p] : set_offsets[p + 1]]``.
        set_count: Number of sets.
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
    """Return the same rows with only those phrases and sets that can matter for a match.

    Phrases that occur in no row are left out, and so are sets with only one phrase that does,
    except for the lowest set of each phrase: equal phrases share that one. No match changes. A
    large table becomes small, and a batch may use it many times. Phrases are renumbered in the same
    order; sets are not.
    """
    phrases = rows.spans.phrases
    compiled = compiled_twin("phrases.sets", work=phrases.size, threshold=_WORTH_NARROWING)
    lists = _plain_narrowed_lists if compiled is None else compiled.narrowed_lists
    # Allocated by numpy, which leaves it to the system to clear only the pages that are touched.
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
    selected = np.flatnonzero(found)
    numbers = np.empty(found.size, dtype=np.int32)
    numbers[selected] = np.arange(selected.size)
    starts, counts = set_offsets[selected], np.diff(set_offsets)[selected]
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
    places = np.arange(offsets[-1])
    values = set_values[np.repeat(starts - offsets[:-1], counts) + places]
    # A set with two phrases is listed twice, so that one of the positions is not its last.
    last = np.zeros(shared.shape[1], dtype=np.int64)
    last[values] = places
    shared[1, values[last[values] != places]] = True
    matters = shared[1, values]
    matters[offsets[:-1][counts > 0]] = True
    ends = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(matters)])
    return numbers[phrases], values[matters], ends[offsets]


def joined_sets(set_values: IdArray, set_offsets: IntArray) -> IdArray:
    """Return the joined set of each element, named by its lowest set; -1 for none.

    The connected components of elements and sets, for ParaEval's paraphrase sets under transitive
    closure.

    Args:
        set_values: Sets of all elements, one element after the other.
        set_offsets: Element e is in ``set_values[set_offsets[e] : set_offsets[e + 1]]``.

    Example:
        >>> sets, offsets = np.array([0, 2, 2, 1], dtype=np.int32), np.array([0, 2, 3, 4, 4])
        >>> joined_sets(sets, offsets).tolist()
        [0, 0, 1, -1]
    """
    if compiled := compiled_twin("phrases.sets", work=set_values.size, threshold=_WORTH_JOINING):
        joined: IdArray = compiled.joined_sets(set_values, set_offsets)
        return joined
    return _plain_joined_sets(set_values, set_offsets)


def _plain_joined_sets(set_values: IdArray, set_offsets: IntArray) -> IdArray:
    neighbors: dict[int, set[int]] = {number: set() for number in set_values.tolist()}
    listed = set_values.tolist()
    rows = [listed[start:stop] for start, stop in pairwise(set_offsets.tolist())]
    for row in rows:
        for one, two in pairwise(row):
            neighbors[one].add(two)
            neighbors[two].add(one)
    names: dict[int, int] = {}
    for lowest in sorted(neighbors):
        reached = [] if lowest in names else [lowest]
        while reached:
            number = reached.pop()
            if number not in names:
                names[number] = lowest
                reached.extend(neighbors[number])
    return np.array([names[row[0]] if row else -1 for row in rows], dtype=np.int32)
