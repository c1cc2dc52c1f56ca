"""The compiled search of TER against sacrebleu's own function (2.6.0), which is its plain twin."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate

from tenbin.core.arrays import Ragged
from tenbin.kernels.compiled.edits.shifted_edits import shifted_edits

Row = list[int]


def compiled(own: Row, reference: Row) -> int:
    rows = Ragged.from_rows([own, reference])
    return int(shifted_edits(rows.values, rows.offsets, np.array([0]), np.array([1]))[0])


def expected(own: Row, reference: Row) -> int:
    return int(translation_edit_rate([*map(str, own)], [*map(str, reference)])[0])


rows = st.lists(st.integers(0, 4), max_size=14)


@st.composite
def shuffled_pairs(draw: st.DrawFn) -> tuple[Row, Row]:
    """A row and the same row after some block moves: what shifts are for."""
    reference = draw(st.lists(st.integers(0, 20), min_size=1, max_size=40))
    own = list(reference)
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(own) - 1))
        block = own[start : start + draw(st.integers(1, 12))]
        del own[start : start + len(block)]
        place = draw(st.integers(0, len(own)))
        own[place:place] = block
    return own, reference


@given(own=rows, reference=rows)
def test_equals_sacrebleu_on_repeated_words(own: Row, reference: Row) -> None:
    assert compiled(own, reference) == expected(own, reference)


@given(pair=shuffled_pairs())
def test_equals_sacrebleu_on_moved_blocks(pair: tuple[Row, Row]) -> None:
    assert compiled(*pair) == expected(*pair)


@pytest.mark.parametrize(
    ("own", "reference"),
    [
        ([], []),
        ([1, 2], []),
        ([], [1, 2]),
        ([7], list(range(120))),  # lengths so different that the beam must widen
        (list(range(130)), [5]),
        (list(range(60, 120)) + list(range(60)), list(range(120))),  # a move over the far limit
        ([1] * 40, [1] * 30 + [2] * 10),  # over a thousand candidates
    ],
)
def test_equals_sacrebleu_at_the_limits(own: Row, reference: Row) -> None:
    assert compiled(own, reference) == expected(own, reference)


def test_equals_sacrebleu_on_real_text(shared: Path) -> None:
    folder = shared / "data" / "wmt22"
    own = (folder / "system-outputs/de-en/LT22.txt").read_text(encoding="utf-8").split("\n")[:150]
    other = (folder / "references/de-en.refA.txt").read_text(encoding="utf-8").split("\n")[:150]
    numbers: dict[str, int] = {}
    packed = Ragged.from_rows(
        [numbers.setdefault(word, len(numbers)) for word in line.lower().split()]
        for line in own + other
    )
    left = np.arange(150)
    found = shifted_edits(packed.values, packed.offsets, left, left + 150)
    wanted = [
        translation_edit_rate(a.lower().split(), b.lower().split())[0]
        for a, b in zip(own, other, strict=True)
    ]
    assert found.tolist() == wanted
