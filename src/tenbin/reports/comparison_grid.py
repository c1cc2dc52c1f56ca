"""Comparisons as grids: ranks by metric, or differences from a baseline."""

import numpy as np

from tenbin.core.arrays import IntArray
from tenbin.core.scores import Comparison, MetricComparison, MetricScores
from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.score_grid import heading

_MOST_SYSTEMS_IN_MATRIX = 20
_LEVEL = 0.05  # the customary level of significance
_LEAST_SHOWN = 0.001


def rank_grid(part: MetricComparison) -> Grid:
    """Return the systems from best to worst with their rank and the step to the next one."""
    scores = part.scores
    order = _best_first(scores)
    rows = []
    for place, system in enumerate(order):
        following = order[place + 1] if place + 1 < len(order) else None
        rows.append(
            (
                Cell("–" if part.ranks is None else str(part.ranks[system])),
                Cell(scores.systems[system]),
                _score(part, system),
                *([Cell("")] * 3 if following is None else _step(part, system, following)),
            )
        )
    return Grid(
        headings=("Rank", "System", heading(scores), "Δ to next", "p", "p (Holm)"),
        alignments=(Align.RIGHT, Align.LEFT, *[Align.RIGHT] * 4),
        rows=tuple(rows),
        labels=2,
    )


def matrix_grid(part: MetricComparison) -> Grid | None:
    """Return the adjusted p-values of all pairs, best system first.

    None where there is nothing to add to the ranks (two systems) or too much (over 20).
    """
    scores = part.scores
    order = _best_first(scores)
    if not 2 < len(order) <= _MOST_SYSTEMS_IN_MATRIX:  # noqa: PLR2004 - two make one pair
        return None
    rows = [
        (
            Cell(str(place + 1)),
            Cell(scores.systems[system]),
            *(
                Cell("") if other <= place else _adjusted(part, system, order[other])
                for other in range(1, len(order))
            ),
        )
        for place, system in enumerate(order[:-1])
    ]
    return Grid(
        headings=("", "p (Holm) of", *(f"vs {place + 1}" for place in range(1, len(order)))),
        alignments=(Align.RIGHT, Align.LEFT, *[Align.RIGHT] * (len(order) - 1)),
        rows=tuple(rows),
        labels=2,
    )


def baseline_grid(comparison: Comparison, part: MetricComparison) -> Grid:
    """Return every system beside the baseline."""
    scores = part.scores
    base = scores.systems.index(comparison.baseline or scores.systems[0])
    rows = [(Cell(f"{scores.systems[base]} (baseline)"), _score(part, base), *[Cell("")] * 4)]
    rows += [
        (
            Cell(system),
            _score(part, position),
            *_step(part, position, base),
            Cell(_verdict(part, position, base)),
        )
        for position, system in enumerate(scores.systems)
        if position != base
    ]
    return Grid(
        headings=("System", heading(scores), "Δ", "p", "p (Holm)", "Verdict"),
        alignments=(Align.LEFT, *[Align.RIGHT] * 4, Align.LEFT),
        rows=tuple(rows),
        labels=5,
    )


def p_text(value: float) -> str:
    """Return a p-value as tables print it.

    >>> p_text(0.04999), p_text(0.00004)
    ('0.050', '<0.001')
    """
    if np.isnan(value):
        return "n/a"
    return f"<{_LEAST_SHOWN}" if value < _LEAST_SHOWN else f"{value:.3f}"


def _best_first(scores: MetricScores) -> IntArray:
    signed = -scores.scores if scores.higher_is_better else scores.scores
    return np.argsort(signed, kind="stable")


def _step(part: MetricComparison, system: int, other: int) -> tuple[Cell, Cell, Cell]:
    difference = f"{part.differences[system, other]:+.{part.scores.decimals}f}"
    p_value = Cell(p_text(part.p_values[system, other]))
    return Cell(difference), p_value, _adjusted(part, system, other)


def _adjusted(part: MetricComparison, system: int, other: int) -> Cell:
    value = part.adjusted[system, other]
    return Cell(p_text(value), strong=bool(value <= _LEVEL))


def _verdict(part: MetricComparison, system: int, base: int) -> str:
    adjusted = part.adjusted[system, base]
    if np.isnan(adjusted):
        return "undefined"
    if adjusted > _LEVEL:
        return "no proven difference"
    higher = part.differences[system, base] > 0
    return "better" if higher == part.scores.higher_is_better else "worse"


def _score(part: MetricComparison, position: int) -> Cell:
    return Cell(f"{part.scores.scores[position]:.{part.scores.decimals}f}")
