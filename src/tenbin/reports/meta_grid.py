"""Meta-evaluations as grids: metrics down, measures or language pairs across, or ranks."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tenbin.reports.comparison import p_text
from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.meta_rows import Interval, MetaAverage, MetaComparison, MetaRow

_POOLED = "system-accuracy"
_UNDEFINED = "–"
_OF_MEAN = "interval of the mean"


@dataclass(frozen=True, slots=True)
class TitledGrid:
    """A grid and what it is about.

    Attributes:
        title: What stands above; may be empty.
        grid: The cells.
        measures: The measures in it.
    """

    title: str
    grid: Grid
    measures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Column:
    """A heading and the row that belongs under it, by metric.

    Attributes:
        heading: What stands above.
        rows: By metric.
        of_mean: Whether it shows the interval of the mean, instead of value and interval.
    """

    heading: str
    rows: dict[str, MetaRow]
    of_mean: bool = False


def meta_grids(
    rows: Sequence[MetaRow],
    comparisons: Sequence[MetaComparison],
    averages: Sequence[MetaAverage],
) -> list[TitledGrid]:
    """Return the grids of a meta-evaluation.

    Ranks get one grid per language pair and measure, the best metric first. Without them one
    language pair is one grid, with a column per measure; several are one grid per measure, with a
    column per pair and the mean. The mean of a shared task comes last.
    """
    measured = {row.measure for row in rows}
    by_task = [one for one in averages if one.measure not in measured]
    return _measure_grids(rows, comparisons, averages) + _task_grids(by_task)


def _measure_grids(
    rows: Sequence[MetaRow],
    comparisons: Sequence[MetaComparison],
    averages: Sequence[MetaAverage],
) -> list[TitledGrid]:
    if any(row.rank is not None for row in rows):
        return [_ranked(group, comparisons) for group in _grouped(rows, _task)]
    if len({_place(row) for row in rows}) == 1:
        measures = [row.measure for row in rows if row.metric == rows[0].metric]
        columns = []
        for group in _grouped(rows, _task):
            column = _column(group, _measure_heading(group[0], measures))
            columns.append(column)
            if _reports_mean(group[0]):
                columns.append(_Column(_OF_MEAN, column.rows, of_mean=True))
        title = place_label(rows[0], rows)
        return [TitledGrid(title, _across(columns, ()), tuple(dict.fromkeys(measures)))]
    grids = []
    for group in _grouped(rows, lambda row: (row.measure,)):
        columns = [_column(part, place_label(part[0], rows)) for part in _grouped(group, _task)]
        measure = group[0].measure
        own = [one for one in averages if one.measure == measure]
        grids.append(TitledGrid(measure, _across(columns, own), (measure,)))
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
    # The kind of judgement stands below the table, unless a measure has two of them.
    return f"{row.measure} ({row.human})" if measures.count(row.measure) > 1 else row.measure


def _column(rows: Sequence[MetaRow], heading: str) -> _Column:
    return _Column(heading, {row.metric: row for row in rows})


def _across(columns: Sequence[_Column], averages: Sequence[MetaAverage]) -> Grid:
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
    pooled = bool(averages) and averages[0].measure.startswith(_POOLED)
    headings = ["Metric", *(column.heading for column in columns)]
    headings += [("pooled" if pooled else "mean")] if averages else []
    return Grid(
        headings=tuple(headings),
        alignments=(Align.LEFT, *[Align.RIGHT] * (len(headings) - 1)),
        rows=tuple(rows),
    )


def _ranked(rows: Sequence[MetaRow], comparisons: Sequence[MetaComparison]) -> TitledGrid:
    tested = {
        (one.better, one.worse): one
        for one in comparisons
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
                *([Cell(_ends(row.ci_mean))] if _reports_mean(row) else []),
                Cell("" if step is None else f"{step.difference:.4f}"),
                Cell("" if step is None else p_text(step.p_value)),
            )
        )
    interval = ["95 % interval"] if rows[0].ci else []
    interval += [_OF_MEAN] if _reports_mean(rows[0]) else []
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


def _reports_mean(row: MetaRow) -> bool:
    # ParaEval reports the mean over samples, with the interval of this mean.
    return row.measure.startswith("paraeval")


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
