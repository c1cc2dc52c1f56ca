"""Compiled twin of `tenbin.kernels.phrases.hashes`."""

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.phrases.hashes import FACTOR, NOWHERE

_OTHER_FACTOR = 0xC2B2AE3D27D4EB4F - 2**64  # odd, and far from the other
_SHIFT = 29


@jit
def phrase_hashes(words: IntArray, first: IntArray, end: IntArray) -> IntArray:
    """Return the hashes of phrases."""
    numbers = np.empty(first.size, dtype=np.int64)
    for phrase in range(first.size):
        number = np.int64(0)
        for place in range(first[phrase], end[phrase]):
            number = number * FACTOR + words[place]
        numbers[phrase] = number
    return numbers


@jit
def _slots(entries: int) -> int:
    """Return a power of two that leaves half of a table free."""
    slots = 16
    while slots < 2 * entries:
        slots *= 2
    return slots


@jit
def counted_pairs(one: IntArray, other: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return each distinct pair, by first occurrence, and its count."""
    mask = _slots(one.size) - 1
    rows = np.full(mask + 1, NOWHERE, dtype=np.int32)
    ones = np.empty(one.size, dtype=np.int64)
    others = np.empty(one.size, dtype=np.int64)
    counts = np.empty(one.size, dtype=np.int64)
    size = 0
    for pair in range(one.size):
        key = one[pair] * FACTOR + other[pair] * _OTHER_FACTOR
        slot = (key ^ (key >> _SHIFT)) & mask
        while True:
            row = rows[slot]
            if row == NOWHERE:
                rows[slot] = size
                ones[size], others[size], counts[size] = one[pair], other[pair], 1
                size += 1
                break
            if ones[row] == one[pair] and others[row] == other[pair]:
                counts[row] += 1
                break
            slot = (slot + 1) & mask
    return ones[:size].copy(), others[:size].copy(), counts[:size].copy()


@jit
def places_of_phrases(
    values: IdArray, offsets: IntArray, words: IntArray, wanted: IntArray, longest: int
) -> tuple[IntArray, IntArray, int]:
    """Return first positions and lengths of phrases, and one with a collision, if any."""
    mask = _slots(wanted.size) - 1
    table = np.full(mask + 1, NOWHERE, dtype=np.int32)
    for row in range(wanted.size):
        slot = (wanted[row] ^ (wanted[row] >> _SHIFT)) & mask
        while table[slot] != NOWHERE:
            slot = (slot + 1) & mask
        table[slot] = row
    places = np.full(wanted.size, NOWHERE, dtype=np.int64)
    lengths = np.zeros(wanted.size, dtype=np.int64)
    clash = NOWHERE
    for segment in range(offsets.size - 1):
        stop = offsets[segment + 1]
        for first in range(offsets[segment], stop):
            number = np.int64(0)
            for end in range(first + 1, min(first + longest, stop) + 1):
                number = number * FACTOR + words[end - 1]
                slot = (number ^ (number >> _SHIFT)) & mask
                while table[slot] != NOWHERE and wanted[table[slot]] != number:
                    slot = (slot + 1) & mask
                row = table[slot]
                if row == NOWHERE:
                    continue
                if places[row] == NOWHERE:
                    places[row], lengths[row] = first, end - first
                elif not _same(values, places[row], lengths[row], first, end - first):
                    clash = row
    return places, lengths, clash


@jit
def _same(values: IdArray, one: int, one_length: int, other: int, other_length: int) -> bool:
    """Return whether two stretches of text have the same words."""
    if one_length != other_length:
        return False
    for step in range(one_length):  # noqa: SIM110 - numba has no generators
        if values[one + step] != values[other + step]:
            return False
    return True
