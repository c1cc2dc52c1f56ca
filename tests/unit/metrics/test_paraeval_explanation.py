"""ParaEval explained: sets, clips, single words, and the arithmetic."""

from pathlib import Path

import pytest

import tenbin
from tenbin.building.paraphrases.sets import sets_from_groups
from tenbin.core.alignment import MatchKind
from tenbin.resources.paraphrases import write_paraphrase_sets

GROUPS = (("blown up", "bombing", "explosion"), ("a lot of", "many"), ("many", "several"))


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = str(tmp_path / "toy.paraphrases")
    write_paraphrase_sets(path, sets_from_groups(GROUPS), {"language": "en"})
    return path


def explained(
    table: str, hypothesis: str, given_references: list[str], **parameters: object
) -> tenbin.Explanation:
    listed = "".join(f", {name}={value!r}" for name, value in parameters.items())
    (found,) = tenbin.explain(
        [hypothesis],
        [given_references],
        metric=f"paraeval(table={table!r}{listed})",
        language="en",
        segments=1,
    )
    return found


def test_explanation_shows_sets_and_clips(table: str) -> None:
    found = explained(
        table, "Many cats saw several bombing raids", ["a lot of people saw a bombing"]
    )
    assert [
        (match.kind, match.hypothesis.start, match.reference.start, match.evidence)
        for match in found.alignment.matches
    ] == [
        (MatchKind.PARAPHRASE, 0, 0, "set 1, clip 1: a lot of | many"),
        (MatchKind.EXACT, 2, 4, "saw"),
        (MatchKind.PARAPHRASE, 4, 6, "set 0, clip 1"),
    ]
    assert [(step.label, step.formula, step.value) for step in found.steps] == [
        ("phrase", "1 of 1 that one reference has", 1),
        ("phrase", "1 of 1 that one reference has", 1),
        ("words", "saw", 1),
        ("length", "", 6),
        ("precision", "(2 + 1) / 6", 0.5),
    ]


def test_explanation_of_recall_is_seen_from_the_reference(table: str) -> None:
    found = explained(table, "many", ["x", "a lot of us"], measure="recall")
    assert (found.reference, found.score) == (2, 0.75)
    (match,) = found.alignment.matches
    assert (len(match.hypothesis), len(match.reference)) == (1, 3)
    assert found.steps[-1].formula == "(3 + 0) / 4"


def test_explanation_of_all_references(table: str) -> None:
    found = explained(table, "many", ["many x", "y"], measure="f", references="mean")
    labels = [step.label for step in found.steps]
    assert [label for label in labels if label.startswith("recall")] == [
        "recall 1",
        "recall 2",
        "recall",
    ]
    assert found.steps[-1].value == pytest.approx(2 * 1 * 0.25 / 1.25)


def test_explanation_shows_the_reference_that_explains_most(table: str) -> None:
    found = explained(table, "x y many", ["x", "x y", "z"])
    assert found.reference == 2
    assert found.alignment.matches[-1].hypothesis.start == 1
    joined = explained(table, "a lot of", ["several"], merge="components")
    assert (
        joined.alignment.matches[0].evidence
        == "the sets joined with set 1, clip 1: a lot of | many"
    )
