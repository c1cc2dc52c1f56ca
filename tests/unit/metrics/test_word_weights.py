"""Which items share the weights of one system."""

import numpy as np
import pytest

from tenbin.core.arrays import Ragged
from tenbin.core.batch import Batch
from tenbin.metrics.representations.collected_texts import system_runs


def batch_of(systems: list[int] | None, size: int) -> Batch:
    return Batch(
        strings=("a",),
        hypotheses=np.zeros(size, dtype=np.int64),
        references=Ragged.from_rows([[0]] * size),
        segments=np.arange(size),
        columns={},
        systems=None if systems is None else np.array(systems, dtype=np.int64),
    )


@pytest.mark.parametrize(
    ("first", "count", "runs"),
    [
        (0, 6, [(0, 0, 2), (1, 2, 5), (0, 5, 6)]),
        (1, 3, [(0, 0, 1), (1, 1, 3)]),
        (3, 1, [(1, 0, 1)]),
        (6, 0, []),
    ],
)
def test_runs_are_counted_from_the_first_item(
    first: int, count: int, runs: list[tuple[int, int, int]]
) -> None:
    batch = batch_of([0, 0, 1, 1, 1, 0], 6)
    assert list(system_runs(batch, first, count)) == runs


def test_a_batch_without_systems_is_of_one() -> None:
    assert list(system_runs(batch_of(None, 3), 1, 2)) == [(0, 0, 2)]
