"""A name means one thing: no public class is defined in two modules."""

import ast
from collections import defaultdict
from pathlib import Path

import tenbin

ROOT = Path(tenbin.__file__).parent


def public_classes(path: Path) -> list[str]:
    """Return the public classes at the top level of a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    return [name for name in classes if not name.startswith("_")]


def test_no_public_class_name_is_defined_twice() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in sorted(ROOT.rglob("*.py")):
        for name in public_classes(path):
            homes[name].append(path.relative_to(ROOT).as_posix())
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}
