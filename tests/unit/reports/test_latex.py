"""Grids as LaTeX."""

import pytest

from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.latex import escape_latex, render_latex


def test_a_table() -> None:
    grid = Grid(
        headings=("System", "BLEU ↑"),
        alignments=(Align.LEFT, Align.RIGHT),
        rows=((Cell("[a]"), Cell("1.0", strong=True)), (Cell("*b"), Cell("2.0"))),
    )
    assert render_latex(grid, "What it is.") == (
        "\\begin{table}\n"
        "\\centering\n"
        "\\begin{tabular}{lr}\n"
        "\\toprule\n"
        "System & BLEU $\\uparrow$ \\\\\n"
        "\\midrule\n"
        "{}[a] & \\textbf{1.0} \\\\\n"
        "{}*b & 2.0 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\\caption{What it is.}\n"
        "\\end{table}\n"
    )


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("50 % & $3 #1 a_b {x}", r"50 \% \& \$3 \#1 a\_b \{x\}"),
        ("a~b^c\\d", r"a\textasciitilde{}b\textasciicircum{}c\textbackslash{}d"),
        ("bleu|lang:en", r"bleu\textbar{}lang:en"),
        ("x---y", "x-{}-{}-y"),
        ("p ≤ 0.05 … –", r"p $\leq$ 0.05 \dots{} --"),
        ("日本", "日本"),
    ],
)
def test_escapes(text: str, escaped: str) -> None:
    assert escape_latex(text) == escaped
