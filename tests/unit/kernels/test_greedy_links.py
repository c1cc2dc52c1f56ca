"""Greedy links of MEE: both twins, the definition, the worked example."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenbin.kernels.alignment import greedy_links as plain_module
from tenbin.kernels.compiled.alignment import greedy_links as compiled_module

Kernel = Callable[..., tuple[Any, Any, Any, Any]]
Row = Sequence[int]
Found = tuple[list[int], list[int], list[int], list[bool]]  # counts, equal, near, same root

PLAIN = plain_module.plain_greedy_links
COMPILED = compiled_module.greedy_links
TWINS = pytest.mark.parametrize("kernel", [PLAIN, COMPILED], ids=["plain", "compiled"])

# Similarity of word i to word j of a small vocabulary; words 0 to 2 are 1 to themselves, 3 has no
# vector. Values at, just below and above both thresholds.
TABLE = np.array(
    [[1, 0.5, 0.4, 0], [0.5, 1, 0.39, 0], [0.4, 0.39, 1, 0], [0, 0, 0, 0]], dtype=np.float32
)


def links_of(
    kernel: Kernel,
    pairs: Sequence[tuple[Row, Row]],
    *,
    every: bool,
    least: tuple[float, float] = (0.5, 0.4),
) -> list[Found]:
    rows = [row for pair in pairs for row in pair]
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    values = np.array([value for row in rows for value in row], dtype=np.int32)
    parts = [TABLE[np.ix_(np.array(one, int), np.array(other, int))] for one, other in pairs]
    starts = np.cumsum([0, *(part.size for part in parts)], dtype=np.int64)
    blocks = np.concatenate([np.empty(0, dtype=np.float32), *(part.ravel() for part in parts)])
    left = np.arange(0, len(rows), 2)
    arguments = blocks, starts, values, offsets, left, left + 1
    counts, *links = kernel(*arguments, least, every)
    cuts = np.cumsum([len(pair[0]) for pair in pairs])[:-1]
    split = [[part.tolist() for part in np.split(array, cuts)] for array in links]
    return list(zip(counts.tolist(), *split, strict=True)) if pairs else []


def definition(pair: tuple[Row, Row], *, every: bool) -> Found:
    """Make the links one at a time, to the letter of the specification."""
    here, there = pair
    taken: set[int] = set()
    equal, near, same_root = [-1] * len(here), [-1] * len(here), [False] * len(here)
    counts = [0, 0, 0]
    for i, word in enumerate(here):
        for j, other in enumerate(there):
            if j not in taken and word == other:
                equal[i] = j
                taken.add(j)
                counts[0] += 1
                break
    for i, word in enumerate(here):
        if equal[i] >= 0 and not every:
            continue
        for j, other in enumerate(there):
            cosine = float(TABLE[word, other])
            if j in taken or cosine < 0.4:
                continue
            near[i] = j
            same_root[i] = cosine >= 0.5
            taken.add(j)
            counts[1 if same_root[i] else 2] += 1
            break
    return counts, equal, near, same_root


rows_of_words = st.lists(st.integers(0, 3), max_size=7)


@TWINS
@pytest.mark.parametrize("every", [False, True])
def test_known_links(kernel: Kernel, *, every: bool) -> None:
    # A word with an equal one gets a near one too, if every word may.
    ((counts, equal, near, same_root),) = links_of(kernel, [([0, 0], [1, 0, 0])], every=every)
    assert (counts[0], equal) == (2, [1, 2])
    assert (near, same_root) == (([0, -1], [True, False]) if every else ([-1, -1], [False, False]))
    # Of two near words the first one is taken, not the nearer one.
    ((counts, equal, near, same_root),) = links_of(kernel, [([0], [2, 1])], every=every)
    assert (counts, equal, near, same_root) == ([0, 0, 1], [-1], [0], [False])


@TWINS
@pytest.mark.parametrize("every", [False, True])
def test_words_without_a_vector_are_linked_as_equal_only(kernel: Kernel, *, every: bool) -> None:
    (found,) = links_of(kernel, [([3, 1], [0, 3, 3])], every=every)
    assert found == ([1, 1, 0], [1, -1], [-1, 0], [False, True])


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.lists(st.tuples(rows_of_words, rows_of_words), max_size=6), st.booleans())
def test_both_twins_follow_the_definition(pairs: list[tuple[Row, Row]], every: bool) -> None:  # noqa: FBT001
    expected = [definition(pair, every=every) for pair in pairs]
    assert links_of(PLAIN, pairs, every=every) == expected
    assert links_of(COMPILED, pairs, every=every) == expected


@TWINS
def test_thresholds_are_parameters(kernel: Kernel) -> None:
    pairs = [([0], [1]), ([0], [2]), ([1], [2])]
    found = links_of(kernel, pairs, every=False, least=(0.6, 0.38))
    assert [counts for counts, *_ in found] == [[0, 0, 1], [0, 0, 1], [0, 0, 1]]
    found = links_of(kernel, pairs, every=False, least=(0.41, 0.5))
    assert [counts for counts, *_ in found] == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]


@TWINS
def test_empty_rows_and_no_pairs(kernel: Kernel) -> None:
    pairs: list[tuple[Row, Row]] = [([], []), ([0, 1], []), ([], [2])]
    nothing = [0, 0, 0]
    assert links_of(kernel, pairs, every=True) == [
        (nothing, [], [], []),
        (nothing, [-1, -1], [-1, -1], [False, False]),
        (nothing, [], [], []),
    ]
    assert links_of(kernel, [], every=True) == []


@pytest.mark.parametrize("choice", ["plain", "compiled"])
def test_worked_example(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hypothesis `the kitten mat`, reference `the cat sat mat`, with the toy vectors."""
    monkeypatch.setenv("TENBIN_KERNELS", choice)
    block = [[1, 0.6, 0.8, 0], [0.48, 0.8, 0, 0.6], [0, 0, 0, 1]]
    links = plain_module.greedy_links(
        np.array(block, dtype=np.float32).ravel(),
        np.array([0, 12]),
        np.array([0, 1, 2, 0, 3, 4, 2], dtype=np.int32),
        np.array([0, 3, 7]),
        np.array([0]),
        np.array([1]),
    )
    assert links.counts.tolist() == [[2, 1, 0]]
    assert links.equal.tolist() == [0, -1, 3]
    assert links.near.tolist() == [-1, 1, -1]
    assert links.same_root.tolist() == [False, True, False]
