"""Folds: balanced, whole documents, the same for the same seed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.errors import UsageError
from tenbin.core.judgments import HumanPairs, HumanScores, ScoreMatrix
from tenbin.core.tuning import FoldUnit
from tenbin.tuning.folds import (
    assigned_folds,
    chosen_unit,
    fold_counts,
    judged_segments,
    set_folds,
)


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.integers(2, 7), st.integers(0, 9))
def test_folds_of_segments_are_balanced_in_what_was_judged(
    judged: list[bool], folds: int, seed: int
) -> None:
    mask = np.array(judged)
    found = assigned_folds(mask, folds, np.random.default_rng(seed))
    for part in (found[mask], found):
        sizes = np.bincount(part, minlength=folds)
        assert sizes.max() - sizes.min() <= 1
    again = assigned_folds(mask, folds, np.random.default_rng(seed))
    assert found.tolist() == again.tolist()


def test_another_seed_gives_other_folds() -> None:
    mask = np.ones(40, dtype=np.bool_)
    one, other = (assigned_folds(mask, 4, np.random.default_rng(seed)) for seed in (1, 2))
    assert one.tolist() != other.tolist()


@given(st.lists(st.sampled_from("abcdef"), min_size=6, max_size=40), st.integers(0, 9))
def test_documents_stay_whole(names: list[str], seed: int) -> None:
    mask = np.ones(len(names), dtype=np.bool_)
    found = assigned_folds(mask, 3, np.random.default_rng(seed), tuple(names))
    by_document = {
        name: {f for n, f in zip(names, found, strict=True) if n == name} for name in names
    }
    assert all(len(folds) == 1 for folds in by_document.values())
    if len(by_document) >= 3:
        assert set(found.tolist()) == {0, 1, 2}


def test_counts_are_all_but_a_fold_and_then_the_fold() -> None:
    counts = fold_counts(np.array([0, 1, 0]), 2)
    assert counts.tolist() == [[0, 1, 0], [1, 0, 1], [1, 0, 1], [0, 1, 0]]


def test_what_was_judged_is_read_off_each_kind_of_judgement() -> None:
    table = ScoreMatrix.by_segment("da", {"A": [1, None, None], "B": [None, None, 0]})
    pairs = HumanPairs(
        name="rr",
        systems=("A", "B"),
        segments=np.array([2, 2]),
        better=np.array([0, 1]),
        worse=np.array([1, 0]),
    )
    whole = ScoreMatrix.by_system("sys", {"A": 1, "B": 0})
    judged = [
        judged_segments(human, 3).tolist()
        for human in (
            HumanScores(name="da", segments=table),
            HumanScores(name="rr", pairs=pairs),
            HumanScores(name="sys", systems=whole),
        )
    ]
    assert judged == [[True, False, True], [False, False, True], [True, True, True]]


DOCUMENTS = ("a", "a", "b", "b", "c", "c")
JUDGED = np.array([True, True, True, False, False, True])


@pytest.mark.parametrize(
    ("folds", "unit", "expected"),
    [
        (3, None, (FoldUnit.DOCUMENTS, 3)),
        (4, None, (FoldUnit.SEGMENTS, 4)),
        (None, None, (FoldUnit.SEGMENTS, 4)),
        (2, FoldUnit.SEGMENTS, (FoldUnit.SEGMENTS, 4)),
        (None, FoldUnit.DOCUMENTS, (FoldUnit.DOCUMENTS, 3)),
    ],
)
def test_documents_are_taken_where_there_are_enough(
    folds: int | None, unit: FoldUnit | None, expected: tuple[FoldUnit, int]
) -> None:
    assert chosen_unit(DOCUMENTS, JUDGED, folds, unit, "here") == expected


@pytest.mark.parametrize(
    ("folds", "unit"),
    [(5, None), (1, None), (4, FoldUnit.DOCUMENTS), (5, FoldUnit.SEGMENTS)],
)
def test_more_folds_than_there_can_be_are_refused(folds: int, unit: FoldUnit | None) -> None:
    with pytest.raises(
        UsageError, match=rf"^here: {folds} folds? (are|is) not possible with [34] judged "
    ):
        chosen_unit(DOCUMENTS, JUDGED, folds, unit, "here")


def test_one_single_document_leaves_no_folds() -> None:
    one = ("a", "a", "a", "a", "a", "a")
    with pytest.raises(UsageError, match="give 0 for no cross-validation"):
        chosen_unit(one, JUDGED, 2, FoldUnit.DOCUMENTS, "here")


def test_each_test_set_is_a_fold() -> None:
    assert set_folds(["a", "a", "b"], None) == set_folds(["a", "b", "b"], 2) == ("a", "b")
    with pytest.raises(UsageError, match="there is only a"):
        set_folds(["a", "a"], None)
    with pytest.raises(UsageError, match="there are 2 test sets, and each is a fold"):
        set_folds(["a", "b"], 10)
