"""Compiled twin of `tenbin.kernels.ranking.order_counts`.

Large groups by a Fenwick tree over the ranks on the right; small ones, such as the systems of one
segment, by comparing every two items, which needs no sorting.
"""

import numpy as np

from tenbin.kernels.arrays import FloatArray, IntArray
from tenbin.kernels.compiled.jit import jit


@jit
def order_counts_of_small(
    left: FloatArray, right: FloatArray, offsets: IntArray, weights: IntArray
) -> IntArray:
    """Return the seven counts, shape (samples, groups, 7), in time quadratic in group sizes."""
    groups = offsets.size - 1
    counts = np.zeros((weights.shape[0], groups, 7), dtype=np.int64)
    for sample in range(weights.shape[0]):
        for group in range(groups):
            start, end = offsets[group], offsets[group + 1]
            _compare(
                left[start:end], right[start:end], weights[sample, start:end], counts[sample, group]
            )
    return counts


@jit
def _compare(left: FloatArray, right: FloatArray, weights: IntArray, counts: IntArray) -> None:
    """Compare every two items of one group."""
    for item in range(left.size):
        own = weights[item]
        if own == 0:
            continue
        new_left = new_right = 1
        counts[4] += own * (own - 1) // 2
        for other in range(item):
            if weights[other] == 0:
                continue
            same_left, same_right = left[item] == left[other], right[item] == right[other]
            if same_left:
                new_left = 0
            if same_right:
                new_right = 0
            # 4 tied on both, 2 on the left, 3 on the right; else 0 or 1 by the two directions.
            if same_left or same_right:
                kind = 2 * same_left + 3 * same_right - same_left * same_right
            else:
                kind = int((left[item] < left[other]) != (right[item] < right[other]))
            counts[kind] += own * weights[other]
        counts[5] += new_left
        counts[6] += new_right


@jit
def order_counts(
    order: IntArray, left: IntArray, right: IntArray, offsets: IntArray, weights: IntArray
) -> IntArray:
    """Return the seven counts, shape (samples, groups, 7).

    Args:
        order: Items by group, then by their number on the left.
        left: Rank of each item among the distinct numbers of its group, from 0.
        right: The same for the right.
        offsets: Where groups begin and end.
        weights: Copies of each item, per sample.
    """
    groups = offsets.size - 1
    counts = np.zeros((weights.shape[0], groups, 7), dtype=np.int64)
    longest = 0
    for group in range(groups):
        longest = max(longest, offsets[group + 1] - offsets[group])
    tree = np.zeros(longest + 1, dtype=np.int64)
    copies = np.zeros(longest, dtype=np.int64)
    for sample in range(weights.shape[0]):
        for group in range(groups):
            start, end = offsets[group], offsets[group + 1]
            tree[: end - start + 1] = 0
            copies[: end - start] = 0
            _count(
                order[start:end], left, right, weights[sample], tree, copies, counts[sample, group]
            )
    return counts


@jit
def _count(
    order: IntArray,
    left: IntArray,
    right: IntArray,
    weights: IntArray,
    tree: IntArray,
    copies: IntArray,
    counts: IntArray,
) -> None:
    """Count one group of one sample; tree and copies are empty."""
    size = order.size
    seen = concordant = discordant = left_ties = both_ties = 0
    begin = 0
    while begin < size:
        finish = begin
        while finish < size and left[order[finish]] == left[order[begin]]:
            finish += 1
        tied = 0
        for place in range(begin, finish):
            item = order[place]
            weight, rank = weights[item], right[item]
            if weight == 0:
                continue
            # Among the items below on the left: how many are below, and not above, on the right.
            below = _sum(tree, rank)
            concordant += weight * below
            discordant += weight * (seen - _sum(tree, rank + 1))
            tied += weight
        # What is tied on both sides: by the copies of each rank within this value of the left.
        for place in range(begin, finish):
            item = order[place]
            weight, rank = weights[item], right[item]
            both_ties += weight * copies[rank] + weight * (weight - 1) // 2
            copies[rank] += weight
        for place in range(begin, finish):
            copies[right[order[place]]] = 0
        for place in range(begin, finish):
            item = order[place]
            if weights[item]:
                _add(tree, right[item], weights[item], size)
        left_ties += tied * (tied - 1) // 2
        seen += tied
        counts[5] += tied > 0
        begin = finish
    right_ties = _right_ties(order, right, weights, copies, counts)
    counts[0] = concordant
    counts[1] = discordant
    counts[2] = left_ties - both_ties
    counts[3] = right_ties - both_ties
    counts[4] = both_ties


@jit
def _right_ties(
    order: IntArray, right: IntArray, weights: IntArray, copies: IntArray, counts: IntArray
) -> int:
    """Return the pairs tied on the right, and count its distinct numbers."""
    for place in range(order.size):
        copies[right[order[place]]] += weights[order[place]]
    ties = 0
    for rank in range(order.size):
        ties += copies[rank] * (copies[rank] - 1) // 2
        counts[6] += copies[rank] > 0
    return ties


@jit
def _sum(tree: IntArray, count: int) -> int:
    """Return the weight of the ranks below ``count``."""
    total = 0
    while count > 0:
        total += tree[count]
        count -= count & -count
    return total


@jit
def _add(tree: IntArray, rank: int, weight: int, size: int) -> None:
    """Add a weight to a rank."""
    place = rank + 1
    while place <= size:
        tree[place] += weight
        place += place & -place
