"""The command `make mutants`: what is changed, what is drawn, and what a change meets."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="processes have no limits on this system")

from benchmarks.mutants.__main__ import drawn
from benchmarks.mutants.children import Ending, module_name, run_child
from benchmarks.mutants.line_map import ROOMS, LineMap, source_files
from benchmarks.mutants.operators import Mutant, mutants_of, mutants_of_text
from benchmarks.mutants.pins import changed, pinned
from benchmarks.mutants.report import read_rows, render
from benchmarks.mutants.trial import Outcome, tried

from tenbin.metrics.choices import OutOfVocabulary

ROOT = Path(__file__).resolve().parents[3]


def changes(text: str) -> list[str]:
    """Return a text after each of its changes."""
    return [mutant.applied(text) for mutant in mutants_of_text(text, "f.py")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 3", ["x = 4", "x = 2"]),
        ("x = 0.8", ["x = 0.88", "x = 0.72"]),
        ("x = 0.0", ["x = 0.1", "x = -0.1"]),
        ("x = True", ["x = False"]),
        ("x = a <= b", ["x = a < b"]),
        ("x = a is not None", ["x = a is None"]),
        ("x = a not in b", ["x = a in b"]),
        ("x = (a) + (b)", ["x = (a) - (b)"]),
        ("x = a // b", ["x = a * b"]),
        ("x += a", ["x -= a"]),
        ("x = a and b", ["x = a or b"]),
        ("x = not (a or b)", ["x =  (a or b)", "x = not (a and b)"]),
        ("x = -a", ["x = a"]),
        ("x = max(a, b)", ["x = min(a, b)"]),
        ("x = np.any(a)", ["x = np.all(a)"]),
        ("if f(a):\n    pass", ["if not (f(a)):\n    pass"]),
        ("for x in y:\n    break", ["for x in y:\n    continue"]),
        # Bytes are not characters.
        ("x = 'é', 3", ["x = 'é', 4", "x = 'é', 2"]),
        # A comment between operator and operand.
        ("x = (a  # + b\n     + b)", ["x = (a  # + b\n     - b)"]),
    ],
)
def test_what_is_changed(text: str, expected: list[str]) -> None:
    assert changes(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        '"""A text of 3 words."""',
        "def f(a: int | None) -> Literal[3]: ...",
        "def f():\n    raise ValueError(3 + a)",
        "x = f'{a:>3}'",
        "x: tuple[int, 3]",
        "if TYPE_CHECKING:\n    x = 3",
        "x = isinstance(a, int | float)",
        "Number = int | float",
        "x = '%s' % a",
    ],
)
def test_what_is_left_alone(text: str) -> None:
    assert changes(text) == []


def test_every_change_of_every_module_is_python() -> None:
    for path in source_files(ROOT)[::10]:
        text = path.read_text(encoding="utf-8")
        for mutant in mutants_of(path, ROOT):
            compile(mutant.applied(text), str(path), "exec", dont_inherit=True)


def test_modules_are_chosen_by_name() -> None:
    names = {path.relative_to(ROOT / "src/tenbin").parts[0] for path in source_files(ROOT)}
    assert names == set(ROOMS)
    assert [path.name for path in source_files(ROOT, "metrics/ribes")] == ["ribes.py"]
    assert [path.name for path in source_files(ROOT, "metrics/ribes.py")] == ["ribes.py"]
    both = source_files(ROOT, "kernels/ngrams")
    assert {path.name for path in both} == {"__init__.py", "expected.py", "index.py", "matches.py"}
    assert source_files(ROOT, "nothing") == []


def test_a_sample_has_as_many_of_each_room() -> None:
    every = [
        mutant
        for room, count in (("stats", 3), ("meta", 40), ("kernels", 50))
        for mutant in mutants_of_text("x = 1 + 1\n" * count, f"src/tenbin/{room}/a.py")
    ]
    some = drawn(every, 30, seed=1)
    rooms = [mutant.path.split("/")[2] for mutant in some]
    assert {room: rooms.count(room) for room in set(rooms)} == {
        "stats": 10,
        "meta": 10,
        "kernels": 10,
    }
    assert some == drawn(every, 30, seed=1) != drawn(every, 30, seed=2)
    assert drawn(every, 0, seed=1) == every


def test_a_room_that_is_too_small_leaves_its_share_to_the_others() -> None:
    every = [
        *mutants_of_text("x = True\n", "src/tenbin/stats/a.py"),
        *mutants_of_text("x = True\n" * 50, "src/tenbin/meta/a.py"),
    ]
    assert len(drawn(every, 20, seed=1)) == 20


def test_names_of_modules() -> None:
    assert module_name(ROOT / "src/tenbin/metrics/ribes.py") == "tenbin.metrics.ribes"


def test_lines_of_an_import_belong_to_all_tests_of_the_file() -> None:
    table = LineMap({"f.py": {3: ["slow"], 4: ["fast", "slow"]}}, {"slow": 2.0, "fast": 0.1})
    assert table.tests("f.py", 3, at_import=False) == ["slow"]
    assert table.tests("f.py", 4, at_import=False) == ["fast", "slow"]
    assert table.tests("f.py", 1, at_import=True) == ["fast", "slow"]
    assert table.tests("g.py", 1, at_import=False) == []


def test_a_child_that_never_ends_is_ended(tmp_path: Path) -> None:
    def forever() -> int:
        while True:
            pass

    ending = run_child(forever, cpu_seconds=0, log=tmp_path / "log")
    assert ending.out_of_time
    assert not Ending(1, 0.0).out_of_time
    assert run_child(lambda: 3, cpu_seconds=5, log=tmp_path / "log").code == 3


def test_what_becomes_of_a_change_is_kept(tmp_path: Path) -> None:
    (mutant, *_) = mutants_of_text("x = 3\n", "src/tenbin/stats/a.py")
    assert tried(mutant, ROOT, LineMap(), tmp_path).outcome is Outcome.UNTESTED
    stored = tmp_path / "results.jsonl"
    rows = [
        '{"key": "a", "mutant": %s, "outcome": "survived", "by": "", "tests": 7, "seconds": 1.0}',
        '{"key": "b", "mutant": %s, "outcome": "killed", "by": "t", "tests": 7, "seconds": 1.0}',
        '{"key": "a", "mutant": %s, "outc',
    ]
    described = (
        '{"path": "src/tenbin/stats/a.py", "line": 1, "before": "3", "after": "4", '
        '"operator": "number"}'
    )
    stored.write_text("\n".join(rows).replace("%s", described), encoding="utf-8")
    known = read_rows(stored)
    assert {key: row.outcome for key, row in known.items()} == {
        "a": Outcome.SURVIVED,
        "b": Outcome.KILLED,
    }
    shown = render(list(known.values()), 11)
    assert "src/tenbin/stats/a.py:1 survived after 7 tests" in shown
    assert "number: '3' -> '4'" in shown
    assert shown.endswith("1 of 2 tried were killed; 11 are possible.")
    assert read_rows(tmp_path / "nothing") == {}
    assert render([], 11) == "no result yet; 11 changes are possible."


def test_a_change_of_a_file_that_changed_is_refused() -> None:
    mutant = Mutant("f.py", 1, 4, 5, "3", "4", "number", at_import=True, source="")
    with pytest.raises(ValueError, match="has changed"):
        mutant.applied("x = 5")


def test_another_value_of_a_default() -> None:
    assert changed(OutOfVocabulary.DROP) in set(OutOfVocabulary) - {OutOfVocabulary.DROP}
    assert {pin.metric for pin in pinned(["ribes"])} == {"ribes"}
    assert {"alpha", "beta"} <= {pin.parameter for pin in pinned(["ribes"])}


PROGRAM = """
import json, sys
from pathlib import Path
from benchmarks.mutants.line_map import LineMap
from benchmarks.mutants.operators import mutants_of
from benchmarks.mutants.trial import tried
root, folder, name, line, tests, wanted = json.loads(sys.argv[1])
text = Path(root, name).read_text(encoding="utf-8")
number = text[: text.index(line)].count("\\n") + 1
table = LineMap({name: {number: tests}}, dict.fromkeys(tests, 0.1))
found = {}
for mutant in mutants_of(Path(root, name), Path(root)):
    change = f"{mutant.before} {mutant.after}"
    if mutant.line == number and change in wanted:
        found[change] = tried(mutant, Path(root), table, Path(folder)).outcome
print(json.dumps(found))
"""

BLOCK_SHIFT = "tests/unit/kernels/test_block_shift.py"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "line", "tests", "expected"),
    [
        # The examples of a module are read by a finder of pytest's, which must not load the file.
        (
            "src/tenbin/stats/resampling.py",
            "if not 0 < level < 1:",
            [
                "src/tenbin/stats/resampling.py::tenbin.stats.resampling.percentile_interval",
                "tests/unit/stats/test_resampling.py::test_level_is_a_share",
            ],
            {"not ": "killed", "0 -1": "killed"},
        ),
        # A test that has nothing to do with the module.
        (
            "src/tenbin/stats/resampling.py",
            "if not 0 < level < 1:",
            ["tests/unit/benchmarks/test_mutants.py::test_names_of_modules"],
            {"not ": "survived"},
        ),
        # A compiled kernel runs as Python; otherwise the cached code of the file would run.
        (
            "src/tenbin/kernels/compiled/edits/levenshtein.py",
            "if classes[symbol] == 0:",
            [f"{BLOCK_SHIFT}::test_bit_vectors_give_the_levenshtein_distance"],
            {"== !=": "killed"},
        ),
    ],
)
def test_a_change_is_tried_in_a_process_of_its_own(
    name: str, line: str, tests: list[str], expected: dict[str, str], tmp_path: Path
) -> None:
    request = json.dumps([str(ROOT), str(tmp_path), name, line, tests, list(expected)])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, request],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    assert json.loads(done.stdout) == expected
    # The file itself is never touched.
    assert "import_changed" not in (ROOT / name).read_text(encoding="utf-8")
