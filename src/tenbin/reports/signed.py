"""Draws grids that carry signatures: the grids, then a caption, then what the numbers mean."""

from collections.abc import Sequence
from dataclasses import dataclass

from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import Grid
from tenbin.reports.html import framed, grid_table
from tenbin.reports.latex import escape_latex, render_latex
from tenbin.reports.markdown import render_markdown
from tenbin.reports.plain_text import render_paragraph, render_text

# How a strong cell looks, as the beginning of a sentence.
STRONG = dict.fromkeys(Format, "Bold") | {Format.TEXT: "A star"}


@dataclass(frozen=True, slots=True)
class SignedGrid:
    """A grid and the signatures of the scores in it."""

    grid: Grid
    signatures: tuple[str, ...]

    @property
    def has_strong_cells(self) -> bool:
        """Whether a cell stands out."""
        return any(cell.strong for row in self.grid.rows for cell in row)


def draw_signed(grids: Sequence[SignedGrid], caption: str, form: Format, page: Page) -> str:
    """Return grids with a caption and their signatures, as plain text, Markdown or LaTeX."""
    if form is Format.LATEX:
        return "\n".join(_latex_table(one, caption) for one in grids)
    signatures = dict.fromkeys(signature for one in grids for signature in one.signatures)
    if form is Format.HTML:
        return framed([grid_table(one.grid) for one in grids], [caption], signatures)
    if form is Format.MARKDOWN:
        drawn = "\n".join(render_markdown(one.grid) for one in grids)
        return f"{drawn}\n{caption}\n\n" + "".join(f"- `{one}`\n" for one in signatures)
    drawn = "\n".join(render_text(one.grid, page.width) for one in grids)
    # A signature stays on one line however long it is: it is copied into papers.
    listed = "".join(f"  {one}\n" for one in signatures)
    return f"{drawn}\n{render_paragraph(caption, page.width)}\n{listed}"


def _latex_table(one: SignedGrid, caption: str) -> str:
    listed = "; ".join(f"\\texttt{{{escape_latex(signature)}}}" for signature in one.signatures)
    plural = "s" if len(one.signatures) > 1 else ""
    return render_latex(one.grid, f"{escape_latex(caption)} Signature{plural}: {listed}.")
