"""How often a damaged translation scores below the good one: python -m benchmarks.robustness."""

import argparse
from pathlib import Path

from benchmarks.report import write_page
from benchmarks.robustness.cases import Case, Damage, all_cases, read_texts
from benchmarks.robustness.shares import Share, share_below

_DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
_MARKER = "<!-- benchmarks: robustness -->"
_PAGE = Path(__file__).resolve().parents[2] / "docs" / "formulas" / "learned.md"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.robustness", description=__doc__)
    parser.add_argument("-m", "--metrics", nargs="+", default=["tenbin-large"], metavar="SPEC")
    parser.add_argument("--data", type=Path, default=_DATA, metavar="DIR")
    parser.add_argument("--cases", type=int, default=500, help="of each kind")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--language", default="en")
    parser.add_argument("--write-docs", action="store_true", help="put the table into the docs")
    options = parser.parse_args()
    made = dict(all_cases(read_texts(options.data), options.cases, options.seed))
    shares = {
        metric: {
            damage: share_below(metric, some, options.language) for damage, some in made.items()
        }
        for metric in options.metrics
    }
    table = render(made, shares)
    print(table)
    if options.write_docs:
        write_page(_PAGE, table, _MARKER)


def render(made: dict[Damage, list[Case]], shares: dict[str, dict[Damage, Share]]) -> str:
    """Return a table with a row for each kind of damage."""
    names = " | ".join(f"`{name}`" for name in shares)
    lines = [f"| damage | cases | {names} |", "|---|---|" + "---|" * len(shares)]
    for damage, some in made.items():
        cells = " | ".join(f"{one[damage].below:.1%}" for one in shares.values())
        lines.append(f"| {damage} | {len(some)} | {cells} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
