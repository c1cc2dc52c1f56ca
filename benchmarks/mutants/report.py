"""What became of the changes, as text."""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks.mutants.trial import Outcome


@dataclass(frozen=True, slots=True)
class Row:
    """One stored result: where, what became what, what came of it, and which test noticed."""

    path: str
    line: int
    before: str
    after: str
    operator: str
    outcome: Outcome
    by: str
    tests: int


def read_rows(path: Path) -> dict[str, Row]:
    """Return the stored results by key; of several for one change, the last."""
    if not path.is_file():
        return {}
    rows = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            stored = json.loads(line)
        except ValueError:
            continue  # cut off by the end of a run
        mutant = stored["mutant"]
        rows[stored["key"]] = Row(
            mutant["path"],
            mutant["line"],
            mutant["before"],
            mutant["after"],
            mutant["operator"],
            Outcome(stored["outcome"]),
            stored["by"],
            stored["tests"],
        )
    return rows


def render(rows: list[Row], possible: int) -> str:
    """Return the counts of each module and the list of what survived."""
    if not rows:
        return f"no result yet; {possible:,} changes are possible."
    modules: dict[str, Counter[Outcome]] = {}
    for row in sorted(rows, key=lambda row: row.path):
        for name in (row.path.split("/")[2], row.path):
            modules.setdefault(name, Counter())[row.outcome] += 1
    lines = [f"{'tried':>6} {'killed':>7} {'survived':>9} {'untested':>9}"]
    for name in sorted(modules, key=lambda name: ("/" in name, name)):
        counts = modules[name]
        numbers = [counts.total(), *(counts[outcome] for outcome in Outcome)]
        lines.append("{:>6} {:>7} {:>9} {:>9}  ".format(*numbers) + name)
    left = [row for row in rows if row.outcome != Outcome.KILLED]
    for row in sorted(left, key=lambda row: (row.path, row.line)):
        lines.append(f"\n{row.path}:{row.line} {row.outcome} after {row.tests} tests")
        lines.append(f"  {row.operator}: {row.before!r} -> {row.after!r}")
    counts = Counter(row.outcome for row in rows)
    lines.append(
        f"\n{counts[Outcome.KILLED]:,} of {len(rows):,} tried were killed; "
        f"{possible:,} are possible."
    )
    return "\n".join(lines)
