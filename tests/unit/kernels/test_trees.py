"""Sums of decision trees, against a walk of each row down each tree."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tenbin.kernels.arrays import FloatArray, IntArray
from tenbin.kernels.trees import tree_sums

Nodes = tuple[IntArray, FloatArray, IntArray, IntArray, FloatArray]


def random_trees(seed: int, features: int, count: int) -> tuple[IntArray, Nodes]:
    """Return trees that split nodes at random, children behind their parents."""
    rng = np.random.default_rng(seed)
    nodes: list[list[float]] = []
    roots = []
    for _ in range(count):
        roots.append(len(nodes))
        nodes.append([-1, 0, 0, 0, 0])
        waiting = [roots[-1]]
        while waiting:
            node = waiting.pop()
            nodes[node] = [-1, 0.0, node, node, float(rng.standard_normal())]
            if rng.random() < 0.6 and len(nodes) - roots[-1] < 15:
                left, right = len(nodes), len(nodes) + 1
                split = float(np.round(rng.standard_normal(), 1))
                nodes[node] = [int(rng.integers(features)), split, left, right, 0.0]
                nodes += [[-1, 0.0, left, left, 1.0], [-1, 0.0, right, right, 2.0]]
                waiting += [left, right]
    table = np.array(nodes).reshape(-1, 5)
    whole = [table[:, column].astype(np.int64) for column in (0, 2, 3)]
    return np.array(roots), (whole[0], table[:, 1], whole[1], whole[2], table[:, 4])


@given(
    st.integers(0, 10_000),
    st.integers(1, 4),
    st.integers(0, 6),
    st.integers(0, 20),
    st.floats(-9, 9),
)
def test_sums_are_those_of_a_walk(
    seed: int, features: int, trees: int, rows: int, baseline: float
) -> None:
    roots, nodes = random_trees(seed, features, trees)
    table = np.round(np.random.default_rng(seed).standard_normal((rows, features)), 1)
    found = tree_sums(table, roots.astype(np.int64), *nodes, baseline=baseline)
    for row, total in zip(table, found.tolist(), strict=True):
        expected = baseline
        for root in roots.tolist():
            node = root
            while nodes[0][node] >= 0:
                side = 2 if row[nodes[0][node]] <= nodes[1][node] else 3
                node = int(nodes[side][node])
            expected += float(nodes[4][node])
        assert total == expected


def test_a_row_has_the_same_sum_among_others() -> None:
    roots, nodes = random_trees(7, 3, 20)
    table = np.random.default_rng(1).standard_normal((50, 3))
    together = tree_sums(table, roots, *nodes, baseline=0.0)
    alone = [tree_sums(row[None, :], roots, *nodes, baseline=0.0)[0] for row in table]
    assert together.tolist() == alone
