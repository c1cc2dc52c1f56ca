"""CSV and TSV, read row by row."""

import csv
import io
from collections.abc import Iterator, Sequence

from tenbin.core.counting import counted
from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.formats.lines import TextFile
from tenbin.formats.texts.table import TextTable

_DELIMITERS = ",;\t|"
_SAMPLE_LINES = 1_000
LONGEST_FIELD = 2**20
"""Characters of a field; what is longer is a quote that is never closed."""
_QUOTING = 'Quote fields with commas or quotes: "a, b", and double a quote inside them.'


def read_csv(file: TextFile) -> TextTable:
    """Read fields with commas between them, or what else the first line has: ``;``, tabs, ``|``.

    Raises:
        UnreadableFile: The file is empty; further errors while the rows are read.
    """
    header = next(file.lines(), "")
    delimiter = max(_DELIMITERS, key=_unquoted(header).count)
    return _table(file, _quoted_rows(file, delimiter))


def read_tsv(file: TextFile) -> TextTable:
    """Read fields with tabs between them.

    A quote is a character like others, unless the file quotes its fields as spreadsheets and pandas
    do: the header is quoted, or a quoted field has a tab, a line end or a doubled quote in it.
    """
    if _quotes_fields(file):
        return _table(file, _quoted_rows(file, "\t"))
    lines = enumerate(file.lines(), start=1)
    return _table(file, ((number, line.split("\t")) for number, line in lines))


def delimited_rows(file: TextFile, *, tabs: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields of each row with its line; rows may have any number of fields.

    Args:
        file: The file.
        tabs: Whether it is TSV; else what the first line has decides, as for `read_csv`.

    Raises:
        MalformedLine: A quote is not closed.
    """
    if tabs and not _quotes_fields(file):
        return ((line, text.split("\t")) for line, text in enumerate(file.lines(), start=1))
    header = next(file.lines(), "")
    delimiter = "\t" if tabs else max(_DELIMITERS, key=_unquoted(header).count)
    return _quoted_rows(file, delimiter)


def _table(file: TextFile, rows: Iterator[tuple[int, list[str]]]) -> TextTable:
    _, header = next(rows, (1, []))
    if not any(header):
        advice = "Give a table whose first row names its columns."
        raise UnreadableFile(file.name, "the file is empty, or its first line is", advice)
    return TextTable(file.name, tuple(header), _checked(file, rows, len(header)))


def _checked(
    file: TextFile, rows: Iterator[tuple[int, list[str]]], width: int
) -> Iterator[tuple[int, Sequence[str]]]:
    empty = [""] * width
    for line, fields in rows:
        if len(fields) == width:
            yield line, fields
        elif not any(fields):
            yield line, empty
        else:
            problem = f"found {counted(len(fields), 'field')}, expected {width} as in the header"
            raise MalformedLine(file.name, line, problem, _QUOTING)


def _quoted_rows(file: TextFile, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    # The limit is one for all readers of a process, so it is never made smaller.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_FIELD))
    # Strict: else a quote that is never closed swallows the rest of the file without a word.
    reader = csv.reader(_lines(file), delimiter=delimiter, strict=True)
    begin = 1
    try:
        for fields in reader:
            yield begin, fields
            begin = reader.line_num + 1
    except csv.Error as error:
        raise MalformedLine(file.name, begin, f"this is not CSV ({error})", _QUOTING) from error


def _lines(file: TextFile) -> Iterator[str]:
    """Yield lines with LF; CR LF stays inside of quotes, where the rows of the file end in LF."""
    first = next(file.ended_lines(), "")
    if first.endswith("\r\n"):
        return (f"{line}\n" for line in file.lines())
    return file.ended_lines()


def _unquoted(line: str) -> str:
    """Return what stands outside of quotes."""
    return "".join(line.split('"')[::2])


def _quotes_fields(file: TextFile) -> bool:
    lines = [line for line, _ in zip(file.lines(), range(_SAMPLE_LINES), strict=False)]
    header = lines[0].split("\t") if lines else []
    if header and all(_is_quoted(name) for name in header):
        return True
    if not any(field.startswith('"') for line in lines for field in line.split("\t")):
        return False
    try:
        rows = list(csv.reader(io.StringIO("\n".join(lines)), delimiter="\t", strict=True))
    except csv.Error:
        return False
    return any(mark in field for row in rows for field in row for mark in '\t\n"') and all(
        len(row) == len(header) for row in rows[:-1]
    )


def _is_quoted(field: str) -> bool:
    return len(field) > 1 and field[0] == field[-1] == '"'
