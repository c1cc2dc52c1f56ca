"""Sums and counts of the similarities that reach a threshold, for all thresholds of a grid at once.

What WAS, MAS and HAS need: all word pairs, the best pair of each word, or the links of an
assignment; see `tenbin.kernels.similarity.blocks` and `tenbin.kernels.alignment.assignment`.

Similarities are added up as whole multiples of 2**-40. Such sums are exact, so they depend neither
on the order of words nor on the other thresholds of the grid. A 32-bit number of at least 2**-17 is
such a multiple already; a smaller one loses less than 1e-12. A sum has room for eight million
entries, a block of 2,800 words by 2,800.
"""

import numpy as np

from tenbin.kernels.arrays import Float32Array, FloatArray, IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

STEPS_PER_ONE = 2.0**40
# A similarity of 0.96 is 0.95999998 in 32 bits, and must count at the threshold 0.96. Less than
# the distance that similarity_blocks leaves between different words and 1, so that 1 still means
# equal words.
TOLERANCE = 2.5e-7

# Entries of all blocks, and links of all blocks, that the plain twins take half a second for.
_BLOCKS_WORTH_COMPILING = 2_000_000
_LINKS_WORTH_COMPILING = 300_000


def threshold_sums(
    blocks: Float32Array,
    starts: IntArray,
    heights: IntArray,
    widths: IntArray,
    thresholds: FloatArray,
) -> FloatArray:
    """Return sums and counts of each block at each threshold; its entries are between -1 and 1.

    An entry counts if it is at least the threshold, less `TOLERANCE`.

    Args:
        blocks: Similarities of all blocks, row-major, one block after the other.
        starts: Where each block starts, and the end of the last.
        heights: Rows of each block.
        widths: Columns of each block.
        thresholds: In increasing order.

    Returns:
        Shape (blocks, thresholds, 6): sum and number of the entries that count; of those among
        the row maxima; of those among the column maxima.

    Raises:
        ValueError: If the thresholds are not in increasing order.

    Example:
        >>> block = np.array([0.5, -0.25, 0.125, 0.75, 0.0, 0.0], dtype=np.float32)
        >>> threshold_sums(
        ...     block, np.array([0, 6]), np.array([2]), np.array([3]), np.array([-1.0, 0.6])
        ... )
        array([[[1.125, 6.   , 1.25 , 2.   , 0.875, 3.   ],
                [0.75 , 1.   , 0.75 , 1.   , 0.75 , 1.   ]]])
    """
    bounds = _bounds(thresholds)
    compiled = compiled_twin(
        "similarity.threshold_sums", work=blocks.size, threshold=_BLOCKS_WORTH_COMPILING
    )
    twin = plain_threshold_sums if compiled is None else compiled.threshold_sums
    sums: FloatArray = twin(blocks, starts, heights, widths, bounds)
    return sums


def link_sums(
    blocks: Float32Array,
    starts: IntArray,
    widths: IntArray,
    columns: IdArray,
    column_offsets: IntArray,
    thresholds: FloatArray,
) -> FloatArray:
    """Return sum and number of the links of each block that each threshold keeps.

    Args:
        blocks: As for `threshold_sums`.
        starts: As for `threshold_sums`.
        widths: Columns of each block.
        columns: Column that each row of each block is linked to, or -1.
        column_offsets: The rows of block b have the columns
            ``columns[column_offsets[b] : column_offsets[b + 1]]``.
        thresholds: In increasing order.

    Returns:
        Shape (blocks, thresholds, 2).

    Raises:
        ValueError: If the thresholds are not in increasing order.

    Example:
        >>> block = np.array([0.5, 0.25, 0.125, 0.75], dtype=np.float32)
        >>> links = np.array([0, 1], dtype=np.int32)
        >>> link_sums(
        ...     block, np.array([0, 4]), np.array([2]), links, np.array([0, 2]), np.array([0, 0.6])
        ... )
        array([[[1.25, 2.  ],
                [0.75, 1.  ]]])
    """
    bounds = _bounds(thresholds)
    compiled = compiled_twin(
        "similarity.threshold_sums", work=columns.size, threshold=_LINKS_WORTH_COMPILING
    )
    twin = plain_link_sums if compiled is None else compiled.link_sums
    sums: FloatArray = twin(blocks, starts, widths, columns, column_offsets, bounds)
    return sums


def _bounds(thresholds: FloatArray) -> FloatArray:
    """Return the least similarities that count."""
    if not np.all(np.diff(thresholds) >= 0):
        raise ValueError("thresholds must be numbers in increasing order")
    return np.asarray(thresholds, dtype=np.float64) - TOLERANCE


def plain_threshold_sums(
    blocks: Float32Array,
    starts: IntArray,
    heights: IntArray,
    widths: IntArray,
    bounds: FloatArray,
) -> FloatArray:
    """Return what `threshold_sums` returns, by sorting."""
    sums = np.zeros((len(heights), len(bounds), 6))
    for pair, (height, width) in enumerate(zip(heights, widths, strict=True)):
        block = blocks[starts[pair] : starts[pair + 1]].reshape(height, width)
        if block.size:
            sums[pair, :, 0:2] = _kept(block.ravel(), bounds)
            sums[pair, :, 2:4] = _kept(block.max(axis=1), bounds)
            sums[pair, :, 4:6] = _kept(block.max(axis=0), bounds)
    return sums


def plain_link_sums(
    blocks: Float32Array,
    starts: IntArray,
    widths: IntArray,
    columns: IdArray,
    column_offsets: IntArray,
    bounds: FloatArray,
) -> FloatArray:
    """Return what `link_sums` returns, by sorting."""
    sums = np.zeros((len(widths), len(bounds), 2))
    for pair, width in enumerate(widths):
        linked = columns[column_offsets[pair] : column_offsets[pair + 1]]
        (rows,) = np.nonzero(linked >= 0)
        sums[pair] = _kept(blocks[starts[pair] + rows * width + linked[rows]], bounds)
    return sums


def _kept(similarities: Float32Array, bounds: FloatArray) -> FloatArray:
    """Return sum and number of the similarities that reach each bound."""
    ascending = np.sort(similarities).astype(np.float64)
    sums = np.zeros(ascending.size + 1, dtype=np.int64)
    np.cumsum((ascending * STEPS_PER_ONE).astype(np.int64), out=sums[1:])
    rejected = np.searchsorted(ascending, bounds)
    return np.stack([(sums[-1] - sums[rejected]) / STEPS_PER_ONE, sums.size - 1 - rejected], axis=1)
