"""The listing of measures."""

from collections.abc import Sequence

from tenbin.reports.data import json_text, tsv_text
from tenbin.reports.formats import Format
from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.latex import render_latex
from tenbin.reports.markdown import render_markdown
from tenbin.reports.plain_text import render_text


def render_measures(
    measures: Sequence[tuple[str, str]], form: Format, width: int | None = None
) -> str:
    """Return the name of each measure with one line on it."""
    if form is Format.JSON:
        return json_text({"measures": [{"name": n, "summary": s} for n, s in measures]})
    if form is Format.TSV:
        return tsv_text(("name", "summary"), measures)
    grid = Grid(
        headings=("Measure", "What it is"),
        alignments=(Align.LEFT, Align.LEFT),
        rows=tuple((Cell(name), Cell(summary)) for name, summary in measures),
    )
    if form is Format.MARKDOWN:
        return render_markdown(grid)
    if form is Format.LATEX:
        return render_latex(grid, "Measures of agreement between metrics and people.")
    return render_text(grid, width)
