"""Tables as an XLSX workbook: cells of text are text, whatever they begin with.

The format is a ZIP archive of XML files (ECMA-376). A text is an inline string, which no program
takes for a formula. Control characters, which XML has not, are written as the standard says:
``_x0007_``.
"""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

Cell = str | int | float | None

MOST_ROWS = 1_048_576
"""Rows of a sheet that spreadsheets can show; those behind are left out."""
MOST_COLUMNS = 16_384
LONGEST_CELL = 32_767
"""Units of UTF-16 in a cell."""
_LONGEST_NAME = 31
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_UNSAFE = re.compile(r"[&<>\"\x00-\x08\x0b\x0c\x0d\x0e-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_NAME_MARKS = re.compile(r"[\[\]:*?/\\]")
_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_FACE = 'numFmtId="{}" fontId="{}" fillId="0" borderId="0" xfId="0"'
_WRAPPED_STYLE = 2
_FIRST_NUMBER_STYLE = 3
_OWN_FORMATS = 164  # numbers below belong to formats that every program knows
# So that every run of the same scores gives the same bytes.
_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a sheet.

    Attributes:
        name: What its first cell says.
        width: Its width in characters.
        decimals: How many decimals of its numbers are shown; all of them by default.
        wraps: Whether its texts are shown in several lines where they are longer.
    """

    name: str
    width: int = 12
    decimals: int | None = None
    wraps: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One table of a workbook.

    Attributes:
        name: What its tab says.
        columns: The columns, whose names are in a first row that stays in sight.
        rows: The rows; numbers are numbers, missing values are empty cells.
    """

    name: str
    columns: Sequence[Column]
    rows: Iterable[Sequence[Cell]]


def workbook(sheets: Sequence[Sheet]) -> bytes:
    """Return the content of an XLSX file."""
    stream = io.BytesIO()
    write_workbook(stream, sheets)
    return stream.getvalue()


def write_workbook(stream: IO[bytes], sheets: Sequence[Sheet]) -> None:
    """Write an XLSX file; rows are taken one by one, and none of them is held.

    What no spreadsheet can show is cut: rows and columns beyond the last ones, and longer texts.
    """
    styles = _Styles(column for sheet in sheets for column in sheet.columns)
    with ZipFile(stream, "w", ZIP_DEFLATED) as archive:

        def add(name: str, parts: Iterable[str]) -> None:
            info = _entry(name)
            with archive.open(info, "w", force_zip64=True) as file:
                for part in parts:
                    file.write(part.encode("utf-8", "replace"))

        numbers = range(1, len(sheets) + 1)
        add("[Content_Types].xml", [_content_types(numbers)])
        target = "xl/workbook.xml"
        add("_rels/.rels", [_relations([("officeDocument", target)])])
        add("xl/workbook.xml", [_book(sheets)])
        targets = [("worksheet", f"worksheets/sheet{number}.xml") for number in numbers]
        add("xl/_rels/workbook.xml.rels", [_relations([*targets, ("styles", "styles.xml")])])
        add("xl/styles.xml", [styles.xml()])
        for number, sheet in zip(numbers, sheets, strict=True):
            add(f"xl/worksheets/sheet{number}.xml", _sheet(sheet, styles))


def cell_length(text: str) -> int:
    """Return the length of a text as spreadsheets count it: in units of UTF-16.

    >>> cell_length("a猫"), cell_length("😀")
    (2, 2)
    """
    return len(text) + sum(letter > "\uffff" for letter in text)


def _entry(name: str) -> ZipInfo:
    info = ZipInfo(name, _DATE)
    info.compress_type = ZIP_DEFLATED
    return info


def _content_types(numbers: Iterable[int]) -> str:
    sheets = "".join(
        f'<Override PartName="/xl/worksheets/sheet{number}.xml" '
        f'ContentType="{_SHEET}.worksheet+xml"/>'
        for number in numbers
    )
    return (
        f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_SHEET}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_SHEET}.styles+xml"/>{sheets}</Types>'
    )


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    listed = "".join(
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, start=1)
    )
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{listed}</Relationships>'


def _book(sheets: Sequence[Sheet]) -> str:
    listed = "".join(
        f'<sheet name="{_escaped(_tab(sheet.name))}" sheetId="{number}" r:id="rId{number}"/>'
        for number, sheet in enumerate(sheets, start=1)
    )
    return (
        f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>'
    )


class _Styles:
    """How cells look: plain, the bold of the first row, wrapped texts, numbers with decimals."""

    def __init__(self, columns: Iterable[Column]) -> None:
        shown = {column.decimals for column in columns if column.decimals is not None}
        self._decimals = sorted(shown)

    def of(self, column: Column) -> int:
        """Return the number of the style of a column."""
        if column.decimals is not None:
            return _FIRST_NUMBER_STYLE + self._decimals.index(column.decimals)
        return _WRAPPED_STYLE if column.wraps else 0

    def xml(self) -> str:
        """Return the part of the workbook that has the styles."""
        forms = "".join(
            f'<numFmt numFmtId="{_OWN_FORMATS + some}" formatCode="{_number_format(some)}"/>'
            for some in self._decimals
        )
        listed = forms and f'<numFmts count="{len(self._decimals)}">{forms}</numFmts>'
        top = '<alignment vertical="top"/>'
        wrapped = '<alignment vertical="top" wrapText="1"/>'
        cells = [
            f'<xf {_FACE.format(0, 0)} applyAlignment="1">{top}</xf>',
            f'<xf {_FACE.format(0, 1)} applyFont="1" applyAlignment="1">{wrapped}</xf>',
            f'<xf {_FACE.format(0, 0)} applyAlignment="1">{wrapped}</xf>',
            *(
                f"<xf {_FACE.format(_OWN_FORMATS + some, 0)} "
                f'applyNumberFormat="1" applyAlignment="1">{top}</xf>'
                for some in self._decimals
            ),
        ]
        return (
            f'{_HEAD}<styleSheet xmlns="{_MAIN}">{listed}'
            '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
            '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
            '<fills count="2"><fill><patternFill patternType="none"/></fill>'
            '<fill><patternFill patternType="gray125"/></fill></fills>'
            '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border>'
            '</borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" '
            f'borderId="0"/></cellStyleXfs><cellXfs count="{len(cells)}">{"".join(cells)}'
            '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/>'
            "</cellStyles></styleSheet>"
        )


def _number_format(decimals: int) -> str:
    return f"0.{'0' * decimals}" if decimals else "0"


def _sheet(sheet: Sheet, styles: _Styles) -> Iterator[str]:
    shown = sheet.columns[:MOST_COLUMNS]
    columns = "".join(
        f'<col min="{place}" max="{place}" width="{column.width}" customWidth="1"/>'
        for place, column in enumerate(shown, start=1)
    )
    yield (
        f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
        f"</sheetView></sheetViews>{columns and f'<cols>{columns}</cols>'}<sheetData>"
    )
    letters = [column_letters(place) for place in range(len(shown))]
    yield _row(1, [column.name for column in shown], letters, [' s="1"'] * len(shown))
    numbers = [styles.of(column) for column in shown]
    looks = [f' s="{style}"' if style else "" for style in numbers]
    last = 1
    for number, row in enumerate(sheet.rows, start=2):
        if number > MOST_ROWS:
            break
        yield _row(number, row, letters, looks)
        last = number
    # Buttons in the first row, by which a reader sorts and filters.
    buttons = f'<autoFilter ref="A1:{letters[-1]}{last}"/>' if letters else ""
    yield f"</sheetData>{buttons}</worksheet>"


def _row(number: int, cells: Sequence[Cell], letters: Sequence[str], looks: Sequence[str]) -> str:
    written = [
        _cell(f'r="{letter}{number}"{look}', value)
        for letter, look, value in zip(letters, looks, cells, strict=False)
    ]
    return f'<row r="{number}">{"".join(written)}</row>'


def column_letters(place: int) -> str:
    """Return the letters of a column, counted from 0.

    >>> column_letters(0), column_letters(25), column_letters(26), column_letters(16_383)
    ('A', 'Z', 'AA', 'XFD')
    """
    letters = ""
    place += 1
    while place:
        place, letter = divmod(place - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def _cell(attributes: str, value: Cell) -> str:
    if value is None or (isinstance(value, float) and not isfinite(value)):
        return ""
    if isinstance(value, str):
        text = _escaped(_cut(value))
        return f'<c {attributes} t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
    return f"<c {attributes}><v>{value!r}</v></c>"


def _cut(text: str) -> str:
    if 2 * len(text) <= LONGEST_CELL or cell_length(text) <= LONGEST_CELL:
        return text
    units = text.encode("utf-16-le", "replace")[: 2 * (LONGEST_CELL - 1)]
    return f"{units.decode('utf-16-le', 'ignore')}…"


def _tab(name: str) -> str:
    return _NAME_MARKS.sub(" ", name)[:_LONGEST_NAME] or "Sheet"


def _escaped(text: str) -> str:
    return _UNSAFE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return _MARKUP.get(found[0]) or f"_x{ord(found[0]):04X}_"
