"""Grids as aligned text."""

import textwrap
from collections.abc import Iterable, Sequence

from tenbin.reports.fitting import column_widths, fitted, marked_columns
from tenbin.reports.grid import Align, Grid, display_width, printable

_GAP = "  "
_WIDEST_PARAGRAPH = 100
_WIDEST_RULE = 60


def render_text(grid: Grid, width: int | None = None) -> str:
    """Return the grid as aligned text; a star marks strong cells.

    Args:
        grid: What to draw.
        width: Columns to fit in, if the reader has a terminal: a grid that is wider is drawn in
            several parts. None draws it as wide as it is.
    """
    return "\n".join(_drawn(part) for part in fitted(_printable(grid), width))


def render_paragraph(text: str, width: int | None = None, indent: str = "") -> str:
    """Return running text in lines of a readable length; long words such as paths stay whole."""
    return textwrap.fill(
        text,
        min(width or _WIDEST_PARAGRAPH, _WIDEST_PARAGRAPH),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _printable(grid: Grid) -> Grid:
    rows = tuple(
        tuple(type(cell)(printable(cell.text), cell.strong) for cell in row) for row in grid.rows
    )
    return Grid(
        headings=tuple(printable(heading) for heading in grid.headings),
        alignments=grid.alignments,
        rows=rows,
        labels=grid.labels,
    )


def _drawn(grid: Grid) -> str:
    widths = column_widths(grid)
    # Where a column has a star, its other cells get a blank, so that digits stand under digits.
    blanks = [" " if marked else "" for marked in marked_columns(grid)]
    lines = [
        _line(_suffixed(grid.headings, blanks), widths, grid.alignments),
        _rules(widths, grid.alignments),
    ]
    for row in grid.rows:
        suffixes = ["*" if cell.strong else b for cell, b in zip(row, blanks, strict=True)]
        cells = _suffixed((cell.text for cell in row), suffixes)
        lines.append(_line(cells, widths, grid.alignments))
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _rules(widths: Sequence[int], alignments: Sequence[Align]) -> str:
    # Prose in the last column has no right edge that a rule could mark.
    last = min(widths[-1], _WIDEST_RULE) if alignments[-1] is Align.LEFT else widths[-1]
    return _GAP.join("─" * width for width in (*widths[:-1], last))


def _suffixed(texts: Iterable[str], suffixes: Sequence[str]) -> list[str]:
    return [text + suffix for text, suffix in zip(texts, suffixes, strict=True)]


def _line(cells: Sequence[str], widths: Sequence[int], alignments: Sequence[Align]) -> str:
    padded = []
    for text, width, align in zip(cells, widths, alignments, strict=True):
        blanks = " " * (width - display_width(text))
        padded.append(blanks + text if align is Align.RIGHT else text + blanks)
    return _GAP.join(padded)
