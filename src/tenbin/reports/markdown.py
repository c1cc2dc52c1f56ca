"""Grids as Markdown tables."""

from tenbin.reports.grid import Align, Cell, Grid, printable


def render_markdown(grid: Grid) -> str:
    """Return the grid as a Markdown table; strong cells are bold."""

    def shown(cell: Cell) -> str:
        escaped = escape_markdown(cell.text)
        return f"**{escaped}**" if cell.strong else escaped

    rules = ["---:" if align is Align.RIGHT else ":---" for align in grid.alignments]
    rows = [[escape_markdown(heading) for heading in grid.headings], rules]
    rows += [[shown(cell) for cell in row] for row in grid.rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def escape_markdown(text: str) -> str:
    r"""Return a text that Markdown prints as it is.

    Brackets stay bare unless they would make a link: ``\\[`` opens a formula in some dialects.

    >>> escape_markdown("a_b|c [1, 2]")
    'a\\_b\\|c [1, 2]'
    """
    text = printable(text)
    for mark in "\\`*_<>|~":
        text = text.replace(mark, f"\\{mark}")
    return text.replace("](", "]\\(")
