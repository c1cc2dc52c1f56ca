"""Wrong numbers and names, and which segments have any."""

import sys

import pytest

from tenbin.core.report import Flag, FlagKind
from tenbin.core.text import TestSet
from tenbin.evaluation.analyses.wrong_parts import wrong_parts
from tenbin.penalty.names import capitals

REFERENCES = ("He paid 5 dollars.", "It rained all night.", "We met Tanaka in Berlin.")


def test_set_of(*systems: tuple[str, ...]) -> TestSet:
    return TestSet(
        hypotheses={str(place): texts for place, texts in enumerate(systems)},
        references=tuple((text,) for text in REFERENCES),
    )


test_set_of.__test__ = False  # type: ignore[attr-defined]


def test_numbers_and_names_are_found() -> None:
    pytest.importorskip("simplemma")
    found = wrong_parts(test_set_of(REFERENCES), "en")
    assert found.has_number == (True, False, False)
    assert found.has_name == (False, False, True)
    assert found.flags == ()
    assert found.notes == ()


def test_one_wrong_number_stands_beside_the_right_one() -> None:
    wrong = test_set_of(REFERENCES, ("He paid 6 dollars.", *REFERENCES[1:]))
    assert (
        Flag(system=1, segment=0, kind=FlagKind.NUMBER, found="6 dollars", expected="5 dollars")
        in wrong_parts(wrong, "en").flags
    )


def test_several_wrong_ones_are_not_guessed_to_belong_together() -> None:
    wrong = test_set_of(("He paid 6 or 7 dollars.", *REFERENCES[1:]))
    found = [one for one in wrong_parts(wrong, "en").flags if one.kind is FlagKind.NUMBER]
    assert {(one.found, one.expected) for one in found} == {
        ("6", None),
        ("7 dollars", None),
        (None, "5 dollars"),
    }


def test_of_many_translations_the_suspicious_ones_are_compared() -> None:
    same = REFERENCES
    wrong = ("He paid 6 dollars.", *REFERENCES[1:])
    found = wrong_parts(test_set_of(same, same, same, wrong), "en", most_compared=2)
    assert [(one.system, one.segment) for one in found.flags] == [(3, 0)]
    (note,) = found.notes
    assert "2 of 12 translations" in note


def test_of_many_segments_it_is_not_told_which_have_numbers() -> None:
    found = wrong_parts(test_set_of(REFERENCES), "en", most_searched=2)
    assert found.has_number is None
    assert found.has_name is None
    assert "at most 2 segments" in found.notes[0]


def test_without_references_nothing_is_wrong() -> None:
    texts = TestSet(hypotheses={"a": ("5",)}, source=("6",))
    assert wrong_parts(texts, "en") == (None, None, (), ())


def test_names_are_left_out_where_nothing_tells_them() -> None:
    """Arabic has no capitals."""
    texts = TestSet(hypotheses={"a": ("دفع 600 دولار",)}, references=(("دفع 500 دولار",),))
    found = wrong_parts(texts, "ar")
    assert found.has_name is None
    assert found.has_number == (True,)
    assert [one.kind for one in found.flags] == [FlagKind.NUMBER]


@pytest.mark.parametrize("language", ["en", "cs"])
def test_without_lists_of_words_numbers_are_marked_and_names_are_not(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "simplemma", None)
    capitals._is_ordinary.cache_clear()
    texts = TestSet(
        hypotheses={"a": ("Qwarzy met Big Zork in 1999.",)},
        references=(("Zorblax met Big Zork in 1989.",),),
    )
    found = wrong_parts(texts, language)
    assert [flag.kind for flag in found.flags] == [FlagKind.NUMBER]
    assert found.has_name is None
    assert found.has_number == (True,)
    (note,) = found.notes
    assert note.startswith("wrong names are not marked: telling names from words needs")
    assert note.endswith("pip install 'tenbin[lexicons]'.")
