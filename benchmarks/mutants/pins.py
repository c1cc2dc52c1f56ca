"""Changes the default of each parameter of a metric and runs the one test that is to hold it.

python -m benchmarks.mutants.pins               every line of the table
python -m benchmarks.mutants.pins ribes has.oov those of some metrics, or of one parameter

The table is tests/oracles/data/defaults/pins.tsv. Defaults that the language, the machine or the
user settles have no other value to try.
"""

import importlib
import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.mutants.children import be_considerate, preload, run_child, run_pytest

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "tests" / "oracles" / "data" / "defaults" / "pins.tsv"
LOG = ROOT / ".mutants" / "pin.log"
_SETTLED_ELSEWHERE = {"language", "machine", "user"}
_CHOICES = "::test_the_choice_of_the_source"
_LONGEST_S = 300
_NOTHING_TO_CHANGE = 64
_ALL_SKIPPED = 65


class Pinned(NamedTuple):
    """One line of the table, for one metric."""

    metric: str
    parameter: str
    test: str


def pinned(metrics: Sequence[str] = ()) -> Iterator[Pinned]:
    """Yield what is to be tried: each line of the table, for each of its metrics."""
    for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]:
        where, parameter, _, kind, _, test = line.split("\t")
        if parameter.startswith("--") or kind in _SETTLED_ELSEWHERE:
            continue
        for name in where.split():
            # One of many parameters of the test of choices is the one of this metric.
            one = f"[{name}-{parameter}]" if test.endswith(_CHOICES) else ""
            if not metrics or {name, f"{name}.{parameter}"} & set(metrics):
                yield Pinned(name, parameter, test + one)


def changed(value: object) -> object:
    """Return another value of the same kind; None where there is none to try.

    Examples:
        >>> changed(True), changed(3), changed(0.5), changed("auto")
        (False, 4, 0.55, None)
    """
    if isinstance(value, StrEnum):
        members = list(type(value))
        return members[(members.index(value) + 1) % len(members)]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return round(value * 1.1 or 0.1, 6)
    return None


def change_default(metric: str, parameter: str) -> bool:
    """Change a default in this process; False where there is no other value to try."""
    registry: Any = importlib.import_module("tenbin.metrics.registry")
    if metric in registry.ALIASES:
        return False
    chosen = registry.metric_class(metric)
    told = chosen.__init__.__kwdefaults__
    other = changed(told[parameter])
    if other is None:
        return False
    told[parameter] = other
    setattr(chosen, parameter, other)
    return True


class _Skips:
    def __init__(self) -> None:
        self.ran = 0

    def pytest_runtest_logreport(self, report: Any) -> None:  # noqa: ANN401
        self.ran += report.when == "call" and not report.skipped


def holds(pin: Pinned) -> str:
    """Return what the test of a pin says to another default: ``held`` if it fails."""

    def work() -> int:
        if not change_default(pin.metric, pin.parameter):
            return _NOTHING_TO_CHANGE
        skips = _Skips()
        code = run_pytest(["-x", pin.test], skips)
        return _ALL_SKIPPED if code == 0 and not skips.ran else code

    code = run_child(work, cpu_seconds=_LONGEST_S, log=LOG).code
    words = {
        0: "NOT HELD",
        1: "held",
        _NOTHING_TO_CHANGE: "no other value",
        _ALL_SKIPPED: "skipped",
    }
    return words.get(code, f"ended with {code}")


def main(arguments: Sequence[str]) -> int:
    """Try every pin; 1 if one does not hold."""
    be_considerate()
    preload()
    LOG.parent.mkdir(exist_ok=True)
    loose = 0
    for pin in pinned(arguments):
        result = holds(pin)
        loose += result == "NOT HELD"
        print(f"{result}: {pin.metric}({pin.parameter}) by {pin.test}", flush=True)
    return int(loose > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
