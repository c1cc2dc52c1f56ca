"""Which tests run which lines: a table made once, one child per test file."""

import ast
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.mutants.children import interpret_kernels, is_compiled, run_child, run_pytest

ROOMS = ("kernels", "metrics", "stats", "meta")
# Not `exact` and `golden`: they hold what the program said, and so follow a wrong default.
TEST_FOLDERS = (
    "tests/unit/kernels",
    "tests/unit/stats",
    "tests/unit/meta",
    "tests/unit/metrics",
    "tests/unit/evaluation",
    "tests/unit/tuning",
    "tests/contracts",
    "tests/properties",
    "tests/oracles",
)
# Of one test function, this many sets of parameters are stored for a line.
_SAME_FUNCTION = 3
_LONGEST_FILE_S = 900
_PINS = "tests/oracles/data/defaults/pins.tsv"


@dataclass
class LineMap:
    """The tests that run each line.

    Attributes:
        lines: File, line, and the tests that ran it.
        seconds: How long each test took.
        declared: File, and the tests that hold the defaults of the metrics that it declares.
    """

    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    declared: dict[str, list[str]] = field(default_factory=dict)

    def tests(self, path: str, line: int, *, at_import: bool) -> list[str]:
        """Return the tests of a line, fastest first.

        A line that runs at import belongs to no test: all tests of its file are returned.
        """
        table = self.lines.get(path, {})
        if at_import or line not in table:
            found = {test for tests in table.values() for test in tests}
            found.update(self.declared.get(path, []))
        else:
            found = set(table[line])
        if not is_compiled(path):
            # All parameters of a test function; kept were those that are surely run interpreted.
            functions = {test.partition("[")[0] for test in found}
            found |= {test for test in self.seconds if test.partition("[")[0] in functions}
        return sorted(found, key=lambda test: (self.seconds.get(test, 0.0), test))


def source_files(root: Path, only: str = "") -> list[Path]:
    """Return the files that are changed: those of a room, a folder or a module."""
    package = root / "src" / "tenbin"
    files = [path for room in ROOMS for path in sorted((package / room).rglob("*.py"))]
    chosen = only.removesuffix(".py").strip("/")
    return [
        path
        for path in files
        if not chosen or f"/{chosen}/" in f"/{path.relative_to(package).with_suffix('')}/"
    ]


def load_map(root: Path, folder: Path, folders: Iterable[str] = TEST_FOLDERS) -> LineMap:
    """Return the table, after running the test files that are new or changed."""
    state = hashlib.sha256()
    for path in source_files(root):
        state.update(path.read_bytes())
    folder.mkdir(parents=True, exist_ok=True)
    whole = LineMap(declared=_declared(root))
    files = [[path] for name in folders for path in _test_files(root / name)]
    # The examples in docstrings are quick: those of a room run in one child.
    for room in ROOMS:
        found = source_files(root, room)
        files.append([path for path in found if ">>>" in path.read_text("utf-8")])
    for paths in files:
        for interpreted in (False, True):
            if interpreted and "kernel" not in str(paths[0]):
                continue
            part = _part(root, folder, paths, state.hexdigest(), interpreted=interpreted)
            _merge(whole, part)
    return whole


def _declared(root: Path) -> dict[str, list[str]]:
    """Return the tests that hold what a file says at import: defaults of metrics, and constants.

    Those that the table of defaults names for the metrics of the file, and those that name the
    module: a test that only reads a constant runs no line of it.
    """
    found: dict[str, set[str]] = defaultdict(set)
    pinned: dict[str, set[str]] = defaultdict(set)
    for line in (root / _PINS).read_text(encoding="utf-8").splitlines()[1:]:
        where, *_, test = line.split("\t")
        for metric in where.split():
            pinned[metric].add(test)
    for path in source_files(root, "metrics"):
        names = re.findall(r'name: ClassVar\[str\] = "([^"]+)"', path.read_text("utf-8"))
        for name in names:
            found[str(path.relative_to(root))] |= pinned[name]
    for folder in TEST_FOLDERS:
        for path in _test_files(root / folder):
            for module, test in _named_modules(path):
                found[f"src/{module.replace('.', '/')}.py"].add(f"{path.relative_to(root)}::{test}")
    return {path: sorted(tests) for path, tests in found.items() if tests}


def _named_modules(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the modules of Tenbin that a test reads something of by their name, and the test."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tenbin.")
        for alias in node.names
        if alias.name.islower()
    }
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and function.name.startswith("test_"):
            read = {
                node.value.id
                for node in ast.walk(function)
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
            }
            yield from ((modules[name], function.name) for name in sorted(read & set(modules)))


def _test_files(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(path.rglob("test_*.py"))


def _merge(whole: LineMap, part: dict[str, Any]) -> None:
    whole.seconds.update(part["seconds"])
    for path, table in part["lines"].items():
        if is_compiled(path) != part["interpreted"]:
            continue
        own = whole.lines.setdefault(path, {})
        for line, tests in table.items():
            own.setdefault(int(line), []).extend(tests)


def _part(
    root: Path, folder: Path, paths: list[Path], state: str, *, interpreted: bool
) -> dict[str, Any]:
    """Return the lines of some test files, from the disk if nothing has changed."""
    digest = hashlib.sha256(state.encode() + bytes([interpreted]))
    for path in paths:
        digest.update(path.read_bytes())
    name = str(paths[0].relative_to(root)).replace("/", "-")
    stored = folder / f"{name}-{digest.hexdigest()[:16]}.json"
    if not stored.is_file():
        kind = " (kernels interpreted)" if interpreted else ""
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        print(f"lines of {paths[0].relative_to(root)}{more}{kind}", flush=True)

        def work() -> int:
            if interpreted:
                interpret_kernels()
            found = _recorded(root, paths)
            stored.write_text(json.dumps({**found, "interpreted": interpreted}), encoding="utf-8")
            return 0

        ending = run_child(work, cpu_seconds=_LONGEST_FILE_S, log=stored.with_suffix(".log"))
        if ending.code != 0:
            print(f"  ended with {ending.code}: its tests are not used", flush=True)
            nothing = {"lines": {}, "seconds": {}, "interpreted": interpreted}
            stored.write_text(json.dumps(nothing), encoding="utf-8")
    content: dict[str, Any] = json.loads(stored.read_text(encoding="utf-8"))
    return content


class _Recorder:
    """Tells coverage which test runs, and remembers which passed and how long they took."""

    def __init__(self, coverage: Any) -> None:  # noqa: ANN401 - a class of another package
        self.coverage = coverage
        self.seconds: dict[str, float] = defaultdict(float)
        self.useless: set[str] = set()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.coverage.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:  # noqa: ANN401
        self.seconds[report.nodeid] += report.duration
        if not report.passed:
            self.useless.add(report.nodeid)


def _recorded(root: Path, paths: list[Path]) -> dict[str, Any]:
    from coverage import Coverage  # noqa: PLC0415 - imported before the fork

    include = [str(root / "src" / "tenbin" / room / "*") for room in ROOMS]
    coverage = Coverage(data_file=None, config_file=False, include=include)
    recorder = _Recorder(coverage)
    coverage.start()
    run_pytest(["-m", "not slow", *map(str, paths)], recorder)
    coverage.stop()
    data = coverage.get_data()
    passed = {test for test in recorder.seconds if test not in recorder.useless}
    lines = {
        str(Path(file).relative_to(root)): dict(_kept(data.contexts_by_lineno(file), passed))
        for file in data.measured_files()
    }
    seconds = {test: round(recorder.seconds[test], 4) for test in passed}
    return {"lines": {file: table for file, table in lines.items() if table}, "seconds": seconds}


def _kept(contexts: dict[int, list[str]], passed: set[str]) -> Iterator[tuple[int, list[str]]]:
    for line, tests in contexts.items():
        by_function: dict[str, list[str]] = defaultdict(list)
        for test in sorted(passed.intersection(tests)):
            by_function[test.partition("[")[0]].append(test)
        # The first and the last, and one between: parameters are often ordered by size or kind.
        kept = [
            test
            for same in by_function.values()
            for test in dict.fromkeys(
                same[round(step * (len(same) - 1) / (_SAME_FUNCTION - 1))]
                for step in range(_SAME_FUNCTION)
            )
        ]
        if kept:
            yield line, kept
