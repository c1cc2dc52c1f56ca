"""What ``tenbin doctor`` found, as text or JSON."""

from collections.abc import Mapping, Sequence

from tenbin.evaluation.inspection import Finding, Level
from tenbin.reports.data import json_text
from tenbin.reports.formats import Format
from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.plain_text import render_text
from tenbin.version import __version__


def render_findings(
    sections: Mapping[str, Sequence[Finding]], form: Format, width: int | None = None
) -> str:
    """Return findings by section, each with a line that sums it up."""
    if form is Format.JSON:
        listed = [
            {"level": str(one.level), "where": one.where, "message": one.message}
            for findings in sections.values()
            for one in findings
        ]
        return json_text({"tenbin": __version__, "findings": listed})
    return "\n".join(
        f"{render_text(_grid(title, findings), width)}{_summary(findings)}\n"
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
    for level in (Level.ERROR, Level.NOTE):
        count = sum(one.level is level for one in findings)
        if count:
            counted.append(f"{count} {level}{'s' if count > 1 else ''}")
    return f"{', '.join(counted)}." if counted else "Nothing amiss."
