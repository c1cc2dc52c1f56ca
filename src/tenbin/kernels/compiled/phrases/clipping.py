"""Compiled twin of `tenbin.kernels.phrases.clipping`.

Of an occurrence only the lowest set is wanted that it shares with a phrase of the scored row. The
phrases of that row and their sets are marked, and the list of the occurrence is read up to the
first marked set. A frequent phrase may be in many thousands of sets, too many to mark for every
item; each set has a chain of such phrases, and is as good as marked if one of them is. Where the
occurrence is such a phrase and the row has none, it is the sets of the row that are looked up.
"""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.compiled.jit import jit

_Rows = tuple[IdArray, IntArray]
_Spans = tuple[IntArray, IdArray, IdArray, IdArray]
_Sets = tuple[IdArray, IntArray]
_Items = tuple[IntArray, IntArray, IntArray]
_Marks = tuple[IdArray, IdArray]
_Chains = tuple[IdArray, IdArray, IdArray]
_Known = tuple[IdArray, bool, int]
_BoolArray = npt.NDArray[np.bool_]

_MANY_SETS = 1 << 8
_NOTHING = -1
_END = 0  # of a chain


@jit
def clipped_matches(
    rows: _Rows,
    spans: _Spans,
    sets: _Sets,
    items: _Items,
    least_scored: int,
    least_other: int,
    cleared: tuple[IdArray, IdArray, IdArray],
) -> IntArray:
    """Return words matched in phrases and single words of each item, shape (items, 2).

    Three arrays are given all 0: one with a place for each phrase, two with one for each set.
    """
    values, offsets = rows
    scored, others, other_offsets = items
    phrase_marks, set_marks, heads = cleared
    marks, chains = (phrase_marks, set_marks), _chains(sets, heads)
    segment_offsets, segments = _segmentations(offsets, spans, sets, others, least_other)
    counts = np.zeros((scored.size, 2), dtype=np.int64)
    # By word, all 0 between items: how often the scored row has it left, and the other rows.
    size = 1 + (values.max() if values.size else 0)
    own, most, here = np.zeros((3, size), dtype=np.int32)
    for item in range(scored.size):
        row = scored[item]
        rivals = others[other_offsets[item] : other_offsets[item + 1]]
        ordered = _ordered_spans(spans, sets, row, least_scored)
        known = _mark(spans[3], ordered, sets, marks, item + 1)
        owners, numbers, left = _clips(
            spans[3], sets, rivals, (segment_offsets, segments), marks, chains, known
        )
        words = values[offsets[row] : offsets[row + 1]]
        used, taken = _matched(spans, sets, ordered, words.size, numbers, left)
        counts[item, 0] = used.sum()
        for position in range(words.size):
            if not used[position]:
                own[words[position]] += 1
        place = 0
        for rival in rivals:
            other = values[offsets[rival] : offsets[rival + 1]]
            covered = np.zeros(other.size, dtype=np.bool_)
            for segment in range(segment_offsets[rival], segment_offsets[rival + 1]):
                owner = owners[place]
                place += 1
                if owner != _NOTHING and taken[owner]:
                    start = spans[1][segments[segment]]
                    covered[start : start + spans[2][segments[segment]]] = True
            for position in range(other.size):
                word = other[position]
                if not covered[position] and here[word] < own[word]:
                    here[word] += 1
                    if here[word] > most[word]:
                        most[word] = here[word]
                        counts[item, 1] += 1
            here[other] = 0
        own[words] = 0
        most[words] = 0
    return counts


@jit
def _chains(sets: _Sets, heads: IdArray) -> _Chains:
    """Return, for each set, a chain of the phrases in it that are in many sets."""
    values, offsets = sets
    size = 1
    for phrase in range(offsets.size - 1):
        if offsets[phrase + 1] - offsets[phrase] > _MANY_SETS:
            size += offsets[phrase + 1] - offsets[phrase]
    following = np.empty(size, dtype=np.int32)
    phrases = np.empty(size, dtype=np.int32)
    link = 1
    for phrase in range(offsets.size - 1):
        if offsets[phrase + 1] - offsets[phrase] > _MANY_SETS:
            for place in range(offsets[phrase], offsets[phrase + 1]):
                phrases[link] = phrase
                following[link] = heads[values[place]]
                heads[values[place]] = link
                link += 1
    return heads, following, phrases


@jit
def _segmentations(
    offsets: IntArray, spans: _Spans, sets: _Sets, others: IntArray, least: int
) -> tuple[IntArray, IntArray]:
    """Return the spans that the other rows are cut into, and where those of each row begin."""
    asked = np.zeros(offsets.size - 1, dtype=np.bool_)
    asked[others] = True
    segment_offsets = np.zeros(offsets.size, dtype=np.int64)
    segments = np.empty(spans[1].size, dtype=np.int64)
    size = 0
    for row in range(asked.size):
        if asked[row]:
            used = np.zeros(offsets[row + 1] - offsets[row], dtype=np.bool_)
            for span in _ordered_spans(spans, sets, row, least):
                start, stop = spans[1][span], spans[1][span] + spans[2][span]
                if not used[start:stop].any():
                    used[start:stop] = True
                    segments[size] = span
                    size += 1
        segment_offsets[row + 1] = size
    return segment_offsets, segments[:size].copy()


@jit
def _ordered_spans(spans: _Spans, sets: _Sets, row: int, least: int) -> IntArray:
    """Return the spans of a row that are in sets: the longest first, then the leftmost."""
    offsets, _, lengths, phrases = spans
    first, end = offsets[row], offsets[row + 1]
    ordered = np.empty(end - first, dtype=np.int64)
    size = 0
    length = lengths[first:end].max() if first < end else np.int32(0)
    while length >= max(least, 1):
        shorter = np.int32(0)
        for span in range(first, end):
            if lengths[span] < length:
                shorter = max(shorter, lengths[span])
            elif lengths[span] == length and sets[1][phrases[span]] < sets[1][phrases[span] + 1]:
                ordered[size] = span
                size += 1
        length = shorter
    return ordered[:size]


@jit
def _mark(phrases: IdArray, ordered: IntArray, sets: _Sets, marks: _Marks, mark: int) -> _Known:
    """Mark the phrases of spans, and their sets if those are not many.

    Returns:
        Those with not many sets; whether there are others; the mark.
    """
    values, offsets = sets
    phrase_marks, set_marks = marks
    rare = np.empty(ordered.size, dtype=np.int32)
    count = 0
    others = False
    for span in ordered:
        phrase = phrases[span]
        if phrase_marks[phrase] == mark:
            continue
        phrase_marks[phrase] = mark
        if offsets[phrase + 1] - offsets[phrase] > _MANY_SETS:
            others = True
            continue
        rare[count] = phrase
        count += 1
        for place in range(offsets[phrase], offsets[phrase + 1]):
            set_marks[values[place]] = mark
    return rare[:count], others, mark


@jit
def _clips(
    phrases: IdArray,
    sets: _Sets,
    rivals: IntArray,
    cut: tuple[IntArray, IntArray],
    marks: _Marks,
    chains: _Chains,
    known: _Known,
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the place of the set of each occurrence, or -1; the sets; the clip of each."""
    segment_offsets, segments = cut
    total = 0
    for rival in rivals:
        total += segment_offsets[rival + 1] - segment_offsets[rival]
    owners = np.empty(total, dtype=np.int64)
    numbers = np.empty(total, dtype=np.int64)
    clips = np.zeros(total, dtype=np.int64)
    here = np.zeros(total, dtype=np.int64)
    count = place = 0
    for rival in rivals:
        here[:count] = 0
        for segment in range(segment_offsets[rival], segment_offsets[rival + 1]):
            number = _lowest_shared(phrases[segments[segment]], sets, marks, chains, known)
            owner = _NOTHING
            if number != _NOTHING:
                owner = 0
                while owner < count and numbers[owner] != number:
                    owner += 1
                if owner == count:
                    numbers[owner] = number
                    count += 1
                here[owner] += 1
                clips[owner] = max(clips[owner], here[owner])
            owners[place] = owner
            place += 1
    return owners, numbers[:count], clips[:count]


@jit
def _lowest_shared(phrase: int, sets: _Sets, marks: _Marks, chains: _Chains, known: _Known) -> int:
    """Return the lowest set that a phrase shares with a marked phrase, or -1."""
    values, offsets = sets
    phrase_marks, set_marks = marks
    heads, following, phrases = chains
    rare, others, mark = known
    if phrase_marks[phrase] == mark:
        return int(values[offsets[phrase]])
    if not others and offsets[phrase + 1] - offsets[phrase] > _MANY_SETS:
        return _lowest_of_rare(phrase, sets, rare)
    for place in range(offsets[phrase], offsets[phrase + 1]):
        if set_marks[values[place]] == mark:
            return int(values[place])
        link = heads[values[place]]
        while link != _END:
            if phrase_marks[phrases[link]] == mark:
                return int(values[place])
            link = following[link]
    return _NOTHING


@jit
def _lowest_of_rare(phrase: int, sets: _Sets, rare: IdArray) -> int:
    """Return the lowest set of some phrases that a phrase is in, or -1."""
    values, offsets = sets
    listed = values[offsets[phrase] : offsets[phrase + 1]]
    lowest = _NOTHING
    for other in rare:
        for place in range(offsets[other], offsets[other + 1]):
            if lowest != _NOTHING and values[place] >= lowest:
                break
            if _holds(listed, values[place]):
                lowest = int(values[place])
                break
    return lowest


@jit
def _matched(
    spans: _Spans, sets: _Sets, ordered: IntArray, size: int, numbers: IntArray, left: IntArray
) -> tuple[_BoolArray, _BoolArray]:
    """Return which words of the scored row are in matched spans, and which sets were matched."""
    used = np.zeros(size, dtype=np.bool_)
    taken = np.zeros(numbers.size, dtype=np.bool_)
    for span in ordered:
        start, stop = spans[1][span], spans[1][span] + spans[2][span]
        if used[start:stop].any():
            continue
        listed = sets[0][sets[1][spans[3][span]] : sets[1][spans[3][span] + 1]]
        best = _NOTHING
        for owner in range(numbers.size):
            rather = left[owner] > 0 and (
                best == _NOTHING
                or left[owner] > left[best]
                or (left[owner] == left[best] and numbers[owner] < numbers[best])
            )
            if rather and _holds(listed, numbers[owner]):
                best = owner
        if best != _NOTHING:
            left[best] -= 1
            taken[best] = True
            used[start:stop] = True
    return used, taken


@jit
def _holds(ascending: IdArray, wanted: int) -> bool:
    """Return whether a value is in a list, by halving it."""
    start, stop = 0, ascending.size
    while start < stop:
        middle = (start + stop) // 2
        if ascending[middle] < wanted:
            start = middle + 1
        else:
            stop = middle
    return start < ascending.size and ascending[start] == wanted
