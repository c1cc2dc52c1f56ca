"""Renders descriptions of metrics: a listing of all, or a page on one."""

import re
from dataclasses import asdict
from math import isinf
from typing import Any

from tenbin.metrics.catalogue import MetricCatalog, MetricDescription
from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.plain_text import render_paragraph, render_text

FORMATS = (Format.TEXT, Format.JSON)
_CODE = re.compile("``?([^`]+)``?")


def payload(result: MetricCatalog | MetricDescription) -> dict[str, Any]:
    """Return everything about one metric, or about all."""
    if isinstance(result, MetricCatalog):
        return {
            "metrics": [_described(one) for one in result.metrics],
            "by_language": {code: list(names) for code, names in result.by_language.items()},
        }
    return _described(result)


def draw(result: MetricCatalog | MetricDescription, _form: Format, page: Page) -> str:
    """Return a line per metric, or a page on one."""
    if isinstance(result, MetricCatalog):
        return _listing(result, page.width)
    return _page(result, page.width)


def _listing(catalog: MetricCatalog, width: int | None) -> str:
    rows = [
        (
            Cell(one.name),
            Cell("↑" if one.info.higher_is_better else "↓"),
            Cell(range_text(one)),
            Cell(one.info.summary),
        )
        for one in catalog.metrics
    ]
    grid = Grid(
        headings=("Metric", "Better", "Range", "What it measures"),
        alignments=(Align.LEFT,) * 4,
        rows=tuple(rows),
        labels=3,
    )
    aliases = sorted(alias.partition(" = ")[0] for one in catalog.metrics for alias in one.aliases)
    free = ", ".join(one.name for one in catalog.metrics if not one.needs.references)
    without = f"Metrics that need no reference: {free}. " if free else ""
    closing = (
        f"{without}Short names: {', '.join(aliases)}. 'tenbin metrics NAME' describes one with its "
        "parameters and citation, and says what a short name stands for."
    )
    known = catalog.by_language.items()
    listed = "; ".join(f"{code}: {', '.join(names)}" for code, names in known)
    languages = (
        "What to take for a target language: chrf++ (chrf where no spaces separate words), "
        f"and a metric of meaning, best first: {listed}. 'tenbin metrics -l LANG' says which of "
        "them are installed."
    )
    texts = [languages, closing] if listed else [closing]
    paragraphs = "\n".join(f"{render_paragraph(text, width)}\n" for text in texts)
    return f"{render_text(grid, width)}\n{paragraphs}"


def _page(one: MetricDescription, width: int | None) -> str:
    parts = [f"{one.info.title} ({one.name})", "", unmarked(one.definition), ""]
    if one.parameters:
        grid = Grid(
            headings=("Parameter", "Default", "Value", "Meaning"),
            alignments=(Align.LEFT,) * 4,
            rows=tuple(
                (Cell(p.name), Cell(p.default), Cell(p.kind), Cell(unmarked(p.help)))
                for p in one.parameters
            ),
            labels=3,
        )
        parts += [render_text(grid, width)]
    direction = "higher is better" if one.info.higher_is_better else "lower is better"
    facts = {
        "Range": f"{range_text(one)}, {direction}",
        "Needs": needs_text(one),
        "Longest segment": longest_text(one),
        "Declared": "; ".join(sorted(one.info.properties)) or "nothing",
        "Weak points": one.info.weaknesses,
        "Checked against": one.info.oracle,
        "Cite": one.info.citation,
    }
    if one.aliases:
        facts["Short names"] = "; ".join(one.aliases)
    if one.package != "tenbin":
        facts["From package"] = one.package
    for label, text in facts.items():
        parts += [label, render_paragraph(text, width, indent="  ")]
    # On one line, as a signature is copied.
    parts += ["Signature (target language en)", f"  {one.signature}"]
    return "\n".join(parts) + "\n"


def range_text(one: MetricDescription) -> str:
    """Return the range of scores, the same words wherever it stands."""
    low, high = one.bounds
    if isinf(low):
        return f"up to {high:g}"
    return f"{low:g} and up" if isinf(high) else f"{low:g} to {high:g}"


def unmarked(text: str) -> str:
    """Return a docstring as plain text: without the marks of code.

    >>> unmarked("With ``ngram=2`` pairs are moved, as in `tenbin.score`.")
    'With ngram=2 pairs are moved, as in tenbin.score.'
    """
    return _CODE.sub(r"\1", text)


def longest_text(one: MetricDescription) -> str:
    """Return the longest segment that a metric takes."""
    return "any length" if one.info.longest is None else str(one.info.longest)


def needs_text(one: MetricDescription) -> str:
    """Return what a metric reads, in words."""
    parts = ["references"] if one.needs.references else []
    parts += ["source"] if one.needs.source else []
    parts += sorted({str(annotation.kind) for annotation in one.needs.annotations})
    parts += sorted(str(kind) for kind in one.needs.resources)
    if one.needs.collection:
        parts.append("the whole test set at once")
    return ", ".join(parts)


def _described(one: MetricDescription) -> dict[str, Any]:
    info = asdict(one.info)
    info["properties"] = sorted(info["properties"])
    info["longest"] = None if one.info.longest is None else str(one.info.longest)
    for name, bound in one.bounds._asdict().items():
        info[name] = None if isinf(bound) else bound
    return {
        "name": one.name,
        "aliases": list(one.aliases),
        **info,
        "definition": unmarked(one.definition),
        "parameters": [
            asdict(parameter) | {"help": unmarked(parameter.help)} for parameter in one.parameters
        ],
        "needs": needs_text(one),
        "signature": one.signature,
        "package": one.package,
    }
