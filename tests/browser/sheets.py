"""Reads what the page exports, as a spreadsheet would."""

import csv
import io
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"

Rows = list[list[str | float | None]]


def read_csv(path: Path) -> list[list[str]]:
    """Return the rows; the byte order mark tells a spreadsheet the encoding."""
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def read_xlsx(path: Path) -> Rows:
    """Return the rows of the one sheet, texts as texts and numbers as numbers."""
    with zipfile.ZipFile(path) as book:
        assert book.testzip() is None
        assert {"[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"} <= {*book.namelist()}
        for name in book.namelist():
            ElementTree.fromstring(book.read(name))  # noqa: S314
        sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))  # noqa: S314
    assert sheet.find(f".//{_MAIN}f") is None, "a cell is a formula"
    rows: Rows = []
    for row in sheet.iter(f"{_MAIN}row"):
        cells: dict[int, str | float] = {}
        for cell in row.iter(f"{_MAIN}c"):
            place = _column(str(cell.get("r")))
            if cell.get("t") == "inlineStr":
                cells[place] = _unescaped("".join(cell.itertext()))
            else:
                cells[place] = float(cell.findtext(f"{_MAIN}v") or "nan")
        rows.append([cells.get(place) for place in range(max(cells, default=-1) + 1)])
    return rows


def _column(place: str) -> int:
    number = 0
    for letter in re.match(r"[A-Z]+", place)[0]:  # type: ignore[index] # every place has letters
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _unescaped(text: str) -> str:
    return re.sub(r"_x([0-9A-F]{4})_", lambda found: chr(int(found[1], 16)), text)
