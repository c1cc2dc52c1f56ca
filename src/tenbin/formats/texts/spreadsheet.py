"""Spreadsheets (XLSX), read row by row with openpyxl.

What a spreadsheet can hold beside texts has a defined meaning: a formula is read as the value that
was stored with it, a merged cell has its text in its first row and column and is empty elsewhere,
hidden rows and columns are read like others, rich text is read without its formatting.
"""

import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, time
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from tenbin.core.counting import counted
from tenbin.core.errors import InputError, MissingExtra, UnreadableFile, UsageError
from tenbin.core.progress import step
from tenbin.formats.damage import ARCHIVE_ERRORS
from tenbin.formats.files import printable_path, regular_file
from tenbin.formats.texts.table import TextTable, malformed

MOST_BYTES = 2 * 2**30
"""Bytes that a spreadsheet may have when it is unpacked."""
_MOST_SHARED = 512 * 2**20  # the texts of all cells, which are held in memory
_MOST_RATIO = 200  # spreadsheets of texts are packed to a tenth; zeros to a thousandth
_UNSUSPICIOUS = 50 * 2**20
_BLOCK_BYTES = 2**20
_ERRORS = {"#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#SPILL!", "#CALC!"}
_DAMAGED = "Open it with a spreadsheet program and save it again."


def read_spreadsheet(path: str, sheet: str | None = None) -> TextTable:
    """Read a sheet, whose first row names the columns.

    Args:
        path: The file.
        sheet: The sheet; by default the first one that is not hidden.

    Raises:
        MissingExtra: openpyxl is not installed.
        UnreadableFile: The file is damaged, empty, or grows beyond measure when it is unpacked.
        UsageError: There is no such sheet.
    """
    name = printable_path(path)
    openpyxl = _openpyxl()
    with regular_file(Path(path)).open("rb") as stream, _reading(name):
        _refuse_bombs(stream, name)
    said: list[int] = []
    reader = _rows(openpyxl, path, name, sheet, said)
    _, header = next(reader, ("row 1", []))
    columns = [str(cell).strip() for cell in header]
    while columns and not columns[-1]:
        columns.pop()
    if not columns:
        advice = "Name the columns in the first row."
        raise UnreadableFile(name, "the first row of the sheet is empty", advice)
    cells = _cells(reader, name, len(columns))
    return TextTable(name, tuple(columns), cells, size=said[0] - 1 if said else None)


def _cells(
    reader: Iterator[tuple[str, list[str]]], name: str, width: int
) -> Iterator[tuple[str, Sequence[str]]]:
    for place, cells in reader:
        if any(cells[width:]):
            problem = "there is a cell beyond the columns that the first row names"
            raise malformed(name, place, problem, "Name its column, or remove it.")
        wrong = next((cell for cell in cells if cell in _ERRORS), None)
        if wrong is not None:
            problem = f"a formula has the value {wrong}"
            raise malformed(name, place, problem, "Correct the formula, or paste the text.")
        yield place, [*cells, *[""] * (width - len(cells))][:width]


def _rows(
    openpyxl: Any,  # noqa: ANN401 - ships no types
    path: str,
    name: str,
    sheet: str | None,
    said: list[int],
) -> Iterator[tuple[str, list[str]]]:
    """Yield the place and the cells of each row; then refuse formulas without a value.

    How many rows the sheet says it has, if it does, is added to ``said`` before the first one.
    """
    empty: set[tuple[int, int]] = set()
    width: int | None = None
    with _sheet(openpyxl, path, name, sheet, values=True) as page:
        title = page.title
        said += [page.max_row] if page.max_row else []
        for number, row in enumerate(page.iter_rows(values_only=True), start=1):
            if width is None:
                width = len(row)
            empty.update((number, at) for at, cell in enumerate(row) if cell is None)
            yield f"sheet {title!r}, row {number:,}", [_text(cell) for cell in row]
    if not empty:
        return
    with (
        _sheet(openpyxl, path, name, sheet, values=False) as page,
        step(f"checking formulas of {Path(path).name}", page.max_row) as advance,
    ):
        for number, row in enumerate(page.iter_rows(), start=1):
            advance(1)
            for at, cell in enumerate(row):
                if (number, at) in empty and cell.value is not None and cell.data_type == "f":
                    place = f"sheet {title!r}, cell {cell.coordinate}"
                    problem = "the value of the formula is not stored in the file"
                    raise malformed(name, place, problem, _DAMAGED)


@contextmanager
def _sheet(
    openpyxl: Any,  # noqa: ANN401
    path: str,
    name: str,
    sheet: str | None,
    *,
    values: bool,
) -> Iterator[Any]:
    with Path(path).open("rb") as stream, _reading(name):
        book = openpyxl.load_workbook(stream, read_only=True, data_only=values)
        try:
            yield _chosen(book, name, sheet)
        finally:
            book.close()


def _chosen(book: Any, name: str, sheet: str | None) -> Any:  # noqa: ANN401
    pages = {page.title: page for page in book.worksheets}
    if not pages:
        raise UnreadableFile(name, "there is no sheet of cells in the file", _DAMAGED)
    if sheet is None:
        shown = [page for page in pages.values() if page.sheet_state == "visible"]
        return (shown or list(pages.values()))[0]
    if sheet not in pages:
        listed = ", ".join(map(repr, pages))
        raise UsageError(f"{name}: there is no sheet {sheet!r}. There are: {listed}.")
    return pages[sheet]


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime) and cell.time() == time():
        return str(cell.date())
    return str(cell)


def _refuse_bombs(stream: BinaryIO, name: str) -> None:
    """Unpack everything once, a block at a time, and refuse what no spreadsheet has."""
    with zipfile.ZipFile(stream) as archive:
        if "[Content_Types].xml" not in archive.namelist():
            raise UnreadableFile(name, "this is a zip archive, not a spreadsheet", _DAMAGED)
        left = MOST_BYTES
        for part in archive.infolist():
            left -= _unpacked_size(archive, part, left, name)


def _unpacked_size(archive: zipfile.ZipFile, part: zipfile.ZipInfo, left: int, name: str) -> int:
    """Return the size of a part, of which nothing is held; refuse it where it grows too large."""
    most = min(left, _MOST_SHARED) if part.filename.endswith("sharedStrings.xml") else left
    is_xml = part.filename.endswith((".xml", ".rels"))
    size, tail = 0, b""
    with archive.open(part) as content:
        while block := content.read(_BLOCK_BYTES):
            size += len(block)
            grown = size > _UNSUSPICIOUS and size > _MOST_RATIO * max(part.compress_size, 1)
            if size > most or grown:
                limit = f"{_MOST_RATIO} times as much" if grown else counted(most, "byte")
                problem = f"{part.filename} unpacks to more than {limit}"
                raise UnreadableFile(name, problem, "Save the texts as CSV.")
            if is_xml:
                _refuse_declarations(tail + block, name, part.filename)
            tail = block[-16:]
    return size


def _refuse_declarations(content: bytes, name: str, part: str) -> None:
    # No program writes them into a spreadsheet. Without NUL there is no UTF-16 to hide in.
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content or b"\0" in content:
        problem = f"{part} declares entities, or is not UTF-8"
        raise UnreadableFile(name, problem, _DAMAGED)


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Turn what openpyxl raises for damaged files into `UnreadableFile`."""
    try:
        yield
    except (InputError, UsageError):
        raise
    except (*ARCHIVE_ERRORS, OSError, TypeError, AttributeError, SyntaxError) as error:
        # A SyntaxError: ParseError of XML.
        problem = (
            f"this is not a spreadsheet, or it is damaged ({str(error) or type(error).__name__})"
        )
        raise UnreadableFile(name, problem, _DAMAGED) from error


def _openpyxl() -> Any:  # noqa: ANN401
    try:
        return import_module("openpyxl")
    except ImportError as error:
        raise MissingExtra("reading spreadsheets", "formats") from error
