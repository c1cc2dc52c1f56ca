"""Pairs of a batch."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.arrays import Ragged
from tenbin.core.batch import Batch


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.lists(st.integers(0, 4), min_size=1, max_size=3)),
        min_size=1,
        max_size=12,
    )
)
def test_distinct_pairs_spell_out_all_pairs(items: list[tuple[int, list[int]]]) -> None:
    batch = Batch(
        strings=tuple("abcde"),
        hypotheses=np.array([own for own, _ in items]),
        references=Ragged.from_rows([others for _, others in items]),
        segments=np.arange(len(items)),
        columns={},
    )
    left, right = batch.pairs()
    first, second, places = batch.distinct_pairs()
    assert (first[places] == left).all()
    assert (second[places] == right).all()
    assert len({*zip(first.tolist(), second.tolist(), strict=True)}) == len(first)
