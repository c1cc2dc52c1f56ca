"""Grids drawn as text; the picture is the assertion."""

from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.plain_text import render_paragraph, render_text


def test_a_table() -> None:
    grid = Grid(
        headings=("System", "BLEU ↑", "p"),
        alignments=(Align.LEFT, Align.RIGHT, Align.RIGHT),
        rows=(
            (Cell("翻訳"), Cell("38.77", strong=True), Cell("<0.001")),
            (Cell("tab\there"), Cell("5.1"), Cell("")),
        ),
    )
    assert render_text(grid) == (
        "System    BLEU ↑        p\n"
        "────────  ───────  ──────\n"
        "翻訳       38.77*  <0.001\n"
        "tab�here     5.1\n"
    )


def test_a_table_without_rows() -> None:
    grid = Grid(headings=("a", "b"), alignments=(Align.LEFT, Align.RIGHT), rows=())
    assert render_text(grid) == "a  b\n─  ─\n"


def test_paragraphs_keep_long_words() -> None:
    path = "/a/" + "long-path" * 15
    assert path in render_paragraph(f"look at {path} please", 40)
    assert max(map(len, render_paragraph("word " * 60, 40, indent="  ").splitlines())) <= 40
    assert max(map(len, render_paragraph("word " * 60).splitlines())) <= 100
