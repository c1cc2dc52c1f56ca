"""What WE_WPI charges for moving a word, worked out one pair of words at a time."""

import math

import numpy as np
import pytest

from tenbin.metrics.aggregations.positions import position_costs
from tenbin.metrics.choices import FlowAlignment, PositionPenalty
from tenbin.metrics.representations.blocks import Blocks

# Two pairs of segments as long as each other, and segments without words between them.
SHAPES = [(2, 3), (0, 4), (5, 2), (3, 0), (2, 3), (1, 1)]


def some_blocks() -> Blocks:
    heights, widths = np.array(SHAPES).T
    starts = np.concatenate([[0], np.cumsum(heights * widths)])
    # Quarters, so that several words of a row are equally near.
    values = np.random.default_rng(4).integers(-4, 5, starts[-1]) / 4
    return Blocks(values.astype(np.float32), starts, heights, widths)


def expected(
    cosines: np.ndarray, position: PositionPenalty, alignment: FlowAlignment, *, clip: bool
) -> np.ndarray:
    height, width = cosines.shape
    similarities = np.empty(cosines.shape)
    for i, j in np.ndindex(height, width):
        apart = abs((i + 1) / height - (j + 1) / width)
        cosine = max(0.0, float(cosines[i, j])) if clip else float(cosines[i, j])
        linear = position is PositionPenalty.LINEAR
        similarities[i, j] = cosine * (1 - apart if linear else math.exp(-apart))
    if alignment is FlowAlignment.HARD:
        for row in similarities:
            best = row.tolist().index(max(row))
            row[[j for j in range(width) if j != best]] = 0
    return 1 - similarities


@pytest.mark.parametrize("clip", [True, False])
@pytest.mark.parametrize("alignment", FlowAlignment)
@pytest.mark.parametrize("position", PositionPenalty)
def test_each_word_with_each_word(
    position: PositionPenalty, alignment: FlowAlignment, *, clip: bool
) -> None:
    blocks = some_blocks()
    costs = position_costs(blocks, position, alignment, clip=clip)
    for pair, (start, end) in enumerate(zip(blocks.starts, blocks.starts[1:], strict=False)):
        cosines = blocks.one(pair)
        if cosines.size:
            wanted = expected(cosines, position, alignment, clip=clip).ravel()
            np.testing.assert_allclose(costs[start:end], wanted, rtol=0, atol=1e-15)


def test_the_similarities_stay_as_they_are() -> None:
    blocks = some_blocks()
    before = blocks.values.copy()
    position_costs(blocks, PositionPenalty.LINEAR, FlowAlignment.HARD, clip=True)
    np.testing.assert_array_equal(blocks.values, before)


def test_no_pairs() -> None:
    nothing = np.empty(0, dtype=np.int64)
    blocks = Blocks(np.empty(0, dtype=np.float32), np.zeros(1, dtype=np.int64), nothing, nothing)
    for alignment in FlowAlignment:
        assert position_costs(blocks, PositionPenalty.EXP, alignment, clip=True).size == 0
