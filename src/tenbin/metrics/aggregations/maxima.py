"""Means over the most similar subwords: BERTScore's precision and recall."""

import numpy as np

from tenbin.core.arrays import FloatArray, IdArray, IntArray
from tenbin.kernels.similarity.maxima import block_maxima
from tenbin.metrics.representations.blocks import Blocks


def precision_and_recall(
    part: Blocks, own: FloatArray, other: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return weighted means of the row maxima and of the column maxima of each block.

    A side without weight has 0.

    Args:
        part: Similarities, subwords of the translation by subwords of the reference.
        own: Weights of the rows of all blocks, one block after the other.
        other: Weights of the columns.

    >>> block = Blocks.of(np.array([[0.9, 0.2, 0.1], [0.3, 0.8, 0.4]], dtype=np.float32))
    >>> both = precision_and_recall(block, np.array([1.0, 2.0]), np.array([0.5, 2.0, 1.0]))
    >>> [mean.round(6).tolist() for mean in both]
    [[0.833333], [0.7]]
    """
    columns, rows = block_maxima(part.values, part.starts, part.heights, part.widths)
    return (
        _means(_maxima(part, columns, by_row=True), own, part.heights),
        _means(_maxima(part, rows, by_row=False), other, part.widths),
    )


def _maxima(part: Blocks, best: IdArray, *, by_row: bool) -> FloatArray:
    """Return the greatest entry of each row, or of each column; 0 where there is none."""
    counts = part.heights if by_row else part.widths
    pair = np.repeat(np.arange(len(counts)), counts)
    line = np.arange(len(best)) - np.repeat(np.cumsum(counts) - counts, counts)
    row, column = (line, best) if by_row else (best, line)
    entries = part.starts[pair] + row * part.widths[pair] + column
    there = best >= 0
    found = np.zeros(len(best))
    found[there] = part.values[entries[there]]
    return found


def _means(values: FloatArray, weights: FloatArray, counts: IntArray) -> FloatArray:
    """Return weighted means; sums are made one by one, whatever the other rows are."""
    row_of = np.repeat(np.arange(len(counts)), counts)
    totals = np.bincount(row_of, weights, minlength=len(counts))
    sums = np.bincount(row_of, weights * values, minlength=len(counts))
    return np.divide(sums, totals, out=np.zeros(len(counts)), where=totals > 0)
