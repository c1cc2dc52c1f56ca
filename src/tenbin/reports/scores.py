"""Renders scores: systems down, metrics across."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import isnan
from typing import Any

from tenbin.core.counting import counted
from tenbin.core.scores import MetricScores, ScoreTable
from tenbin.core.text import TestSet
from tenbin.reports import worst_segments as worst_report
from tenbin.reports.data import Row, all_defined, defined
from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.signed import STRONG, SignedGrid, draw_signed
from tenbin.reports.titled import interval_text, number_text
from tenbin.version import __version__

_COLUMNS = (
    "system",
    "metric",
    "level",
    "segment",
    "score",
    "ci_low",
    "ci_high",
    "signature",
)


def payload(table: ScoreTable) -> dict[str, Any]:
    """Return the scores of every system by every metric, and the texts where they are wanted."""
    data: dict[str, Any] = {
        "tenbin": __version__,
        "language": table.language,
        "segment_count": table.segment_count,
        "results": [
            _result(scores, position)
            for scores in table.results
            for position in range(len(table.systems))
        ],
        **({} if table.worst is None else {"worst_segments": worst_report.payload(table)}),
        "notes": list(table.notes),
    }
    return data if table.texts is None else data | {"texts": _texts(table.texts)}


def tidy(table: ScoreTable) -> tuple[Sequence[str], Iterable[Row]]:
    """Return a corpus row for each system and metric, then its segments where asked for.

    The worst segments follow, where asked for, and with them columns for their texts.
    """
    texts = worst_report.text_columns(table)
    if not texts:
        return _COLUMNS, _rows(table)
    empty = (None,) * len(texts)
    rows = chain(((*row, *empty) for row in _rows(table)), worst_report.rows(table))
    return (*_COLUMNS, *texts), rows


def draw(table: ScoreTable, form: Format, page: Page) -> str:
    """Return the table of corpus scores, and that of segment scores where asked for."""
    signatures = tuple(signature_line(scores) for scores in table.results)
    grids = [SignedGrid(score_grid(table), signatures)]
    caption = [f"{counted(table.segment_count, 'segment')}, target language {table.language}."]
    if grids[0].has_strong_cells:
        caption.append(f"{STRONG[form]} marks the best score.")
    if any(scores.intervals is not None for scores in table.results):
        caption.append("Brackets: 95 % bootstrap confidence interval.")
    if any(scores.segments is not None for scores in table.results):
        grids.append(SignedGrid(segment_grid(table), signatures))
    drawn = draw_signed(grids, " ".join(caption), form, page)
    return drawn if table.worst is None else f"{drawn}\n{worst_report.draw(table, form, page)}"


def score_grid(table: ScoreTable) -> Grid:
    """Return corpus scores with intervals; the best of each metric is strong."""
    columns = [_column(scores) for scores in table.results]
    rows = [
        (Cell(system), *(column[position] for column in columns))
        for position, system in enumerate(table.systems)
    ]
    return Grid(
        headings=("System", *(heading(scores) for scores in table.results)),
        alignments=(Align.LEFT, *(Align.RIGHT for _ in table.results)),
        rows=tuple(rows),
    )


def segment_grid(table: ScoreTable) -> Grid:
    """Return segment scores, one row per system and segment; metrics without any are left out."""
    known = [scores for scores in table.results if scores.segments is not None]
    rows = [
        (
            Cell(system),
            Cell(str(segment + 1)),
            *(
                Cell(number_text(scores.segments[position, segment], scores.decimals))
                for scores in known
                if scores.segments is not None
            ),
        )
        for position, system in enumerate(table.systems)
        for segment in range(table.segment_count)
    ]
    return Grid(
        headings=("System", "Segment", *(heading(scores) for scores in known)),
        alignments=(Align.LEFT, Align.RIGHT, *(Align.RIGHT for _ in known)),
        rows=tuple(rows),
    )


def signature_line(scores: MetricScores) -> str:
    """Return a signature below a table, after the alias of its metric where it has one."""
    signature = str(scores.signature)
    return f"{scores.alias} = {signature}" if scores.alias else signature


def heading(scores: MetricScores) -> str:
    """Return a metric's title with the direction of better scores."""
    return f"{scores.title} {'↑' if scores.higher_is_better else '↓'}"


def _column(scores: MetricScores) -> list[Cell]:
    cells = []
    for position, value in enumerate(scores.scores):
        text = number_text(value, scores.decimals)
        if scores.intervals is not None:
            text += f" {interval_text(tuple(scores.intervals[position]), scores.decimals)}"
        cells.append(Cell(text.rstrip(), strong=_is_best(scores, position)))
    return cells


def _is_best(scores: MetricScores, position: int) -> bool:
    """Return whether a system has the best score among several, as far as it is shown."""
    if len(scores.systems) == 1:
        return False
    shown = [number_text(value, scores.decimals) for value in scores.scores]
    known = [place for place, value in enumerate(scores.scores) if not isnan(value)]
    if position not in known:
        return False
    best = (max if scores.higher_is_better else min)(known, key=lambda place: scores.scores[place])
    return shown[position] == shown[best]


def _rows(table: ScoreTable) -> Iterator[Row]:
    for scores in table.results:
        for position, system in enumerate(table.systems):
            low = high = None
            if scores.intervals is not None:
                low, high = map(float, scores.intervals[position])
            own = (system, scores.label)
            signature = str(scores.signature)
            value = float(scores.scores[position])
            yield (*own, "corpus", None, value, low, high, signature)
            if scores.segments is not None:
                for segment, value in enumerate(scores.segments[position], start=1):
                    yield (*own, "segment", segment, float(value), None, None, signature)


def _texts(texts: TestSet) -> dict[str, Any]:
    return {
        "source": None if texts.source is None else list(texts.source),
        "references": [list(some) for some in texts.references],
        "systems": {name: list(own) for name, own in texts.hypotheses.items()},
        "documents": None if texts.documents is None else list(texts.documents),
    }


def _import_facts(scores: MetricScores) -> dict[str, Any]:
    """Return what JSON says of scores of another program, which no registry knows."""
    if not scores.imported:
        return {}
    return {"imported": True, "higher_is_better": scores.higher_is_better}


def _result(scores: MetricScores, position: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "system": scores.systems[position],
        "metric": scores.metric,
        **({"alias": scores.alias} if scores.alias else {}),
        **_import_facts(scores),
        "score": defined(scores.scores[position]),
        "signature": str(scores.signature),
        "ci": None if scores.intervals is None else all_defined(scores.intervals[position]),
    }
    if scores.segments is not None:
        result["segments"] = all_defined(scores.segments[position])
    return result
