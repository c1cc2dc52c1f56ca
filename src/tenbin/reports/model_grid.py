"""Renders BERTScore by model, idf dictionary and penalty."""

from collections.abc import Iterable, Iterator, Sequence
from math import isnan
from typing import Any

from tenbin.core.counting import counted
from tenbin.core.model_grid import GridColumn, GridRow, GridValue, ModelGrid, PlaceGrid
from tenbin.reports.data import Row, defined
from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import Align, Cell, Grid, TitledGrid
from tenbin.reports.html import framed, titled_table
from tenbin.reports.latex import escape_latex, render_latex
from tenbin.reports.markdown import escape_markdown, render_markdown
from tenbin.reports.plain_text import render_paragraph, render_text
from tenbin.version import __version__

_COLUMNS = (
    "set",
    "pair",
    "human",
    "model",
    "idf",
    "penalty",
    "measure",
    "domain",
    "value",
    "ci_low",
    "ci_high",
    "difference",
    "difference_low",
    "difference_high",
    "segments",
    "missing",
    "spec",
    "signature",
)
_LABELS = ("Model", "idf", "Penalty")
_UNDEFINED = "–"
_ALL = "all"
_MISSING = "missing"


def payload(grid: ModelGrid) -> dict[str, Any]:
    """Return the rows as plain data."""
    return {
        "tenbin": __version__,
        "study": "grid",
        "resamples": grid.resamples,
        "seed": grid.seed,
        "rows": [
            {
                name: defined(value) if isinstance(value, float) else value
                for name, value in zip(_COLUMNS, row, strict=True)
            }
            for row in tidy(grid)[1]
        ],
        "notes": list(grid.notes),
    }


def tidy(grid: ModelGrid) -> tuple[Sequence[str], Iterable[Row]]:
    """Return a row for each setting and column of numbers; one for a setting that is missing."""
    return _COLUMNS, (row for one in grid.grids for row in _tidy_rows(one))


def draw(grid: ModelGrid, form: Format, page: Page) -> str:
    """Return a table per language pair, how to read it, and the signatures."""
    grids = [(_title(one), _drawn(one)) for one in grid.grids]
    lines = _caption(grid)
    rows = [row for one in grid.grids for row in one.rows]
    signatures = list(dict.fromkeys(row.signature for row in rows if row.signature))
    if form is Format.LATEX:
        listed = "; ".join(f"\\texttt{{{escape_latex(one)}}}" for one in signatures)
        return "\n".join(
            render_latex(
                drawn, f"{escape_latex(' '.join([f'{title}.', *lines]))} Signatures: {listed}."
            )
            for title, drawn in grids
        )
    if form is Format.HTML:
        shown = [titled_table(TitledGrid(title, drawn)) for title, drawn in grids]
        return framed(shown, lines, signatures)
    if form is Format.MARKDOWN:
        tables = "\n".join(
            f"**{escape_markdown(title)}**\n\n{render_markdown(drawn)}" for title, drawn in grids
        )
        text = "".join(f"- {escape_markdown(line)}\n" for line in lines)
        return f"{tables}\n{text}" + "".join(f"- `{one}`\n" for one in signatures)
    tables = "\n".join(f"{title}\n\n{render_text(drawn, page.width)}" for title, drawn in grids)
    text = "".join(f"{render_paragraph(line, page.width)}\n" for line in lines)
    # A signature stays on one line however long it is: it is copied into papers.
    return f"{tables}\n{text}" + "".join(f"  {one}\n" for one in signatures)


def _tidy_rows(grid: PlaceGrid) -> Iterator[Row]:
    for row in grid.rows:
        where = (row.test_set, row.pair)
        setting = (row.model, row.idf, row.penalty)
        if row.missing is not None:
            nothing = (None,) * (len(_COLUMNS) - 9)
            yield (*where, None, *setting, *nothing, row.missing, row.spec, None)
            continue
        kinds = dict(zip(_measures(grid), row.human, strict=True))
        for column, value in zip(grid.columns, row.values, strict=True):
            yield (
                *where,
                kinds[column.measure],
                *setting,
                column.measure,
                column.domain,
                value.value,
                *((None, None) if value.ci is None else value.ci),
                *_difference(value),
                value.segments,
                None,
                row.spec,
                row.signature,
            )


def _measures(grid: PlaceGrid) -> list[str]:
    return list(dict.fromkeys(column.measure for column in grid.columns))


def _difference(value: GridValue) -> tuple[float | None, float | None, float | None]:
    gap = value.difference
    return (None, None, None) if gap is None else (gap.value, *gap.ci)


def _title(grid: PlaceGrid) -> str:
    scored = next(row for row in grid.rows if row.missing is None)
    kinds = " / ".join(dict.fromkeys(scored.human))
    count = max(value.segments for value in scored.values)
    return f"{grid.test_set} {grid.pair} against {kinds}: {counted(count, 'segment')}"


def _drawn(grid: PlaceGrid) -> Grid:
    """Return all numbers, and the difference that a penalty makes on all segments."""
    several = len(_measures(grid)) > 1
    headings = [*_LABELS, *(_heading(column, several=several) for column in grid.columns)]
    headings += ["Δ", "Δ 95 %"]
    rows = [tuple(map(Cell, _cells(grid, row))) for row in grid.rows]
    labels = len(_LABELS)
    return Grid(
        headings=tuple(headings),
        alignments=tuple(
            Align.LEFT if place < labels else Align.RIGHT for place in range(len(headings))
        ),
        rows=tuple(rows),
        labels=labels,
    )


def _heading(column: GridColumn, *, several: bool) -> str:
    domain = column.domain or _ALL
    if several:
        return f"{column.measure}, {domain}" if column.domain else column.measure
    return domain if column.domain else column.measure


def _cells(grid: PlaceGrid, row: GridRow) -> list[str]:
    labels = [row.model, row.idf or "", row.penalty or ""]
    if row.missing is not None:
        return [*labels, _MISSING, *[""] * (len(grid.columns) - 1), "", ""]
    numbers = [_UNDEFINED if isnan(one.value) else f"{one.value:.3f}" for one in row.values]
    gap = row.values[0].difference
    if gap is None or isnan(gap.value):
        return [*labels, *numbers, "", ""]
    low, high = gap.ci
    interval = "" if isnan(low) else f"[{low:+.3f}, {high:+.3f}]"
    return [*labels, *numbers, f"{gap.value:+.3f}", interval]


def _caption(grid: ModelGrid) -> list[str]:
    first = grid.grids[0].columns[0]
    told = f"Δ: {first.measure} less that without a penalty, on all segments"
    lines = [f"{told}; the column says what a penalty takes for a name."]
    if grid.resamples:
        samples = counted(grid.resamples, "bootstrap sample")
        lines.append(f"Brackets: 95 % of {samples}, seed {grid.seed}.")
    return lines
