"""Grids as aligned text, fitted to a page: shorter labels, wrapped prose, several parts."""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tenbin.reports.grid import Align, Cell, Grid, display_width, printable, shortened

_GAP = "  "
_LEAST_LABEL = 10
_LEAST_PROSE = 30
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


def fitted(grid: Grid, width: int | None) -> list[Grid]:
    """Return the grid as parts that are no wider than a page, as far as that is possible.

    Labels wider than a third of the page give up their middle. Prose in the last column is wrapped;
    columns of numbers that do not fit move to a further part, which repeats the labels.
    """
    if width is None or _total(grid) <= width:
        return [grid]
    has_prose = grid.alignments[-1] is Align.LEFT and grid.labels < len(grid.headings)
    grid = _with_short_labels(grid, width, has_prose=has_prose)
    if has_prose:
        return [_with_wrapped_prose(grid, width)]
    return _split(grid, width)


def column_widths(grid: Grid) -> list[int]:
    """Return the width of each column, its star included."""
    marks = marked_columns(grid)
    return [
        max(display_width(text) for text in column) + mark
        for column, mark in zip(_columns(grid), marks, strict=True)
    ]


def marked_columns(grid: Grid) -> list[bool]:
    """Return which columns have a strong cell."""
    return [
        any(row[position].strong for row in grid.rows) for position in range(len(grid.headings))
    ]


def _columns(grid: Grid) -> list[list[str]]:
    return [
        [heading, *(row[position].text for row in grid.rows)]
        for position, heading in enumerate(grid.headings)
    ]


def _total(grid: Grid) -> int:
    widths = column_widths(grid)
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _with_short_labels(grid: Grid, width: int, *, has_prose: bool) -> Grid:
    widths = column_widths(grid)
    labels, data = widths[: grid.labels], widths[grid.labels :]
    widest_data = min(max(data), _LEAST_PROSE) if has_prose else max(data)
    place = labels.index(max(labels))
    free = width - widest_data - len(_GAP) * len(labels) - (sum(labels) - labels[place])
    room = max(_LEAST_LABEL, min(free, width // 3))
    if labels[place] <= room:
        return grid
    names = {row[place].text for row in grid.rows}
    if len({shortened(name, room) for name in names}) < len(names):
        return grid  # two systems must not look like one
    rows = tuple(
        (
            *row[:place],
            replace(row[place], text=shortened(row[place].text, room)),
            *row[place + 1 :],
        )
        for row in grid.rows
    )
    headings = (
        *grid.headings[:place],
        shortened(grid.headings[place], room),
        *grid.headings[place + 1 :],
    )
    return replace(grid, rows=rows, headings=headings)


def _with_wrapped_prose(grid: Grid, width: int) -> Grid:
    room = max(
        _LEAST_PROSE, width - sum(column_widths(grid)[:-1]) - len(_GAP) * (len(grid.headings) - 1)
    )
    rows: list[tuple[Cell, ...]] = []
    for row in grid.rows:
        lines = textwrap.wrap(row[-1].text, room, break_on_hyphens=False) or [""]
        rows.append((*row[:-1], replace(row[-1], text=lines[0])))
        rows += [(*[Cell("")] * (len(row) - 1), Cell(line)) for line in lines[1:]]
    return replace(grid, rows=tuple(rows))


def _split(grid: Grid, width: int) -> list[Grid]:
    widths = column_widths(grid)
    fixed = sum(widths[: grid.labels]) + len(_GAP) * (grid.labels - 1)
    groups: list[list[int]] = [[]]
    used = fixed
    for position in range(grid.labels, len(widths)):
        used += len(_GAP) + widths[position]
        if used > width and groups[-1]:
            groups.append([])
            used = fixed + len(_GAP) + widths[position]
        groups[-1].append(position)
    return [_part(grid, group) for group in groups]


def _part(grid: Grid, positions: list[int]) -> Grid:
    chosen = [*range(grid.labels), *positions]
    # A triangle of numbers leaves rows that have nothing to say in a part.
    rows = [row for row in grid.rows if any(row[position].text for position in positions)]
    return Grid(
        headings=tuple(grid.headings[position] for position in chosen),
        alignments=tuple(grid.alignments[position] for position in chosen),
        rows=tuple(tuple(row[position] for position in chosen) for row in rows),
        labels=grid.labels,
    )
