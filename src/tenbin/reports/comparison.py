"""Renders comparisons of systems: ranks by metric, or differences from a baseline."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from tenbin.core.arrays import IntArray
from tenbin.core.counting import counted
from tenbin.core.difference_curve import DifferenceCurve, Estimate
from tenbin.core.scores import Comparison, MetricComparison, MetricScores
from tenbin.reports import scores as score_report
from tenbin.reports import segment_differences as difference_report
from tenbin.reports.data import Row, defined
from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.scores import heading, signature_line
from tenbin.reports.signed import STRONG, SignedGrid, draw_signed

_COLUMNS = (
    "metric",
    "system_a",
    "system_b",
    "difference",
    "p_value",
    "p_value_holm",
    "rank_a",
    "rank_b",
    "signature",
    "people",
    "people_low",
    "people_high",
    "people_beyond",
)
_TEST_NAMES = {"ar": "Paired approximate randomization", "bootstrap": "Paired bootstrap"}
_MOST_SYSTEMS_IN_MATRIX = 20
_LEVEL = 0.05  # the customary level of significance
_LEAST_SHOWN = 0.001
_BEYOND = "+"
_CERTAIN = 0.995  # nothing is certain


def payload(comparison: Comparison) -> dict[str, Any]:
    """Return scores, tested pairs and ranks."""
    data = score_report.payload(comparison.scores)
    notes = data.pop("notes")
    systems = comparison.scores.systems
    data["test"] = {
        "name": comparison.test,
        "rounds": comparison.rounds,
        "seed": comparison.seed,
        "unit": comparison.unit,
        "baseline": comparison.baseline,
    }
    data["pairs"] = [
        {
            "metric": part.scores.metric,
            "system_a": systems[a],
            "system_b": systems[b],
            "difference": defined(part.differences[a, b]),
            "p_value": defined(part.p_values[a, b]),
            "p_value_holm": defined(part.adjusted[a, b]),
            "people": _people_payload(part.share(a, b)),
        }
        for part in comparison.metrics
        for a, b in comparison.pairs
    ]
    data["ranks"] = {
        part.scores.metric: dict(zip(systems, map(int, part.ranks), strict=True))
        for part in comparison.metrics
        if part.ranks is not None
    }
    data["curves"] = [
        _curve_payload(part, comparison.curve_source)
        for part in comparison.metrics
        if part.curve is not None
    ]
    if comparison.differences is not None:
        data["segment_differences"] = difference_report.payload(comparison)
    data["notes"] = notes
    return data


def tidy(comparison: Comparison) -> tuple[Sequence[str], Iterable[Row]]:
    """Return a row for each metric and tested pair.

    The segments that differ most follow, where asked for, and with them columns for their texts.
    """
    texts = difference_report.text_columns(comparison)
    if not texts:
        return _COLUMNS, _rows(comparison)
    empty = (None,) * len(texts)
    rows = chain(
        ((*row, *empty) for row in _rows(comparison)),
        difference_report.rows(comparison, len(_COLUMNS) - 4),
    )
    return (*_COLUMNS, *texts), rows


def draw(comparison: Comparison, form: Format, page: Page) -> str:
    """Return the ranks by each metric and the p-values of all pairs, or a table by baseline."""
    grids: list[SignedGrid] = []
    for part in comparison.metrics:
        signatures = (signature_line(part.scores),)
        if comparison.baseline is not None:
            grids.append(SignedGrid(baseline_grid(comparison, part), signatures))
            continue
        grids.append(SignedGrid(rank_grid(part), signatures))
        # A paper has no room for a matrix.
        matrix = None if form is Format.LATEX else matrix_grid(part)
        grids += [] if matrix is None else [SignedGrid(matrix, signatures)]
    has_strong_cells = any(grid.has_strong_cells for grid in grids)
    caption = _caption(comparison, form, has_strong_cells=has_strong_cells)
    drawn = draw_signed(grids, caption, form, page)
    if comparison.differences is None:
        return drawn
    return f"{drawn}\n{difference_report.draw(comparison, form, page)}"


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
                *_step(part, system, following),
            )
        )
    headings = ("Rank", "System", heading(scores), "Δ to next", "p", "p (Holm)", *_people(part))
    return Grid(
        headings=headings,
        alignments=(Align.RIGHT, Align.LEFT, *[Align.RIGHT] * (len(headings) - 2)),
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
    first = (Cell(f"{scores.systems[base]} (baseline)"), _score(part, base))
    rows = [(*first, *_step(part, base, None), Cell(""))]
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
    headings = ("System", heading(scores), "Δ", "p", "p (Holm)", *_people(part), "Verdict")
    return Grid(
        headings=headings,
        alignments=(Align.LEFT, *[Align.RIGHT] * (len(headings) - 2), Align.LEFT),
        rows=tuple(rows),
        labels=len(headings) - 1,
    )


def p_text(value: float) -> str:
    """Return a p-value as tables print it.

    >>> p_text(0.04999), p_text(0.00004)
    ('0.050', '<0.001')
    """
    if np.isnan(value):
        return "n/a"
    return f"<{_LEAST_SHOWN}" if value < _LEAST_SHOWN else f"{value:.3f}"


def _caption(comparison: Comparison, form: Format, *, has_strong_cells: bool) -> str:
    scores = comparison.scores
    pairs = len(comparison.pairs)
    least = 1 / (comparison.rounds + 1)
    caption = [f"{counted(scores.segment_count, 'segment')}, target language {scores.language}."]
    caption.append(
        f"{_TEST_NAMES[comparison.test]}, two-sided: {counted(comparison.rounds, 'round')} over "
        f"{comparison.unit}, seed {comparison.seed}; p is never below {least:.2g}."
    )
    if pairs > 1:
        caption.append(f"p (Holm): corrected for the {counted(pairs, 'pair')} of a metric.")
    else:
        caption.append("One pair, so p (Holm) is p.")
    if has_strong_cells:
        caption.append(f"{STRONG[form]} marks p (Holm) ≤ 0.05.")
    if comparison.baseline is None:
        caption.append(
            "A new rank begins with a system that one of the rank above beats at p (Holm) ≤ 0.05."
        )
    return " ".join([*caption, *_people_caption(comparison)])


def _rows(comparison: Comparison) -> Iterator[Row]:
    systems = comparison.scores.systems
    for part in comparison.metrics:
        for a, b in comparison.pairs:
            ranks = (None, None) if part.ranks is None else (int(part.ranks[a]), int(part.ranks[b]))
            yield (
                part.scores.label,
                systems[a],
                systems[b],
                float(part.differences[a, b]),
                float(part.p_values[a, b]),
                float(part.adjusted[a, b]),
                *ranks,
                str(part.scores.signature),
                *_people_fields(part.share(a, b)),
            )


def _people(part: MetricComparison) -> tuple[str, ...]:
    """Return the heading of the share of people, where it is known."""
    return () if part.curve is None else ("people",)


def _people_caption(comparison: Comparison) -> list[str]:
    """Return what the share of people is, from what data, and which metrics have none."""
    fitted: dict[str, list[str]] = {}
    for part in comparison.metrics:
        if part.curve is not None:
            fitted.setdefault(_spelled_data(part.curve), []).append(part.scores.label)
    caption = []
    if fitted:
        data = "; ".join(
            f"{text} for {', '.join(metrics)}" if len(fitted) > 1 else text
            for text, metrics in fitted.items()
        )
        source = f"{comparison.curve_source} " if comparison.curve_source else ""
        caption.append(
            f"people: share of {source}system pairs with this difference that people order the "
            f"same way, and its 95 % interval, by a curve fitted on {data}."
        )
    if any(
        share is not None and share.is_beyond
        for part in comparison.metrics
        for share in (part.share(a, b) for a, b in comparison.pairs)
    ):
        caption.append(f"{_BEYOND}: a larger difference than any of theirs.")
    without = [
        part.scores.label
        for part in comparison.metrics
        if part.curve is None and not part.scores.imported
    ]
    if without:
        caption.append(
            f"How often people agree is not known for {', '.join(without)} with these settings and "
            "this number of references."
        )
    return caption


def _spelled_data(curve: DifferenceCurve) -> str:
    sets = list(dict.fromkeys(place.partition(" ")[0] for place in curve.places))
    spelled = sets[0] if len(sets) == 1 else f"{sets[0]} to {sets[-1]}"
    places = counted(len(curve.places), "language pair")
    return f"{counted(curve.pairs, 'pair')} ({places} of {spelled})"


def _people_cell(share: Estimate | None) -> Cell:
    if share is None or np.isnan(share.value):
        return Cell("")
    beyond = _BEYOND if share.is_beyond else ""
    value = ">99" if share.value > _CERTAIN else f"{100 * share.value:.0f}"
    low, high = (f"{100 * end:.0f}" for end in (share.low, share.high))
    return Cell(f"{value} %{beyond} [{low}, {high}]")


def _people_payload(share: Estimate | None) -> dict[str, Any] | None:
    if share is None:
        return None
    return {
        "share": defined(share.value),
        "ci": [defined(share.low), defined(share.high)],
        "beyond": share.is_beyond,
    }


def _people_fields(share: Estimate | None) -> tuple[float | None, ...]:
    if share is None:
        return None, None, None, None
    return share.value, share.low, share.high, int(share.is_beyond)


def _curve_payload(part: MetricComparison, source: str) -> dict[str, Any]:
    curve = part.curve
    if curve is None:
        return {}
    return {
        "metric": part.scores.metric,
        "source": source,
        "slope": defined(curve.slope),
        "ceiling": defined(curve.ceiling),
        "pairs": curve.pairs,
        "places": list(curve.places),
        "largest": defined(curve.largest),
        "data": curve.data,
    }


def _best_first(scores: MetricScores) -> IntArray:
    signed = -scores.scores if scores.higher_is_better else scores.scores
    return np.argsort(signed, kind="stable")


def _step(part: MetricComparison, system: int, other: int | None) -> tuple[Cell, ...]:
    """Return the difference, both p-values and the share of people; empty cells without another."""
    if other is None:
        return (Cell(""),) * (3 + len(_people(part)))
    difference = f"{part.differences[system, other]:+.{part.scores.decimals}f}"
    p_value = Cell(p_text(part.p_values[system, other]))
    shares = [] if part.curve is None else [_people_cell(part.share(system, other))]
    return Cell(difference), p_value, _adjusted(part, system, other), *shares


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
