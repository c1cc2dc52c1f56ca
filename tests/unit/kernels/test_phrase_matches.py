"""Phrase matches: both twins, the definition by brute force, and cases worked out by hand."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.kernels.alignment.match_candidates import MatchCandidates
from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import KernelChoice
from tenbin.kernels.phrases.index import build_phrase_index, phrase_spans
from tenbin.kernels.phrases.matches import phrase_matches

Row = list[int]
Phrase = tuple[int, ...]
Entries = list[tuple[Phrase, Phrase]]

phrases = st.lists(st.integers(0, 2), min_size=1, max_size=3).map(tuple)
tables = st.lists(st.tuples(phrases, phrases), max_size=10)
pools = st.lists(st.lists(st.integers(0, 2), max_size=7), max_size=4)
twins = pytest.mark.parametrize("choice", [KernelChoice.PLAIN, KernelChoice.COMPILED])


def ragged(rows: Sequence[Sequence[int]]) -> tuple[IdArray, IntArray]:
    values = np.array([value for row in rows for value in row], dtype=np.int32)
    return values, np.cumsum([0, *map(len, rows)], dtype=np.int64)


def found(
    choice: KernelChoice, rows: list[Row], entries: Entries, stage: int = 1
) -> MatchCandidates:
    """Return the matches of every row with every row."""
    pool = ragged(rows)
    numbers = np.arange(len(entries))
    pairs = np.array(list(product(range(len(rows)), repeat=2)), dtype=np.int64)
    left, right = pairs.reshape(-1, 2).T.copy()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", choice)
        table = ragged([phrase for entry in entries for phrase in entry])
        index = build_phrase_index(*table, 2 * numbers, 2 * numbers + 1)
        spans = phrase_spans(*pool, index)
        return phrase_matches(*pool, left, right, spans=spans, index=index, stage=stage)


def listed(candidates: MatchCandidates, pair: int) -> list[tuple[int, int, int, int]]:
    """Return start and length on the right and on the left of the matches of a pair."""
    part = slice(*candidates.offsets[pair : pair + 2])
    columns = (column[part].tolist() for column in candidates.spans[1:])
    return list(zip(*columns, strict=True))


def spans_of(row: Row) -> list[tuple[int, int, Phrase]]:
    return [
        (start, length, tuple(row[start : start + length]))
        for start in range(len(row))
        for length in range(1, len(row) - start + 1)
    ]


def expected(left: Row, right: Row, entries: Entries) -> list[tuple[int, int, int, int]]:
    """Return the matches of two rows straight from the specification, section 2."""
    if left == right:
        return []
    forwards = [
        (i, m, j, n)
        for i, m, phrase in spans_of(right)
        for source, target in entries
        if source == phrase
        for j, n, paraphrase in spans_of(left)
        if paraphrase == target
    ]
    backwards = [
        (i, m, j, n)
        for j, n, phrase in spans_of(left)
        for source, target in entries
        if source == phrase
        for i, m, paraphrase in spans_of(right)
        if paraphrase == target
    ]
    return forwards + backwards


@given(rows=pools, entries=tables, stage=st.integers(0, 2))
def test_twins_agree(rows: list[Row], entries: Entries, stage: int) -> None:
    pytest.importorskip("numba")
    plain = found(KernelChoice.PLAIN, rows, entries, stage)
    compiled = found(KernelChoice.COMPILED, rows, entries, stage)
    for name in MatchCandidates.__dataclass_fields__:
        first, second = getattr(plain, name), getattr(compiled, name)
        assert first.dtype == second.dtype
        assert first.tolist() == second.tolist()


@twins
@given(rows=pools, entries=tables)
def test_brute_force(choice: KernelChoice, rows: list[Row], entries: Entries) -> None:
    matches = found(choice, rows, entries)
    for pair, (left, right) in enumerate(product(rows, repeat=2)):
        assert listed(matches, pair) == expected(left, right, entries)


@twins
def test_phrases_of_each_other_match_twice(choice: KernelChoice) -> None:
    matches = found(choice, [[0, 1], [2, 1]], [((0, 1), (2,)), ((2,), (0, 1))], stage=3)
    assert listed(matches, 1) == [(0, 1, 0, 2), (0, 1, 0, 2)]
    assert set(matches.stages.tolist()) == {3}
    assert set(matches.values.tolist()) == {1.0}


@twins
def test_paraphrases_come_in_the_order_of_the_table(choice: KernelChoice) -> None:
    entries: Entries = [((9,), (2,)), ((9,), (0, 1)), ((9,), (0,))]
    matches = found(choice, [[0, 1, 2, 0], [9]], entries)
    assert listed(matches, 1) == [(0, 1, 2, 1), (0, 1, 0, 2), (0, 1, 0, 1), (0, 1, 3, 1)]


@twins
def test_equal_rows_match_in_the_first_stage_only(choice: KernelChoice) -> None:
    entries: Entries = [((0,), (1,))]
    assert listed(found(choice, [[0, 1]], entries, stage=0), 0) == [(0, 1, 1, 1), (1, 1, 0, 1)]
    assert listed(found(choice, [[0, 1]], entries, stage=1), 0) == []


@twins
def test_many_matches(choice: KernelChoice) -> None:
    matches = found(choice, [[0] * 80, [1] * 70], [((0,), (1,)), ((1,), (0,))])
    assert matches.offsets.tolist() == [0, 0, 11_200, 22_400, 22_400]
