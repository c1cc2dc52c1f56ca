"""A grid of cells, the common form from which text, Markdown and LaTeX tables are drawn."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Align(StrEnum):
    """How a column is set."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Cell:
    """A text, and whether it deserves to stand out (the best score of its column)."""

    text: str
    strong: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table: one heading and one alignment per column, rows of cells."""

    headings: tuple[str, ...]
    alignments: tuple[Align, ...]
    rows: tuple[tuple[Cell, ...], ...]


def render_text(grid: Grid) -> str:
    """Return the grid as aligned text; a star marks strong cells if any row has one."""
    starred = any(cell.strong for row in grid.rows for cell in row)

    def shown(cell: Cell, align: Align) -> str:
        if not starred or align is Align.LEFT:
            return cell.text
        return cell.text + ("*" if cell.strong else " ")

    body = [
        [shown(cell, align) for cell, align in zip(row, grid.alignments, strict=True)]
        for row in grid.rows
    ]
    blank = " " if starred else ""
    headings = [
        heading + (blank if align is Align.RIGHT else "")
        for heading, align in zip(grid.headings, grid.alignments, strict=True)
    ]
    widths = [max(display_width(text) for text in column) for column in zip(headings, *body)]  # noqa: B905
    lines = [_line(headings, widths, grid.alignments), "  ".join("─" * width for width in widths)]
    lines += [_line(row, widths, grid.alignments) for row in body]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def render_markdown(grid: Grid) -> str:
    """Return the grid as a Markdown table; strong cells are bold."""

    def shown(cell: Cell) -> str:
        escaped = escape_markdown(cell.text)
        return f"**{escaped}**" if cell.strong else escaped

    rules = ["---:" if align is Align.RIGHT else ":---" for align in grid.alignments]
    rows = [[escape_markdown(heading) for heading in grid.headings], rules]
    rows += [[shown(cell) for cell in row] for row in grid.rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def render_latex(grid: Grid, caption: str) -> str:
    """Return the grid as a LaTeX table (booktabs); strong cells are bold."""

    def shown(cell: Cell) -> str:
        escaped = escape_latex(cell.text)
        return f"\\textbf{{{escaped}}}" if cell.strong else escaped

    columns = "".join("r" if align is Align.RIGHT else "l" for align in grid.alignments)
    lines = [
        r"\begin{table}",
        r"\centering",
        f"\\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        " & ".join(escape_latex(heading) for heading in grid.headings) + r" \\",
        r"\midrule",
        *(" & ".join(shown(cell) for cell in row) + r" \\" for row in grid.rows),
        r"\bottomrule",
        r"\end{tabular}",
        f"\\caption{{{caption}}}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def escape_markdown(text: str) -> str:
    """Return a text that Markdown prints as it is."""
    for mark in "\\`*_[]<>|#":
        text = text.replace(mark, f"\\{mark}")
    return text


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "Δ": r"$\Delta$",
    "–": "--",
} | {mark: f"\\{mark}" for mark in "&%$#_{}"}


def escape_latex(text: str) -> str:
    """Return a text that LaTeX prints as it is."""
    return "".join(_LATEX.get(character, character) for character in text)


def display_width(text: str) -> int:
    """Return the columns a text takes on a terminal; Chinese and Japanese take two a character."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _line(cells: Sequence[str], widths: Sequence[int], alignments: Sequence[Align]) -> str:
    padded = []
    for text, width, align in zip(cells, widths, alignments, strict=True):
        blanks = " " * (width - display_width(text))
        padded.append(blanks + text if align is Align.RIGHT else text + blanks)
    return "  ".join(padded)
