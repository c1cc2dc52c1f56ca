"""Levenshtein distance of many rows to one row, for other compiled kernels to call.

Myers (1999), "A Fast Bit-Vector Algorithm for Approximate String Matching Based on Dynamic
Programming", for whole rows of any length. numba's cache on disk does not notice a change in a
function called from another module: after editing this file, empty ``__pycache__``.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import IdArray
from tenbin.kernels.compiled.jit import jit

_BITS = 64
_ONE = np.uint64(1)


class Pattern(NamedTuple):
    """A row prepared for many edit distances to it.

    ``classes`` maps a symbol to its row in ``masks`` (0 where the pattern lacks it); bit b of that
    row is set where ``symbols[b]`` is that symbol.
    """

    symbols: IdArray
    classes: IdArray
    masks: npt.NDArray[np.uint64]


@jit
def prepared(symbols: IdArray, classes: IdArray) -> Pattern:
    """Return the pattern of a row; ``classes``, all 0, is lent to it until `release`."""
    count = 0
    for symbol in symbols:
        if classes[symbol] == 0:
            count += 1
            classes[symbol] = count
    masks = np.zeros((count + 1, (symbols.size + _BITS - 1) // _BITS), np.uint64)
    for position in range(symbols.size):
        bit = _ONE << np.uint64(position % _BITS)
        masks[classes[symbols[position]], position // _BITS] |= bit
    return Pattern(symbols, classes, masks)


@jit
def release(pattern: Pattern) -> None:
    """Set the classes lent to a pattern back to 0."""
    for symbol in pattern.symbols:
        pattern.classes[symbol] = 0


@jit
def edit_distance(text: IdArray, pattern: Pattern) -> int:
    """Return the Levenshtein distance of a row to the pattern.

    A column of the grid is held as two bit vectors, where it rises and where it falls by 1 from one
    cell to the next; per text symbol they are carried to the next column, 64 cells at a time.
    """
    distance = pattern.symbols.size
    if distance == 0:
        return text.size
    words = pattern.masks.shape[1]
    last, top = np.uint64((distance - 1) % _BITS), np.uint64(_BITS - 1)
    rises, falls = np.full(words, ~np.uint64(0), np.uint64), np.zeros(words, np.uint64)
    for symbol in text:
        mask = pattern.masks[pattern.classes[symbol]]
        rise_in, fall_in = _ONE, np.uint64(0)
        for word in range(words):
            up, down = rises[word], falls[word]
            equal = mask[word] | fall_in
            level = (((equal & up) + up) ^ up) | equal
            rise, fall = down | ~(level | up), up & level
            if word == words - 1:
                distance += int((rise >> last) & _ONE) - int((fall >> last) & _ONE)
            shifted_rise, shifted_fall = (rise << _ONE) | rise_in, (fall << _ONE) | fall_in
            down_mask = mask[word] | down
            rises[word], falls[word] = (
                shifted_fall | ~(down_mask | shifted_rise),
                shifted_rise & down_mask,
            )
            rise_in, fall_in = rise >> top, fall >> top
    return distance
