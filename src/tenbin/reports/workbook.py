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
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

Cell = str | int | float | None

MOST_ROWS = 1_048_576
"""Rows of a sheet that spreadsheets can show; those behind are left out."""
MOST_COLUMNS = 16_384
_LONGEST_CELL = 32_767
_LONGEST_NAME = 31
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0d\x0e-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_NAME_MARKS = re.compile(r"[\[\]:*?/\\]")
_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
# So that every run of the same scores gives the same bytes.
_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One table of a workbook.

    Attributes:
        name: What its tab says.
        columns: The names of the columns, in a first row that stays in sight.
        rows: The rows; numbers are numbers, missing values are empty cells.
        widths: Widths of the columns in characters; 12 for those behind.
    """

    name: str
    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]
    widths: Sequence[int] = ()


def workbook(sheets: Sequence[Sheet]) -> bytes:
    """Return the content of an XLSX file."""
    stream = io.BytesIO()
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
        add("xl/styles.xml", [_STYLES])
        for number, sheet in zip(numbers, sheets, strict=True):
            add(f"xl/worksheets/sheet{number}.xml", _sheet(sheet))
    return stream.getvalue()


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


# Style 0 is plain, style 1 the bold of the first row.
_STYLES = (
    f'{_HEAD}<styleSheet xmlns="{_MAIN}">'
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>'
    "</styleSheet>"
)


def _sheet(sheet: Sheet) -> Iterator[str]:
    widths = [*sheet.widths, *[12] * (len(sheet.columns) - len(sheet.widths))]
    columns = "".join(
        f'<col min="{place}" max="{place}" width="{width}" customWidth="1"/>'
        for place, width in enumerate(widths[:MOST_COLUMNS], start=1)
    )
    yield (
        f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
        f"</sheetView></sheetViews>{columns and f'<cols>{columns}</cols>'}<sheetData>"
    )
    yield _row(1, sheet.columns, style=1)
    for number, row in enumerate(sheet.rows, start=2):
        if number > MOST_ROWS:
            break
        yield _row(number, row)
    yield "</sheetData></worksheet>"


def _row(number: int, cells: Sequence[Cell], style: int = 0) -> str:
    chosen = f' s="{style}"' if style else ""
    written = [
        _cell(f'r="{column_letters(place)}{number}"{chosen}', value)
        for place, value in enumerate(cells[:MOST_COLUMNS])
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
    return text if len(text) <= _LONGEST_CELL else f"{text[: _LONGEST_CELL - 1]}…"


def _tab(name: str) -> str:
    return _NAME_MARKS.sub(" ", name)[:_LONGEST_NAME] or "Sheet"


def _escaped(text: str) -> str:
    shown = _CONTROL.sub(lambda found: f"_x{ord(found[0]):04X}_", text)
    return "".join(_MARKUP.get(letter, letter) for letter in shown)
