"""Compiled twin of `tenbin.kernels.phrases.consistent`: one walk over the target spans."""

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.compiled.jit import jit

# Phrase pairs per word, about; the room for them grows where there are more.
_FIRST_ROOM = 8
_NONE = -1
_FULL = -1


@jit
def consistent_phrases(
    link_pivot: IdArray,
    link_target: IdArray,
    link_offsets: IntArray,
    pivot_lengths: IntArray,
    target_lengths: IntArray,
    longest: int,
) -> IdArray:
    """Return segments and bounds of target and pivot spans, of shape (5, pairs)."""
    found = np.empty((5, _FIRST_ROOM * target_lengths.sum() + 1), dtype=np.int32)
    size = 0
    for segment in range(pivot_lengths.size):
        first, end = link_offsets[segment], link_offsets[segment + 1]
        of_target = _reach(link_target[first:end], link_pivot[first:end], target_lengths[segment])
        of_pivot = _reach(link_pivot[first:end], link_target[first:end], pivot_lengths[segment])
        filled = _fill(of_target, of_pivot, segment, longest, found, size)
        while filled == _FULL:
            larger = np.empty((5, 2 * found.shape[1]), dtype=np.int32)
            larger[:, :size] = found[:, :size]
            found = larger
            filled = _fill(of_target, of_pivot, segment, longest, found, size)
        size = filled
    return found[:, :size].copy()


@jit
def _reach(here: IdArray, there: IdArray, size: int) -> IdArray:
    """Return the first and last word that each word is linked to; -1 where it has no link."""
    reach = np.full((2, size), _NONE, dtype=np.int32)
    for n in range(here.size):
        word, other = here[n], there[n]
        if reach[0, word] == _NONE or other < reach[0, word]:
            reach[0, word] = other
        reach[1, word] = max(reach[1, word], other)
    return reach


@jit
def _fill(
    of_target: IdArray, of_pivot: IdArray, segment: int, longest: int, found: IdArray, size: int
) -> int:
    """Add the pairs of one segment; return how many there are in all, or that there is no room."""
    length = of_target.shape[1]
    for start in range(length):
        low, high = _NONE, _NONE
        for end in range(start + 1, min(start + longest, length) + 1):
            if of_target[0, end - 1] != _NONE:
                nearest = int(of_target[0, end - 1])
                low = nearest if low == _NONE else min(low, nearest)
                high = max(high, int(of_target[1, end - 1]))
            if low == _NONE:
                continue
            if high - low >= longest:
                break  # longer target spans reach no less far
            if not _closed(of_pivot, low, high, start, end):
                continue
            size = _widen(of_pivot, (low, high), (segment, start, end), longest, found, size)
            if size == _FULL:
                return _FULL
    return size


@jit
def _closed(of_pivot: IdArray, low: int, high: int, start: int, end: int) -> bool:
    """Return whether no pivot word from low to high has a link out of a target span."""
    for word in range(low, high + 1):
        if of_pivot[0, word] != _NONE and (of_pivot[0, word] < start or of_pivot[1, word] >= end):
            return False
    return True


@jit
def _widen(
    of_pivot: IdArray,
    core: tuple[int, int],
    target: tuple[int, int, int],
    longest: int,
    found: IdArray,
    size: int,
) -> int:
    """Add the pairs of one target span: its pivot words, and words without a link beside them."""
    low, high = core
    leftmost = low
    while leftmost > 0 and of_pivot[0, leftmost - 1] == _NONE and high - leftmost + 1 < longest:
        leftmost -= 1
    for first in range(leftmost, low + 1):
        last = high
        while last - first < longest:
            if size == found.shape[1]:
                return _FULL
            found[0, size], found[1, size], found[2, size] = target
            found[3, size], found[4, size] = first, last + 1
            size += 1
            last += 1
            if last == of_pivot.shape[1] or of_pivot[0, last] != _NONE:
                break
    return size
