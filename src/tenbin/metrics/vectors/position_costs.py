"""What WE_WPI charges for moving weight from word to word: cosines and positions."""

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.metrics.vectors.blocks import Blocks
from tenbin.metrics.vectors.choices import FlowAlignment, PositionPenalty


def position_costs(
    part: Blocks, position: PositionPenalty, alignment: FlowAlignment, *, clip: bool
) -> FloatArray:
    """Return 1 - similarity of each word with each word, blocks as in ``part``.

    The similarity is the cosine times the penalty for |i / m - j / n|, the difference of relative
    positions. With the hard alignment it is 0, and the cost 1, but for the most similar word of the
    reference; of several the first.
    """
    similarities = part.values.astype(np.float64)
    if clip:
        np.maximum(similarities, 0.0, out=similarities)
    similarities *= _nearness(part, position)
    if alignment is FlowAlignment.HARD and len(similarities):
        similarities = np.where(_first_largest(similarities, part), similarities, 0.0)
    costs: FloatArray = np.subtract(1, similarities, out=similarities)
    return costs


def _nearness(part: Blocks, position: PositionPenalty) -> FloatArray:
    """Return the penalty of each word with each word, worked out once for segments as long."""
    longest = int(part.widths.max(initial=0)) + 1
    shapes, shape_of = np.unique(part.heights * longest + part.widths, return_inverse=True)
    heights, widths = np.divmod(shapes, longest)
    sizes = heights * widths
    ends = np.cumsum(sizes)
    place = np.arange(sizes.sum()) - np.repeat(ends - sizes, sizes)
    row, column = np.divmod(place, np.repeat(widths, sizes))
    apart = np.abs((row + 1) / np.repeat(heights, sizes) - (column + 1) / np.repeat(widths, sizes))
    nearness = 1 - apart if position is PositionPenalty.LINEAR else np.exp(-apart)
    shift = (ends - sizes)[shape_of] - part.starts[:-1]
    found: FloatArray = nearness[
        np.arange(len(part.values)) + np.repeat(shift, part.heights * part.widths)
    ]
    return found


def _first_largest(values: FloatArray, part: Blocks) -> np.ndarray:
    """Return which values are the first largest of their row."""
    filled = part.widths > 0
    lengths: IntArray = np.repeat(part.widths[filled], part.heights[filled])
    starts = np.cumsum(lengths) - lengths
    row_of = np.repeat(np.arange(len(lengths)), lengths)
    largest = np.flatnonzero(values == np.maximum.reduceat(values, starts)[row_of])
    chosen = np.zeros(len(values), dtype=np.bool_)
    chosen[largest[np.searchsorted(largest, starts)]] = True
    return chosen
