"""Rows of unequal length, the pool of distinct strings, and the best of many references."""

from itertools import chain

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.arrays import Ragged
from tenbin.core.batch import Batch
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch

Rows = list[list[int]]
ROWS: st.SearchStrategy[Rows] = st.lists(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=4))


@given(rows=ROWS)
def test_ragged_rows_come_back(rows: Rows) -> None:
    ragged = Ragged.from_rows(rows)
    assert len(ragged) == len(rows)
    assert ragged.lengths.tolist() == [len(row) for row in rows]
    assert [ragged.row(number).tolist() for number in range(len(rows))] == rows
    assert (str(ragged.values.dtype), str(ragged.offsets.dtype)) == ("int32", "int64")


@given(rows=ROWS)
def test_ragged_takes_generators(rows: Rows) -> None:
    assert Ragged.from_rows(row for row in rows).values.tolist() == list(chain(*rows))


@given(...)
def test_every_distinct_string_is_in_the_pool_once(test_set: TestSet) -> None:
    batch = build_batch(test_set, [])
    used = {text for texts in test_set.hypotheses.values() for text in texts}
    used |= {text for texts in test_set.references for text in texts}
    used |= set(test_set.source or ())
    assert len(batch.strings) == len(set(batch.strings))
    assert set(batch.strings) == used


@given(...)
def test_items_point_at_their_texts(test_set: TestSet) -> None:
    batch = build_batch(test_set, [])
    count = test_set.segment_count
    assert len(batch) == count * len(test_set.systems)
    for system, texts in enumerate(test_set.hypotheses.values()):
        for segment in range(count):
            item = system * count + segment
            references = [batch.strings[row] for row in batch.references.row(item)]
            assert batch.strings[batch.hypotheses[item]] == texts[segment]
            assert references == list(test_set.references[segment])
            assert batch.segments[item] == segment
            if test_set.source is None:
                assert batch.sources is None
            else:
                assert batch.sources is not None
                assert batch.strings[batch.sources[item]] == test_set.source[segment]


@given(...)
def test_pairs_are_every_hypothesis_with_each_of_its_references(test_set: TestSet) -> None:
    batch = build_batch(test_set, [])
    left, right = batch.pairs()
    expected = [
        (texts[segment], reference)
        for texts in test_set.hypotheses.values()
        for segment, alternatives in enumerate(test_set.references)
        for reference in alternatives
    ]
    found = [(batch.strings[a], batch.strings[b]) for a, b in zip(left, right, strict=True)]
    assert found == expected


@given(...)
def test_distinct_segments_are_one_item_each(test_set: TestSet) -> None:
    batch = build_batch(test_set, [])
    items = batch.distinct_segments()
    assert batch.segments[items].tolist() == list(range(test_set.segment_count))


def made_up_batch(lengths: list[int]) -> Batch:
    return Batch(
        strings=("",),
        hypotheses=np.zeros(len(lengths), dtype=np.int64),
        references=Ragged.from_rows([0] * length for length in lengths),
        segments=np.arange(len(lengths)),
        columns={},
    )


@given(
    groups=st.lists(
        # Few distinct values, so that ties are common.
        st.lists(
            st.sampled_from([-1.0, 0.0, 0.5, 0.5 + 1e-16, 1.0, 1e300]), min_size=1, max_size=4
        ),
        min_size=1,
        max_size=6,
    ),
    highest=st.booleans(),
)
def test_best_pairs_are_those_of_a_plain_search(
    groups: list[list[float]], *, highest: bool
) -> None:
    batch = made_up_batch([len(group) for group in groups])
    start, expected = 0, []
    for group in groups:
        best = max(group) if highest else min(group)
        expected.append(start + group.index(best))
        start += len(group)
    found = batch.best_pairs(np.array(list(chain(*groups))), highest=highest)
    assert found.tolist() == expected
