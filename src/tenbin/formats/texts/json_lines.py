"""JSON lines: one object per line, read line by line."""

from collections.abc import Iterator, Sequence
from json import JSONDecoder
from typing import Any

from tenbin.core.errors import MalformedLine, UnreadableFile, shortened
from tenbin.formats.json_text import parse_json
from tenbin.formats.lines import TextFile
from tenbin.formats.texts.table import TextTable

_TEXTS = {str}
_DECODER = JSONDecoder()
_ADVICE = "Write one object per line, with the same fields in each."


def read_json_lines(file: TextFile) -> TextTable:
    """Read objects; the fields of the first one are the columns.

    A field may be a text, a number or null (which is empty); a list of texts, or an object of them,
    becomes a column for each: ``references.1``, ``systems.a``.

    Raises:
        UnreadableFile: The file is empty; further errors while the rows are read.
    """
    rows = _rows(file)
    first = next(rows, None)
    if first is None:
        raise UnreadableFile(file.name, "there is no object in the file", _ADVICE)
    columns = tuple(first[1])
    return TextTable(file.name, columns, _cells(file, columns, first, rows))


def _cells(
    file: TextFile,
    columns: tuple[str, ...],
    first: tuple[int, dict[str, str]],
    rows: Iterator[tuple[int, dict[str, str]]],
) -> Iterator[tuple[int, Sequence[str]]]:
    yield first[0], list(first[1].values())
    known = set(columns)
    for line, row in rows:
        if tuple(row) == columns:  # the usual case
            yield line, list(row.values())
            continue
        if row.keys() != known:
            problem = _difference(known, set(row))
            raise MalformedLine(file.name, line, problem, _ADVICE)
        yield line, [row[name] for name in columns]


def _difference(expected: set[str], found: set[str]) -> str:
    if absent := sorted(expected - found):
        return f"the object lacks the field {_listed(absent)}"
    return f"the field {_listed(sorted(found - expected))} is not in the first object"


def _listed(names: Sequence[str]) -> str:
    return shortened(", ".join(map(repr, names)))


def _rows(file: TextFile) -> Iterator[tuple[int, dict[str, str]]]:
    for line, text in enumerate(file.lines(), start=1):
        if not text.strip():
            continue
        try:
            row = _parsed(text)
        except ValueError as error:
            problem = f"this is not JSON ({error})"
            raise MalformedLine(file.name, line, problem, _ADVICE) from error
        if not isinstance(row, dict):
            raise MalformedLine(file.name, line, "this is not an object", _ADVICE)
        if set(map(type, row.values())) == _TEXTS:
            yield line, row
        else:
            yield line, dict(_flat(file, line, row))


def _parsed(text: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return what `parse_json` does; sooner for an object without escapes, which is the usual."""
    if text[0] == "{" and "\\u" not in text:
        try:
            found, end = _DECODER.raw_decode(text)
        except (ValueError, RecursionError):
            return parse_json(text)  # which says what is wrong
        if end == len(text):
            return found
    return parse_json(text)


def _flat(file: TextFile, line: int, row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in row.items():
        if isinstance(value, list | dict):
            parts = value.items() if isinstance(value, dict) else enumerate(value, start=1)
            for key, part in parts:
                if isinstance(part, list | dict):
                    problem = f"the field {_listed([name])} is nested too deeply"
                    raise MalformedLine(file.name, line, problem, "Write texts or numbers.")
                yield f"{name}.{key}", _text(part)
        else:
            yield name, _text(value)


def _text(value: object) -> str:
    return "" if value is None else value if isinstance(value, str) else str(value)
