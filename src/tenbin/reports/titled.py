"""Draws grids with titles above and explanations below; numbers, intervals and labels in them."""

from collections.abc import Sequence
from math import isnan

from tenbin.core.agreement import Interval
from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import Align, Cell, Grid, TitledGrid
from tenbin.reports.html import framed, titled_table
from tenbin.reports.latex import escape_latex, render_latex
from tenbin.reports.markdown import escape_markdown, render_markdown
from tenbin.reports.plain_text import render_paragraph, render_text

_UNDEFINED = "–"
_DIGITS = 3


def draw_titled(
    grids: Sequence[TitledGrid],
    caption: Sequence[str],
    signatures: Sequence[str],
    form: Format,
    page: Page,
) -> str:
    """Return grids under their titles, the lines that explain them, and the signatures."""
    if form is Format.LATEX:
        return "\n".join(_latex(titled, caption, signatures) for titled in grids)
    if form is Format.HTML:
        return framed([titled_table(one) for one in grids], caption, signatures)
    if form is Format.MARKDOWN:
        drawn = "\n".join(
            f"**{escape_markdown(titled.title)}**\n\n{render_markdown(titled.grid)}"
            for titled in grids
        )
        lines = "".join(f"- {escape_markdown(line)}\n" for line in caption)
        return f"{drawn}\n{lines}" + "".join(f"- `{one}`\n" for one in signatures)
    drawn = "\n".join(
        f"{titled.title}\n\n{render_text(titled.grid, page.width)}" for titled in grids
    )
    lines = "".join(f"{render_paragraph(line, page.width)}\n" for line in caption)
    # A signature stays on one line however long it is: it is copied into papers.
    return f"{drawn}\n{lines}" + "".join(f"  {one}\n" for one in signatures)


def labeled_grid(headings: Sequence[str], rows: Sequence[Sequence[str]], *, labels: int) -> Grid:
    """Return a grid whose first columns are labels, and the others numbers."""
    return Grid(
        headings=tuple(headings),
        alignments=tuple(
            Align.LEFT if place < labels else Align.RIGHT for place in range(len(headings))
        ),
        rows=tuple(tuple(Cell(text) for text in row) for row in rows),
        labels=labels,
    )


def number_text(value: float | None, digits: int = _DIGITS) -> str:
    """Return a number; a dash where it is undefined."""
    return _UNDEFINED if value is None or isnan(value) else f"{value:.{digits}f}"


def signed_text(value: float, digits: int = _DIGITS) -> str:
    """Return a difference with its sign; a dash where it is undefined."""
    return _UNDEFINED if isnan(value) else f"{value:+.{digits}f}"


def interval_text(ends: Interval, digits: int = _DIGITS, *, signed: bool = False) -> str:
    """Return an interval in brackets; nothing where it is undefined."""
    if any(isnan(end) for end in ends):
        return ""
    shown = [f"{end:+.{digits}f}" if signed else f"{end:.{digits}f}" for end in ends]
    return f"[{', '.join(shown)}]"


def _latex(titled: TitledGrid, caption: Sequence[str], signatures: Sequence[str]) -> str:
    text = escape_latex(" ".join([f"{titled.title}.", *caption]))
    listed = "; ".join(f"\\texttt{{{escape_latex(one)}}}" for one in signatures)
    return render_latex(titled.grid, f"{text} Signatures: {listed}." if listed else text)
