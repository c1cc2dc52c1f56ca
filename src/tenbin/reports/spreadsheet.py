"""Scores for a spreadsheet: the sheets of a workbook, and comma-separated rows."""

import csv
import io
from collections.abc import Iterable, Sequence
from math import isnan

from tenbin.core.scores import Comparison, ScoreTable
from tenbin.reports import comparison as comparison_report
from tenbin.reports.data import Row, without_signatures
from tenbin.reports.wide import WideTable
from tenbin.reports.workbook import Cell, Column, Sheet

_TEXT_WIDTH = 60
_NAME_WIDTH = 24
_USUAL_WIDTH = 12
# What a spreadsheet takes for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def score_sheets(result: ScoreTable | Comparison, segments: WideTable | None) -> list[Sheet]:
    """Return the sheets of a workbook: segments, systems, tests of a comparison, signatures.

    The segments come first, for that is the sheet that readers of texts take.

    Args:
        result: The scores.
        segments: The sheet of segments; None for none.
    """
    table = result.scores if isinstance(result, Comparison) else result
    sheets = []
    if segments is not None:
        sheets.append(Sheet(name="Segments", columns=segments.columns, rows=segments.rows))
    sheets.append(_systems(table, result if isinstance(result, Comparison) else None))
    if isinstance(result, Comparison):
        sheets.append(_tests(result))
    return [*sheets, _signatures(table)]


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
    columns = [Column(name="System", width=_NAME_WIDTH)]
    has_ranks = comparison is not None and comparison.baseline is None
    for scores in table.results:
        names = [scores.title]
        if scores.intervals is not None:
            names += [f"{scores.title}, low (95 %)", f"{scores.title}, high (95 %)"]
        columns += [Column(name=name, decimals=scores.decimals) for name in names]
        columns += [Column(name=f"{scores.title}, rank")] if has_ranks else []
    rows = [_system_row(table, comparison, place) for place in range(len(table.systems))]
    return Sheet(name="Systems", columns=columns, rows=rows)


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


def _tests(comparison: Comparison) -> Sheet:
    names, rows = without_signatures(*comparison_report.tidy(comparison))
    wide = {"metric", "system_a", "system_b", "document"}
    texts = ("source", "reference", "translation")
    columns = [
        Column(name=name, width=_TEXT_WIDTH, wraps=True)
        if name.startswith(texts)
        else Column(name=name, width=_NAME_WIDTH if name in wide else _USUAL_WIDTH)
        for name in names
    ]
    return Sheet(name="Comparison", columns=columns, rows=rows)


def _signatures(table: ScoreTable) -> Sheet:
    rows: list[list[Cell]] = [
        [scores.title, scores.metric, str(scores.signature)] for scores in table.results
    ]
    rows += [["Note", None, note] for note in table.notes]
    columns = [
        Column(name="Metric", width=_NAME_WIDTH),
        Column(name="Name", width=_NAME_WIDTH),
        Column(name="Signature", width=2 * _TEXT_WIDTH, wraps=True),
    ]
    return Sheet(name="Signatures", columns=columns, rows=rows)
