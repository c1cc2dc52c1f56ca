"""Scores of systems, by segment or as a whole, in TSV, CSV or JSON lines.

A file of the user's own has one row per score; `ScoreColumns` says which column is which.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tenbin.core.counting import counted
from tenbin.core.errors import MalformedLine, UnreadableFile, UsageError
from tenbin.core.judgments import Level, ScoreMatrix
from tenbin.formats.numerals import decimal_number
from tenbin.formats.text_rows import csv_rows, json_rows, tab_rows, uncompressed

# What may stand for a score that is not there; mt-metrics-eval writes None.
MISSING = frozenset({"", "None", "NaN", "nan", "NA", "null"})
# How TSV of `tenbin score` begins; it has scores of segments and of whole texts.
_OUR_COLUMNS = ("system", "metric", "level", "segment", "score")


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
    row, systems too. Of the TSV that Tenbin writes, with signatures or without, the rows of the
    level are read that is asked for.

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
    return _table(name or uncompressed(path).stem, found, with_segments=columns.segment is not None)


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
    if uncompressed(path).suffix in {".jsonl", ".ndjson", ".json"}:
        yield from json_rows(path, columns.names)
        return
    rows = csv_rows(path) if uncompressed(path).suffix == ".csv" else tab_rows(path)
    _, header = next(rows, (1, []))
    if absent := [name for name in columns.names if name not in header]:
        raise UsageError(
            f"{path}: the first line has no column {', '.join(absent)}; found "
            f"{', '.join(header)[:200] or 'nothing'}. Say which column is the system, segment and "
            "score."
        )
    places = {name: header.index(name) for name in columns.names}
    level = "corpus" if columns.segment is None else "segment"
    metrics: set[str] = set()
    for line, fields in rows:
        if len(fields) != len(header):
            problem = (
                f"found {counted(len(fields), 'column')}, expected {len(header)} as in the "
                "first line"
            )
            raise MalformedLine(path, line, problem, "Correct the line.")
        if tuple(header[: len(_OUR_COLUMNS)]) == _OUR_COLUMNS:
            if fields[2] != level:
                continue
            metrics.add(fields[1])
            if len(metrics) > 1:
                listed = ", ".join(sorted(metrics))
                problem = f"scores of several metrics ({listed})"
                raise MalformedLine(path, line, problem, "Write the scores of one metric alone.")
        yield line, {name: fields[place] for name, place in places.items()}
