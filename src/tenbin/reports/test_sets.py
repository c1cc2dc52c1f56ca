"""Renders the test sets of a machine: all of them, or what one has."""

from typing import Any

from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.plain_text import render_text
from tenbin.resources.test_sets import ListedSet, SetListing, SetPair
from tenbin.version import __version__

FORMATS = (Format.TEXT, Format.JSON)
_MOST_NAMED = 8


def payload(result: SetListing | ListedSet) -> dict[str, Any]:
    """Return everything about test sets."""
    if isinstance(result, ListedSet):
        return {"tenbin": __version__, **_set(result)}
    return {
        "tenbin": __version__,
        "places": [
            {"folder": str(one.folder), "layout": str(one.kind), "reason": one.reason}
            for one in result.places
        ],
        "sets": [_set(one) for one in result.sets],
    }


def draw(result: SetListing | ListedSet, _form: Format, _page: Page) -> str:
    """Return a line for each test set, or for each language pair of one."""
    if isinstance(result, ListedSet):
        return f"{result.name}, {result.kind}: {result.folder}\n\n{render_text(_pairs(result))}"
    places = "".join(f"  {one.folder} ({one.reason})\n" for one in result.places)
    searched = f"Searched:\n{places}"
    if not result.sets:
        return f"There are no test sets. 'tenbin sets install' says how to get some.\n\n{searched}"
    return f"{render_text(_sets(result))}\n{searched}"


def _sets(listing: SetListing) -> Grid:
    return Grid(
        headings=("Set", "Layout", "Pairs", "Folder"),
        alignments=(Align.LEFT, Align.LEFT, Align.LEFT, Align.LEFT),
        rows=tuple(
            (
                Cell(one.name),
                Cell(str(one.kind)),
                Cell(_named([pair.pair for pair in one.pairs])),
                Cell(str(one.folder)),
            )
            for one in listing.sets
        ),
    )


def _pairs(listed: ListedSet) -> Grid:
    return Grid(
        headings=("Pair", "References", "Systems", "Human judgments", "Documents"),
        alignments=(Align.LEFT, Align.LEFT, Align.RIGHT, Align.LEFT, Align.LEFT),
        rows=tuple(
            (
                Cell(one.pair),
                Cell(", ".join(one.references)),
                Cell(str(len(one.systems))),
                Cell(", ".join(one.human)),
                Cell("known" if one.documents else ""),
            )
            for one in listed.pairs
        ),
    )


def _named(pairs: list[str]) -> str:
    shown = " ".join(pairs[:_MOST_NAMED])
    more = len(pairs) - _MOST_NAMED
    return f"{shown} and {more} more" if more > 0 else shown


def _set(listed: ListedSet) -> dict[str, Any]:
    return {
        "name": listed.name,
        "layout": str(listed.kind),
        "folder": str(listed.folder),
        "pairs": [_pair(one) for one in listed.pairs],
    }


def _pair(one: SetPair) -> dict[str, Any]:
    return {
        "pair": one.pair,
        "references": list(one.references),
        "systems": list(one.systems),
        "human": list(one.human),
        "documents": one.documents,
    }
