"""Counted things are written by one function, so that nobody reads '1 segments'."""

import ast
import re
from pathlib import Path

import pytest

from tenbin.core.counting import agreeing, counted

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "tenbin"
# Their errors are for programmers, and they import nothing of Tenbin.
WITHOUT_READERS = ("kernels", "stats")
PLURALS = [
    "segments",
    "systems",
    "lines",
    "words",
    "tokens",
    "texts",
    "pairs",
    "rows",
    "files",
    "metrics",
    "references",
    "documents",
    "units",
    "samples",
    "rounds",
    "folds",
    "processes",
    "weights",
    "errors",
    "notes",
    "judgments",
    "languages",
    "columns",
    "links",
    "subwords",
    "settings",
    "trials",
    "values",
    "phrases",
    "vectors",
    "sets",
    "layers",
    "parts",
    "dimensions",
    "scores",
    "steps",
    "bytes",
    "lists",
]
FOLLOWED = re.compile(rf"^ (?:[a-z-]+ )?({'|'.join(PLURALS)})\b")
JOINTS = re.compile(r"^ (?:of|the|for|and|in|with|has|marks|or|that) ")
# What stands before the noun is a name here, not a number.
NAMES = {
    "card['weights'] / 1000000.0",
    "name",
    "what",
    "listed(twice)",
    "sorted(units)",
    "STRONG[form]",
}


def counts_by_hand(path: Path) -> list[str]:
    """Return the places where a number of any size stands before a plural."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.JoinedStr):
            continue
        for value, after in zip(node.values, node.values[1:], strict=False):
            if not isinstance(value, ast.FormattedValue) or not isinstance(after, ast.Constant):
                continue
            text, number = str(after.value), ast.unparse(value.value)
            is_constant = re.fullmatch(r"_?[A-Z][A-Z_]+", number) is not None
            is_number = not (is_constant or number in NAMES)
            if is_number and FOLLOWED.match(text) and not JOINTS.match(text):
                found.append(f"line {node.lineno}: {{{number}}}{text[:30]}")
    return found


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] not in WITHOUT_READERS
    ],
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_numbers_agree_with_their_nouns(path: Path) -> None:
    assert counts_by_hand(path) == []


def test_one_and_many() -> None:
    assert counted(1, "segment") == "1 segment"
    assert counted(0, "segment") == "0 segments"
    assert counted(12_345, "worker process") == "12,345 worker processes"
    assert [agreeing(count, "was") for count in (1, 2)] == ["was", "were"]
