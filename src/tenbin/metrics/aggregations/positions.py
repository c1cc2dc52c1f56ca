"""Similarities and costs that depend on how far apart two tokens stand in their texts."""

from collections.abc import Callable

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.metrics.choices import FlowAlignment, PositionPenalty
from tenbin.metrics.representations.blocks import Blocks

_NEARNESS: dict[PositionPenalty, Callable[[FloatArray], FloatArray]] = {
    PositionPenalty.LINEAR: lambda apart: 1 - apart,
    PositionPenalty.EXP: lambda apart: np.exp(-apart),
}


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
    similarities *= of_places(part, _NEARNESS[position])
    if alignment is FlowAlignment.HARD and len(similarities):
        similarities = np.where(_first_largest(similarities, part), similarities, 0.0)
    costs: FloatArray = np.subtract(1, similarities, out=similarities)
    return costs


def less_apart(part: Blocks, loss: float) -> Blocks:
    """Return similarities that fall with the difference of relative positions.

    Args:
        part: Similarities; those that are not positive stay as they are.
        loss: The share that is lost between the first and the last token.

    >>> block = Blocks.of(np.ones((2, 2), dtype=np.float32))
    >>> less_apart(block, 0.4).values.round(6).tolist()
    [1.0, 0.800000011920929, 0.800000011920929, 1.0]
    """
    share = of_places(part, lambda apart: 1 - loss * apart)
    left = np.where(part.values > 0, share, 1.0)
    return part._replace(values=(part.values * left).astype(np.float32))


def of_places(part: Blocks, value_of: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Return a function of |i / m - j / n| for token i of m and token j of n, laid out as blocks.

    It is worked out once for texts that are as long.
    """
    longest = int(part.widths.max(initial=0)) + 1
    shapes, shape_of = np.unique(part.heights * longest + part.widths, return_inverse=True)
    heights, widths = np.divmod(shapes, longest)
    sizes = heights * widths
    ends = np.cumsum(sizes)
    place = np.arange(sizes.sum()) - np.repeat(ends - sizes, sizes)
    row, column = np.divmod(place, np.repeat(widths, sizes))
    apart = np.abs((row + 1) / np.repeat(heights, sizes) - (column + 1) / np.repeat(widths, sizes))
    shift = (ends - sizes)[shape_of] - part.starts[:-1]
    found: FloatArray = value_of(apart)[
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
