"""The shape of the house: small files, no room without a purpose, one tree of errors."""

import ast
import importlib
from pathlib import Path

import pytest

import tenbin
from tenbin.core import errors

ROOT = Path(tenbin.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
MOST_LINES = 500
NOT_ROOMS = {"utils", "util", "helpers", "helper", "common", "misc", "tools", "base"}


def address(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_no_module_is_a_room_for_leftovers() -> None:
    assert [address(path) for path in FILES if {path.stem, path.parent.name} & NOT_ROOMS] == []


def test_files_are_small() -> None:
    lengths = {address(path): len(path.read_text("utf-8").splitlines()) for path in FILES}
    assert {name: count for name, count in lengths.items() if count >= MOST_LINES} == {}


@pytest.mark.parametrize("path", FILES, ids=address)
def test_every_file_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_nothing_but_the_command_line_ends_the_process() -> None:
    guilty = [
        address(path)
        for path in FILES
        if "cli" not in path.parts and path.name != "__main__.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in {"sys.exit", "os.abort"}
    ]
    assert guilty == []


# Where modules of Tenbin are imported by name, so that import-linter does not see it.
SEAMS = {
    "__init__.py": "public names, imported on first use",
    "annotation/stems.py": "one stemmer per language",
    "cli/build.py": "one module per thing to build",
    "cli/main.py": "one module per command",
    "core/rendering.py": "results ask reports for their renderings",
    "kernels/dispatch.py": "compiled twins",
    "metrics/registry.py": "one class per metric",
    "moved.py": "old names of modules",
    "reports/render.py": "one renderer per kind of result",
    "resources/store/preparation.py": "one function per form of a resource",
}


def imports_tenbin_by_name(path: Path) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    data = {id(arg) for call in calls if ast.unparse(call.func) == "files" for arg in call.args}
    strings = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in data
    ]
    imports = {"import_module", "importlib.import_module"} & {ast.unparse(c.func) for c in calls}
    return bool(imports) and any(text.startswith("tenbin.") for text in strings)


def test_modules_are_looked_up_by_name_in_few_places() -> None:
    assert {address(path) for path in FILES if imports_tenbin_by_name(path)} == set(SEAMS)


def error_classes() -> list[type[errors.TenbinError]]:
    return [
        thing
        for thing in vars(errors).values()
        if isinstance(thing, type) and issubclass(thing, errors.TenbinError)
    ]


def test_the_drawn_tree_of_errors_is_the_real_one() -> None:
    drawn = errors.__doc__ or ""
    lines = [line for line in drawn.splitlines() if "Error" in line or "─" in line]
    parents: dict[str, str] = {}
    path: list[tuple[int, str]] = []
    for line in lines[1:]:
        name = line.strip("│├└─ ").split()[0]
        depth = len(line) - len(line.lstrip("│├└─ "))
        path = [(above, other) for above, other in path if above < depth]
        parents[name] = path[-1][1] if path else "TenbinError"
        path.append((depth, name))
    real = {one.__name__: one.__bases__[0].__name__ for one in error_classes()[1:]}
    assert parents == real


def test_errors_are_raised_from_one_tree_only() -> None:
    """No module outside core.errors defines an exception of its own."""
    strangers = []
    for path in FILES:
        module = "tenbin." + address(path).removesuffix(".py").replace("/", ".")
        if path.stem.startswith("__") or "compiled" in path.parts:
            continue
        for name, thing in vars(importlib.import_module(module)).items():
            own = isinstance(thing, type) and thing.__module__ == module
            if own and issubclass(thing, Exception) and module != "tenbin.core.errors":
                strangers.append(f"{module}.{name}")
    assert strangers == []
