"""How two rows of numbers order their items: the counts that every Kendall coefficient is made of.

Knight (1966), "A Computer Method for Calculating Kendall's Tau with Ungrouped Data", with weights:
an item of weight w stands for w copies of itself, which is what a bootstrap sample is.
"""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import FloatArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

# Pairs of items; the plain twin compares about ten million a second.
_WORTH_COMPILING = 10_000_000
# Groups up to this size are quicker compared item by item than sorted.
_SMALL = 64

CONCORDANT, DISCORDANT, TIED_LEFT, TIED_RIGHT, TIED_BOTH, LEFT_VALUES, RIGHT_VALUES = range(7)


def order_counts(
    left: FloatArray, right: FloatArray, offsets: IntArray, weights: IntArray | None = None
) -> IntArray:
    """Return how pairs of items of each group are ordered by two rows of numbers.

    Args:
        left: One number per item, groups laid end to end; none is NaN.
        right: The other number per item.
        offsets: Group ``g`` holds the items ``offsets[g] : offsets[g + 1]``.
        weights: ``(samples, items)``, how many copies of each item there are; by default one
            sample with one of each.

    Returns:
        Shape (samples, groups, 7): pairs ordered alike, ordered the other way round, tied on the
        left only, on the right only, on both; distinct numbers on the left and on the right.

    >>> left, right = np.array([1.0, 2.0, 2.0, 3.0]), np.array([5.0, 7.0, 6.0, 6.0])
    >>> order_counts(left, right, np.array([0, 4]))
    array([[[3, 1, 1, 1, 0, 3, 3]]])
    """
    if weights is None:
        weights = np.ones((1, len(left)), dtype=np.int64)
    sizes = np.diff(offsets)
    work = int(np.sum(sizes * sizes)) * len(weights)
    compiled = compiled_twin("ranking.order_counts", work=work, threshold=_WORTH_COMPILING)
    if compiled is None:
        return plain_order_counts(left, right, offsets, weights)
    if sizes.max(initial=0) <= _SMALL:
        small: IntArray = compiled.order_counts_of_small(left, right, offsets, weights)
        return small
    group = np.repeat(np.arange(len(sizes)), sizes)
    left_ranks, order = _ranks(left, group, offsets)
    right_ranks, _ = _ranks(right, group, offsets)
    counts: IntArray = compiled.order_counts(order, left_ranks, right_ranks, offsets, weights)
    return counts


def plain_order_counts(
    left: FloatArray, right: FloatArray, offsets: IntArray, weights: IntArray
) -> IntArray:
    """Return what `order_counts` returns, by comparing every item with every other.

    Groups of one size stand in one array, so that many small groups cost no more than one large.
    """
    sizes = np.diff(offsets)
    counts = np.zeros((len(weights), len(sizes), 7), dtype=np.int64)
    for size in np.unique(sizes):
        groups = np.flatnonzero(sizes == size)
        items = offsets[groups][:, None] + np.arange(size)
        one, other, copies = left[items], right[items], weights[:, items]
        for item in range(size):
            below = np.sign(one[:, :item] - one[:, item : item + 1])
            beyond = np.sign(other[:, :item] - other[:, item : item + 1])
            kinds = (
                below * beyond > 0,
                below * beyond < 0,
                (below == 0) & (beyond != 0),
                (below != 0) & (beyond == 0),
                (below == 0) & (beyond == 0),
            )
            own, earlier = copies[..., item], copies[..., :item]
            for column, kind in enumerate(kinds):
                counts[:, groups, column] += own * np.sum(earlier * kind, axis=-1)
            counts[:, groups, TIED_BOTH] += own * (own - 1) // 2
            for column, same in ((LEFT_VALUES, below == 0), (RIGHT_VALUES, beyond == 0)):
                met = np.any((earlier > 0) & same, axis=-1)
                counts[:, groups, column] += (own > 0) & ~met
    return counts


def _ranks(
    row: FloatArray, group: IntArray, offsets: IntArray
) -> tuple[IntArray, npt.NDArray[np.intp]]:
    """Return each item's rank among the distinct numbers of its group, and the sorted order."""
    order = np.lexsort((row, group))
    ranks = np.zeros(len(row), dtype=np.int64)
    if len(row) == 0:
        return ranks, order
    ordered = row[order]
    steps = np.concatenate([[0], np.cumsum(ordered[1:] != ordered[:-1])])
    # A group begins with rank 0, whatever the number before it was.
    first = steps[offsets[:-1][np.diff(offsets) > 0]]
    ranks[order] = steps - np.repeat(first, np.diff(offsets)[np.diff(offsets) > 0])
    return ranks, order
