"""The counts of all runs so far, in ``results.tsv``; the documentation shows them by group."""

from collections.abc import Iterable
from pathlib import Path

from tests.fuzz.loop import Count

RESULTS = Path(__file__).with_name("results.tsv")
PAGE = Path(__file__).parents[2] / "docs" / "project" / "robustness.md"
_BEGIN, _END = "<!-- counts of make fuzz -->\n", "<!-- end of counts -->"
_HEADER = "group\ttarget\taccepted\trefused\tdefects"
Row = tuple[int, int, int]


def read_results() -> dict[tuple[str, str], Row]:
    """Return accepted, refused and defects of each target."""
    rows = {}
    for line in RESULTS.read_text(encoding="utf-8").splitlines()[1:] if RESULTS.is_file() else ():
        group, name, accepted, refused, defects = line.split("\t")
        rows[group, name] = int(accepted), int(refused), int(defects)
    return rows


def add_results(counts: Iterable[Count]) -> None:
    """Add the counts of a run; use a new seed, else the same inputs count twice."""
    rows = read_results()
    for count in counts:
        before = rows.get((count.group, count.name), (0, 0, 0))
        found = count.accepted, count.refused, len(count.defects)
        rows[count.group, count.name] = tuple(map(sum, zip(before, found, strict=True)))  # type: ignore[assignment]
    lines = ["\t".join((*key, *map(str, rows[key]))) for key in sorted(rows)]
    RESULTS.write_text("\n".join([_HEADER, *lines]) + "\n", encoding="utf-8")


def publish() -> None:
    """Write the sums of each group into the page of the documentation."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(_BEGIN)
    PAGE.write_text(f"{before}{_BEGIN}{rendered()}{_END}{rest.split(_END)[1]}", encoding="utf-8")


def rendered() -> str:
    """Return the sums of each group as a table."""
    lines = ["| group | inputs | accepted | refused | defects |", "|---|---:|---:|---:|---:|"]
    for group, row in totals().items():
        lines.append(f"| {group} | {sum(row):,} | {row[0]:,} | {row[1]:,} | {row[2]:,} |")
    return "\n" + "\n".join(lines) + "\n\n"


def totals() -> dict[str, Row]:
    """Return the sums of each group."""
    found: dict[str, Row] = {}
    for (group, _), row in sorted(read_results().items()):
        before = found.get(group, (0, 0, 0))
        found[group] = tuple(map(sum, zip(before, row, strict=True)))  # type: ignore[assignment]
    return found
