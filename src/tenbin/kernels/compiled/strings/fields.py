"""Compiled twin of `kernels.strings.fields`: a hash table over the bytes themselves."""

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.strings.fields import BLANK, LINE_FEED, ByteArray

# Columns of distinct fields: first byte, the byte after the last, hash.
_START, _STOP, _CODE = range(3)
_FREE = -1
# FNV-1a (Fowler, Noll, Vo) in 64 bits that overflow. Fields are compared in full, so a collision
# costs time only.
_BASIS = 0x4BF29CE484222325
_PRIME = 0x100000001B3


@jit
def numbered_fields(text: ByteArray) -> tuple[IdArray, IntArray, IntArray, IntArray]:
    """Return number of each field; offsets by line; starts and stops of distinct fields."""
    lines = blanks = 0
    for byte in text:
        lines += byte == LINE_FEED
        blanks += byte == BLANK
    count = lines + blanks + 1
    numbers = np.empty(count, dtype=np.int32)
    offsets = np.zeros(lines + 2, dtype=np.int64)
    # Room for the worst case, in which no field occurs twice: arrays that grow in the loop are
    # three times slower, and memory that is not written to costs nothing.
    distinct = np.empty((count, 3), dtype=np.int64)
    slot_count = 1
    while slot_count < 2 * count:
        slot_count *= 2
    slots = np.full(slot_count, _FREE, dtype=np.int32)
    size = field = line = start = 0
    code = np.int64(_BASIS)
    for place in range(text.size + 1):
        byte = text[place] if place < text.size else np.uint8(LINE_FEED)
        if byte not in (BLANK, LINE_FEED):
            code = (code ^ np.int64(byte)) * _PRIME
            continue
        slot = (code ^ (code >> 32)) & (slot_count - 1)
        while slots[slot] != _FREE:
            known = slots[slot]
            if distinct[known, _CODE] == code and _equal(
                text, distinct[known, _START], distinct[known, _STOP], start, place
            ):
                break
            slot = (slot + 1) & (slot_count - 1)
        if slots[slot] == _FREE:
            slots[slot] = size
            distinct[size, _START], distinct[size, _STOP] = start, place
            distinct[size, _CODE] = code
            size += 1
        numbers[field] = slots[slot]
        field += 1
        start, code = place + 1, np.int64(_BASIS)
        if byte == LINE_FEED:
            line += 1
            offsets[line] = field
    return numbers, offsets, distinct[:size, _START].copy(), distinct[:size, _STOP].copy()


@jit
def _equal(text: ByteArray, start: int, stop: int, other_start: int, other_stop: int) -> bool:
    """Return whether two fields have the same bytes."""
    if stop - start != other_stop - other_start:
        return False
    place = 0
    while place < stop - start and text[start + place] == text[other_start + place]:
        place += 1
    return place == stop - start
