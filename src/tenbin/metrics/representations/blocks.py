"""Similarities of all words of one segment with all of another, for many pairs of segments."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from tenbin.core.arrays import IdArray, IntArray, Ragged

Float32Array = npt.NDArray[np.float32]
BoolArray = npt.NDArray[np.bool_]

# Similarities held at a time: 64 MB. One pair of longer segments may take more.
_MOST_ENTRIES = 16_000_000


class Blocks(NamedTuple):
    """The similarities of some pairs, each an array (words of one side, words of the other).

    Attributes:
        values: All entries, pair after pair, row by row.
        starts: Where the entries of each pair begin, and the end.
        heights: Rows of each pair.
        widths: Columns of each pair.
    """

    values: Float32Array
    starts: IntArray
    heights: IntArray
    widths: IntArray

    @classmethod
    def of(cls, similarities: Float32Array) -> Self:
        """Return the block of a single pair."""
        height, width = similarities.shape
        bounds = np.array([0, height * width])
        return cls(similarities.reshape(-1), bounds, np.array([height]), np.array([width]))

    @classmethod
    def joined(cls, matrices: Sequence[Float32Array]) -> Self:
        """Return the blocks of pairs from one matrix for each of them."""
        heights, widths = np.array([one.shape for one in matrices], np.int64).reshape(-1, 2).T
        starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(heights * widths)])
        flat = [one.astype(np.float32).reshape(-1) for one in matrices]
        values = np.concatenate(flat) if flat else np.empty(0, dtype=np.float32)
        return cls(values, starts, heights, widths)

    def some(self, start: int, stop: int) -> Self:
        """Return the blocks of a range of pairs."""
        first, last = self.starts[start], self.starts[stop]
        return type(self)(
            self.values[first:last],
            self.starts[start : stop + 1] - first,
            self.heights[start:stop],
            self.widths[start:stop],
        )

    def one(self, pair: int) -> Float32Array:
        """Return the similarities of one pair as a matrix."""
        shape = (int(self.heights[pair]), int(self.widths[pair]))
        return self.values[self.starts[pair] : self.starts[pair + 1]].reshape(shape)


def compared_words(
    blocks: Blocks, rows: Ragged, left: IntArray, right: IntArray
) -> tuple[IdArray, IdArray]:
    """Return the two words behind each similarity of some pairs of rows.

    >>> rows = Ragged.from_rows([[7, 8], [9]])
    >>> one = Blocks.of(np.zeros((2, 1), dtype=np.float32))
    >>> [words.tolist() for words in compared_words(one, rows, np.array([0]), np.array([1]))]
    [[7, 8], [9, 9]]
    """
    sizes = blocks.heights * blocks.widths
    place = np.arange(len(blocks.values)) - np.repeat(blocks.starts[:-1], sizes)
    row, column = np.divmod(place, np.maximum(np.repeat(blocks.widths, sizes), 1))
    own = rows.values[np.repeat(rows.offsets[left], sizes) + row]
    return own, rows.values[np.repeat(rows.offsets[right], sizes) + column]


def words_of_places(
    blocks: Blocks, rows: Ragged, pairs: tuple[IntArray, IntArray], places: IntArray
) -> tuple[IdArray, IdArray]:
    """Return the two words behind some of the similarities, by their places among all values.

    >>> rows = Ragged.from_rows([[7, 8], [9]])
    >>> one = Blocks.of(np.zeros((2, 1), dtype=np.float32))
    >>> sides = np.array([0]), np.array([1])
    >>> [words.tolist() for words in words_of_places(one, rows, sides, np.array([1]))]
    [[8], [9]]
    """
    pair = np.searchsorted(blocks.starts, places, side="right") - 1
    row, column = np.divmod(places - blocks.starts[pair], blocks.widths[pair])
    left, right = pairs
    own = rows.values[rows.offsets[left[pair]] + row]
    return own, rows.values[rows.offsets[right[pair]] + column]


def part_bounds(sizes: IntArray, most: int = _MOST_ENTRIES) -> Iterator[tuple[int, int]]:
    """Yield ranges of pairs that hold about so many entries together.

    >>> list(part_bounds(np.array([4, 4, 4, 9, 1]), most=8))
    [(0, 2), (2, 3), (3, 4), (4, 5)]
    """
    start = held = 0
    for pair, size in enumerate(sizes.tolist()):
        if held and held + size > most:
            yield start, pair
            start, held = pair, 0
        held += size
    if len(sizes):
        yield start, len(sizes)
