"""Scores for a spreadsheet: a workbook of three sheets, and comma-separated rows."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from math import isnan

from tenbin.core.scores import Comparison, ScoreTable
from tenbin.core.text import TestSet
from tenbin.reports.data import Row
from tenbin.reports.workbook import Cell, Sheet, workbook

_TEXT_WIDTH = 60
_NAME_WIDTH = 24
# What a spreadsheet takes for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def score_workbook(result: ScoreTable | Comparison, texts: TestSet | None = None) -> bytes:
    """Return an XLSX workbook: systems, segments with their texts, and signatures.

    Args:
        result: The scores.
        texts: The texts that were scored, for the sheet of segments.
    """
    table = result.scores if isinstance(result, Comparison) else result
    comparison = result if isinstance(result, Comparison) else None
    sheets = [_systems(table, comparison)]
    if any(scores.segments is not None for scores in table.results):
        sheets.append(_segments(table, texts))
    return workbook([*sheets, _signatures(table)])


def csv_text(columns: Sequence[str], rows: Iterable[Row]) -> str:
    r"""Return rows as comma-separated text that a spreadsheet opens as it is.

    A text that would be taken for a formula gets an apostrophe before it. The byte order mark says
    that the file is UTF-8.

    >>> csv_text(["system", "score"], [("=1+1", -0.5)])
    "\ufeffsystem,score\r\n'=1+1,-0.5\r\n"
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(columns)
    writer.writerows([_field(value) for value in row] for row in rows)
    return "\ufeff" + stream.getvalue()


def _field(value: str | float | None) -> str:
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) else value
    return "" if value is None or isnan(value) else repr(value)


def _systems(table: ScoreTable, comparison: Comparison | None) -> Sheet:
    columns = ["System"]
    for scores in table.results:
        columns.append(scores.title)
        if scores.intervals is not None:
            columns += [f"{scores.title}, low (95 %)", f"{scores.title}, high (95 %)"]
        if comparison is not None and comparison.baseline is None:
            columns.append(f"{scores.title}, rank")
    rows = [_system_row(table, comparison, place) for place in range(len(table.systems))]
    return Sheet(name="Systems", columns=columns, rows=rows, widths=[_NAME_WIDTH])


def _system_row(table: ScoreTable, comparison: Comparison | None, place: int) -> list[Cell]:
    row: list[Cell] = [table.systems[place]]
    for number, scores in enumerate(table.results):
        row.append(float(scores.scores[place]))
        if scores.intervals is not None:
            row += [float(bound) for bound in scores.intervals[place]]
        if comparison is not None and comparison.baseline is None:
            ranks = comparison.metrics[number].ranks
            row.append(None if ranks is None else int(ranks[place]))
    return row


def _segments(table: ScoreTable, texts: TestSet | None) -> Sheet:
    columns, widths = ["Segment"], [10]
    references = 0
    if texts is not None:
        references = max(map(len, texts.references), default=0)
        named = (
            ["Reference"] if references == 1 else [f"Reference {n + 1}" for n in range(references)]
        )
        columns += ["Document"] if texts.documents is not None else []
        widths += [_NAME_WIDTH] if texts.documents is not None else []
        columns += ["Source"] if texts.source is not None else []
        columns += [*named, *table.systems]
        widths += [_TEXT_WIDTH] * (len(columns) - len(widths))
    scored = [scores for scores in table.results if scores.segments is not None]
    columns += [f"{system}: {scores.title}" for scores in scored for system in table.systems]
    return Sheet(
        name="Segments",
        columns=columns,
        rows=_segment_rows(table, texts, references),
        widths=widths,
    )


def _segment_rows(
    table: ScoreTable, texts: TestSet | None, references: int
) -> Iterator[list[Cell]]:
    matrices = [scores.segments for scores in table.results if scores.segments is not None]
    for segment in range(table.segment_count):
        row: list[Cell] = [segment + 1]
        if texts is not None:
            own = texts.references[segment] if texts.references else ()
            row += [] if texts.documents is None else [texts.documents[segment]]
            row += [] if texts.source is None else [texts.source[segment]]
            row += [*own, *[None] * (references - len(own))]
            row += [texts.hypotheses[system][segment] for system in table.systems]
        row += [float(value) for matrix in matrices for value in matrix[:, segment]]
        yield row


def _signatures(table: ScoreTable) -> Sheet:
    rows: list[list[Cell]] = [
        [scores.title, scores.metric, str(scores.signature)] for scores in table.results
    ]
    rows += [["Note", None, note] for note in table.notes]
    return Sheet(
        name="Signatures",
        columns=["Metric", "Name", "Signature"],
        rows=rows,
        widths=[_NAME_WIDTH, _NAME_WIDTH, 2 * _TEXT_WIDTH],
    )
