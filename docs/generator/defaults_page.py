"""The page on defaults, generated from the table that the tests check."""

from pathlib import Path

_NOTICE = "<!-- Written by docs/generate.py; edit tests/oracles/data/defaults/pins.tsv. -->\n"
_OPENING = """\
Every default of every metric, preset and command that can change a number, where its value comes
from, and the test that fails if the value, or what it does, changes. Stored outputs do not count as
a source: whoever refreshes them accepts whatever the program says.

| kind | meaning |
|---|---|
| paper | published, or worked out in the specification of the metric |
| program | the default of the original, or of a program in wide use |
| measured | nobody gives it: the test or page that is named says why |
| choice | ours, with a decision record or a reason |
| neutral | changes nothing |
| language, machine, user | settled by the target language, the machine or the user |

`python -m benchmarks.mutants.pins` changes each default of a metric in turn and runs the test that
is named.
"""


def defaults_page(table: Path) -> str:
    """Return the page of all defaults."""
    lines = table.read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    metrics = [row for row in rows if not row[1].startswith("--")]
    options = [row for row in rows if row[1].startswith("--")]
    parts = [
        f"# Where defaults come from\n\n{_NOTICE}\n{_OPENING}",
        f"## Metrics and presets\n\n{_table(metrics, 'metrics')}",
        f"## Commands\n\n{_table(options, 'commands')}",
    ]
    return "\n".join(parts)


def _table(rows: list[list[str]], what: str) -> str:
    lines = [
        f"| parameter | default | {what} | kind | source | test |",
        "|---|---|---|---|---|---|",
    ]
    for where, parameter, default, kind, source, test in rows:
        places = [where] if where.startswith("build ") else where.split(" ")
        named = ", ".join(f"`{place.replace('study-', 'study ')}`" for place in places)
        file, _, function = test.partition("::")
        shown = f"`{Path(file).name}` {function.removeprefix('test_').replace('_', ' ')}"
        value = f"`{default}`" if default else "nothing"
        lines.append(f"| `{parameter}` | {value} | {named} | {kind} | {source} | {shown} |")
    return "\n".join(lines) + "\n"
