"""Phrase pairs that agree with word links."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.phrases.consistent import consistent_phrases

Links = list[tuple[int, int]]  # target, pivot

TARGET = ["michael", "assumes", "that", "he", "will", "stay", "in", "the", "house"]
PIVOT = ["michael", "geht", "davon", "aus", ",", "dass", "er", "im", "haus", "bleibt"]
LINKS = [(0, 0), (1, 1), (1, 2), (1, 3), (2, 5), (3, 6), (4, 9), (5, 9), (6, 7), (7, 7), (8, 8)]


def packed(
    segments: list[tuple[int, int, Links]],
) -> tuple[tuple[IdArray, IdArray, IntArray], tuple[IntArray, IntArray]]:
    flat = [link for _, _, links in segments for link in links]
    table = np.array(flat, dtype=np.int32).reshape(-1, 2).T.copy()
    bounds = np.cumsum([0, *(len(links) for _, _, links in segments)])
    sizes = np.array([(pivot, target) for target, pivot, _ in segments], dtype=np.int64).T.copy()
    return (table[1], table[0], bounds), (sizes[0], sizes[1])


def extracted(segments: list[tuple[int, int, Links]], longest: int) -> list[list[int]]:
    links, lengths = packed(segments)
    found: list[list[int]] = consistent_phrases(links, lengths, longest).T.tolist()
    return found


def brute_force(target: int, pivot: int, links: Links, longest: int) -> list[list[int]]:
    """Every pair of spans, tried by the definition."""

    def spans(size: int) -> list[tuple[int, int]]:
        return [(a, b) for a in range(size) for b in range(a + 1, size + 1) if b - a <= longest]

    found = []
    for start, end in spans(target):
        for first, last in spans(pivot):
            inside = [(start <= e < end, first <= f < last) for e, f in links]
            if (True, True) in inside and all(e == f for e, f in inside):
                found.append([start, end, first, last])
    return found


@pytest.mark.parametrize("kernels", ["plain", "compiled"])
def test_the_check_of_the_specification(kernels: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", kernels)
    spans = extracted([(len(TARGET), len(PIVOT), LINKS)], 10)
    pairs = {(" ".join(TARGET[a:b]), " ".join(PIVOT[c:d])) for _, a, b, c, d in spans}
    assert len(pairs) == len(spans) == 24
    assert ("assumes", "geht davon aus") in pairs
    assert ("assumes that", "geht davon aus , dass") in pairs
    assert ("that", ", dass") in pairs
    assert ("will stay", "bleibt") in pairs
    assert ("in", "im") not in pairs


@st.composite
def linked(draw: st.DrawFn) -> tuple[int, int, Links]:
    target, pivot = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    link = st.tuples(st.integers(0, target - 1), st.integers(0, pivot - 1))
    return target, pivot, draw(st.lists(link, max_size=8))


@pytest.mark.parametrize("kernels", ["plain", "compiled"])
@given(segments=st.lists(linked(), min_size=1, max_size=4), longest=st.integers(1, 6))
def test_every_pair_of_spans_tried(
    kernels: str, segments: list[tuple[int, int, Links]], longest: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", kernels)
        found = extracted(segments, longest)
    expected = [
        [number, *spans]
        for number, segment in enumerate(segments)
        for spans in brute_force(*segment, longest)
    ]
    assert found == expected


def test_more_pairs_than_there_was_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", "compiled")
    segments = [(1, 13, [(0, 6)]), (2, 2, [(0, 0), (1, 1)])]
    found = extracted(segments, 7)
    assert len(found) == 28 + 3  # spans of up to seven words around the seventh of thirteen
    assert [row[1:] for row in found[:28]] == brute_force(*segments[0], 7)


def test_nltk_finds_the_same_where_no_limit_is_reached() -> None:
    translate = pytest.importorskip("nltk.translate.phrase_based")
    rng = np.random.default_rng(7)
    for _ in range(30):
        target, pivot = rng.integers(3, 12, size=2).tolist()
        table = rng.random((target, pivot)) < 1 / pivot
        links = [(int(e), int(f)) for e, f in zip(*table.nonzero(), strict=True)]
        words = [f"w{n}" for n in range(pivot)]
        theirs = translate.phrase_extraction(
            " ".join(f"w{n}" for n in range(target)), " ".join(words), links, max(target, pivot)
        )
        ours = {((a, b), (c, d)) for _, a, b, c, d in extracted([(target, pivot, links)], 12)}
        assert ours == {(phrase[0], phrase[1]) for phrase in theirs}
