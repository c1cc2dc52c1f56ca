"""Kernels behind the measures: both twins, against counting by hand."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.kernels.compiled.ranking import order_counts as compiled_orders
from tenbin.kernels.compiled.ranking import tie_curves as compiled_curves
from tenbin.kernels.ranking import order_counts as orders
from tenbin.kernels.ranking import tie_curves

Rows = list[list[tuple[int, int, int]]]
Counter = Callable[[FloatArray, FloatArray, IntArray, IntArray], IntArray]

items = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))
groups_of_items = st.lists(st.lists(items, max_size=7), min_size=1, max_size=4)


def compiled(left: FloatArray, right: FloatArray, offsets: IntArray, weights: IntArray) -> IntArray:
    group = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    left_ranks, order = orders._ranks(left, group, offsets)
    right_ranks, _ = orders._ranks(right, group, offsets)
    return compiled_orders.order_counts(order, left_ranks, right_ranks, offsets, weights)


TWINS = pytest.mark.parametrize(
    "twin",
    [orders.plain_order_counts, compiled, compiled_orders.order_counts_of_small],
    ids=["plain", "compiled", "compiled for small groups"],
)


def by_hand(group: list[tuple[int, int, int]]) -> list[int]:
    copies = [(left, right) for left, right, weight in group for _ in range(weight)]
    counts = [0] * 5
    for (a, b), (c, d) in combinations(copies, 2):
        if a == c:
            counts[4 if b == d else 2] += 1
        elif b == d:
            counts[3] += 1
        else:
            counts[0 if (a < c) == (b < d) else 1] += 1
    return [*counts, len({left for left, _ in copies}), len({right for _, right in copies})]


@TWINS
@given(rows=groups_of_items)
def test_order_counts_are_those_of_written_out_copies(twin: Counter, rows: Rows) -> None:
    flat = np.array([item for group in rows for item in group], dtype=np.int64).reshape(-1, 3)
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    left, right = flat[:, 0].astype(np.float64), flat[:, 1].astype(np.float64)
    weights = np.stack([flat[:, 2], np.ones(len(flat), dtype=np.int64)])
    counts = twin(left, right, offsets, weights)
    assert counts[0].tolist() == [by_hand(group) for group in rows]
    once = [by_hand([(a, b, 1) for a, b, _ in group]) for group in rows]
    assert counts[1].tolist() == once


@given(seed=st.integers(0, 1_000))
def test_twins_of_the_curve_agree_to_the_last_bit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    steps, samples, units = int(rng.integers(0, 30)), 3, 5
    arguments = (
        rng.random(samples),
        rng.integers(-1, 2, steps) / 3,
        rng.integers(0, units, steps),
        rng.integers(0, units, steps),
        rng.random((samples, units)),
        rng.random(steps) < 0.6,
    )
    plain, fast = tie_curves.plain_best_along(*arguments), compiled_curves.best_along(*arguments)
    np.testing.assert_array_equal(plain[0], fast[0])
    np.testing.assert_array_equal(plain[1], fast[1])


@pytest.mark.parametrize(
    "twin", [tie_curves.plain_best_along, compiled_curves.best_along], ids=["plain", "compiled"]
)
def test_best_along_takes_the_first_of_equal_values(
    twin: Callable[..., tuple[FloatArray, IntArray]],
) -> None:
    ones, none = np.ones((2, 1)), np.zeros(4, dtype=np.int64)
    gains = np.array([1.0, 1.0, -1.0, 1.0])
    ends = np.array([False, True, True, True])
    # 0 1 2 1 2: the first step may not be read, so that 2 is reached after the second.
    values, steps = twin(np.array([0.0, 5.0]), gains, none, none, ones, ends)
    assert values.tolist() == [2, 7]
    assert steps.tolist() == [1, 1]
    values, steps = twin(np.array([0.0, 5.0]), -gains, none, none, ones, ends)
    assert values.tolist() == [0, 5]
    assert steps.tolist() == [-1, -1]
