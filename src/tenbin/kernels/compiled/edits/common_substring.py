"""Compiled twin of `tenbin.kernels.edits.common_substring`."""

import numpy as np

from tenbin.kernels.arrays import Float32Array, IdArray, IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.edits.common_substring import ByteArray


@jit
def common_substring(
    letters: ByteArray,
    letter_offsets: IntArray,
    values: IdArray,
    offsets: IntArray,
    left: IntArray,
    right: IntArray,
) -> tuple[Float32Array, IntArray]:
    """Return similarities, block after block, and where each block starts."""
    starts = np.zeros(len(left) + 1, dtype=np.int64)
    for pair in range(len(left)):
        height = offsets[left[pair] + 1] - offsets[left[pair]]
        width = offsets[right[pair] + 1] - offsets[right[pair]]
        starts[pair + 1] = starts[pair] + height * width
    blocks = np.empty(starts[-1], dtype=np.float32)
    longest_word = 0
    for word in range(len(letter_offsets) - 1):
        longest_word = max(longest_word, letter_offsets[word + 1] - letter_offsets[word])
    # Length of the common substring that ends at each letter of the other word.
    runs = np.zeros(longest_word + 1, dtype=np.int64)
    for pair in range(len(left)):
        place = starts[pair]
        for row in range(offsets[left[pair]], offsets[left[pair] + 1]):
            here = values[row]
            first, last = letter_offsets[here], letter_offsets[here + 1]
            for column in range(offsets[right[pair]], offsets[right[pair] + 1]):
                there = values[column]
                start, stop = letter_offsets[there], letter_offsets[there + 1]
                if here == there:
                    shared = last - first
                else:
                    shared = _longest(letters, first, last, start, stop, runs)
                blocks[place] = 2 * shared / (last - first + stop - start)
                place += 1
    return blocks, starts


@jit
def _longest(
    letters: ByteArray, first: int, last: int, start: int, stop: int, runs: IntArray
) -> int:
    """Return the length of the longest common substring of two words."""
    length = stop - start
    for position in range(length + 1):
        runs[position] = 0
    longest = 0
    for here in range(first, last):
        # From the end, so that the run before is still that of the letter before.
        for position in range(length, 0, -1):
            if letters[here] == letters[start + position - 1]:
                runs[position] = runs[position - 1] + 1
                longest = max(longest, runs[position])
            else:
                runs[position] = 0
    return longest
