"""The index of phrases: both twins, the definition by brute force, and a larger random table."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import KernelChoice
from tenbin.kernels.phrases.index import (
    FREE,
    PhraseIndex,
    PhraseSpans,
    build_phrase_index,
    phrase_spans,
)

Phrase = tuple[int, ...]
Entries = list[tuple[Phrase, Phrase]]

phrases = st.lists(st.integers(0, 3), min_size=1, max_size=4).map(tuple)
tables = st.lists(st.tuples(phrases, phrases), max_size=12)
pools = st.lists(st.lists(st.integers(-1, 4), max_size=9), max_size=4)
twins = pytest.mark.parametrize("choice", [KernelChoice.PLAIN, KernelChoice.COMPILED])


def ragged(rows: Sequence[Sequence[int]]) -> tuple[IdArray, IntArray]:
    values = np.array([value for row in rows for value in row], dtype=np.int32)
    return values, np.cumsum([0, *map(len, rows)], dtype=np.int64)


def built(choice: KernelChoice, entries: Entries) -> PhraseIndex:
    numbers = np.arange(len(entries))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", choice)
        rows = [phrase for entry in entries for phrase in entry]
        return build_phrase_index(*ragged(rows), 2 * numbers, 2 * numbers + 1)


def spans_in(choice: KernelChoice, rows: list[list[int]], index: PhraseIndex) -> PhraseSpans:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", choice)
        return phrase_spans(*ragged(rows), index)


def assert_same(plain: PhraseIndex | PhraseSpans, compiled: PhraseIndex | PhraseSpans) -> None:
    for name in type(plain).__dataclass_fields__:
        first, second = getattr(plain, name), getattr(compiled, name)
        assert first.dtype == second.dtype
        assert first.tolist() == second.tolist()


@given(entries=tables, rows=pools)
def test_twins_agree(entries: Entries, rows: list[list[int]]) -> None:
    pytest.importorskip("numba")
    index = built(KernelChoice.PLAIN, entries)
    assert_same(index, built(KernelChoice.COMPILED, entries))
    spans = spans_in(KernelChoice.PLAIN, rows, index)
    assert_same(spans, spans_in(KernelChoice.COMPILED, rows, index))


def test_twins_agree_when_the_table_grows() -> None:
    pytest.importorskip("numba")
    rng = np.random.default_rng(5)
    lengths = rng.integers(1, 8, size=(4000, 2))
    entries = [
        (tuple(rng.zipf(1.3, size=m) % 3000), tuple(rng.zipf(1.3, size=n) % 3000))
        for m, n in lengths
    ]
    index = built(KernelChoice.PLAIN, entries)
    assert (index.slot_keys != FREE).sum() > 10_000
    assert_same(index, built(KernelChoice.COMPILED, entries))
    rows = [(rng.zipf(1.3, size=60) % 3000 - 1).tolist() for _ in range(100)]
    spans = spans_in(KernelChoice.PLAIN, rows, index)
    assert spans.starts.size > 1000
    assert_same(spans, spans_in(KernelChoice.COMPILED, rows, index))


def test_twins_agree_when_there_are_many_more_spans_than_words() -> None:
    pytest.importorskip("numba")
    entries: Entries = [((0,) * length, (0,)) for length in range(1, 9)]
    index = built(KernelChoice.PLAIN, entries)
    rows = [[0] * length for length in (700, 1, 900)]
    spans = spans_in(KernelChoice.PLAIN, rows, index)
    assert spans.starts.size > 3 * sum(map(len, rows))
    assert_same(spans, spans_in(KernelChoice.COMPILED, rows, index))


@twins
@given(entries=tables, rows=pools)
def test_brute_force(choice: KernelChoice, entries: Entries, rows: list[list[int]]) -> None:
    numbers = {row: n for n, row in enumerate(dict.fromkeys(p for e in entries for p in e))}
    lists = defaultdict(list)
    for phrase, paraphrase in entries:
        lists[numbers[phrase]].append(numbers[paraphrase])
    index = built(choice, entries)
    assert index.phrase_count == len(numbers)
    for number in numbers.values():
        part = slice(*index.paraphrase_offsets[number : number + 2])
        assert index.paraphrases[part].tolist() == lists[number]
    spans = spans_in(choice, rows, index)
    found = zip(spans.starts.tolist(), spans.lengths.tolist(), spans.phrases.tolist(), strict=True)
    expected = [
        [
            (start, length, numbers[tuple(row[start : start + length])])
            for start in range(len(row))
            for length in range(1, len(row) - start + 1)
            if tuple(row[start : start + length]) in numbers
        ]
        for row in rows
    ]
    assert list(found) == [span for row in expected for span in row]
    assert spans.offsets.tolist() == np.cumsum([0, *map(len, expected)]).tolist()


@twins
def test_a_mapped_index_finds_the_same(
    choice: KernelChoice, tmp_path_factory: pytest.TempPathFactory
) -> None:
    index = built(choice, [((0, 1), (2,)), ((2,), (0, 1, 1)), ((0, 1), (3,))])
    folder = tmp_path_factory.mktemp("index")
    mapped = {}
    for name in PhraseIndex.__dataclass_fields__:
        np.save(folder / f"{name}.npy", getattr(index, name))
        mapped[name] = np.load(folder / f"{name}.npy", mmap_mode="r")
    rows = [[0, 1, 1, 2], [3]]
    spans = spans_in(choice, rows, PhraseIndex(**mapped))
    assert_same(spans_in(choice, rows, index), spans)
    assert spans.phrases.tolist() == [0, 2, 1, 3]


@twins
def test_an_empty_table(choice: KernelChoice) -> None:
    index = built(choice, [])
    assert index.phrase_count == 0
    assert spans_in(choice, [[0, 1], []], index).offsets.tolist() == [0, 0, 0]


@pytest.mark.parametrize("entries", [[((0,), ())], [((0, -1), (2,))]])
def test_bad_phrases_are_errors(entries: Entries) -> None:
    with pytest.raises(ValueError, match="a phrase needs"):
        built(KernelChoice.PLAIN, entries)
