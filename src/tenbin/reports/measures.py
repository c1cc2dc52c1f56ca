"""Renders the list of measures of agreement."""

from collections.abc import Iterable, Sequence
from typing import Any

from tenbin.core.agreement import MeasureList
from tenbin.reports.data import Row
from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.html import grid_table
from tenbin.reports.latex import render_latex
from tenbin.reports.markdown import render_markdown
from tenbin.reports.plain_text import render_text


def payload(result: MeasureList) -> dict[str, Any]:
    """Return the name of each measure with one line on it."""
    return {"measures": [{"name": one.name, "summary": one.summary} for one in result.measures]}


def tidy(result: MeasureList) -> tuple[Sequence[str], Iterable[Row]]:
    """Return a row for each measure."""
    return ("name", "summary"), ((one.name, one.summary) for one in result.measures)


def draw(result: MeasureList, form: Format, page: Page) -> str:
    """Return one line for each measure."""
    grid = Grid(
        headings=("Measure", "What it is"),
        alignments=(Align.LEFT, Align.LEFT),
        rows=tuple((Cell(one.name), Cell(one.summary)) for one in result.measures),
    )
    if form is Format.HTML:
        return grid_table(grid)
    if form is Format.MARKDOWN:
        return render_markdown(grid)
    if form is Format.LATEX:
        return render_latex(grid, "Measures of agreement between metrics and human judgment.")
    return render_text(grid, page.width)
