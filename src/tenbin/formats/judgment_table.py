"""Tables of judged translations: hypothesis, reference and score, one judgment per row.

CSV, TSV, JSON lines or Parquet. Further columns are used where they are there: the source, the
segment, the system and the annotator.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tenbin.core.counting import counted
from tenbin.core.errors import MalformedLine, UnreadableFile, UsageError
from tenbin.formats.parquet import SUFFIX, open_pair_table
from tenbin.formats.score_table import number
from tenbin.formats.text_rows import csv_rows, json_rows, tab_rows, uncompressed

TEXTS, SCORE = ("hypothesis", "reference"), "score"
NEEDED = (*TEXTS, SCORE)
OPTIONAL = ("source", "segment", "system", "annotator")
_ROWS_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgmentRow:
    """One judgment; what a table does not have is empty.

    Attributes:
        line: The line of the file, or the row of a Parquet table, from 1.
        hypothesis: The translation that was judged.
        reference: The reference.
        score: The score; NaN where it is missing.
        source: The source text.
        segment: The segment.
        system: The system.
        annotator: Who gave the score.
    """

    line: int
    hypothesis: str
    reference: str
    score: float
    source: str = ""
    segment: str = ""
    system: str = ""
    annotator: str = ""


def read_judgment_table(path: str, *, scored: bool = True) -> list[JudgmentRow]:
    """Read a table: ``.parquet``, ``.jsonl``, ``.csv`` or, by any other name, TSV.

    Args:
        path: The table.
        scored: Whether scores are read; if not, a column of them is neither needed nor looked at.

    Raises:
        UsageError: A column is missing.
        MalformedLine: A row with too few columns, or a score that is no number.
        UnreadableFile: The file cannot be read, or has no row.
        MissingExtra: Parquet, and pyarrow is not installed.
    """
    found = [
        JudgmentRow(
            line=line,
            score=number(row.pop(SCORE), path, line) if scored else float("nan"),
            **row,
        )
        for line, row in _rows(path, NEEDED if scored else TEXTS)
    ]
    if not found:
        raise UnreadableFile(path, "there are no judgments in the file", "Give one per row.")
    return found


def _rows(path: str, needed: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    ending = uncompressed(path).suffix
    if ending == SUFFIX:
        yield from _parquet_rows(path, needed)
    elif ending in {".jsonl", ".ndjson", ".json"}:
        yield from json_rows(path, needed, OPTIONAL)
    else:
        rows = csv_rows(path) if ending == ".csv" else tab_rows(path)
        _, header = next(rows, (1, []))
        _require_columns(path, header, needed)
        for line, fields in rows:
            if len(fields) != len(header):
                problem = f"found {counted(len(fields), 'column')}, expected {len(header)}"
                raise MalformedLine(path, line, problem, "Correct the line.")
            named = dict(zip(header, fields, strict=True))
            yield line, {name: named.get(name, "") for name in (*needed, *OPTIONAL)}


def _parquet_rows(path: str, needed: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    table = open_pair_table(path)
    _require_columns(path, table.schema.names, needed)
    names = [name for name in (*needed, *OPTIONAL) if name in table.schema.names]
    line = 0
    for part in table.parts(names, _ROWS_AT_ONCE):
        for row in part.batch.to_pylist():
            line += 1
            yield line, {name: "" if row[name] is None else str(row[name]) for name in names}


def _require_columns(path: str, header: list[str], needed: Sequence[str]) -> None:
    absent = [name for name in needed if name not in header]
    if absent:
        raise UsageError(
            f"{path}: there is no column {', '.join(absent)}; found "
            f"{', '.join(header)[:200] or 'nothing'}. Expected {', '.join(needed)} and, where they "
            f"are known, {', '.join(OPTIONAL)}."
        )
    twice = [name for name in (*needed, *OPTIONAL) if header.count(name) > 1]
    if twice:
        raise UsageError(f"{path}: the column {twice[0]!r} occurs twice. Rename one of them.")
