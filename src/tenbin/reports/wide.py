"""The wide table: one row per segment, with its texts and every system's scores.

The columns are called so that the readers of texts find them again: ``segment``, ``id``,
``document``, ``source``, ``reference``, then for each system ``system:NAME`` and, for each metric,
``METRIC:NAME``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from tenbin.core.counting import agreeing, counted
from tenbin.core.scores import MetricScores, ScoreTable
from tenbin.core.text import SegmentSource, TestSet
from tenbin.formats.texts.columns import SYSTEM_PREFIX, column_role
from tenbin.reports.workbook import Cell, Column
from tenbin.reports.worst_segments import reference_columns

BYTE_ORDER_MARK = "\ufeff"
"""Without it spreadsheets take UTF-8 for something else."""
# What a spreadsheet takes for the beginning of a formula when it opens CSV.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_TEXT_WIDTH = 60
_NAME_WIDTH = 24
_NARROW = 10
_CHUNK = 2_000


@dataclass(slots=True, kw_only=True)
class WideTable:
    """A table for spreadsheets and data frames.

    Attributes:
        columns: The columns.
        rows: The rows, which can be taken once.
        formulas: How many texts a spreadsheet would take for formulas; known when they are written.
    """

    columns: tuple[Column, ...]
    rows: Iterable[Sequence[Cell]]
    formulas: int = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the CSV should know; once it is written."""
        if not self.formulas:
            return ()
        begin = f"{counted(self.formulas, 'text')} {agreeing(self.formulas, 'begins')}"
        note = (
            f"{begin} with =, +, -, @, a tab or CR, and a spreadsheet that opens the CSV may take "
            "such a text for a formula; XLSX holds it as text."
        )
        return (note,)

    def csv(self) -> Iterator[str]:
        r"""Yield the table as CSV, row by row; texts are quoted, and are as they were scored.

        >>> table = WideTable(columns=(Column(name="a"), Column(name="b")), rows=[['=1, 2', 0.5]])
        >>> "".join(table.csv()), table.formulas
        ('\ufeff"a","b"\n"=1, 2",0.5\n', 1)
        """
        names = ",".join(_quoted(column.name) for column in self.columns)
        yield f"{BYTE_ORDER_MARK}{names}\n"
        for row in self.rows:
            texts = [value for value in row if isinstance(value, str)]
            self.formulas += sum(text.startswith(_FORMULA) for text in texts)
            yield ",".join(map(_field, row)) + "\n"


def wide_columns(
    table: ScoreTable, texts: SegmentSource, *, has_ids: bool = False
) -> tuple[Column, ...]:
    """Return the columns of the wide table of scores.

    Args:
        table: The scores.
        texts: What was scored.
        has_ids: Whether the input names its segments.
    """
    columns = [Column(name="segment", width=_NARROW)]
    columns += [Column(name="id", width=_NARROW)] if has_ids else []
    if texts.documents is not None:
        columns.append(Column(name="document", width=_NAME_WIDTH))
    named = [] if not texts.has_source else ["source"]
    named += reference_columns(_most_references(texts)) if texts.has_references else ()
    columns += [Column(name=name, width=_TEXT_WIDTH, wraps=True) for name in named]
    scored = _with_segments(table)
    for system in table.systems:
        name = f"{SYSTEM_PREFIX}{system}"
        columns.append(Column(name=name, width=_TEXT_WIDTH, wraps=True))
        columns += [
            Column(name=_score_column(scores.metric, system), decimals=scores.decimals)
            for scores in scored
        ]
    return tuple(columns)


def text_rows(
    texts: SegmentSource, systems: Sequence[str], ids: Sequence[str] | None = None
) -> Iterator[list[Any]]:
    """Yield of each segment its number, what stands before the systems, and their texts.

    Args:
        texts: What was scored.
        systems: The systems, in the order of the columns.
        ids: What the input calls the segments.
    """
    most = _most_references(texts)
    first = 0
    for chunk in texts.chunks(_CHUNK):
        for place in range(chunk.segment_count):
            before: list[str | None] = [] if ids is None else [ids[first + place]]
            before += _before_systems(chunk, place, most)
            yield [
                first + place + 1,
                before,
                [chunk.hypotheses[system][place] for system in systems],
            ]
        first += chunk.segment_count


def wide_rows(table: ScoreTable, rows: Iterable[list[Any]]) -> Iterator[list[Cell]]:
    """Yield the rows of the wide table.

    Args:
        table: The scores.
        rows: Those of `text_rows`, in any order.
    """
    matrices = [scores.segments for scores in _with_segments(table)]
    for number, before, translations in rows:
        row: list[Cell] = [number, *before]
        for position, translation in enumerate(translations):
            row.append(translation)
            row += [
                float(matrix[position, number - 1]) for matrix in matrices if matrix is not None
            ]
        yield row


def _with_segments(table: ScoreTable) -> list[MetricScores]:
    return [scores for scores in table.results if scores.segments is not None]


def _score_column(metric: str, system: str) -> str:
    name = f"{metric}:{system}"
    # A metric may be called so that its scores would be read as texts.
    return name if column_role(name) is None else f"score:{name}"


def _most_references(texts: SegmentSource) -> int:
    return max(texts.reference_counts, default=0)


def _before_systems(chunk: TestSet, place: int, most: int) -> list[str | None]:
    before: list[str | None] = [] if chunk.documents is None else [chunk.documents[place]]
    before += [] if chunk.source is None else [chunk.source[place]]
    references = chunk.references[place]
    return [*before, *references, *[None] * (most - len(references))]


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _field(value: Cell) -> str:
    if isinstance(value, str):
        return _quoted(value)
    return "" if value is None or isnan(value) else repr(value)
