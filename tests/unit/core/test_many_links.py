"""Alignments of which a word may have many links, and work that metrics of a batch share."""

import numpy as np
import pytest

from tenbin.core.alignment import Alignment, Match, MatchKind, Span
from tenbin.core.arrays import Ragged
from tenbin.core.batch import Batch
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch


def link(own: int, other: int) -> Match:
    return Match(
        hypothesis=Span(own, own + 1),
        reference=Span(other, other + 1),
        kind=MatchKind.VECTOR,
        similarity=0.5,
        evidence="",
    )


def test_a_word_has_one_link_unless_more_are_meant() -> None:
    both = (link(0, 0), link(0, 1))
    with pytest.raises(ValueError, match="matched twice"):
        Alignment(hypothesis=("a",), reference=("b", "c"), matches=both)
    many = Alignment(hypothesis=("a",), reference=("b", "c"), matches=both, exclusive=False)
    assert many.matches == both
    assert many.chunks == (), "runs of links are defined for single ones only"


@pytest.mark.parametrize("exclusive", [True, False])
def test_a_link_must_end_in_the_segment(*, exclusive: bool) -> None:
    with pytest.raises(ValueError, match="beyond the 1 token"):
        Alignment(hypothesis=("a",), reference=("b",), matches=(link(0, 1),), exclusive=exclusive)


def test_work_is_done_once_for_each_key() -> None:
    batch = Batch(
        strings=("a",),
        hypotheses=np.array([0]),
        references=Ragged.from_rows([[0]]),
        segments=np.array([0]),
        columns={},
    )
    calls = []

    def made(number: int) -> int:
        calls.append(number)
        return number

    assert [batch.once("x", lambda: made(1)), batch.once("x", lambda: made(2))] == [1, 1]
    assert batch.once("y", lambda: made(3)) == 3
    assert calls == [1, 3]


def test_items_know_their_system() -> None:
    test_set = TestSet(hypotheses={"a": ("x", "y"), "b": ("x", "z")}, references=(("r",), ("s",)))
    batch = build_batch(test_set, [])
    assert batch.systems is not None
    assert batch.systems.tolist() == [0, 0, 1, 1]
    assert batch.segments.tolist() == [0, 1, 0, 1]
