"""Tries one change: do the tests that run its line notice it?"""

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from benchmarks.mutants.children import (
    RAISED,
    Ending,
    compile_kernels_anew,
    import_changed,
    interpret_kernels,
    is_compiled,
    run_child,
    run_pytest,
)
from benchmarks.mutants.line_map import LineMap
from benchmarks.mutants.operators import Mutant

# Tests of one change, in seconds that they took unchanged; the fastest are run first.
_BUDGET_S = 30.0
# Processor time that a change may take: a change that never ends is noticed by that.
_SLOWER = 2.0
_START_S = 12.0
_COMPILING_S = 90.0
_UNKNOWN_S = 5.0


class Outcome(StrEnum):
    """What became of a change."""

    KILLED = "killed"
    SURVIVED = "survived"
    UNTESTED = "untested"


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of one change.

    Attributes:
        mutant: The change.
        outcome: What became of it.
        by: The test that failed first, or how the process ended.
        tests: How many tests were at hand.
        seconds: Processor time.
    """

    mutant: Mutant
    outcome: Outcome
    by: str
    tests: int
    seconds: float


class _FirstFailure:
    """Writes down the test that failed first."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def pytest_runtest_logreport(self, report: Any) -> None:  # noqa: ANN401
        if report.failed and not self.path.is_file():
            self.path.write_text(report.nodeid, encoding="utf-8")

    def pytest_collectreport(self, report: Any) -> None:  # noqa: ANN401
        if report.failed and not self.path.is_file():
            self.path.write_text(f"import of {report.nodeid}", encoding="utf-8")


def tried(mutant: Mutant, root: Path, table: LineMap, folder: Path) -> Trial:
    """Run the tests of a change in a process of its own.

    A change of a compiled kernel that survives interpreted is tried compiled, too: some tests do
    not run interpreted.
    """
    result = _tried(mutant, root, table, folder, interpreted=True)
    if result.outcome is Outcome.KILLED or not is_compiled(mutant.path):
        return result
    return _tried(mutant, root, table, folder, interpreted=False)


def _tried(mutant: Mutant, root: Path, table: LineMap, folder: Path, *, interpreted: bool) -> Trial:
    tests = _affordable(table, mutant, interpreted=interpreted)
    if not tests:
        return Trial(mutant, Outcome.UNTESTED, "", 0, 0.0)
    kept = (f"{name}-{os.getpid()}" for name in ("failure", "log", "tests"))
    failure, log, names = (folder / name for name in kept)
    failure.unlink(missing_ok=True)
    names.write_text("\n".join(tests), encoding="utf-8")
    compiled = is_compiled(mutant.path)

    def work() -> int:
        path = root / mutant.path
        if compiled:
            (interpret_kernels if interpreted else compile_kernels_anew)()
        import_changed(path, mutant.applied(path.read_text(encoding="utf-8")))
        return run_pytest(["-x", f"@{names}"], _FirstFailure(failure))

    expected = sum(table.seconds.get(test, _UNKNOWN_S) for test in tests)
    limit = _SLOWER * expected + (_START_S if interpreted else _COMPILING_S)
    ending = run_child(work, cpu_seconds=limit, log=log)
    if ending.code == 0:
        return Trial(mutant, Outcome.SURVIVED, "", len(tests), ending.seconds)
    by = _ending_in_words(ending, failure, log)
    # Other endings of pytest are about the tests, not about the change.
    killed = failure.is_file() or ending.code < 0 or ending.code == RAISED
    outcome = Outcome.KILLED if killed else Outcome.UNTESTED
    return Trial(mutant, outcome, by, len(tests), ending.seconds)


def _ending_in_words(ending: Ending, failure: Path, log: Path) -> str:
    if ending.out_of_time:
        return "out of time"
    if failure.is_file():
        return failure.read_text(encoding="utf-8")
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return f"ended with {ending.code}: {lines[-1] if lines else ''}"


def _affordable(table: LineMap, mutant: Mutant, *, interpreted: bool) -> list[str]:
    tests: list[str] = []
    spent = 0.0
    path, line, at_import = mutant.path, mutant.line, mutant.at_import
    if not interpreted:
        # What runs the plain twin runs the compiled one; its lines are others.
        path, line, at_import = path.replace("/compiled/", "/"), 0, True
    for test in table.tests(path, line, at_import=at_import):
        spent += table.seconds.get(test, 0.0)
        if tests and spent > _BUDGET_S:
            break
        tests.append(test)
    return tests
