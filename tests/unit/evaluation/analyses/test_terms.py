"""Terms of a glossary as the page marks them."""

from pathlib import Path

import numpy as np
import pytest

from tenbin.core.glossary import TermStatus
from tenbin.core.report import Report, ReportKind, SegmentFacts
from tenbin.core.run_glossary import using_glossary
from tenbin.core.text import TestSet
from tenbin.evaluation.analyses.terms import term_marks
from tenbin.reports.page.payload import payload

TEXTS = TestSet(
    hypotheses={"a": ("\U0001f408 Katze", "x", "Hund"), "b": ("Mieze", "x", "")},
    references=((),) * 3,
    source=("\U0001f408 cat", "nothing", "dog"),
)


@pytest.fixture
def glossary(tmp_path: Path) -> str:
    path = tmp_path / "terms.csv"
    path.write_text("cat,Katze,Mieze\ndog,Hund|Rüde,,,an animal\n", encoding="utf-8")
    return str(path)


def test_marks_of_all_systems(glossary: str) -> None:
    with using_glossary(glossary, "en"):
        marks, notes = term_marks(TEXTS, "de")
    assert marks is not None
    assert [(one.segment, one.source, one.statuses) for one in marks] == [
        (0, (2, 5), (TermStatus.RENDERED, TermStatus.FORBIDDEN)),
        (2, (0, 3), (TermStatus.RENDERED, TermStatus.MISSING)),
    ]
    assert not notes
    facts = SegmentFacts(lengths=np.array([2, 1, 1]), terms=marks)
    plain = payload(Report(kind=ReportKind.SCORE, texts=TEXTS, facts=facts))["segments"]["terms"]
    # The page counts what lies beyond U+FFFF twice.
    assert plain == [
        [0, 3, 6, "Katze", "", [["rendered", 3, 8], ["forbidden", 0, 5]]],
        [2, 0, 3, "Hund | Rüde", "an animal", [["rendered", 0, 4], ["missing", -1, -1]]],
    ]


def test_without_a_glossary_or_a_source_nothing_is_marked(glossary: str) -> None:
    assert term_marks(TEXTS, "de") == (None, ())
    with using_glossary(glossary, "en"):
        marks, (note,) = term_marks(TestSet(hypotheses={"a": ("x",)}, references=((),)), "de")
    assert marks is None
    assert "no source text" in note
    with using_glossary("no such file"):
        marks, (note,) = term_marks(TEXTS, "de")
    assert marks is None
    assert "not marked" in note


def test_of_many_translations_the_first_are_marked(glossary: str) -> None:
    with using_glossary(glossary, "en"):
        marks, (note,) = term_marks(TEXTS, "de", most_compared=2)
    assert marks is not None
    assert [one.segment for one in marks] == [0]
    assert "in the last 2 segments" in note
