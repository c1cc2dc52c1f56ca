"""The nearest rows of a matrix."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.kernels.similarity import nearest
from tenbin.kernels.similarity.nearest import nearest_rows


@given(st.integers(0, 12), st.integers(1, 4), st.integers(0, 15), st.integers(0, 1_000))
def test_nearest_rows_are_those_of_all_cosines(count: int, size: int, most: int, seed: int) -> None:
    rows = np.random.default_rng(seed).standard_normal((count, size)).astype(np.float32)
    found = nearest_rows(rows, most)
    assert found.shape == (count, max(min(most, count - 1), 0))
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    for place, own in enumerate(found.tolist()):
        assert place not in own
        assert len(set(own)) == len(own)
        cosines = units @ units[place]
        others = np.sort(np.delete(cosines, place))[::-1][: len(own)]
        assert np.allclose(cosines[own], others, atol=1e-6)


def test_parts_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(1).standard_normal((50, 6)).astype(np.float32)
    whole = nearest_rows(rows, 5)
    monkeypatch.setattr(nearest, "_ROWS_AT_ONCE", 7)
    assert np.array_equal(nearest_rows(rows, 5), whole)


def test_a_row_of_zeros() -> None:
    rows = np.array([[0, 0], [1, 0], [0, 1]], dtype=np.float32)
    assert nearest_rows(rows, 2).tolist() == [[1, 2], [0, 2], [0, 1]]
