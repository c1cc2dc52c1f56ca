"""Two directions of word links made into one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.kernels.alignment.symmetrization import Symmetrization, symmetrized_links
from tenbin.kernels.arrays import IdArray, IntArray

Links = list[tuple[int, int]]  # pivot, target
KERNELS = pytest.mark.parametrize("kernels", ["plain", "compiled"])


def packed(rows: list[Links]) -> tuple[IdArray, IdArray, IntArray]:
    table = np.array([link for row in rows for link in row], dtype=np.int32).reshape(-1, 2).T.copy()
    return table[0], table[1], np.cumsum([0, *map(len, rows)])


def symmetrized(
    forward: list[Links], backward: list[Links], sizes: list[tuple[int, int]], method: str
) -> list[Links]:
    lengths = np.array(sizes, dtype=np.int64).T.copy()
    pivot, target, offsets = symmetrized_links(
        packed(forward), packed(backward), (lengths[0], lengths[1]), Symmetrization(method)
    )
    flat = list(zip(pivot.tolist(), target.tolist(), strict=True))
    return [flat[offsets[n] : offsets[n + 1]] for n in range(len(sizes))]


@KERNELS
@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("intersect", [(0, 0)]),
        ("grow-diag", [(0, 0), (0, 1)]),
        # (2, 1) has a word that is linked already and one that is not; (3, 3) has two free words.
        ("grow-diag-final", [(0, 0), (0, 1), (2, 1), (3, 3)]),
        ("grow-diag-final-and", [(0, 0), (0, 1), (3, 3)]),
        ("union", [(0, 0), (0, 1), (2, 1), (3, 3)]),
    ],
)
def test_methods(
    kernels: str, method: str, expected: Links, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", kernels)
    forward, backward = [(0, 0), (0, 1), (3, 3)], [(0, 0), (2, 1)]
    assert symmetrized([forward], [backward], [(4, 4)], method) == [expected]


@KERNELS
def test_the_pivot_to_target_links_come_first(
    kernels: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", kernels)
    one, other = [(0, 1)], [(0, 0)]
    assert symmetrized([one], [other], [(1, 2)], "grow-diag-final-and") == [one]
    assert symmetrized([other], [one], [(1, 2)], "grow-diag-final-and") == [other]


@KERNELS
def test_growing_goes_on_until_nothing_changes(
    kernels: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", kernels)
    # A way back to the start of the segment: each round of a scan forward adds one link.
    forward = [(3, 3)]
    backward = [(3, 3), (2, 2), (1, 1), (0, 0)]
    found = symmetrized([forward], [backward], [(4, 4)], "grow-diag")
    assert found == [[(0, 0), (1, 1), (2, 2), (3, 3)]]


def by_definition(  # noqa: C901, PLR0912 - Koehn's program is one function
    forward: Links, backward: Links, size: tuple[int, int], method: str
) -> Links:
    """Koehn's program, written out with tables of booleans."""
    tables = []
    for links in (forward, backward):
        table = np.zeros(size, dtype=bool)
        for link in links:
            table[link] = True
        tables.append(table)
    union, chosen = tables[0] | tables[1], tables[0] & tables[1]
    if method == "union":
        chosen = union.copy()
    around = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]
    while method.startswith("grow"):
        before = chosen.sum()
        for e in range(size[1]):
            for f in range(size[0]):
                for up, right in around if chosen[f, e] else ():
                    i, j = e + up, f + right
                    if not (0 <= i < size[1] and 0 <= j < size[0] and union[j, i]):
                        continue
                    if not chosen[:, i].any() or not chosen[j].any():
                        chosen[j, i] = True
        if chosen.sum() == before:
            break
    for table in tables if "final" in method else ():
        for e, f in zip(*table.T.nonzero(), strict=True):
            free = [not chosen[:, e].any(), not chosen[f].any()]
            if all(free) if method.endswith("and") else any(free):
                chosen[f, e] = True
    return [(int(f), int(e)) for e, f in zip(*chosen.T.nonzero(), strict=True)]


@st.composite
def directions(draw: st.DrawFn) -> tuple[Links, Links, tuple[int, int]]:
    size = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    link = st.tuples(st.integers(0, size[0] - 1), st.integers(0, size[1] - 1))
    links = st.lists(link, max_size=10)
    return draw(links), draw(links), size


@KERNELS
@pytest.mark.parametrize("method", list(Symmetrization))
@given(segments=st.lists(directions(), min_size=1, max_size=3))
def test_by_definition(
    kernels: str, method: str, segments: list[tuple[Links, Links, tuple[int, int]]]
) -> None:
    forward, backward, sizes = (list(part) for part in zip(*segments, strict=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", kernels)
        found = symmetrized(forward, backward, sizes, method)
    assert found == [by_definition(*segment, method) for segment in segments]
