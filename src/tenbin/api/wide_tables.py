"""Scores with the texts they are of, one row per segment, as CSV or XLSX."""

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from tenbin.core.counting import counted
from tenbin.core.errors import InputError, UsageError
from tenbin.core.scores import Comparison, ScoreTable
from tenbin.core.text import SegmentSource, TestSet
from tenbin.evaluation.worst_segments import worst_first
from tenbin.formats.output import text_stream, whole_file
from tenbin.formats.stored_rows import StoredRows
from tenbin.formats.texts.stored import fault_of
from tenbin.reports.formats import ENDINGS, WIDE, Format
from tenbin.reports.spreadsheet import score_sheets
from tenbin.reports.wide import WideTable, text_rows, wide_columns, wide_rows
from tenbin.reports.workbook import (
    LONGEST_CELL,
    MOST_COLUMNS,
    MOST_ROWS,
    cell_length,
    write_workbook,
)

__all__ = ["check_wide_table", "wide_table", "write_wide_table", "write_workbook_file"]

_CHUNK = 2_000


def write_wide_table(
    result: ScoreTable | Comparison,
    path: str,
    texts: SegmentSource | None = None,
    *,
    worst: int | None = None,
    worst_by: str | None = None,
) -> tuple[str, ...]:
    """Write one row per segment: its texts, and every system's scores; return notes for a reader.

    The ending of the file says whether it is CSV or XLSX. An XLSX file has further sheets: systems,
    tests of a comparison, signatures.

    Args:
        result: Scores with those of segments (``segments=True``).
        path: The file, which is written whole or not at all.
        texts: What was scored; by default the texts of the result.
        worst: Only the so many worst segments of each system, the worst first; the number of
            segments for all of them in that order.
        worst_by: The metric that says which is worst; by default the first.

    Raises:
        UsageError: There are no segment scores, or no texts; or the format cannot hold them.
        InputError: A text has a character that no file of texts can have.
        OutputError: The file cannot be written.
    """
    form = ENDINGS.get(PurePath(path).suffix.lower())
    if form not in WIDE:
        raise UsageError(f"{path}: the ending says neither CSV nor XLSX; call it .csv or .xlsx.")
    table = result.scores if isinstance(result, Comparison) else result
    known = texts if texts is not None else table.texts
    if known is None:
        raise UsageError("the texts that were scored are missing: give `texts`.")
    check_wide_table(known, form, len(table.results))
    _refuse_characters(known)
    if form is Format.XLSX:
        write_workbook_file(result, path, known, worst=worst, worst_by=worst_by)
        return ()
    with text_stream(path) as stream:
        wide = wide_table(result, known, worst=worst, worst_by=worst_by)
        stream.writelines(wide.csv())
    return wide.notes


def check_wide_table(texts: SegmentSource, form: Format, metrics: int) -> None:
    """Raise `UsageError` if a format cannot hold the texts, before anything is scored.

    Args:
        texts: What is to be scored.
        form: The format.
        metrics: How many metrics score it.
    """
    if form is not Format.XLSX:
        return
    advice = "take the format csv, which has no such limit."
    if texts.segment_count >= MOST_ROWS:
        have = counted(texts.segment_count, "segment")
        raise UsageError(f"a sheet has {MOST_ROWS:,} rows, and there are {have}: {advice}")
    width = 4 + max(texts.reference_counts, default=0) + len(texts.systems) * (1 + metrics)
    if width > MOST_COLUMNS:
        have = counted(width, "column")
        raise UsageError(f"a sheet has {MOST_COLUMNS:,} columns, and this table {have}: {advice}")
    for place, text in _all_texts(texts):
        # A character is at most two units.
        if 2 * len(text) > LONGEST_CELL and cell_length(text) > LONGEST_CELL:
            have = counted(cell_length(text), "character")
            raise UsageError(
                f"{place}: the text has {have}, a cell of a spreadsheet takes {LONGEST_CELL:,}: "
                f"{advice}"
            )


def wide_table(
    result: ScoreTable | Comparison,
    texts: SegmentSource,
    *,
    worst: int | None = None,
    worst_by: str | None = None,
) -> WideTable:
    """Return the wide table of a result, whose rows are read while they are taken.

    Arguments as in `write_wide_table`.
    """
    table = result.scores if isinstance(result, Comparison) else result
    if all(scores.segments is None for scores in table.results):
        raise UsageError("there are no scores of segments: score with `segments=True`.")
    ids: Sequence[str] | None = getattr(texts, "ids", None)
    rows = text_rows(texts, table.systems, ids)
    if worst is not None:
        order = worst_first(table, worst, worst_by)
        rows = StoredRows(rows).read(map(int, order))
    return WideTable(
        columns=wide_columns(table, texts, has_ids=ids is not None), rows=wide_rows(table, rows)
    )


def write_workbook_file(
    result: ScoreTable | Comparison,
    path: str,
    texts: SegmentSource | None,
    *,
    worst: int | None = None,
    worst_by: str | None = None,
) -> None:
    """Write an XLSX file; without texts it has no sheet of segments.

    Arguments as in `write_wide_table`, but that what does not fit is cut.
    """
    segments = None
    if texts is not None:
        segments = wide_table(result, texts, worst=worst, worst_by=worst_by)
    with whole_file(path) as place, Path(place).open("wb") as stream:
        write_workbook(stream, score_sheets(result, segments))


def _refuse_characters(texts: SegmentSource) -> None:
    for place, text in _all_texts(texts):
        fault = fault_of(text)
        if fault is not None:
            raise InputError(f"{place}: {fault}, which no file of texts can have. Remove it.")


class _Place:
    """Where a text comes from, in words only if somebody asks."""

    def __init__(self, chunk: TestSet, text: str, segment: int, number: int = 0) -> None:
        self._chunk, self._text = chunk, text
        self._segment, self._number = segment, number

    def __str__(self) -> str:
        return self._chunk.place(self._text, self._segment, self._number)


def _all_texts(texts: SegmentSource) -> Iterator[tuple[_Place, str]]:
    for chunk in texts.chunks(_CHUNK):
        for segment, text in enumerate(chunk.source or ()):
            yield _Place(chunk, "source", segment), text
        for segment, alternatives in enumerate(chunk.references):
            for number, text in enumerate(alternatives):
                yield _Place(chunk, "reference", segment, number), text
        for system, own in chunk.hypotheses.items():
            for segment, text in enumerate(own):
                yield _Place(chunk, f"system {system!r}", segment), text
