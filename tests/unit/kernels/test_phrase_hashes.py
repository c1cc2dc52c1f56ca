"""Phrases as numbers: twins, counts, and the way back to words."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.kernels.arrays import IntArray
from tenbin.kernels.phrases.hashes import (
    NOWHERE,
    counted_pairs,
    phrase_hashes,
    places_of_phrases,
)

VOCABULARY = np.random.default_rng(3).integers(-(2**63), 2**63, size=5, dtype=np.int64)
TEXTS = st.lists(st.lists(st.integers(0, 4), max_size=6), min_size=1, max_size=4)
KERNELS = pytest.mark.parametrize("kernels", ["plain", "compiled"])


def spans(offsets: IntArray, longest: int) -> tuple[IntArray, IntArray]:
    found = [
        (first, end)
        for start, stop in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
        for first in range(start, stop)
        for end in range(first + 1, min(first + longest, stop) + 1)
    ]
    table = np.array(found, dtype=np.int64).reshape(-1, 2)
    return table[:, 0].copy(), table[:, 1].copy()


@KERNELS
@given(texts=TEXTS, longest=st.integers(1, 5))
def test_there_and_back(kernels: str, texts: list[list[int]], longest: int) -> None:
    values = np.array([word for text in texts for word in text], dtype=np.int32)
    offsets = np.cumsum([0, *map(len, texts)]).astype(np.int64)
    words = VOCABULARY[values]
    first, end = spans(offsets, longest)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", kernels)
        numbers = phrase_hashes(words, first, end)
        wanted = np.unique(np.append(numbers, 12345))
        places, lengths, clash = places_of_phrases(values, offsets, words, wanted, longest)
    spelled = [tuple(values[a:b].tolist()) for a, b in zip(first, end, strict=True)]
    assert len(set(spelled)) == len(set(numbers.tolist())) == wanted.size - 1
    assert clash == NOWHERE
    there = zip(places.tolist(), lengths.tolist(), strict=True)
    found = dict(zip(wanted.tolist(), there, strict=True))
    assert found.pop(12345) == (NOWHERE, 0)
    for number, phrase in zip(numbers.tolist(), spelled, strict=True):
        place, length = found[number]
        assert tuple(values[place : place + length].tolist()) == phrase


@KERNELS
def test_two_phrases_of_one_number_are_found_out(
    kernels: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", kernels)
    values = np.array([0, 1, 0, 2, 0], dtype=np.int32)
    offsets = np.array([0, 2, 5])
    words = np.array([10, 20, 30])[values]
    good = places_of_phrases(values, offsets, words, np.array([20, 30]), 3)
    assert [good[0].tolist(), good[1].tolist(), good[2]] == [[1, 3], [1, 1], NOWHERE]
    words = np.array([10, 20, 20])[values]
    assert places_of_phrases(values, offsets, words, np.array([10, 20]), 3)[2] == 1


@KERNELS
@given(
    pairs=st.lists(st.tuples(st.integers(-2, 2), st.integers(0, 2)), max_size=40),
)
def test_pairs_are_counted(kernels: str, pairs: list[tuple[int, int]]) -> None:
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", kernels)
        counted = counted_pairs(table[:, 0].copy(), table[:, 1].copy())
    rows = zip(*(column.tolist() for column in counted), strict=True)
    assert list(rows) == [(*pair, n) for pair, n in Counter(pairs).items()]
