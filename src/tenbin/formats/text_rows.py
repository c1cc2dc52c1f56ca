"""Rows of tables in text files: TSV, CSV and JSON lines, with the line on which each begins."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from tenbin.core.errors import MalformedLine
from tenbin.formats.json_text import parse_json
from tenbin.formats.lines import TextFile

_COMPRESSED = {".gz", ".xz", ".bz2"}


def tab_rows(path: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the fields of each row of a TSV file, its header included."""
    for line, text in enumerate(TextFile(path).lines(), start=1):
        yield line, text.split("\t")


def csv_rows(path: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the fields of each row of a CSV file, its header included.

    Raises:
        MalformedLine: A quote that is never closed, and the like.
    """
    # Strict: else a quote that is never closed swallows the rest of the file without a word.
    reader = csv.reader(TextFile(path).lines(), strict=True)
    try:
        for fields in reader:
            yield reader.line_num, fields
    except csv.Error as error:
        problem = f"this is not CSV ({error})"
        advice = 'Quote fields with commas or quotes: "a, b", and double a quote inside them.'
        raise MalformedLine(path, reader.line_num, problem, advice) from error


def json_rows(
    path: str, names: Sequence[str], optional: Sequence[str] = ()
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line and the fields of each JSON object, as text; null is empty.

    Args:
        path: The file.
        names: Fields that every object must have.
        optional: Fields that are empty where an object lacks them.

    Raises:
        MalformedLine: A line is not JSON, no object, or lacks a field; a field is a list.
    """
    for line, text in enumerate(TextFile(path).lines(), start=1):
        try:
            row = parse_json(text)
        except ValueError as error:
            problem = f"this is not JSON ({error})"
            raise MalformedLine(path, line, problem, "Write one object per line.") from error
        absent = [n for n in names if not isinstance(row, dict) or n not in row]
        if absent:
            problem = f"no field {', '.join(absent)}"
            raise MalformedLine(path, line, problem, "Say which field is which.")
        found = {name: row.get(name) for name in (*names, *optional)}
        nested = [name for name, value in found.items() if isinstance(value, list | dict)]
        if nested:
            problem = f"the field {', '.join(nested)} is not a single value"
            raise MalformedLine(path, line, problem, "Write a text or a number.")
        yield line, {name: "" if value is None else str(value) for name, value in found.items()}


def uncompressed(path: str) -> PurePath:
    """Return a path without the ending of a compressed file."""
    pure = PurePath(path)
    return pure.with_suffix("") if pure.suffix in _COMPRESSED else pure
