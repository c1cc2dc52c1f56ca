"""Comparisons as grids: ranks by metric, or differences from a baseline."""

import numpy as np

from tenbin.core.scores import Comparison, MetricComparison
from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.score_grid import heading

_MOST_SYSTEMS_IN_MATRIX = 20


def rank_grid(part: MetricComparison) -> Grid:
    """Return the systems from best to worst with their rank and the step to the next one."""
    scores = part.scores
    order = np.argsort(-scores.scores if scores.higher_is_better else scores.scores, kind="stable")
    rows = []
    for place, system in enumerate(order):
        following = order[place + 1] if place + 1 < len(order) else None
        rows.append(
            (
                Cell("–" if part.ranks is None else str(part.ranks[system])),
                Cell(scores.systems[system]),
                Cell(f"{scores.scores[system]:.{scores.decimals}f}"),
                Cell("" if following is None else _difference(part, system, following)),
                Cell("" if following is None else p_text(part.p_values[system, following])),
                Cell("" if following is None else p_text(part.adjusted[system, following])),
            )
        )
    return Grid(
        headings=("Rank", "System", heading(scores), "Δ to next", "p", "p (Holm)"),
        alignments=(Align.RIGHT, Align.LEFT, *[Align.RIGHT] * 4),
        rows=tuple(rows),
    )


def matrix_grid(part: MetricComparison) -> Grid | None:
    """Return the adjusted p-values of all pairs, or None where the matrix would be too wide."""
    scores = part.scores
    if len(scores.systems) > _MOST_SYSTEMS_IN_MATRIX:
        return None
    order = np.argsort(-scores.scores if scores.higher_is_better else scores.scores, kind="stable")
    labels = [str(place + 1) for place in range(len(order))]
    rows = [
        (
            Cell(labels[place]),
            Cell(scores.systems[system]),
            *(
                Cell("·" if a <= place else p_text(part.adjusted[system, order[a]]))
                for a in range(1, len(order))
            ),
        )
        for place, system in enumerate(order[:-1])
    ]
    return Grid(
        headings=("", "p (Holm) of", *(f"vs {label}" for label in labels[1:])),
        alignments=(Align.RIGHT, Align.LEFT, *[Align.RIGHT] * (len(order) - 1)),
        rows=tuple(rows),
    )


def baseline_grid(comparison: Comparison, part: MetricComparison) -> Grid:
    """Return every system beside the baseline."""
    scores = part.scores
    base = scores.systems.index(comparison.baseline or scores.systems[0])
    rows = [(Cell(f"{scores.systems[base]} (baseline)"), _score(part, base), *[Cell("")] * 4)]
    for position, system in enumerate(scores.systems):
        if position == base:
            continue
        adjusted = part.adjusted[position, base]
        difference = part.differences[position, base]
        better = (difference > 0) == scores.higher_is_better
        verdict = "no proven difference"
        if adjusted <= 0.05:  # noqa: PLR2004 - the customary level
            verdict = "better" if better else "worse"
        rows.append(
            (
                Cell(system),
                _score(part, position),
                Cell(_difference(part, position, base)),
                Cell(p_text(part.p_values[position, base])),
                Cell(p_text(adjusted)),
                Cell(verdict),
            )
        )
    return Grid(
        headings=("System", heading(scores), "Δ", "p", "p (Holm)", "at p ≤ 0.05"),
        alignments=(Align.LEFT, *[Align.RIGHT] * 4, Align.LEFT),
        rows=tuple(rows),
    )


def p_text(value: float) -> str:
    """Return a p-value as tables print it."""
    if np.isnan(value):
        return "n/a"
    return "<0.001" if value < 0.001 else f"{value:.3f}"  # noqa: PLR2004 - three digits shown


def _score(part: MetricComparison, position: int) -> Cell:
    return Cell(f"{part.scores.scores[position]:.{part.scores.decimals}f}")


def _difference(part: MetricComparison, a: int, b: int) -> str:
    return f"{part.differences[a, b]:+.{part.scores.decimals}f}"
