"""Sums over matched words: both twins, against a sum word by word."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.kernels.alignment.match_totals import match_totals
from tenbin.kernels.dispatch import KernelChoice

STAGES = 3
WORDS = 5
twins = pytest.mark.parametrize("choice", [KernelChoice.PLAIN, KernelChoice.COMPILED])
# Stage, start, length, chosen.
Match = tuple[int, int, int, bool]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[int], list[Match]]:
    """Draw a row of words, and matches in it."""
    row = draw(st.lists(st.integers(0, WORDS - 1), min_size=1, max_size=6))
    matches = []
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(row) - 1))
        length = draw(st.integers(1, len(row) - start))
        matches.append((draw(st.integers(0, STAGES - 1)), start, length, draw(st.booleans())))
    return row, matches


@twins
@given(
    several=st.lists(pairs(), max_size=4),
    counts=st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=WORDS, max_size=WORDS
    ),
)
def test_totals_are_sums_over_words(
    choice: KernelChoice,
    several: list[tuple[list[int], list[Match]]],
    counts: list[tuple[int, int]],
) -> None:
    if choice is KernelChoice.COMPILED:
        pytest.importorskip("numba")
    expected = np.zeros((len(several), STAGES, 2), dtype=np.int64)
    for pair, (row, matches) in enumerate(several):
        for stage, start, length, is_chosen in matches:
            for word in row[start : start + length] if is_chosen else []:
                expected[pair, stage] += counts[word]
    flat = [match for _, matches in several for match in matches]
    stages, starts, lengths, chosen = np.array(flat, dtype=np.int32).reshape(-1, 4).T.copy()
    # Rows stand in the pool in another order than the pairs.
    rows = [row for row, _ in reversed(several)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", choice)
        found = match_totals(
            np.array([word for row in rows for word in row], dtype=np.int32),
            np.cumsum([0, *map(len, rows)], dtype=np.int64),
            (starts, lengths, np.arange(len(several))[::-1].copy()),
            np.cumsum([0, *(len(matches) for _, matches in several)], dtype=np.int64),
            stages,
            chosen.astype(np.bool_),
            counts=np.array(counts, dtype=np.int64),
            stage_count=STAGES,
        )
    assert found.dtype == np.int64
    assert found.tolist() == expected.tolist()
