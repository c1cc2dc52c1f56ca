"""Scores as sheets of a workbook and as comma-separated rows."""

import csv
import io

import tenbin
from tenbin.core.text import TestSet
from tenbin.reports.render import tidy
from tenbin.reports.spreadsheet import csv_text, score_sheets
from tenbin.reports.wide import WideTable, text_rows, wide_columns, wide_rows

TEXTS = TestSet(
    hypotheses={"=a": ("a cat", "a dog"), "b": ("the cat", "")},
    references=(("a cat", "one cat"), ("a dog",)),
    source=("eine Katze", "ein Hund"),
    documents=("d1", "d2"),
)


def test_a_workbook_has_segments_systems_and_signatures() -> None:
    table = tenbin.score(TEXTS, metrics=["chrf"], language="en", segments=True, ci=True)
    rows = wide_rows(table, text_rows(TEXTS, table.systems))
    wide = WideTable(columns=wide_columns(table, TEXTS), rows=rows)
    sheets = score_sheets(table, wide)
    assert [sheet.name for sheet in sheets] == ["Segments", "Systems", "Signatures"]
    assert [column.name for column in sheets[0].columns] == [
        *("segment", "document", "source", "reference_1", "reference_2"),
        *("system:=a", "chrf:=a", "system:b", "chrf:b"),
    ]
    first, second = sheets[0].rows
    assert first[:6] == [1, "d1", "eine Katze", "a cat", "one cat", "a cat"]
    assert second[4] is None  # it has one reference
    assert "chrF, low (95 %)" in [column.name for column in sheets[1].columns]
    row = next(iter(sheets[2].rows))
    assert str(row[2]).startswith("chrf|")


def test_without_texts_there_are_two_sheets() -> None:
    table = tenbin.score(TEXTS, metrics=["chrf"], language="en")
    assert [sheet.name for sheet in score_sheets(table, None)] == ["Systems", "Signatures"]


def test_a_comparison_has_ranks_and_tests() -> None:
    comparison = tenbin.compare(TEXTS, metrics=["chrf"], language="en", rounds=10)
    sheets = {sheet.name: sheet for sheet in score_sheets(comparison, None)}
    assert [column.name for column in sheets["Systems"].columns][-1] == "chrF, rank"
    tested = [column.name for column in sheets["Comparison"].columns]
    assert "p_value" in tested
    assert "signature" not in tested


def test_csv_reads_back_and_holds_no_formula() -> None:
    table = tenbin.score(TEXTS, metrics=["chrf"], language="en", segments=True)
    rows = list(csv.reader(io.StringIO(csv_text(*tidy(table)).removeprefix("\ufeff"))))
    assert {row[0] for row in rows[1:]} == {"'=a", "b"}
    assert float(rows[1][4]) == table["=a", "chrf"]
    quoted = csv_text(["x"], [('a,"b"\nc',), ("@x",), (-1.5,), (None,), (float("nan"),)])
    read = [row[0] if row else "" for row in csv.reader(io.StringIO(quoted))]
    assert read[1:] == ['a,"b"\nc', "'@x", "-1.5", "", ""]
