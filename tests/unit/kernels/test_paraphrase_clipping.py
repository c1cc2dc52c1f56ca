"""Clipped paraphrases: both twins, the specification by brute force, cases worked out by hand."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import KernelChoice
from tenbin.kernels.phrases.clipping import (
    PhraseMatch,
    clipped_matches,
    two_tier_match,
)
from tenbin.kernels.phrases.index import build_phrase_index, phrase_spans
from tenbin.kernels.phrases.sets import PhraseRows, narrowed

Row = list[int]
Phrase = tuple[int, ...]
Sets = list[list[Phrase]]
Item = tuple[int, list[int]]

WORDS = 3
phrases = st.lists(st.integers(0, WORDS - 1), min_size=1, max_size=3).map(tuple)
tables = st.lists(st.lists(phrases, min_size=1, max_size=4, unique=True), max_size=6)
rows_of_words = st.lists(st.integers(0, WORDS), max_size=9)
twins = pytest.mark.parametrize("choice", [KernelChoice.PLAIN, KernelChoice.COMPILED])


@st.composite
def pools(draw: st.DrawFn) -> tuple[list[Row], list[Item]]:
    rows = draw(st.lists(rows_of_words, min_size=1, max_size=5))
    numbers = st.integers(0, len(rows) - 1)
    items = st.tuples(numbers, st.lists(numbers, min_size=1, max_size=3))
    return rows, draw(st.lists(items, max_size=4))


def ragged(rows: Iterable[Sequence[int]]) -> tuple[IdArray, IntArray]:
    listed = list(rows)
    values = np.array([value for row in listed for value in row], dtype=np.int32)
    return values, np.cumsum([0, *map(len, listed)], dtype=np.int64)


def looked_up(rows: list[Row], sets: Sets) -> PhraseRows:
    """Return rows with their phrases, which are numbered as they are met in the sets."""
    known = {phrase: n for n, phrase in enumerate(dict.fromkeys(p for one in sets for p in one))}
    none = np.empty(0, dtype=np.int64)
    index = build_phrase_index(*ragged(known), none, none)
    values, offsets = ragged(rows)
    set_values, set_offsets = ragged(
        [number for number, one in enumerate(sets) if phrase in one] for phrase in known
    )
    return PhraseRows(
        values=values,
        offsets=offsets,
        spans=phrase_spans(values, offsets, index),
        set_values=set_values,
        set_offsets=set_offsets,
        set_count=len(sets),
    )


def counted(
    choice: KernelChoice,
    rows: list[Row],
    sets: Sets,
    items: list[Item],
    least: tuple[int, int],
    *,
    narrow: bool = False,
) -> list[list[int]]:
    others, other_offsets = ragged([other for _, other in items])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", choice)
        pool = looked_up(rows, sets)
        counts = clipped_matches(
            narrowed(pool) if narrow else pool,
            np.array([row for row, _ in items], dtype=np.int64),
            others.astype(np.int64),
            other_offsets,
            least_scored=least[0],
            least_other=least[1],
        )
    assert counts.dtype == np.int64
    assert counts.shape == (len(items), 2)
    return counts.tolist()  # type: ignore[no-any-return]


def occurring(row: Row, sets: Sets, least: int) -> list[tuple[int, int, set[int]]]:
    """Return start, stop and sets of all spans that are in some set, the preferred ones first."""
    found = []
    for length in range(len(row), least - 1, -1):
        for start in range(len(row) - length + 1):
            phrase = tuple(row[start : start + length])
            numbers = {number for number, one in enumerate(sets) if phrase in one}
            if numbers:
                found.append((start, start + length, numbers))
    return found


def expected(scored: Row, others: list[Row], sets: Sets, least: tuple[int, int]) -> list[int]:
    """Return the counts of one item straight from the specification, section 2."""
    own = occurring(scored, sets, least[0])
    reachable = set().union(*(numbers for _, _, numbers in own))
    segmentations = []
    clip: dict[int, int] = {}
    for other in others:
        cut: list[tuple[int, int, int]] = []
        for start, stop, numbers in occurring(other, sets, least[1]):
            if all(stop <= a or b <= start for a, b, _ in cut):
                cut.append((start, stop, min(numbers & reachable or numbers)))
        segmentations.append(cut)
        for number in range(len(sets)):
            count = sum(assigned == number for _, _, assigned in cut)
            clip[number] = max(clip.get(number, 0), count)
    rest: list[int | None] = list(scored)
    matched: set[int] = set()
    in_phrases = 0
    for start, stop, numbers in own:
        able = sorted(number for number in numbers if clip[number] > 0)
        if able and None not in rest[start:stop]:
            best = max(able, key=lambda number: clip[number])  # the first of equal ones
            clip[best] -= 1
            matched.add(best)
            rest[start:stop] = [None] * (stop - start)
            in_phrases += stop - start
    most: Counter[int] = Counter()
    for other, cut in zip(others, segmentations, strict=True):
        kept: list[int | None] = list(other)
        for start, stop, assigned in cut:
            if assigned in matched:
                kept[start:stop] = [None] * (stop - start)
        most |= Counter(word for word in kept if word is not None)
    words = (Counter(word for word in rest if word is not None) & most).total()
    return [in_phrases, words]


@twins
@given(pool=pools(), sets=tables, least=st.tuples(st.integers(1, 3), st.integers(1, 3)))
def test_brute_force(
    choice: KernelChoice, pool: tuple[list[Row], list[Item]], sets: Sets, least: tuple[int, int]
) -> None:
    if choice is KernelChoice.COMPILED:
        pytest.importorskip("numba")
    rows, items = pool
    assert counted(choice, rows, sets, items, least) == [
        expected(rows[scored], [rows[other] for other in others], sets, least)
        for scored, others in items
    ]


@st.composite
def crowded_tables(draw: st.DrawFn) -> Sets:
    """Draw a table with phrases in hundreds of sets, which the compiled twin treats otherwise."""
    sets = draw(tables)
    for phrase in draw(st.lists(phrases, min_size=1, max_size=3)):
        other = draw(phrases)
        place = draw(st.integers(0, len(sets)))
        members = [phrase, (50,)] if other == phrase else [phrase, other]
        sets[place:place] = [members] * 260
    return sets


@twins
@settings(max_examples=40)
@given(pool=pools(), sets=crowded_tables(), least=st.tuples(st.integers(1, 3), st.integers(1, 2)))
def test_brute_force_with_phrases_in_many_sets(
    choice: KernelChoice, pool: tuple[list[Row], list[Item]], sets: Sets, least: tuple[int, int]
) -> None:
    if choice is KernelChoice.COMPILED:
        pytest.importorskip("numba")
    rows, items = pool
    assert counted(choice, rows, sets, items, least) == [
        expected(rows[scored], [rows[other] for other in others], sets, least)
        for scored, others in items
    ]


@twins
@given(pool=pools(), sets=tables, least=st.tuples(st.integers(1, 3), st.integers(1, 3)))
def test_what_is_left_out_changes_nothing(
    choice: KernelChoice, pool: tuple[list[Row], list[Item]], sets: Sets, least: tuple[int, int]
) -> None:
    rows, items = pool
    whole = counted(choice, rows, sets, items, least)
    assert counted(choice, rows, sets, items, least, narrow=True) == whole


@twins
def test_what_is_left_out(choice: KernelChoice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", choice)
    # 7 does not occur, so that set 1 has one phrase that does; it is not the lowest set of any.
    sets: Sets = [[(0,), (7,)], [(0,), (7,), (8,)], [(0,), (1, 2)], [(7,), (8,)], [(1,)]]
    small = narrowed(looked_up([[0, 1, 2], [1]], sets))
    assert small.spans.phrases.tolist() == [0, 2, 1, 2]
    assert small.set_values.tolist() == [0, 2, 2, 4]
    assert small.set_offsets.tolist() == [0, 2, 3, 4]
    assert {small.spans.phrases.dtype, small.set_values.dtype} == {np.dtype(np.int32)}
    assert small.set_offsets.dtype == np.int64


@twins
@pytest.mark.parametrize(
    ("least", "counts"), [((1, 1), [3, 1]), ((2, 1), [2, 1]), ((3, 1), [0, 2]), ((1, 2), [0, 2])]
)
def test_figure_4(choice: KernelChoice, least: tuple[int, int], counts: list[int]) -> None:
    # blown up bombing was happening / the bombing resulted in an explosion / there was an explosion
    rows = [[0, 1, 2, 3, 4], [5, 2, 6, 7, 8, 9], [10, 3, 8, 9]]
    assert counted(choice, rows, [[(0, 1), (2,), (9,)]], [(0, [1, 2])], least) == [counts]


@twins
def test_without_phrases_words_are_clipped_by_the_row_that_has_most(choice: KernelChoice) -> None:
    rows = [[0] * 7, [0, 1, 2, 3, 0, 4], [5, 2, 6, 1, 3, 0, 4], []]
    items = [(0, [1, 2]), (0, [2]), (0, [3]), (3, [0])]
    assert counted(choice, rows, [], items, (1, 1)) == [[0, 2], [0, 1], [0, 0], [0, 0]]


@twins
def test_longest_then_leftmost(choice: KernelChoice) -> None:
    # '1 2' is cut out before '0 1' only if it is longer; here '0 1' stands further left.
    sets: Sets = [[(0, 1), (7,)], [(1, 2), (8,)]]
    assert counted(choice, [[7], [0, 1, 2]], sets, [(0, [1])], (1, 1)) == [[1, 0]]
    assert counted(choice, [[8], [0, 1, 2]], sets, [(0, [1])], (1, 1)) == [[0, 0]]
    longer: Sets = [[(0, 1), (7,)], [(1, 2, 3), (8,)]]
    assert counted(choice, [[8], [0, 1, 2, 3]], longer, [(0, [1])], (1, 1)) == [[1, 0]]


@twins
def test_an_occurrence_goes_to_a_set_of_the_scored_row(choice: KernelChoice) -> None:
    sets: Sets = [[(0,), (9,)], [(0,), (1,)], [(0,), (2,)]]
    assert counted(choice, [[1], [0]], sets, [(0, [1])], (1, 1)) == [[1, 0]]
    # 1 and 2 both: the lower set has the one occurrence.
    assert counted(choice, [[2, 1], [0]], sets, [(0, [1])], (1, 1)) == [[1, 0]]
    with_two = two_tier_match(looked_up([[2, 1], [0]], sets), 0, [1])
    assert with_two.phrases == [PhraseMatch(1, 1, 1)]


@twins
def test_a_span_takes_the_set_with_most_left(choice: KernelChoice) -> None:
    # 5 is in both sets. Set 1 has two occurrences, set 0 one: 5 takes set 1, so 6 finds set 0.
    sets: Sets = [[(5,), (6,), (1,)], [(5,), (2,)]]
    rows = [[5, 6], [1, 2, 2]]
    assert counted(choice, rows, sets, [(0, [1])], (1, 1)) == [[2, 0]]
    found = two_tier_match(looked_up(rows, sets), 0, [1])
    assert found.phrases == [PhraseMatch(0, 1, 1), PhraseMatch(1, 1, 0)]
    assert found.clips == {0: 1, 1: 2}
    assert found.occurrences == [[PhraseMatch(0, 1, 0), PhraseMatch(1, 1, 1), PhraseMatch(2, 1, 1)]]


@twins
def test_occurrences_of_a_matched_set_match_no_word(choice: KernelChoice) -> None:
    sets: Sets = [[(0,), (1, 2)]]
    # 1 stands alone in the scored row; that of the other row is used up with the phrase.
    assert counted(choice, [[0, 1], [1, 2]], sets, [(0, [1])], (1, 1)) == [[1, 0]]
    assert counted(choice, [[3, 1], [1, 2]], sets, [(0, [1])], (1, 1)) == [[0, 1]]


@twins
def test_phrases_in_thousands_of_sets(choice: KernelChoice) -> None:
    # 0 and 1 share the last set only; in between the lists have no set in common.
    sets: Sets = [[(number % 2,), (2,)] for number in range(2_000)]
    sets.append([(0,), (1,)])
    rows = [[0, 0, 3], [1, 1, 1, 3]]
    assert counted(choice, rows, sets, [(0, [1]), (1, [0])], (1, 1)) == [[2, 1], [2, 1]]


@twins
def test_long_rows(choice: KernelChoice) -> None:
    sets: Sets = [[(0, 1), (2,)], [(3,), (4,)]]
    rows = [[0, 1, 3] * 900, [2, 4] * 800]
    assert counted(choice, rows, sets, [(0, [1]), (1, [0])], (1, 1)) == [[2400, 0], [1600, 0]]
