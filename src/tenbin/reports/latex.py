"""Grids as LaTeX tables."""

from tenbin.reports.grid import Align, Cell, Grid, printable

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "≤": r"$\leq$",
    "Δ": r"$\Delta$",
    "–": "--",
    "…": r"\dots{}",
    "∞": r"$\infty$",
} | {mark: f"\\{mark}" for mark in "&%$#_{}"}


def render_latex(grid: Grid, caption: str) -> str:
    """Return the grid as a LaTeX table (booktabs); strong cells are bold.

    Args:
        grid: What to draw.
        caption: LaTeX, not plain text.
    """
    columns = "".join("r" if align is Align.RIGHT else "l" for align in grid.alignments)
    lines = [
        r"\begin{table}",
        r"\centering",
        f"\\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _row([escape_latex(heading) for heading in grid.headings]),
        r"\midrule",
        *(_row([_shown(cell) for cell in row]) for row in grid.rows),
        r"\bottomrule",
        r"\end{tabular}",
        f"\\caption{{{caption}}}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def escape_latex(text: str) -> str:
    r"""Return text that LaTeX prints as it is.

    >>> escape_latex("50 % of a_b")
    '50 \\% of a\\_b'
    """
    # Two hyphens would become a dash; a name keeps its spelling.
    apart = printable(text).replace("--", "-\0-").replace("--", "-\0-")
    return "".join(_LATEX.get(character, character) for character in apart).replace("\0", "{}")


def _shown(cell: Cell) -> str:
    escaped = escape_latex(cell.text)
    return f"\\textbf{{{escaped}}}" if cell.strong else escaped


def _row(cells: list[str]) -> str:
    line = " & ".join(cells)
    # After the end of a row LaTeX takes a bracket or star for an argument.
    guard = "{}" if line.startswith(("[", "*")) else ""
    return f"{guard}{line} \\\\"
