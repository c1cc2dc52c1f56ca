"""Renders meta-evaluations: metrics down, measures or language pairs across, or ranks."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from tenbin.core.agreement import (
    Interval,
    MetaAverage,
    MetaComparison,
    MetaRow,
    MetaTable,
    MetricTest,
)
from tenbin.reports.comparison import p_text
from tenbin.reports.data import Row, defined
from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import Align, Cell, Grid, TitledGrid
from tenbin.reports.html import framed, titled_table
from tenbin.reports.latex import escape_latex, render_latex
from tenbin.reports.markdown import escape_markdown, render_markdown
from tenbin.reports.plain_text import render_paragraph, render_text
from tenbin.reports.signed import STRONG
from tenbin.version import __version__

_COLUMNS = (
    "set",
    "pair",
    "metric",
    "measure",
    "human",
    "value",
    "ci_low",
    "ci_high",
    "ci_mean_low",
    "ci_mean_high",
    "n",
    "counted",
    "rank",
    "signature",
)
_TEST_NAMES = {
    MetricTest.PERM_BOTH: "PERM-BOTH",
    MetricTest.WILLIAMS: "Williams' test",
    MetricTest.BOOTSTRAP: "the paired bootstrap",
}
_UNDEFINED = "–"
_OF_MEAN = "interval of the mean"


def payload(table: MetaTable) -> dict[str, Any]:
    """Return values, comparisons and averages as plain data."""
    return {
        "tenbin": __version__,
        "rows": [_row_payload(row) for row in table.rows],
        "comparisons": [
            {
                "set": one.test_set,
                "pair": one.pair,
                "measure": one.measure,
                "human": one.human,
                "better": one.better,
                "worse": one.worse,
                "difference": defined(one.difference),
                "ci": _both_ends(one.ci),
                "p_value": defined(one.p_value),
                "test": one.test,
            }
            for one in table.comparisons
        ],
        "averages": [
            {
                "metric": one.metric,
                "measure": one.measure,
                "value": defined(one.value),
                "pairs": one.pairs,
            }
            for one in table.averages
        ],
        "notes": list(table.notes),
    }


def tidy(table: MetaTable) -> tuple[Sequence[str], Iterable[Row]]:
    """Return a row for each value."""
    return _COLUMNS, _tidy_rows(table.rows)


def draw(table: MetaTable, form: Format, page: Page) -> str:
    """Return the grids, a legend of the measures, a caption and the signatures."""
    grids = meta_grids(table)
    caption = _caption(table, form, grids)
    lines = {one: _legend(table, one) for one in dict.fromkeys(r.measure for r in table.rows)}
    legend = list(lines.values())
    signatures = list(dict.fromkeys(_signature(row) for row in table.rows if row.signature))
    if form is Format.LATEX:
        texts = [" ".join([*(lines[one] for one in t.measures), *caption]) for t in grids]
        return "\n".join(
            _latex(titled, text, signatures) for titled, text in zip(grids, texts, strict=True)
        )
    if form is Format.HTML:
        return framed([titled_table(one) for one in grids], [*legend, *caption], signatures)
    if form is Format.MARKDOWN:
        drawn = "\n".join(
            f"{_markdown_title(titled.title)}{render_markdown(titled.grid)}" for titled in grids
        )
        text = [f"- {escape_markdown(line)}\n" for line in [*legend, *caption]]
        return f"{drawn}\n{''.join(text)}" + "".join(f"- `{one}`\n" for one in signatures)
    parts = []
    for titled in grids:
        title = f"{titled.title}\n\n" if titled.title else ""
        parts.append(f"{title}{render_text(titled.grid, page.width)}")
    text = [f"{render_paragraph(line, page.width)}\n" for line in legend]
    if caption:
        text.append(f"{render_paragraph(' '.join(caption), page.width)}\n")
    # A signature stays on one line however long it is: it is copied into papers.
    return "\n".join([*parts, "".join(text)]) + "".join(f"  {one}\n" for one in signatures)


def _signature(row: MetaRow) -> str:
    """Return the signature of a metric, after its alias where it has one."""
    return f"{row.metric} = {row.signature}" if row.spec is not None else f"{row.signature}"


def _row_payload(row: MetaRow) -> dict[str, Any]:
    return {
        "set": row.test_set,
        "pair": row.pair,
        "metric": row.metric,
        **({} if row.spec is None else {"spec": row.spec}),
        "measure": row.measure,
        "human": row.human,
        "value": defined(row.value),
        "ci": _both_ends(row.ci),
        "ci_percentile": _both_ends(row.ci),
        "ci_mean": _both_ends(row.ci_mean),
        "n": row.n,
        "counted": row.counted,
        "rank": row.rank,
        "winner": row.is_winner,
        "signature": row.signature,
    }


def _tidy_rows(rows: Sequence[MetaRow]) -> Iterator[Row]:
    for row in rows:
        low, high = row.ci or (None, None)
        mean_low, mean_high = row.ci_mean or (None, None)
        own = (row.test_set, row.pair, row.metric, row.measure, row.human, row.value)
        yield (*own, low, high, mean_low, mean_high, row.n, row.counted, row.rank, row.signature)


def _both_ends(ends: Interval | None) -> list[float] | None:
    if ends is None or not all(isfinite(end) for end in ends):
        return None
    return [float(end) for end in ends]


@dataclass(frozen=True, slots=True)
class _Column:
    """A heading and the row that belongs under it, by metric.

    Attributes:
        heading: What stands above.
            of_mean: Whether it shows the interval of the mean, instead of value and interval.
    """

    heading: str
    rows: dict[str, MetaRow]
    of_mean: bool = False


def meta_grids(table: MetaTable) -> list[TitledGrid]:
    """Return the grids of a meta-evaluation.

    Ranks get one grid per language pair and measure, the best metric first. Without them one
    language pair is one grid, with a column per measure; several are one grid per measure, with a
    column per pair and the mean. The mean of a shared task comes last.
    """
    measured = {row.measure for row in table.rows}
    by_task = [one for one in table.averages if one.measure not in measured]
    return _measure_grids(table) + _task_grids(by_task)


def _measure_grids(table: MetaTable) -> list[TitledGrid]:
    rows = table.rows
    if any(row.rank is not None for row in rows):
        return [_ranked(group, table) for group in _grouped(rows, _task)]
    if len({_place(row) for row in rows}) == 1:
        measures = [row.measure for row in rows if row.metric == rows[0].metric]
        columns = []
        for group in _grouped(rows, _task):
            column = _column(group, _measure_heading(group[0], measures))
            columns.append(column)
            if _is_mean_over_samples(table, group[0].measure):
                columns.append(_Column(_OF_MEAN, column.rows, of_mean=True))
        title = place_label(rows[0], rows)
        return [TitledGrid(title, _across(columns), tuple(dict.fromkeys(measures)))]
    grids = []
    for group in _grouped(rows, lambda row: (row.measure,)):
        columns = [_column(part, place_label(part[0], rows)) for part in _grouped(group, _task)]
        measure = group[0].measure
        own = [one for one in table.averages if one.measure == measure]
        info = table.measures.get(measure)
        heading = "pooled" if info is not None and info.is_pooled else "mean"
        grids.append(TitledGrid(measure, _across(columns, own, heading), (measure,)))
    return grids


def _task_grids(averages: Sequence[MetaAverage]) -> list[TitledGrid]:
    """Return the means of a shared task, which are of several measures; best metric first."""
    grids = []
    for task in dict.fromkeys(one.measure for one in averages):
        own = sorted(
            (one for one in averages if one.measure == task),
            key=lambda one: _descending(one.value),
        )
        best = _best(one.value for one in own)
        grid = Grid(
            headings=("Metric", f"{task} mean"),
            alignments=(Align.LEFT, Align.RIGHT),
            rows=tuple((Cell(one.metric), _mean_cell(one.value, best)) for one in own),
        )
        grids.append(TitledGrid(f"{task}, mean of the measures of the task", grid, ()))
    return grids


def place_label(row: MetaRow, rows: Sequence[MetaRow]) -> str:
    """Return what a language pair is called: with its test set where there are several."""
    several = len({one.test_set for one in rows}) > 1 or len({_place(one) for one in rows}) == 1
    return f"{row.test_set} {row.pair}".strip() if several else row.pair


def _place(row: MetaRow) -> tuple[str, str]:
    return row.test_set, row.pair


def _task(row: MetaRow) -> tuple[str, ...]:
    return row.test_set, row.pair, row.measure, row.human or ""


def _grouped(
    rows: Sequence[MetaRow], key: Callable[[MetaRow], tuple[str, ...]]
) -> list[list[MetaRow]]:
    groups: dict[tuple[str, ...], list[MetaRow]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return list(groups.values())


def _measure_heading(row: MetaRow, measures: Sequence[str]) -> str:
    # The kind of judgment stands below the table, unless a measure has two of them.
    return f"{row.measure} ({row.human})" if measures.count(row.measure) > 1 else row.measure


def _column(rows: Sequence[MetaRow], heading: str) -> _Column:
    return _Column(heading, {row.metric: row for row in rows})


def _across(
    columns: Sequence[_Column], averages: Sequence[MetaAverage] = (), mean_heading: str = "mean"
) -> Grid:
    """Return metrics down and columns across, ordered by the mean, else by the first column."""
    means = {one.metric: one.value for one in averages}
    names = list(dict.fromkeys(name for column in columns for name in column.rows))
    first = {name: row.value for name, row in columns[0].rows.items()}
    order = sorted(names, key=lambda name: _descending(means.get(name, np.nan), first.get(name)))
    best = [_best(row.value for row in column.rows.values()) for column in columns]
    best_mean = _best(means.values())
    rows = [
        (
            Cell(name),
            *(_cell(column, name, top) for column, top in zip(columns, best, strict=True)),
            *([_mean_cell(means.get(name, np.nan), best_mean)] if averages else []),
        )
        for name in order
    ]
    headings = ["Metric", *(column.heading for column in columns)]
    headings += [mean_heading] if averages else []
    return Grid(
        headings=tuple(headings),
        alignments=(Align.LEFT, *[Align.RIGHT] * (len(headings) - 1)),
        rows=tuple(rows),
    )


def _ranked(rows: Sequence[MetaRow], table: MetaTable) -> TitledGrid:
    reports_mean = _is_mean_over_samples(table, rows[0].measure)
    tested: dict[tuple[str, str], MetaComparison] = {
        (one.better, one.worse): one
        for one in table.comparisons
        if (one.test_set, one.pair, one.measure, one.human or "") == _task(rows[0])
    }
    order = sorted(rows, key=lambda row: _descending(row.value))
    cells = []
    for place, row in enumerate(order):
        following = order[place + 1].metric if place + 1 < len(order) else ""
        step = tested.get((row.metric, following))
        cells.append(
            (
                Cell(_UNDEFINED if row.rank is None else str(row.rank)),
                Cell(row.metric, strong=bool(row.is_winner)),
                Cell(_number(row.value)),
                *([Cell(_ends(row.ci))] if rows[0].ci else []),
                *([Cell(_ends(row.ci_mean))] if reports_mean else []),
                Cell("" if step is None else f"{step.difference:.4f}"),
                Cell("" if step is None else p_text(step.p_value)),
            )
        )
    interval = ["95 % interval"] if rows[0].ci else []
    interval += [_OF_MEAN] if reports_mean else []
    headings = ("Rank", "Metric", rows[0].measure, *interval, "Δ to next", "p")
    label = place_label(rows[0], rows[:1])
    against = f", {rows[0].measure} against {rows[0].human}"
    return TitledGrid(
        f"{label}{against}".removeprefix(", "),
        Grid(
            headings=headings,
            alignments=(Align.RIGHT, Align.LEFT, *[Align.RIGHT] * (len(headings) - 2)),
            rows=tuple(cells),
            labels=2,
        ),
        (rows[0].measure,),
    )


def _is_mean_over_samples(table: MetaTable, measure: str) -> bool:
    info = table.measures.get(measure)
    return info is not None and info.mean_of is not None


def _cell(column: _Column, metric: str, best: float) -> Cell:
    row = column.rows.get(metric)
    if row is None:
        return Cell("")
    if column.of_mean:
        return Cell(_ends(row.ci_mean))
    text = _number(row.value)
    if row.ci is not None and not np.isnan(row.value):
        text = f"{text} {_ends(row.ci)}"
    return Cell(text, strong=row.value == best)


def _mean_cell(value: float, best: float) -> Cell:
    return Cell(_number(value), strong=value == best)


def _best(values: Iterable[float]) -> float:
    known = [value for value in values if not np.isnan(value)]
    return max(known) if len(known) > 1 else np.nan


def _ends(interval: Interval | None) -> str:
    if interval is None or np.isnan(interval[0]):
        return _UNDEFINED
    return f"[{interval[0]:.4f}, {interval[1]:.4f}]"


def _number(value: float) -> str:
    return _UNDEFINED if np.isnan(value) else f"{value:.4f}"


def _descending(*values: float | None) -> tuple[float, ...]:
    """Return a key that sorts high values first and undefined ones last."""
    return tuple(np.inf if value is None or np.isnan(value) else -value for value in values)


def _caption(table: MetaTable, form: Format, grids: list[TitledGrid]) -> list[str]:
    caption = []
    if any(row.ci is not None for row in table.rows):
        caption.append(f"Brackets: 95 % percentile interval{table.drawn}.")
    if table.comparisons:
        tests = dict.fromkeys(_TEST_NAMES[MetricTest(one.test)] for one in table.comparisons)
        caption.append(
            f"p is one-sided, by {' or '.join(tests)}, and not corrected for the number of tests. "
            "A new rank begins with a metric that one of the rank above beats at p ≤ 0.05. "
            f"{STRONG[form]} marks metrics that no other one beats."
        )
    elif any(cell.strong for titled in grids for row in titled.grid.rows for cell in row):
        caption.append(f"{STRONG[form]} marks the best value.")
    return caption


def _legend(table: MetaTable, measure: str) -> str:
    """Return a line on a measure: what it is, and its sample size."""
    counts: dict[str, dict[str, int]] = {}
    for row in table.rows:
        if row.measure == measure and row.human and row.n:
            numbers = counts.setdefault(f"against {row.human}, {{}} {row.counted}", {})
            place = place_label(row, table.rows)
            numbers[place] = max(numbers.get(place, 0), row.n)
    info = table.measures.get(measure)
    summary = "" if info is None else f"{info.summary}; "
    against = "; ".join(text.format(_spelled_counts(ns)) for text, ns in counts.items())
    return f"{measure}: {summary}{against or 'no judgments to compare with'}."


def _spelled_counts(numbers: Mapping[str, int]) -> str:
    if len(numbers) == 1:
        return f"n = {next(iter(numbers.values())):,}"
    return "n = " + " + ".join(f"{count:,}" for count in numbers.values())


def _markdown_title(title: str) -> str:
    return f"**{escape_markdown(title)}**\n\n" if title else ""


def _latex(titled: TitledGrid, caption: str, signatures: list[str]) -> str:
    text = escape_latex(f"{titled.title}. {caption}".removeprefix(". "))
    listed = "; ".join(f"\\texttt{{{escape_latex(one)}}}" for one in signatures)
    ending = f" Signature{'s' if len(signatures) > 1 else ''}: {listed}." if signatures else ""
    return render_latex(titled.grid, f"{text}{ending}")
