"""Results as rows of named cells, and as a Markdown table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Cell = str | float | None
Row = Mapping[str, Cell]

_SHORT = 10
_LONG = 100


@dataclass(frozen=True, slots=True)
class Section:
    """One table of the report.

    Attributes:
        title: Its heading.
        caption: How its numbers were taken.
        cached: What had been made before the clock ran, on disk or in memory; "nothing" is an
            answer, no answer is not.
    """

    title: str
    caption: str
    cached: str


def render_section(section: Section, rows: Sequence[Row]) -> str:
    """Return heading, caption, what was cached, and the table."""
    about = f"{section.caption}\n\nCached: {section.cached}."
    return f"### {section.title}\n\n{about}\n\n{_table(rows)}\n"


def _table(rows: Sequence[Row]) -> str:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lines = [columns, *([_text(row.get(name)) for name in columns] for row in rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(columns))]
    right = [all(isinstance(row.get(name), int | float | None) for row in rows) for name in columns]
    rule = [
        "-" * (width - 1) + ":" if end else "-" * width
        for width, end in zip(widths, right, strict=True)
    ]
    padded = [
        [
            cell.rjust(width) if end else cell.ljust(width)
            for cell, width, end in zip(line, widths, right, strict=True)
        ]
        for line in lines
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in (padded[0], rule, *padded[1:]))


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int) or cell >= _LONG or cell == 0:
        return f"{cell:,.0f}"
    if cell >= _SHORT:
        return f"{cell:.1f}"
    return f"{cell:.2f}" if cell >= 1 else f"{cell:.2g}"
