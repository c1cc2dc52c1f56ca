"""Resources and where they are, as a table or as data."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.payload import render_json
from tenbin.reports.plain_text import render_text
from tenbin.resources.store.lookup import State
from tenbin.resources.store.manifest import Entry, Provider
from tenbin.version import __version__

Row = tuple[Entry, State, Path | None]

_UNITS = ("B", "kB", "MB", "GB")
_STEP = 1000


def render_resources(rows: list[Row], cache: Path) -> str:
    """Return one line per resource, and what to do next."""
    grid = Grid(
        headings=("Resource", "Kind", "Language", "Size", "State", "Licence", "What it is"),
        alignments=(Align.LEFT,) * 3 + (Align.RIGHT,) + (Align.LEFT,) * 3,
        rows=tuple(
            (
                Cell(entry.name),
                Cell(str(entry.kind)),
                Cell(entry.language),
                Cell(format_size(entry.size) if entry.size else ""),
                Cell(str(state)),
                Cell(entry.licence),
                Cell(entry.description),
            )
            for entry, state, _ in rows
        ),
    )
    return (
        render_text(grid)
        + f"\nInstalled into {cache}\n"
        + "'tenbin resources install NAME' obtains one.\n"
    )


def render_resources_json(rows: list[Row], cache: Path) -> str:
    """Return everything about the resources."""
    listed = [
        {
            **{key: value for key, value in asdict(entry).items() if key != "providers"},
            "sha256": entry.sha256 or None,
            "size": entry.size or None,
            "prepare": entry.prepare or None,
            "state": str(state),
            "path": None if path is None else str(path),
            "providers": [_provider(one) for one in entry.providers],
        }
        for entry, state, path in rows
    ]
    return render_json({"tenbin": __version__, "cache": str(cache), "resources": listed})


def render_states(rows: list[tuple[str, str]]) -> str:
    """Return one line per resource with what was found out about it."""
    grid = Grid(
        headings=("Resource", "State"),
        alignments=(Align.LEFT,) * 2,
        rows=tuple((Cell(name), Cell(state)) for name, state in rows),
    )
    return render_text(grid)


def format_size(count: int) -> str:
    """Return a number of bytes with three digits.

    >>> format_size(61813011), format_size(999), format_size(2_876_858)
    ('61.8 MB', '999 B', '2.88 MB')
    """
    value, unit = float(count), 0
    while value >= _STEP and unit < len(_UNITS) - 1:
        value, unit = value / _STEP, unit + 1
    return f"{value:.3g} {_UNITS[unit]}"


def _provider(provider: Provider) -> dict[str, Any]:
    return {key: value for key, value in asdict(provider).items() if value}
