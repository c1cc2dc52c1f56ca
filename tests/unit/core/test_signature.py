"""Signatures, case by case; round trips are in tests/properties."""

import pytest

from tenbin.core.errors import SpecError
from tenbin.core.signature import Signature

SIGNATURE = Signature(
    metric="bleu",
    fields=(("case", "mixed"), ("smooth", "floor[0.10]"), ("tok", "13a")),
    resources=(("lexicon", "sha256=ab:cd"),),
    versions=(("sacrebleu", "2.6.0"), ("tenbin", "0.1.0")),
)


def test_printed_form() -> None:
    assert str(SIGNATURE) == (
        "bleu|case:mixed|smooth:floor[0.10]|tok:13a|resource:lexicon=sha256%3Dab%3Acd"
        "|version:sacrebleu=2.6.0|version:tenbin=0.1.0"
    )
    assert Signature.parse(str(SIGNATURE)) == SIGNATURE


def test_marks_of_the_grammar_are_escaped() -> None:
    awkward = Signature(metric="a|b", fields=(("k:ey", "va|lue%\n"),))
    assert str(awkward) == "a%7Cb|k%3Aey:va%7Clue%25%0A"
    assert Signature.parse(str(awkward)) == awkward


def test_facts_of_a_run_come_first() -> None:
    told = SIGNATURE.of_run(("lang", "en"), ("nrefs", "2"))
    assert str(told).startswith("bleu|lang:en|nrefs:2|case:mixed|")
    assert told.get("lang") == "en"
    assert SIGNATURE.get("lang") is None


@pytest.mark.parametrize("keys", [("a", "a"), ("version",), ("resource",)])
def test_fields_that_would_not_read_back_are_refused(keys: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="distinct and not reserved"):
        Signature(metric="x", fields=tuple((key, "1") for key in keys))


def test_a_run_cannot_repeat_a_field() -> None:
    with pytest.raises(ValueError, match="distinct"):
        SIGNATURE.of_run(("tok", "char"))


def test_a_part_without_a_colon_is_refused() -> None:
    with pytest.raises(SpecError, match="'nonsense' lacks a ':'"):
        Signature.parse("bleu|nonsense")
