"""Which format a file of texts has, by its ending and its first bytes."""

import re
from enum import StrEnum
from pathlib import PurePath

from tenbin.core.errors import UnreadableFile
from tenbin.formats.lines import STANDARD_INPUT, TextFile
from tenbin.formats.text_rows import uncompressed

_START_BYTES = 2**12


class TextFormat(StrEnum):
    """Formats that texts are read from."""

    LINES = "lines"
    CSV = "csv"
    TSV = "tsv"
    JSONL = "jsonl"
    PARQUET = "parquet"
    XLSX = "xlsx"
    XLIFF = "xliff"
    TMX = "tmx"
    PO = "po"
    SRT = "srt"
    VTT = "vtt"


_ENDINGS = {
    ".csv": TextFormat.CSV,
    ".tsv": TextFormat.TSV,
    ".jsonl": TextFormat.JSONL,
    ".ndjson": TextFormat.JSONL,
    ".parquet": TextFormat.PARQUET,
    ".xlsx": TextFormat.XLSX,
    ".xlsm": TextFormat.XLSX,
    ".xlf": TextFormat.XLIFF,
    ".xliff": TextFormat.XLIFF,
    ".sdlxliff": TextFormat.XLIFF,
    ".mqxliff": TextFormat.XLIFF,
    ".tmx": TextFormat.TMX,
    ".po": TextFormat.PO,
    ".pot": TextFormat.PO,
    ".srt": TextFormat.SRT,
    ".vtt": TextFormat.VTT,
}
# Such first bytes leave no doubt, whatever the file is called.
_SIGNATURES = {b"PK\x03\x04": TextFormat.XLSX, b"PAR1": TextFormat.PARQUET}
_OLD_EXCEL = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_CONTENTS = (
    (re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:\w+:)?xliff\b", re.S), "xliff"),
    (re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!.*?>\s*)*<tmx\b", re.S), "tmx"),
    (re.compile(r"WEBVTT(?:\s|$)"), "vtt"),
    (re.compile(r"\s*\d+\s*\n[ \t]*\d[\d:,.]+[ \t]*-->"), "srt"),
    (re.compile(r"\s*\{"), "jsonl"),
    (re.compile(r"(?:^|.*?\n)\s*msgid\s+\"", re.S), "po"),
    (re.compile(r"[^\n]*\t"), "tsv"),
)


def format_by_name(path: str) -> TextFormat:
    """Return the format that the ending of a file names; by default one segment per line.

    >>> format_by_name("a/ref.csv.gz").value, format_by_name("out.txt").value
    ('csv', 'lines')
    """
    if path == STANDARD_INPUT:
        return TextFormat.LINES
    return _ENDINGS.get(PurePath(uncompressed(path)).suffix.lower(), TextFormat.LINES)


def format_of_table(file: TextFile) -> TextFormat:
    """Return the format of a file that holds several texts, by its ending or what is in it.

    Raises:
        UnreadableFile: It cannot be read, or is a spreadsheet of another kind.
    """
    start = _start(file)
    for signature, form in _SIGNATURES.items():
        if start.startswith(signature):
            return form
    if start.startswith(_OLD_EXCEL):
        problem = "this is a spreadsheet of Excel 97, or protected by a password"
        raise UnreadableFile(file.name, problem, "Save it as .xlsx without a password.")
    named = format_by_name(file.path)
    if named is not TextFormat.LINES:
        return named
    wide = start.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = start.decode("utf-16" if wide else "utf-8", "replace").removeprefix("\ufeff")
    found = (TextFormat(name) for form, name in _CONTENTS if form.match(text))
    return next(found, TextFormat.CSV)


def _start(file: TextFile) -> bytes:
    try:
        # What is compressed by zip is no text, but a spreadsheet.
        return file.start(_START_BYTES)
    except UnreadableFile as fault:
        if "zip archive" in str(fault):
            return b"PK\x03\x04"
        raise
