"""Renders resources: which there are and where, and whether they are as they were."""

from dataclasses import asdict
from typing import Any

from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.plain_text import render_text
from tenbin.resources.store.listing import ListedResource, ResourceListing, Verification
from tenbin.resources.store.manifest import Provider
from tenbin.version import __version__

FORMATS = (Format.TEXT, Format.JSON)
_UNITS = ("B", "kB", "MB", "GB")
_STEP = 1000


def payload(result: ResourceListing | Verification) -> dict[str, Any]:
    """Return everything about the resources."""
    if isinstance(result, Verification):
        return {"tenbin": __version__, "resources": dict(result.states)}
    return {
        "tenbin": __version__,
        "cache": str(result.cache),
        "resources": [_listed(one) for one in result.resources],
    }


def draw(result: ResourceListing | Verification, _form: Format, _page: Page) -> str:
    """Return one line per resource, as wide as it is."""
    if isinstance(result, Verification):
        return render_text(_states(result))
    return (
        render_text(_resources(result))
        + f"\nInstalled into {result.cache}\n"
        + "'tenbin resources install NAME' obtains one.\n"
    )


def _resources(listing: ResourceListing) -> Grid:
    return Grid(
        headings=("Resource", "Kind", "Language", "Size", "State", "Licence", "What it is"),
        alignments=(Align.LEFT,) * 3 + (Align.RIGHT,) + (Align.LEFT,) * 3,
        rows=tuple(
            (
                Cell(one.entry.name),
                Cell(str(one.entry.kind)),
                Cell(one.entry.language),
                Cell(format_size(one.entry.size) if one.entry.size else ""),
                Cell(str(one.state)),
                Cell(one.entry.licence),
                Cell(one.entry.description),
            )
            for one in listing.resources
        ),
    )


def _states(verification: Verification) -> Grid:
    return Grid(
        headings=("Resource", "State"),
        alignments=(Align.LEFT,) * 2,
        rows=tuple((Cell(name), Cell(state)) for name, state in verification.states),
    )


def format_size(count: int) -> str:
    """Return a number of bytes with three digits.

    >>> format_size(61813011), format_size(999), format_size(2_876_858)
    ('61.8 MB', '999 B', '2.88 MB')
    """
    value, unit = float(count), 0
    while value >= _STEP and unit < len(_UNITS) - 1:
        value, unit = value / _STEP, unit + 1
    return f"{value:.3g} {_UNITS[unit]}"


def _listed(one: ListedResource) -> dict[str, Any]:
    entry = one.entry
    return {
        **{key: value for key, value in asdict(entry).items() if key != "providers"},
        "sha256": entry.sha256 or None,
        "size": entry.size or None,
        "prepare": entry.prepare or None,
        "state": str(one.state),
        "path": None if one.path is None else str(one.path),
        "providers": [_provider(provider) for provider in entry.providers],
    }


def _provider(provider: Provider) -> dict[str, Any]:
    return {key: value for key, value in asdict(provider).items() if value}
