"""XLSX workbooks: text stays text, and every part is well-formed."""

import io
import zipfile
from xml.etree import ElementTree

import pytest

from tenbin.reports import workbook as module
from tenbin.reports.workbook import Cell, Column, Sheet, cell_length, workbook

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
HOSTILE = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "<b>&\"'",
    "a\tb\nc",
    " x ",
    "日本語",
    "\u202etxt",
    "]]>",
]


def parts(content: bytes) -> dict[str, ElementTree.Element]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {
            name: ElementTree.fromstring(archive.read(name))  # noqa: S314 - our own
            for name in archive.namelist()
        }


def cells(content: bytes, sheet: int = 1) -> dict[str, Cell]:
    found: dict[str, Cell] = {}
    for cell in parts(content)[f"xl/worksheets/sheet{sheet}.xml"].iter(f"{MAIN}c"):
        text, number = cell.find(f"{MAIN}is/{MAIN}t"), cell.find(f"{MAIN}v")
        value: Cell = None
        if text is not None:
            assert cell.get("t") == "inlineStr"
            value = text.text or ""
        elif number is not None:
            value = float(number.text or "")
        found[cell.get("r", "")] = value
    return found


def book(*rows: list[Cell], columns: tuple[str, ...] = ("A",)) -> bytes:
    named = [Column(name=name) for name in columns]
    return workbook([Sheet(name="Systems", columns=named, rows=rows)])


def test_text_is_never_a_formula() -> None:
    rows: list[list[Cell]] = [[text] for text in HOSTILE]
    content = book(*rows)
    assert [cells(content)[f"A{row}"] for row in range(2, len(HOSTILE) + 2)] == HOSTILE
    assert not list(parts(content)["xl/worksheets/sheet1.xml"].iter(f"{MAIN}f"))


def test_characters_that_xml_has_not_are_written_as_the_standard_says() -> None:
    content = book(["a\0b\x07c\ud800d_x0041_"])
    assert cells(content)["A2"] == "a_x0000_b_x0007_c?d_x005F_x0041_"


def test_numbers_are_exact_and_missing_ones_are_empty_cells() -> None:
    content = book(
        [0.1 + 0.2, 7, float("nan"), float("inf"), None, -1e-300], columns=tuple("ABCDEF")
    )
    found = cells(content)
    assert (found["A2"], found["B2"], found["F2"]) == (0.1 + 0.2, 7.0, -1e-300)
    assert not {"C2", "D2", "E2"} & set(found)


def test_what_no_spreadsheet_takes_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ROWS", 3)
    monkeypatch.setattr(module, "MOST_COLUMNS", 2)
    found = cells(book(["x" * 40_000, 1, 2], [1], [2], [3], columns=("A", "B", "C")))
    assert set(found) == {"A1", "B1", "A2", "B2", "A3"}
    assert len(str(found["A2"])) == 32_767


def test_sheets_have_names_that_are_allowed() -> None:
    columns = [Column(name="A")]
    content = workbook([Sheet(name="a/b[c]:*?\\" + "x" * 40, columns=columns, rows=[])])
    (sheet,) = parts(content)["xl/workbook.xml"].iter(f"{MAIN}sheet")
    name = sheet.get("name", "")
    assert len(name) == 31
    assert not set(name) & set("[]:*?/\\")


def test_the_same_scores_give_the_same_bytes() -> None:
    assert book(["a", 1]) == book(["a", 1])


def test_a_cut_text_has_as_many_units_as_fit() -> None:
    shown = str(cells(book(["😀" * 20_000]))["A2"])
    assert cell_length(shown) == 32_767
    assert shown == "😀" * 16_383 + "…"


def test_columns_have_widths_and_decimals_and_a_first_row_that_stays() -> None:
    columns = [
        Column(name="n", decimals=2),
        Column(name="t", width=60, wraps=True),
        Column(name="m", decimals=4),
    ]
    content = workbook([Sheet(name="S", columns=columns, rows=[[1.23456, "text", 0.5]])])
    sheet, styles = (parts(content)[f"xl/{name}.xml"] for name in ("worksheets/sheet1", "styles"))
    looks = list(styles.find(f"{MAIN}cellXfs") or ())
    formats = {f.get("numFmtId"): f.get("formatCode") for f in styles.iter(f"{MAIN}numFmt")}
    drawn = {cell.get("r"): looks[int(cell.get("s", 0))] for cell in sheet.iter(f"{MAIN}c")}
    assert formats[drawn["A2"].get("numFmtId")] == "0.00"
    assert formats[drawn["C2"].get("numFmtId")] == "0.0000"
    (alignment,) = drawn["B2"]
    assert alignment.get("wrapText") == "1"
    assert [col.get("width") for col in sheet.iter(f"{MAIN}col")] == ["12", "60", "12"]
    (pane,) = sheet.iter(f"{MAIN}pane")
    assert (pane.get("ySplit"), pane.get("state")) == ("1", "frozen")
    (buttons,) = sheet.iter(f"{MAIN}autoFilter")
    assert buttons.get("ref") == "A1:C2"
