"""Scores of systems, by segment or as a whole, in TSV, CSV or JSON lines.

A file of the user's own has one row per score; `ScoreColumns` says which column is which.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

import numpy as np

from tenbin.core.counting import counted
from tenbin.core.errors import MalformedLine, UnreadableFile, UsageError
from tenbin.core.judgments import Level, ScoreMatrix
from tenbin.formats.json_text import parse_json
from tenbin.formats.lines import TextFile
from tenbin.formats.numerals import decimal_number

# What may stand for a score that is not there; mt-metrics-eval writes None.
MISSING = frozenset({"", "None", "NaN", "nan", "NA", "null"})
_COMPRESSED = {".gz", ".xz", ".bz2"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreColumns:
    """Which column, or field of a JSON line, holds what.

    Attributes:
        system: Name of the system.
        segment: Identifier of the segment; None for a table of system scores.
        score: The score.
    """

    system: str = "system"
    segment: str | None = "segment"
    score: str = "score"

    @property
    def names(self) -> tuple[str, ...]:
        """The columns a file must have."""
        return tuple(n for n in (self.system, self.segment, self.score) if n is not None)


def read_score_table(
    path: str, columns: ScoreColumns | None = None, *, name: str = ""
) -> ScoreMatrix:
    """Read a table with one row per score: ``.csv``, ``.jsonl`` or, by any other name, TSV.

    A pair of system and segment without row has no score. Segments keep the order of their first
    row, systems too.

    Args:
        path: The file; it may be compressed.
        columns: Which column is which.
        name: What the scores are called; by default the name of the file.

    Raises:
        MalformedLine: A row without a needed column, a score that is no number, a score twice.
    """
    columns = columns or ScoreColumns()
    found: dict[tuple[str, str], float] = {}
    for line, row in _rows(path, columns):
        system = row[columns.system]
        segment = "" if columns.segment is None else row[columns.segment]
        if (system, segment) in found:
            what = f"{system!r}" if columns.segment is None else f"{system!r}, segment {segment!r}"
            raise MalformedLine(path, line, f"a second score for {what}", "Leave one of them.")
        found[system, segment] = number(row[columns.score], path, line)
    if not found:
        raise UnreadableFile(path, "there are no scores in the file", "Give one row per score.")
    return _table(name or _stem(path).stem, found, with_segments=columns.segment is not None)


def write_score_table(table: ScoreMatrix) -> str:
    """Return the table as TSV that `read_score_table` reads; a missing score is ``None``."""
    if table.level is Level.SYSTEM:
        rows = [f"{s}\t{spelled(v)}\n" for s, v in zip(table.systems, table.scores, strict=True)]
        return "system\tscore\n" + "".join(rows)
    rows = [
        f"{system}\t{segment}\t{spelled(value)}\n"
        for system, values in zip(table.systems, table.scores, strict=True)
        for segment, value in zip(table.segments, values, strict=True)
    ]
    return "system\tsegment\tscore\n" + "".join(rows)


def number(text: str, path: str, line: int) -> float:
    """Return a score as it is written in a file; NaN where it is missing."""
    stripped = text.strip()
    if stripped in MISSING:
        return float("nan")
    value = decimal_number(stripped)
    if value is None:
        problem = f"the score {text[:40]!r} is not a number or not finite"
        raise MalformedLine(path, line, problem, "Write a number, or None.")
    return value


def spelled(value: float) -> str:
    """Return a score so that reading it gives the same number."""
    return "None" if np.isnan(value) else repr(float(value))


def _table(name: str, found: dict[tuple[str, str], float], *, with_segments: bool) -> ScoreMatrix:
    systems = {system: place for place, system in enumerate(dict.fromkeys(s for s, _ in found))}
    segments = {segment: place for place, segment in enumerate(dict.fromkeys(s for _, s in found))}
    scores = np.full((len(systems), len(segments)), np.nan)
    for (system, segment), value in found.items():
        scores[systems[system], segments[segment]] = value
    if not with_segments:
        return ScoreMatrix(name=name, systems=tuple(systems), segments=(), scores=scores[:, 0])
    return ScoreMatrix(name=name, systems=tuple(systems), segments=tuple(segments), scores=scores)


def _rows(path: str, columns: ScoreColumns) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number of each row and what stands in its needed columns."""
    if _stem(path).suffix in {".jsonl", ".ndjson", ".json"}:
        yield from _json_rows(path, columns)
        return
    rows = _csv_rows(path) if _stem(path).suffix == ".csv" else _tab_rows(path)
    _, header = next(rows, (1, []))
    if absent := [name for name in columns.names if name not in header]:
        raise UsageError(
            f"{path}: the first line has no column {', '.join(absent)}; found "
            f"{', '.join(header)[:200] or 'nothing'}. Say which column is the system, segment and "
            "score."
        )
    places = {name: header.index(name) for name in columns.names}
    for line, fields in rows:
        if len(fields) != len(header):
            problem = (
                f"found {counted(len(fields), 'column')}, expected {len(header)} as in the "
                "first line"
            )
            raise MalformedLine(path, line, problem, "Correct the line.")
        yield line, {name: fields[place] for name, place in places.items()}


def _tab_rows(path: str) -> Iterator[tuple[int, list[str]]]:
    for line, text in enumerate(TextFile(path).lines(), start=1):
        yield line, text.split("\t")


def _csv_rows(path: str) -> Iterator[tuple[int, list[str]]]:
    # Strict: else a quote that is never closed swallows the rest of the file without a word.
    reader = csv.reader(TextFile(path).lines(), strict=True)
    try:
        for fields in reader:
            yield reader.line_num, fields
    except csv.Error as error:
        problem = f"this is not CSV ({error})"
        advice = 'Quote fields with commas or quotes: "a, b", and double a quote inside them.'
        raise MalformedLine(path, reader.line_num, problem, advice) from error


def _json_rows(path: str, columns: ScoreColumns) -> Iterator[tuple[int, dict[str, str]]]:
    for line, text in enumerate(TextFile(path).lines(), start=1):
        try:
            row = parse_json(text)
        except ValueError as error:
            problem = f"this is not JSON ({error})"
            raise MalformedLine(path, line, problem, "Write one object per line.") from error
        absent = [n for n in columns.names if not isinstance(row, dict) or n not in row]
        if absent:
            problem = f"no field {', '.join(absent)}"
            raise MalformedLine(path, line, problem, "Say which field is which.")
        yield line, {name: "" if row[name] is None else str(row[name]) for name in columns.names}


def _stem(path: str) -> PurePath:
    """Return the path without the ending of a compressed file."""
    pure = PurePath(path)
    return pure.with_suffix("") if pure.suffix in _COMPRESSED else pure
