"""Explanations of the segments of a report."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from tenbin.api.scoring import explain_test_set, score_test_set
from tenbin.core.needs import Needs
from tenbin.core.resource import ResourceKind
from tenbin.core.text import TestSet
from tenbin.evaluation.analyses import explained
from tenbin.evaluation.analyses.explained import (
    explainable_metrics,
    explained_count,
    explained_segments,
)

TEXTS = TestSet(
    hypotheses={
        "one": ("a cat sat", "the dog ran", "birds fly"),
        "two": ("the cat", "a dog ran away", "a bird flies"),
    },
    references=(("the cat sat",), ("the dog ran off",), ("birds fly high",)),
)


def test_explanations_are_those_of_the_command_and_explain_the_scores() -> None:
    specs = ["bleu", "meteor", "onehot"]
    found = explained_segments(TEXTS, specs, "en", [2, 0])
    places = [(one.segment, one.metric, one.system) for one in found]
    assert places == [(s, m, system) for s in (0, 2) for m in (1, 2) for system in (0, 1)]
    scores = score_test_set(TEXTS, specs, "en", segments=True).results
    for one in found:
        segments = scores[one.metric].segments
        assert segments is not None
        assert one.explanation.score == pytest.approx(segments[one.system, one.segment])
        system = TEXTS.systems[one.system]
        (same,) = explain_test_set(
            TEXTS, specs[one.metric], "en", [one.segment + 1], [system]
        ).explanations
        assert same.alignment == one.explanation.alignment
        assert same.steps == one.explanation.steps


def test_which_metrics_explain() -> None:
    assert explainable_metrics(["bleu", "meteor"]) == [False, True]


def test_the_most_important_ones_stay_where_there_is_little_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(explained, "_room", lambda _: 1)
    found = explained_segments(TEXTS, ["meteor"], "en", [2, 0, 1])
    assert {one.segment for one in found} == {2}


def test_a_small_test_set_is_explained_wholly_and_a_large_one_in_part() -> None:
    assert explained_count(TEXTS, 5) == 3
    large = TestSet(
        hypotheses={str(number): ("x",) * 2_000 for number in range(10)},
        references=(("x",),) * 2_000,
    )
    assert explained_count(large, 4) == 9
    assert explained_count(large, 100) == 1


def test_metrics_that_run_a_model_explain_fewer_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explained, "_MOST_ENCODED", 2)
    monkeypatch.setattr(explained, "_MOST_LEARNED", 4)
    whole = Needs()
    for kinds, most in (
        (set(), 3),
        ({ResourceKind.VECTORS}, 3),
        ({ResourceKind.ENCODER}, 1),
        ({ResourceKind.ENCODER, ResourceKind.ADAPTER}, 2),
        ({ResourceKind.COMBINATION}, 2),
    ):
        metric = SimpleNamespace(needs=replace(whole, resources=frozenset(kinds)))
        assert explained._most(metric, TEXTS) == most  # type: ignore[arg-type]


def test_weights_of_a_large_collection_are_not_computed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = "yisi0"  # weights by idf over all references
    assert explained_segments(TEXTS, [spec], "en", [0])
    monkeypatch.setattr(explained, "_MOST_COLLECTED", 1)
    assert explained_segments(TEXTS, [spec], "en", [0]) == ()
