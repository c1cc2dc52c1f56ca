"""Compiled twin of `tenbin.kernels.phrases.index`."""

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.phrases.index import FREE, ROOT, SPREAD, slot_count

_SIGNED_SPREAD = SPREAD - (1 << 64)
_LOW = 0xFFFFFFFF
_FIRST_CAPACITY = 1 << 12
# Ways that were looked up last: texts repeat themselves, and the slots of a large index lie far
# apart in memory.
_REMEMBERED = 1 << 18
_NO_WAY = -2
_FULL = -1

_slot_count = jit(slot_count)


@jit
def _slot(slot_keys: IntArray, key: np.int64) -> int:
    """Return the slot that holds a key, or else the free slot where it belongs."""
    slot = int((((key * _SIGNED_SPREAD) >> 32 & _LOW) * slot_keys.size) >> 32)
    while slot_keys[slot] != key and slot_keys[slot] != FREE:
        slot += 1
        if slot == slot_keys.size:
            slot = 0
    return slot


@jit
def numbered_phrases(values: IdArray, offsets: IntArray) -> tuple[IdArray, IntArray, IdArray]:
    """Return the phrase number of each row, and keys and states of the slots."""
    row_states, state_keys = _states(values, offsets)
    numbers = np.full(state_keys.size, -1, dtype=np.int32)
    size = 0
    for state in row_states:
        if numbers[state] < 0:
            numbers[state] = size
            size += 1
    for state in range(numbers.size):
        if numbers[state] < 0:
            numbers[state] = size
            size += 1
    slot_keys = np.full(_slot_count(size), FREE, dtype=np.int64)
    slot_states = np.zeros(slot_keys.size, dtype=np.int32)
    for state in range(size):
        before = (state_keys[state] >> 32) - 1
        if before != ROOT:
            before = np.int64(numbers[before])
        key = ((before + 1) << 32) | (state_keys[state] & _LOW)
        slot = _slot(slot_keys, key)
        slot_keys[slot] = key
        slot_states[slot] = numbers[state]
    for row in range(row_states.size):
        row_states[row] = numbers[row_states[row]]
    return row_states, slot_keys, slot_states


@jit
def _states(values: IdArray, offsets: IntArray) -> tuple[IdArray, IntArray]:
    """Return the state in which each row ends, and the key that leads to each state.

    States are numbered as they are met.
    """
    row_states = np.empty(offsets.size - 1, dtype=np.int32)
    state_keys = np.empty(_FIRST_CAPACITY, dtype=np.int64)
    slot_keys = np.full(_slot_count(_FIRST_CAPACITY), FREE, dtype=np.int64)
    slot_states = np.empty(slot_keys.size, dtype=np.int32)
    size = 0
    for row in range(row_states.size):
        state = np.int64(ROOT)
        for position in range(offsets[row], offsets[row + 1]):
            key = ((state + 1) << 32) | np.int64(values[position])
            slot = _slot(slot_keys, key)
            if slot_keys[slot] == key:
                state = np.int64(slot_states[slot])
                continue
            if size == state_keys.size:
                state_keys = np.append(state_keys, np.empty_like(state_keys))
                slot_keys = np.full(_slot_count(state_keys.size), FREE, dtype=np.int64)
                slot_states = np.empty(slot_keys.size, dtype=np.int32)
                for old in range(size):
                    slot = _slot(slot_keys, state_keys[old])
                    slot_keys[slot], slot_states[slot] = state_keys[old], old
                slot = _slot(slot_keys, key)
            slot_keys[slot], slot_states[slot] = key, size
            state_keys[size] = key
            state = np.int64(size)
            size += 1
        row_states[row] = state
    return row_states, state_keys[:size].copy()


@jit
def phrase_spans(
    values: IdArray,
    offsets: IntArray,
    slot_keys: IntArray,
    slot_states: IdArray,
    phrase_count: int,
) -> tuple[IntArray, IdArray]:
    """Return offsets by row, and start, length and phrase of each span, shape (3, spans)."""
    row_offsets = np.zeros(offsets.size, dtype=np.int64)
    found = np.empty((3, max(_FIRST_CAPACITY, 2 * values.size)), dtype=np.int32)
    keys = np.full(_REMEMBERED, FREE, dtype=np.int64)
    states = np.empty(_REMEMBERED, dtype=np.int32)
    remembered = keys, states
    row = 0
    while row < offsets.size - 1:
        words = values[offsets[row] : offsets[row + 1]]
        size = _row_spans(
            words, slot_keys, slot_states, phrase_count, remembered, found, row_offsets[row]
        )
        if size == _FULL:
            wider = np.empty((3, 2 * found.shape[1]), dtype=np.int32)
            wider[:, : row_offsets[row]] = found[:, : row_offsets[row]]
            found = wider
            continue
        row += 1
        row_offsets[row] = size
    return row_offsets, found[:, : row_offsets[-1]].copy()


@jit
def _row_spans(
    words: IdArray,
    slot_keys: IntArray,
    slot_states: IdArray,
    phrase_count: int,
    remembered: tuple[IntArray, IdArray],
    found: IdArray,
    size: int,
) -> int:
    """Write the spans of one row; return how many there are in all, or that there is no room."""
    keys, states = remembered
    for start in range(words.size):
        state = np.int64(ROOT)
        for position in range(start, words.size):
            if words[position] < 0:
                break
            key = ((state + 1) << 32) | np.int64(words[position])
            place = (key * _SIGNED_SPREAD) >> 40 & (_REMEMBERED - 1)
            if keys[place] != key:
                slot = _slot(slot_keys, key)
                keys[place] = key
                states[place] = _NO_WAY if slot_keys[slot] == FREE else slot_states[slot]
            state = np.int64(states[place])
            if state == _NO_WAY:
                break
            if state >= phrase_count:
                continue
            if size == found.shape[1]:
                return _FULL
            found[0, size], found[1, size] = start, position + 1 - start
            found[2, size] = state
            size += 1
    return size
