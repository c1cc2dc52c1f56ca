"""The segments that a reader should look at: the worst, and those on which systems differ."""

import numpy as np
import pytest

import tenbin
from tenbin.core.errors import UsageError
from tenbin.evaluation.segment_lookup import single_segments

REFERENCES = ["The cat sat on the mat.", "It rains.", "Good night to you.", "Yes."]
SYSTEMS = {
    "first": ["The cat sat on the mat.", "Snow.", "Good evening to you.", "Yes."],
    "second": ["Dogs.", "It rains.", "Good night to you.", "Yes."],
}
TEXTS = tenbin.TestSet(
    hypotheses={name: tuple(texts) for name, texts in SYSTEMS.items()},
    references=tuple((text,) for text in REFERENCES),
    source=("Quelle 1", "Quelle 2", "Quelle 3", "Quelle 4"),
    documents=("a", "a", "b", "b"),
)


def test_the_worst_segments_of_each_system_come_with_texts() -> None:
    table = tenbin.score(TEXTS, metrics=["chrf", "ter"], language="en", worst=2)
    assert table.worst is not None
    assert table.worst.metric == "chrf"
    assert [(one.system, one.texts.number) for one in table.worst.segments] == [
        ("first", 2),
        ("first", 3),
        ("second", 1),
        ("second", 2),
    ]
    one = table.worst.of("second")[0]
    assert (one.texts.source, one.texts.document, one.translation) == ("Quelle 1", "a", "Dogs.")
    assert one.texts.references == ("The cat sat on the mat.",)
    assert all(result.segments is None for result in table.results)


def test_scores_are_those_of_the_segments() -> None:
    table = tenbin.score(TEXTS, metrics=["chrf", "ter"], language="en", worst=9, segments=True)
    assert table.worst is not None
    for one in table.worst.segments:
        place = table.systems.index(one.system), one.texts.number - 1
        for result, score in zip(table.results, one.scores, strict=True):
            assert result.segments is not None
            assert result.segments[place] == score


def test_of_a_metric_of_errors_the_highest_score_is_the_worst() -> None:
    by_errors = tenbin.score(TEXTS, metrics=["chrf", "ter"], language="en", worst=1, worst_by="ter")
    assert by_errors.worst is not None
    assert by_errors.worst.metric == "ter"
    assert [one.texts.number for one in by_errors.worst.segments] == [2, 1]
    assert "highest score" not in str(by_errors)  # one segment has no order
    assert "worst segment of each system by TER" in str(by_errors)


def test_differences_are_shown_in_both_directions() -> None:
    found = tenbin.compare(TEXTS, metrics=["chrf"], language="en", rounds=10, differences=5)
    assert found.differences is not None
    (pair,) = found.differences.pairs
    assert {pair.first, pair.second} == {"first", "second"}
    ahead = {one.texts.number for one in pair.first_better}
    behind = {one.texts.number for one in pair.second_better}
    # Segment 4 is the same, so it is in neither.
    assert ahead | behind == {1, 2, 3}
    assert not ahead & behind
    assert all(one.difference > 0 for one in pair.first_better)
    assert all(one.difference < 0 for one in pair.second_better)
    assert found.metrics[0].scores.segments is None


def test_of_a_metric_of_errors_the_lower_score_is_better() -> None:
    between = ("second", "first")
    found = tenbin.compare(
        TEXTS,
        metrics=["ter"],
        language="en",
        rounds=10,
        differences=1,
        differences_between=between,
    )
    assert found.differences is not None
    (pair,) = found.differences.pairs
    assert (pair.first, pair.second) == between
    assert pair.first_better[0].difference < 0 < pair.second_better[0].difference


def test_a_baseline_is_set_against_each_of_the_others() -> None:
    texts = {**SYSTEMS, "third": ["The cat.", "It rained.", "Night.", "No."]}
    found = tenbin.compare(
        texts,
        REFERENCES,
        metrics=["chrf"],
        language="en",
        rounds=9,
        differences=1,
        baseline="first",
    )
    assert found.differences is not None
    pairs = [(pair.first, pair.second) for pair in found.differences.pairs]
    assert pairs == [("second", "first"), ("third", "first")]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"worst": 0}, "`worst=0`: give a number of at least 1"),
        ({"worst": 1, "worst_by": "bleu"}, "`worst_by=bleu` is not among the metrics"),
    ],
)
def test_what_cannot_be_chosen_is_said(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        tenbin.score(TEXTS, metrics=["chrf"], language="en", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("between", [("first", "first"), ("first", "nobody"), ("first",)])
def test_two_different_systems_must_be_named(between: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="there are: first, second"):
        tenbin.compare(
            TEXTS, metrics=["chrf"], language="en", differences=1, differences_between=between
        )


def test_explanations_of_the_worst_come_with_texts() -> None:
    found = tenbin.explain(TEXTS, language="en", metric="mas", worst=1)
    assert [(one.system, one.segment) for one in found] == [("first", 2), ("second", 1)]
    assert [one.translation for one in found] == ["Snow.", "Dogs."]
    texts = found[0].texts
    assert texts is not None
    assert (texts.source, texts.document) == ("Quelle 2", "a")
    assert str(found[:1]).count("segment 2: mas") == 1


def test_segments_are_found_in_any_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenbin.evaluation.segment_lookup.CHUNK", 3)
    found = single_segments(TEXTS, [4, 1])
    assert {number: part.hypotheses["first"] for number, part in found.items()} == {
        1: ("The cat sat on the mat.",),
        4: ("Yes.",),
    }
    assert single_segments(TEXTS, []) == {}


def test_undefined_scores_are_no_worst_ones() -> None:
    from tenbin.evaluation.worst_segments import worst_places  # noqa: PLC0415

    scores = np.array([np.nan, 2.0, 1.0])
    assert worst_places(scores, 5, higher_is_better=True).tolist() == [2, 1]
    assert worst_places(scores, 5, higher_is_better=False).tolist() == [1, 2]
