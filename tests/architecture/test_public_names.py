"""The names that ``import tenbin`` promises, and what that import costs."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import tenbin

HEAVY = {"numpy", "sacrebleu", "numba", "langcodes", "pandas"}


def loaded_modules(code: str) -> set[str]:
    """Return the top-level modules that a fresh process has after running some code."""
    show = "import sys; print('\\n' + ' '.join({name.partition('.')[0] for name in sys.modules}))"
    finished = subprocess.run(
        [sys.executable, "-c", f"{code}\n{show}"], capture_output=True, check=True, text=True
    )
    return set(finished.stdout.splitlines()[-1].split())


def test_dir_shows_the_public_names_and_nothing_else() -> None:
    assert dir(tenbin) == sorted(tenbin.__all__)
    assert len(set(tenbin.__all__)) == len(tenbin.__all__)


@pytest.mark.parametrize("name", tenbin.__all__)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(tenbin, name) is not None


def test_every_public_name_has_a_home_and_every_home_a_public_name() -> None:
    assert set(tenbin._HOMES) | {"__version__"} == set(tenbin.__all__)
    assert all(hasattr(importlib.import_module(home), name) for name, home in tenbin._HOMES.items())


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(tenbin.__file__).read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == tenbin._HOMES


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = tenbin.nonsense


def test_public_classes_and_functions_are_documented() -> None:
    named = [getattr(tenbin, name) for name in tenbin._HOMES]
    assert all((thing.__doc__ or "").strip() for thing in named)


def test_import_tenbin_loads_nothing_heavy() -> None:
    loaded = loaded_modules("import tenbin")
    assert "tenbin" in loaded
    assert not loaded & HEAVY


@pytest.mark.parametrize("command", ["score", "compare", "explain", "doctor"])
def test_commands_do_not_load_what_only_some_need(command: str) -> None:
    show = f"import tenbin.cli.{command}, sys; print(*sys.modules)"
    finished = subprocess.run(
        [sys.executable, "-c", show], capture_output=True, check=True, text=True
    )
    loaded = set(finished.stdout.split())
    assert not loaded & {"pyspark", "tenbin.tables.spark", "torch", "transformers", "pandas"}


def test_help_loads_nothing_heavy() -> None:
    code = (
        "from tenbin.cli.main import main\n"
        "try:\n    main(['--help'])\n"
        "except SystemExit as done:\n    assert done.code == 0"
    )
    loaded = loaded_modules(code)
    assert "argparse" in loaded
    assert not loaded & (HEAVY | {"rich", "rapidfuzz", "regex"})
