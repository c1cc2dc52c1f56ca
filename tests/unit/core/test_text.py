"""Test sets: what they refuse, and what they know about themselves."""

from dataclasses import replace

import pytest

from tenbin.core.errors import LengthMismatch, ShapeError
from tenbin.core.text import REFERENCES, TestSet


@pytest.fixture
def test_set() -> TestSet:
    return TestSet(
        hypotheses={"A": ("a", "", " \t"), "B": ("x", "y", "z")},
        references=(("a", "b"), ("c",), ("", "d", "e")),
        source=("1", "2", "3"),
        documents=("one", "one", "two"),
        notes=("a note",),
    )


def test_what_a_test_set_knows(test_set: TestSet) -> None:
    assert test_set.systems == ("A", "B")
    assert test_set.segment_count == 3
    assert test_set.reference_counts == (1, 2, 3)
    assert test_set.has_source
    assert test_set.empty_counts == {"A": 2, REFERENCES: 1}


def test_a_part_keeps_all_columns_in_step(test_set: TestSet) -> None:
    part = test_set.part(1, 3)
    assert part.places is not None
    assert part.places.first == (test_set.places.first if test_set.places else 1) + 1
    assert replace(part, places=None) == TestSet(
        hypotheses={"A": ("", " \t"), "B": ("y", "z")},
        references=(("c",), ("", "d", "e")),
        source=("2", "3"),
        documents=("one", "two"),
    )


def test_chunks_are_in_order_and_the_last_may_be_short(test_set: TestSet) -> None:
    chunks = list(test_set.chunks(2))
    assert [chunk.segment_count for chunk in chunks] == [2, 1]
    assert [chunk.hypotheses["B"] for chunk in chunks] == [("x", "y"), ("z",)]


@pytest.mark.parametrize("column", ["source", "documents"])
def test_unequal_columns_are_refused_with_all_counts(column: str) -> None:
    columns = {column: ("1", "2", "3")}
    with pytest.raises(LengthMismatch) as caught:
        TestSet(
            hypotheses={"A": ("a",), "B": ("a", "b")},
            references=(("a",), ("b",)),
            **columns,  # type: ignore[arg-type]
        )
    assert caught.value.counts == {"references": 2, "A": 1, "B": 2, column: 3}


def test_no_system_is_refused() -> None:
    with pytest.raises(ShapeError, match="at least one list of hypotheses"):
        TestSet(hypotheses={}, references=(("a",),))


def test_no_segment_is_refused() -> None:
    with pytest.raises(ShapeError, match="no segments to score"):
        TestSet(hypotheses={"A": ()}, references=())


def test_a_segment_without_reference_is_named() -> None:
    with pytest.raises(ShapeError, match="segment 2 has no reference"):
        TestSet(hypotheses={"A": ("a", "b")}, references=(("a",), ()))
