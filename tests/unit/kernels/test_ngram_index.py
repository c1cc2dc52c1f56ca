"""The numbering of n-grams: both twins, tiny pools worked out by hand, and a large random one."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import KernelChoice
from tenbin.kernels.ngrams.index import NgramIndex, ngram_counts, ngram_index, ngram_totals

Rows = list[list[int]]

# Few distinct tokens so that n-grams repeat, and the extremes of the type that holds them.
tokens = st.sampled_from([0, 1, 2, -1, 2**31 - 1, -(2**31)])
pools = st.lists(st.lists(tokens, max_size=12), max_size=6)
twins = pytest.mark.parametrize("choice", [KernelChoice.PLAIN, KernelChoice.COMPILED])


def pool_arrays(rows: Rows) -> tuple[IdArray, IntArray]:
    values = np.array([token for row in rows for token in row], dtype=np.int32)
    return values, np.cumsum([0, *map(len, rows)], dtype=np.int64)


def index_by(choice: KernelChoice, rows: Rows, order: int) -> NgramIndex:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", choice)
        return ngram_index(*pool_arrays(rows), order)


def all_arrays(index: NgramIndex) -> list[IdArray | IntArray]:
    return [*index.ids, *index.offsets, *index.prefixes]


def assert_same(plain: NgramIndex, compiled: NgramIndex) -> None:
    for a, b in zip(all_arrays(plain), all_arrays(compiled), strict=True):
        assert a.dtype == b.dtype
        assert a.tolist() == b.tolist()


@settings(deadline=None)  # the first example may compile
@given(rows=pools, order=st.integers(1, 6))
def test_twins_agree(rows: Rows, order: int) -> None:
    plain = index_by(KernelChoice.PLAIN, rows, order)
    assert_same(plain, index_by(KernelChoice.COMPILED, rows, order))


def test_twins_agree_when_the_table_grows() -> None:
    rng = np.random.default_rng(7)
    rows = [rng.integers(0, 3000, size=length).tolist() for length in rng.integers(0, 90, size=200)]
    plain = index_by(KernelChoice.PLAIN, rows, 3)
    assert min(plain.sizes) > 2000
    assert_same(plain, index_by(KernelChoice.COMPILED, rows, 3))


@twins
def test_ids_count_distinct_ngrams_by_first_occurrence(choice: KernelChoice) -> None:
    index = index_by(choice, [[7, 5, 7, 7], [5, 7]], 3)
    # Order 1: 7 5; order 2: 75 57 77; order 3: 757 577.
    assert index.order == 3
    assert index.sizes == (2, 3, 2)
    assert [ids.tolist() for ids in index.ids] == [[0, 0, 0, 1, 0, 1], [0, 1, 2, 1], [0, 1]]
    assert [row.tolist() for row in index.offsets] == [[0, 4, 6], [0, 3, 4], [0, 2, 2]]
    assert [prefix.tolist() for prefix in index.prefixes] == [[0, 0], [0, 1, 0], [0, 1]]


@twins
@pytest.mark.parametrize("rows", [[], [[]], [[], [4], []]])
def test_short_rows_have_no_long_ngrams(rows: Rows, choice: KernelChoice) -> None:
    index = index_by(choice, rows, 4)
    counts = ngram_counts(index, np.arange(len(rows)))
    assert counts.tolist() == [[len(row), 0, 0, 0] for row in rows]
    assert index.sizes == (sum(map(len, rows)), 0, 0, 0)
    assert all(ids.dtype == np.int32 for ids in index.ids)


@twins
def test_equal_ids_mean_equal_ngrams(choice: KernelChoice) -> None:
    # Every order of every row, read back from the ids through their prefixes.
    rows = [[1, 2, 1, 2, 3], [2, 1, 2], [3, 3, 3, 3]]
    index = index_by(choice, rows, 3)
    for column, n in enumerate(range(1, 4)):
        by_ngram: dict[tuple[int, ...], int] = {}
        for row, (start, stop) in zip(rows, pairwise(index.offsets[column]), strict=True):
            ngrams = [tuple(row[i : i + n]) for i in range(len(row) - n + 1)]
            expected = sorted(by_ngram.setdefault(ngram, len(by_ngram)) for ngram in ngrams)
            assert index.ids[column][start:stop].tolist() == expected
        assert index.sizes[column] == len(by_ngram)


def test_totals_count_a_repeated_row_twice() -> None:
    index = index_by(KernelChoice.PLAIN, [[7, 5, 7], [5, 7], [5, 5]], 2)
    totals = ngram_totals(index, np.array([0, 1, 1]))
    assert [total.tolist() for total in totals] == [[4, 3], [1, 3, 0]]
    assert all(total.dtype == np.int64 for total in totals)
    nothing = ngram_totals(index, np.array([], dtype=np.int64))
    assert [total.tolist() for total in nothing] == [[0, 0], [0, 0, 0]]
