"""Tables of times say what was cached, and commands that they run are there."""

import ast
from importlib.util import find_spec
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
tables = pytest.importorskip("benchmarks.tables", reason="not run from the repository")


def test_a_table_says_what_was_cached() -> None:
    section = tables.Section("Start", "Wall time.", "compiled kernels; no scores")
    text = tables.render_section(section, [{"command": "tenbin", "s": 1.5}])
    assert "Wall time.\n\nCached: compiled kernels; no scores.\n\n| command" in text


def test_every_section_has_an_answer() -> None:
    found = 0
    for path in BENCHMARKS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Section":
                assert len(node.args) == 3, f"{path.name}, line {node.lineno}: what was cached?"
                found += 1
    assert found > 20


@pytest.mark.parametrize("module", ["own", "peer"])
def test_programs_of_the_contextual_benchmark_exist(module: str) -> None:
    assert find_spec(f"benchmarks.contextual.{module}") is not None
    source = (BENCHMARKS / "contextual" / "__main__.py").read_text(encoding="utf-8")
    assert 'f"benchmarks.contextual.{module}"' in source
