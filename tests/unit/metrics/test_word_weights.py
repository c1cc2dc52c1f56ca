"""Which weights count for a pair: those of its system, where these differ."""

import numpy as np
import pytest

from tenbin.core.arrays import IntArray, Ragged
from tenbin.core.batch import Batch
from tenbin.metrics.representations.collected_texts import system_numbers
from tenbin.metrics.representations.representation import PlaceWeights

ROWS = Ragged.from_rows([[0, 1], [2], []])
BY_SYSTEM = np.array([[1.0, 2, 3], [10, 20, 30]])
RIGHT = np.array([0.1, 0.2, 0.3])


def numbers(*values: int) -> IntArray:
    return np.array(values, dtype=np.int64)


@pytest.mark.parametrize(
    ("systems", "expected"),
    [((0, 1, 1), [1, 2, 30, 10, 20]), ((1, 0, 0), [10, 20, 3, 1, 2])],
)
def test_each_pair_has_the_weights_of_its_system(
    systems: tuple[int, ...], expected: list[float]
) -> None:
    weights = PlaceWeights(ROWS, BY_SYSTEM, RIGHT)
    found = weights.of_pairs(numbers(*systems), numbers(0, 1, 0), numbers(1, 2, 0))
    assert found.own.tolist() == expected
    assert found.own_bounds.tolist() == [0, 2, 3, 5]
    assert found.other.tolist() == [0.3, 0.1, 0.2]
    assert found.other_bounds.tolist() == [0, 1, 1, 3]


def test_one_row_of_weights_is_that_of_all_systems() -> None:
    weights = PlaceWeights(ROWS, BY_SYSTEM[:1], RIGHT)
    assert weights.of_pairs(numbers(5), numbers(0), numbers(1)).own.tolist() == [1, 2]


def test_a_batch_without_systems_is_of_one() -> None:
    batch = Batch(
        strings=("a",),
        hypotheses=numbers(0, 0, 0),
        references=Ragged.from_rows([[0]] * 3),
        segments=np.arange(3),
        columns={},
    )
    assert system_numbers(batch).tolist() == [0, 0, 0]
