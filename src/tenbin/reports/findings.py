"""Renders what an inspection found."""

from collections.abc import Sequence
from typing import Any

from tenbin.evaluation.inspection import Finding, Inspection, Severity
from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.plain_text import render_text
from tenbin.version import __version__

FORMATS = (Format.TEXT, Format.JSON)


def payload(inspection: Inspection) -> dict[str, Any]:
    """Return all findings."""
    findings = (*inspection.installation, *(inspection.texts or ()))
    listed = [
        {"level": str(one.level), "where": one.where, "message": one.message} for one in findings
    ]
    return {"tenbin": __version__, "findings": listed}


def draw(inspection: Inspection, _form: Format, page: Page) -> str:
    """Return findings by section, each with a line that sums it up."""
    sections = {"Installation": inspection.installation}
    if inspection.texts is not None:
        sections["Texts"] = inspection.texts
    return "\n".join(
        f"{render_text(_grid(title, findings), page.width)}{_summary(findings)}\n"
        for title, findings in sections.items()
    )


def _grid(title: str, findings: Sequence[Finding]) -> Grid:
    return Grid(
        headings=("", title, ""),
        alignments=(Align.LEFT,) * 3,
        rows=tuple((Cell(one.level), Cell(one.where), Cell(one.message)) for one in findings),
        labels=2,
    )


def _summary(findings: Sequence[Finding]) -> str:
    counted = []
    for level in (Severity.ERROR, Severity.NOTE):
        count = sum(one.level is level for one in findings)
        if count:
            counted.append(f"{count} {level}{'s' if count > 1 else ''}")
    return f"{', '.join(counted)}." if counted else "Nothing amiss."
