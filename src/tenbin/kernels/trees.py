"""Sums of decision trees, for gradient boosting."""

import numpy as np

from tenbin.kernels.arrays import FloatArray, IntArray


def tree_sums(
    rows: FloatArray,
    roots: IntArray,
    features: IntArray,
    thresholds: FloatArray,
    left: IntArray,
    right: IntArray,
    values: FloatArray,
    *,
    baseline: float,
) -> FloatArray:
    """Return the baseline plus what every tree says about each row.

    All rows go down a tree together, a level at a time, so that Python counts trees and levels
    and not rows. Trees are added in their order: the sum of a row does not depend on other rows.

    Args:
        rows: One row of features each, shape (rows, features).
        roots: The first node of each tree.
        features: The feature that a node looks at; -1 for a leaf.
        thresholds: A row goes left where its feature is at most this.
        left: The node to the left.
        right: The node to the right.
        values: What a leaf adds.
        baseline: What is added to all.

    Example:
        >>> stump = np.array([0, -1, -1]), np.array([0.5, 0, 0]), np.array([1, 1, 2])
        >>> sums = tree_sums(
        ...     np.array([[0.2], [0.5], [0.9]]), np.array([0]), *stump, np.array([2, 1, 2]),
        ...     np.array([0.0, -1.0, 1.0]), baseline=10.0,
        ... )
        >>> sums.tolist()
        [9.0, 9.0, 11.0]
    """
    totals = np.full(len(rows), baseline)
    for root in roots.tolist():
        nodes = np.full(len(rows), root, dtype=np.int64)
        moving = np.arange(len(rows)) if features[root] >= 0 else np.empty(0, dtype=np.int64)
        while len(moving):
            here = nodes[moving]
            goes_left = rows[moving, features[here]] <= thresholds[here]
            nodes[moving] = np.where(goes_left, left[here], right[here])
            moving = moving[features[nodes[moving]] >= 0]
        totals += values[nodes]
    return totals
