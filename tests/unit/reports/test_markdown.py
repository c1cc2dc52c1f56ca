"""Grids as Markdown."""

import pytest

from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.markdown import escape_markdown, render_markdown


def test_a_table() -> None:
    grid = Grid(
        headings=("System", "p"),
        alignments=(Align.LEFT, Align.RIGHT),
        rows=((Cell("a_b|c"), Cell("<0.001", strong=True)),),
    )
    assert (
        render_markdown(grid) == "| System | p |\n| :--- | ---: |\n| a\\_b\\|c | **\\<0.001** |\n"
    )


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("*bold* `code` ~~gone~~", r"\*bold\* \`code\` \~\~gone\~\~"),
        ("38.1 [37.0, 39.2]", "38.1 [37.0, 39.2]"),
        ("[x](y)", r"[x]\(y)"),
        ("a\\b", r"a\\b"),
        ("two\nlines", "two�lines"),
    ],
)
def test_escapes(text: str, escaped: str) -> None:
    assert escape_markdown(text) == escaped
