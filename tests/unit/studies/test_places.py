"""Where a study takes place, and against which references."""

from pathlib import Path

import pytest

from tenbin.core.errors import InputError, UnreadableFile, UsageError
from tenbin.studies.places import reference_groups, study_places

JUDGED = Path(__file__).parents[2] / "data" / "judged"


def test_groups_of_references() -> None:
    assert reference_groups(["refA"], subsets=False) == [("refA",)]
    assert reference_groups(["refA", "refB"], subsets=True) == [
        ("refA",),
        ("refB",),
        ("refA", "refB"),
    ]


@pytest.mark.parametrize("pairs", [["de-en"], ["all"], ["de-en", "de-en"]])
def test_a_place_has_all_references_unless_some_are_named(pairs: list[str]) -> None:
    (place,), notes = study_places([str(JUDGED)], pairs, None, several=True, judged=True)
    assert (place.label, place.references, notes) == ("judged de-en", ("refA", "refB"), [])
    assert "refB" in place.outputs
    (one,), _ = study_places([str(JUDGED)], pairs, ["refB"], several=False, judged=False)
    assert one.references == ("refB",)


def test_two_references_are_needed_where_they_are_compared() -> None:
    with pytest.raises(InputError) as told:
        study_places([str(JUDGED)], ["de-en"], ["refA"], several=True, judged=True)
    assert "judged de-en: there is one reference (refA), and two or more" in str(told.value)
    assert "Language pairs that would do: judged de-en." in str(told.value)


def test_a_pair_without_text_says_which_have_some() -> None:
    with pytest.raises(InputError, match=r"fr-en: there is no text .* would do: judged de-en"):
        study_places([str(JUDGED)], ["fr-en"], None, several=False, judged=True)


def test_names_that_do_not_exist(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="no such folder"):
        study_places([str(tmp_path / "no")], ["all"], None, several=False, judged=True)
    with pytest.raises(UsageError, match="there are no human judgements in it"):
        study_places([str(tmp_path)], ["all"], None, several=False, judged=True)
    with pytest.raises(UsageError, match="there are no references in it"):
        study_places([str(tmp_path)], ["all"], None, several=False, judged=False)
    with pytest.raises(InputError, match="no language pair that would do"):
        study_places([str(tmp_path)], ["de-en"], None, several=False, judged=False)
    with pytest.raises(UsageError, match=r"refX. There are: refA, refB"):
        study_places([str(JUDGED)], ["de-en"], ["refX"], several=False, judged=True)
