"""Comparisons as grids, text and data, from values made by hand."""

import json

import numpy as np
import pytest

from tenbin.core.scores import Comparison, MetricComparison, MetricScores, ScoreTable
from tenbin.core.signature import Signature
from tenbin.reports.comparison import baseline_grid, matrix_grid, p_text, rank_grid
from tenbin.reports.formats import Format
from tenbin.reports.render import render

NAN = float("nan")


def compared(
    scores: list[float],
    adjusted: list[list[float]],
    *,
    higher: bool = True,
    baseline: str | None = None,
) -> Comparison:
    systems = tuple(f"s{number}" for number in range(len(scores)))
    values = np.array(scores)
    result = MetricScores(
        metric="ter",
        title="TER",
        signature=Signature(metric="ter"),
        higher_is_better=higher,
        decimals=1,
        systems=systems,
        scores=values,
    )
    part = MetricComparison(
        scores=result,
        differences=values[:, None] - values[None, :],
        p_values=np.array(adjusted) / 2,
        adjusted=np.array(adjusted),
        ranks=None if baseline else np.arange(1, len(scores) + 1),
    )
    table = ScoreTable(language="en", segment_count=1_234, systems=systems, results=(result,))
    return Comparison(
        scores=table,
        metrics=(part,),
        test="ar",
        rounds=999,
        seed=1,
        unit="segments",
        baseline=baseline,
    )


def texts(grid_rows: tuple[tuple[object, ...], ...]) -> list[list[str]]:
    return [[getattr(cell, "text", "") for cell in row] for row in grid_rows]


def test_p_values() -> None:
    values = [1.0, 0.0504, 0.01, 0.00101, 0.00099, NAN]
    assert list(map(p_text, values)) == ["1.000", "0.050", "0.010", "0.001", "<0.001", "n/a"]


@pytest.mark.parametrize(
    ("higher", "order"), [(True, ["s1", "s0", "s2"]), (False, ["s2", "s0", "s1"])]
)
def test_ranks_begin_with_the_best(*, higher: bool, order: list[str]) -> None:
    comparison = compared(
        [2, 3, 1], [[NAN, 0.04, 0.5], [0.04, NAN, 0.06], [0.5, 0.06, NAN]], higher=higher
    )
    grid = rank_grid(comparison.metrics[0])
    assert [row[1] for row in texts(grid.rows)] == order
    assert texts(grid.rows)[-1][3:] == ["", "", ""]
    assert [cell.strong for cell in (row[-1] for row in grid.rows)].count(True) == 1


def test_the_matrix_is_a_triangle() -> None:
    comparison = compared([3, 2, 1], [[NAN, 0.04, 0.5], [0.04, NAN, 0.06], [0.5, 0.06, NAN]])
    grid = matrix_grid(comparison.metrics[0])
    assert grid is not None
    assert texts(grid.rows) == [["1", "s0", "0.040", "0.500"], ["2", "s1", "", "0.060"]]


@pytest.mark.parametrize("count", [2, 21])
def test_there_is_no_matrix_for_too_few_or_too_many(count: int) -> None:
    comparison = compared(list(range(count)), [[0.5] * count] * count)
    assert matrix_grid(comparison.metrics[0]) is None


@pytest.mark.parametrize(
    ("higher", "verdicts"), [(True, ("better", "worse")), (False, ("worse", "better"))]
)
def test_verdicts_know_the_direction(*, higher: bool, verdicts: tuple[str, str]) -> None:
    row = [NAN, 0.01, 0.05, 0.06, NAN]
    adjusted = [[row[max(a, b)] for b in range(5)] for a in range(5)]
    comparison = compared([5, 9, 1, 4, NAN], adjusted, higher=higher, baseline="s0")
    rows = texts(baseline_grid(comparison, comparison.metrics[0]).rows)
    assert rows[0][:2] == ["s0 (baseline)", "5.0"]
    assert [line[-1] for line in rows[1:]] == [*verdicts, "no proven difference", "undefined"]
    assert rows[1][2] == "+4.0"


def test_text_explains_itself() -> None:
    comparison = compared([3, 2], [[NAN, 0.04], [0.04, NAN]])
    text = render(comparison, Format.TEXT)
    assert text.splitlines()[2] == "   1  s0        3.0       +1.0  0.020     0.040*"
    flat = " ".join(text.split())
    assert "1,234 segments, target language en. Paired approximate randomization" in flat
    assert "999 rounds over segments, seed 1; p is never below 0.001." in flat
    assert "One pair, so p (Holm) is p. A star marks p (Holm) ≤ 0.05." in flat
    unproven = compared([3, 2], [[NAN, 0.06], [0.06, NAN]])
    assert "A star" not in render(unproven, Format.TEXT)
    assert "Bold marks" in render(comparison, Format.MARKDOWN)


def test_undefined_numbers_are_null_in_json() -> None:
    comparison = compared([NAN, 2], [[NAN, NAN], [NAN, NAN]])
    payload = json.loads(render(comparison, Format.JSON))
    assert payload["results"][0]["score"] is None
    assert payload["pairs"][0]["p_value"] is None
    assert "\t\t" in render(comparison, Format.TSV)
    shown = render(comparison.scores, Format.TEXT)
    assert "nan" not in shown
    assert "–" in shown
