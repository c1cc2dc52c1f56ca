"""An index of phrases and their paraphrases that finds every phrase of a row of words.

For the paraphrase stage of METEOR (Denkowski and Lavie, 2014, "Meteor Universal"), whose English
table has 5 million entries. The index is four flat arrays, so that it can be written to disk once
and mapped into memory; nothing is read from it but what a row asks for.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

FREE = -1  # a slot that holds no key
ROOT = -1  # the state before the first word
# Knuth, The Art of Computer Programming 3, 6.4: 2**64 / golden ratio. It spreads keys over slots;
# keys are compared in full, so a collision costs time, not truth.
SPREAD = 0x9E3779B97F4A7C15

_WORD_BITS = 32
# Words that the plain twins read in half a second.
_WORTH_BUILDING = 500_000
_WORTH_SEARCHING = 60_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PhraseIndex:
    """Phrases as states of an automaton over words, and the paraphrases of each.

    Phrases have the states 0, 1, ... and that is their number; beginnings of phrases that are no
    phrase themselves come after them. The way from state s by word w leads to the state in the slot
    with the key ``(s + 1) << 32 | w``, if there is one; the way begins at `ROOT`. A key is searched
    from slot ``(key * SPREAD mod 2**64 >> 32) * slots >> 32`` on until it or a free slot is met.

    Attributes:
        slot_keys: Key of each slot, or `FREE`.
        slot_states: State each key leads to.
        paraphrase_offsets: Phrase p has the paraphrases ``paraphrase_offsets[p]`` to ``[p + 1]``.
        paraphrases: Phrase numbers of the paraphrases, in the order of the entries.
    """

    slot_keys: IntArray
    slot_states: IdArray
    paraphrase_offsets: IntArray
    paraphrases: IdArray

    @property
    def phrase_count(self) -> int:
        """The number of distinct phrases, paraphrases among them."""
        return self.paraphrase_offsets.size - 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PhraseSpans:
    """The phrases that rows contain, in each row by start and then by length.

    Attributes:
        offsets: Row r has the spans ``offsets[r]`` to ``offsets[r + 1]``.
        starts: First word of each span.
        lengths: Number of words.
        phrases: Phrase number.
    """

    offsets: IntArray
    starts: IdArray
    lengths: IdArray
    phrases: IdArray


def build_phrase_index(
    values: IdArray, offsets: IntArray, phrases: IntArray, paraphrases: IntArray
) -> PhraseIndex:
    """Return the index of a table of phrases and paraphrases.

    Entries that are there twice stay there twice, as in METEOR. The order of the entries of one
    phrase is preserved, since the aligner depends on it.

    Args:
        values: Words of all rows; word ids from 0.
        offsets: Row r is ``values[offsets[r] : offsets[r + 1]]``. Rows may be equal.
        phrases: Row of the phrase of each entry.
        paraphrases: Row of its paraphrase.

    Raises:
        ValueError: If a row is empty or a word negative.
    """
    if (np.diff(offsets) < 1).any() or values.min(initial=0) < 0:
        raise ValueError("a phrase needs at least one word, and words are numbered from 0")
    compiled = compiled_twin("phrases.index", work=values.size, threshold=_WORTH_BUILDING)
    numbered = _plain_numbered_phrases if compiled is None else compiled.numbered_phrases
    numbers, slot_keys, slot_states = numbered(values, offsets)
    sources = numbers[phrases]
    counts = np.bincount(sources, minlength=int(numbers.max(initial=-1)) + 1)
    return PhraseIndex(
        slot_keys=slot_keys,
        slot_states=slot_states,
        paraphrase_offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        paraphrases=numbers[paraphrases[np.argsort(sources, kind="stable")]],
    )


def _plain_numbered_phrases(
    values: IdArray, offsets: IntArray
) -> tuple[IdArray, IntArray, IdArray]:
    """Return the phrase number of each row, and keys and states of the slots."""
    words = values.tolist()
    rows = [tuple(words[start:stop]) for start, stop in pairwise(offsets.tolist())]
    states = {row: number for number, row in enumerate(dict.fromkeys(rows))}
    numbers = np.array([states[row] for row in rows], dtype=np.int32)
    beginnings = dict.fromkeys(row[:end] for row in rows for end in range(1, len(row) + 1))
    for beginning in beginnings:
        states.setdefault(beginning, len(states))
    slots = slot_count(len(states))
    slot_keys = [FREE] * slots
    slot_states = [0] * slots
    states[()] = ROOT
    for beginning in beginnings:
        key = (states[beginning[:-1]] + 1 << _WORD_BITS) + beginning[-1]
        slot = _first_slot(key, slots)
        while slot_keys[slot] != FREE:
            slot = (slot + 1) % slots
        slot_keys[slot], slot_states[slot] = key, states[beginning]
    return numbers, np.array(slot_keys, dtype=np.int64), np.array(slot_states, dtype=np.int32)


def slot_count(states: int) -> int:
    """Return the number of slots for so many states: two thirds full, and never quite full."""
    return states + states // 2 + 1


def _first_slot(key: int, slots: int) -> int:
    return ((key * SPREAD) % 2**64 >> 32) * slots >> 32


def phrase_spans(values: IdArray, offsets: IntArray, index: PhraseIndex) -> PhraseSpans:
    """Return every span of every row that is a phrase of an index.

    Args:
        values: Words of all rows, numbered as in the index; -1 is a word that no phrase has.
        offsets: Row r is ``values[offsets[r] : offsets[r + 1]]``.
        index: The phrases.

    Example:
        The phrases ``0 1`` and ``1``; the former has the latter as a paraphrase.

        >>> table = np.array([0, 1, 1], dtype=np.int32), np.array([0, 2, 3])
        >>> index = build_phrase_index(*table, np.array([0]), np.array([1]))
        >>> spans = phrase_spans(np.array([1, 0, 1], dtype=np.int32), np.array([0, 3]), index)
        >>> spans.starts.tolist(), spans.lengths.tolist(), spans.phrases.tolist()
        ([0, 1, 2], [1, 2, 1], [1, 0, 1])
    """
    compiled = compiled_twin("phrases.index", work=values.size, threshold=_WORTH_SEARCHING)
    if compiled is None:
        row_offsets, found = _plain_phrase_spans(values, offsets, index)
    else:
        row_offsets, found = compiled.phrase_spans(
            values, offsets, index.slot_keys, index.slot_states, index.phrase_count
        )
    return PhraseSpans(offsets=row_offsets, starts=found[0], lengths=found[1], phrases=found[2])


def _plain_phrase_spans(
    values: IdArray, offsets: IntArray, index: PhraseIndex
) -> tuple[IntArray, IdArray]:
    words = values.tolist()
    found: list[tuple[int, int, int]] = []
    row_offsets = [0]
    for first, end in pairwise(offsets.tolist()):
        row = words[first:end]
        for start in range(len(row)):
            state = ROOT
            for stop in range(start + 1, len(row) + 1):
                following = _next_state(state, row[stop - 1], index)
                if following is None:
                    break
                state = following
                if state < index.phrase_count:
                    found.append((start, stop - start, state))
        row_offsets.append(len(found))
    table = np.array(found, dtype=np.int32).reshape(-1, 3).T.copy()
    return np.array(row_offsets, dtype=np.int64), table


def _next_state(state: int, word: int, index: PhraseIndex) -> int | None:
    if word < 0:
        return None
    slots = index.slot_keys.size
    key = (state + 1 << _WORD_BITS) + word
    slot = _first_slot(key, slots)
    while index.slot_keys[slot] != FREE:
        if index.slot_keys[slot] == key:
            return int(index.slot_states[slot])
        slot = (slot + 1) % slots
    return None
