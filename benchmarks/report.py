"""Puts results into the documentation and into a file that later runs can be compared with."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.tables import Row, Section, render_section

MARKER = "<!-- benchmarks -->"
_TITLE = "# Performance\n\n"
_NEXT_HEADING = "\n## "

Results = Mapping[Section, Sequence[Row]]


def render_results(machine: Mapping[str, str], texts: str, results: Results) -> str:
    """Return the whole report as Markdown."""
    facts = {"texts": texts, **machine}
    listed = "\n".join(f"- {name}: {value}" for name, value in facts.items())
    tables = "\n".join(render_section(section, rows) for section, rows in results.items())
    return f"Measured {datetime.now(UTC):%Y-%m-%d}.\n\n{listed}\n\n{tables}"


def write_results(path: Path, machine: Mapping[str, str], texts: str, results: Results) -> None:
    """Store results as JSON."""
    payload = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "texts": texts,
        "machine": dict(machine),
        "tables": {section.title: [dict(row) for row in rows] for section, rows in results.items()},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(payload, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_page(path: Path, report: str, marker: str = MARKER) -> None:
    """Replace what stands in a page between a marker and the next heading of the second level."""
    page = path.read_text(encoding="utf-8") if path.exists() else _TITLE + marker + "\n"
    if marker not in page:
        page = f"{page.rstrip()}\n\n{marker}\n"
    before, after = page.split(marker, 1)
    place = after.find(_NEXT_HEADING)
    rest = "" if place < 0 else after[place:]
    path.write_text(f"{before}{marker}\n\n{report.rstrip()}\n{rest}", encoding="utf-8")
