"""Explanations of the segments of a report."""

import pytest

from tenbin.api.scoring import explain_test_set, score_test_set
from tenbin.core.text import TestSet
from tenbin.evaluation.analyses import explained
from tenbin.evaluation.analyses.explained import explainable_metrics, explained_segments

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


def test_weights_of_a_large_collection_are_not_computed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = "yisi0"  # weights by idf over all references
    assert explained_segments(TEXTS, [spec], "en", [0])
    monkeypatch.setattr(explained, "_MOST_COLLECTED", 1)
    assert explained_segments(TEXTS, [spec], "en", [0]) == ()
