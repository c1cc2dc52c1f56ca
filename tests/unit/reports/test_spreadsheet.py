"""Scores as a workbook and as comma-separated rows."""

import csv
import io
import zipfile

import tenbin
from tenbin.core.text import TestSet
from tenbin.reports.render import tidy
from tenbin.reports.spreadsheet import csv_text, score_workbook

TEXTS = TestSet(
    hypotheses={"=a": ("a cat", "a dog"), "b": ("the cat", "")},
    references=(("a cat", "one cat"), ("a dog",)),
    source=("eine Katze", "ein Hund"),
    documents=("d1", "d2"),
)


def sheet(content: bytes, number: int) -> str:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.read(f"xl/worksheets/sheet{number}.xml").decode()


def names(content: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.read("xl/workbook.xml").decode()


def test_a_workbook_has_systems_segments_and_signatures() -> None:
    table = tenbin.score(TEXTS, metrics=["chrf"], language="en", segments=True, ci=True)
    content = score_workbook(table, TEXTS)
    assert all(f'name="{one}"' in names(content) for one in ("Systems", "Segments", "Signatures"))
    assert "chrF, low (95 %)" in sheet(content, 1)
    for heading in ("Document", "Source", "Reference 1", "Reference 2", "=a: chrF"):
        assert f">{heading}<" in sheet(content, 2)
    assert ">eine Katze<" in sheet(content, 2)
    assert "chrf|" in sheet(content, 3)


def test_without_segments_there_are_two_sheets() -> None:
    table = tenbin.score(TEXTS, metrics=["chrf"], language="en")
    assert "Segments" not in names(score_workbook(table))


def test_a_comparison_has_ranks() -> None:
    comparison = tenbin.compare(TEXTS, metrics=["chrf"], language="en", rounds=10)
    assert "chrF, rank" in sheet(score_workbook(comparison), 1)


def test_csv_reads_back_and_holds_no_formula() -> None:
    table = tenbin.score(TEXTS, metrics=["chrf"], language="en", segments=True)
    rows = list(csv.reader(io.StringIO(csv_text(*tidy(table)).removeprefix("\ufeff"))))
    assert {row[0] for row in rows[1:]} == {"'=a", "b"}
    assert float(rows[1][4]) == table["=a", "chrf"]
    quoted = csv_text(["x"], [('a,"b"\nc',), ("@x",), (-1.5,), (None,), (float("nan"),)])
    read = [row[0] if row else "" for row in csv.reader(io.StringIO(quoted))]
    assert read[1:] == ['a,"b"\nc', "'@x", "-1.5", "", ""]
