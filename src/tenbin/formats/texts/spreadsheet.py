"""Spreadsheets (XLSX), read row by row with openpyxl.

What a spreadsheet can hold beside texts has a defined meaning: a formula is read as the value that
was stored with it, a merged cell has its text in its first row and column and is empty elsewhere,
hidden rows and columns are read like others, rich text is read without its formatting.
"""

import re
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
_TAIL_BYTES = 256
# Cells beyond the columns that the first row names are looked for this far.
_COLUMNS_BEYOND = 100
_MOST_COLUMNS = 2**14
_BARE_FORMULA = re.compile(
    rb"<(?:/(?:\w+:)?f|(?:\w+:)?f(?:\s[^>]*)?/)>\s*(?:<(?:\w+:)?v/>|<v></v>)?\s*</(?:\w+:)?c>"
)
_ERRORS = {"#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#SPILL!", "#CALC!"}
# What openpyxl trips over in damaged files; a SyntaxError is the ParseError of XML.
_DAMAGE = (
    *(OSError, TypeError, AttributeError, SyntaxError),
    *(LookupError, ValueError, ArithmeticError, AssertionError, RecursionError),
)
# Characters that XML has not, CR above all, are escaped in cells (ECMA-376 part 1, 22.9.2.19).
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
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
        bare = _refuse_bombs(stream, name)
    if bare:
        _refuse_bare_formulas(openpyxl, path, name, sheet)
    with _sheet(openpyxl, path, name, sheet, values=True) as page:
        first = next(page.iter_rows(max_row=1, values_only=True), ())
        said = page.max_row
    columns = [_text(cell).strip() for cell in first]
    while columns and not columns[-1]:
        columns.pop()
    if not columns:
        advice = "Name the columns in the first row."
        raise UnreadableFile(name, "the first row of the sheet is empty", advice)
    reader = _rows(openpyxl, path, name, sheet, len(columns))
    cells = _cells(reader, name, len(columns))
    return TextTable(name, tuple(columns), cells, size=said - 1 if said else None)


def _cells(
    reader: Iterator[tuple[str, list[str]]], name: str, width: int
) -> Iterator[tuple[str, Sequence[str]]]:
    empty = [""] * width
    for place, cells in reader:
        if not cells:
            yield place, empty
            continue
        if any(cells[width:]):
            problem = "there is a cell beyond the columns that the first row names"
            raise malformed(name, place, problem, "Name its column, or remove it.")
        yield place, [*cells, *[""] * (width - len(cells))][:width]


def _rows(
    openpyxl: Any,  # noqa: ANN401 - ships no types
    path: str,
    name: str,
    sheet: str | None,
    width: int,
) -> Iterator[tuple[str, list[str]]]:
    """Yield the place and the cells of each row after the first; no cells where all are empty."""
    with _sheet(openpyxl, path, name, sheet, values=True) as page:
        title = page.title
        # A sheet may have 16,384 columns that are empty.
        last = min(page.max_column or _MOST_COLUMNS, width + _COLUMNS_BEYOND)
        rows = page.iter_rows(min_row=2, max_col=last, values_only=True)
        failed: set[int] | None = None
        for number, row in enumerate(rows, start=2):
            cells = [] if row.count(None) == len(row) else [_text(cell) for cell in row]
            place = f"sheet {title!r}, row {number:,}"
            if not _ERRORS.isdisjoint(cells):
                # A text may be called like an error, which only the types of cells tell.
                failed = _rows_of_errors(openpyxl, path, name, sheet) if failed is None else failed
                if number in failed:
                    wrong = next(cell for cell in cells if cell in _ERRORS)
                    problem = f"a formula has the value {wrong}"
                    raise malformed(name, place, problem, "Correct the formula, or paste the text.")
            yield place, cells


def _rows_of_errors(
    openpyxl: Any,  # noqa: ANN401 - ships no types
    path: str,
    name: str,
    sheet: str | None,
) -> set[int]:
    """Return the rows in which a formula has failed."""
    with (
        _sheet(openpyxl, path, name, sheet, values=True) as page,
        step(f"checking formulas of {Path(path).name}", page.max_row) as advance,
    ):
        found = set()
        for number, row in enumerate(page.iter_rows(), start=1):
            advance(1)
            if any(cell.data_type == "e" for cell in row):
                found.add(number)
    return found


def _refuse_bare_formulas(
    openpyxl: Any,  # noqa: ANN401
    path: str,
    name: str,
    sheet: str | None,
) -> None:
    """Refuse formulas whose value is not stored, as files have them that no program computed."""
    with (
        _sheet(openpyxl, path, name, sheet, values=True) as values,
        _sheet(openpyxl, path, name, sheet, values=False) as formulas,
        step(f"checking formulas of {Path(path).name}", values.max_row) as advance,
    ):
        pairs = zip(values.iter_rows(values_only=True), formulas.iter_rows(), strict=False)
        for row, cells in pairs:
            advance(1)
            for value, cell in zip(row, cells, strict=False):
                if value is None and cell.value is not None and cell.data_type == "f":
                    place = f"sheet {values.title!r}, cell {cell.coordinate}"
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
        return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), cell) if "_x" in cell else cell
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime) and cell.time() == time():
        return str(cell.date())
    return str(cell)


def _refuse_bombs(stream: BinaryIO, name: str) -> bool:
    """Unpack everything once, a block at a time, and refuse what no spreadsheet has.

    Return whether there may be formulas without a value.
    """
    with zipfile.ZipFile(stream) as archive:
        names = archive.namelist()
        if "[Content_Types].xml" not in names:
            if "mimetype" in names and "content.xml" in names:
                problem = "this is an OpenDocument file, as of LibreOffice"
                raise UnreadableFile(name, problem, "Save it as .xlsx or .csv.")
            raise UnreadableFile(name, "this is a zip archive, not a spreadsheet", _DAMAGED)
        left, bare = MOST_BYTES, False
        for part in archive.infolist():
            size, found = _looked_at(archive, part, left, name)
            left, bare = left - size, bare or found
    return bare


def _looked_at(
    archive: zipfile.ZipFile, part: zipfile.ZipInfo, left: int, name: str
) -> tuple[int, bool]:
    """Return the size of a part, of which nothing is held, and whether a formula has no value.

    Refuse it where it grows too large.
    """
    most = min(left, _MOST_SHARED) if part.filename.endswith("sharedStrings.xml") else left
    is_xml = part.filename.endswith((".xml", ".rels"))
    is_sheet = "worksheets/" in part.filename
    size, tail, bare = 0, b"", False
    with archive.open(part) as content:
        while block := content.read(_BLOCK_BYTES):
            size += len(block)
            grown = size > _UNSUSPICIOUS and size > _MOST_RATIO * max(part.compress_size, 1)
            if size > most or grown:
                limit = f"{_MOST_RATIO} times as much" if grown else counted(most, "byte")
                problem = f"{part.filename} unpacks to more than {limit}"
                raise UnreadableFile(name, problem, "Save the texts as CSV.")
            if is_xml:
                whole = tail + block
                _refuse_declarations(whole, name, part.filename)
                bare = bare or (is_sheet and _BARE_FORMULA.search(whole) is not None)
            tail = block[-_TAIL_BYTES:]
    return size, bare


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
    except (*ARCHIVE_ERRORS, *_DAMAGE) as error:
        problem = (
            f"this is not a spreadsheet, or it is damaged ({str(error) or type(error).__name__})"
        )
        raise UnreadableFile(name, problem, _DAMAGED) from error


def _openpyxl() -> Any:  # noqa: ANN401
    try:
        return import_module("openpyxl")
    except ImportError as error:
        raise MissingExtra("reading spreadsheets", "formats") from error
