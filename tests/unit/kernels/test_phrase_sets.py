"""Joined sets: both twins against sets that are united until none share an element."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.kernels.dispatch import KernelChoice
from tenbin.kernels.phrases.sets import joined_sets

twins = pytest.mark.parametrize("choice", [KernelChoice.PLAIN, KernelChoice.COMPILED])


def joined(choice: KernelChoice, rows: list[list[int]]) -> list[int]:
    values = np.array([number for row in rows for number in row], dtype=np.int32)
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", choice)
        found = joined_sets(values, offsets)
    assert found.dtype == np.int32
    return found.tolist()  # type: ignore[no-any-return]


def united(rows: list[list[int]]) -> list[int]:
    """Return the same by putting groups together until nothing changes."""
    groups: list[set[int]] = []
    for row in rows:
        touching = [group for group in groups if group & set(row)]
        others = [group for group in groups if not group & set(row)]
        groups = [*others, set(row).union(*touching)]
    return [min(next(g for g in groups if row[0] in g)) if row else -1 for row in rows]


@twins
@given(rows=st.lists(st.lists(st.integers(0, 12), max_size=3, unique=True).map(sorted)))
def test_brute_force(choice: KernelChoice, rows: list[list[int]]) -> None:
    if choice is KernelChoice.COMPILED:
        pytest.importorskip("numba")
    assert joined(choice, rows) == united(rows)


@twins
def test_long_chains(choice: KernelChoice) -> None:
    forwards = [[number, number + 1] for number in range(3_000)]
    assert set(joined(choice, forwards[::-1])) == {0}
    assert joined(choice, []) == []
