"""Renders difference curves: the difference of system scores that a share of people takes."""

from collections.abc import Iterable, Sequence
from math import inf, isfinite, isnan
from typing import Any

from tenbin.core.counting import counted
from tenbin.core.difference_curve import CurveTable, DifferenceCurve, Estimate
from tenbin.reports.data import Row, defined
from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import Grid, TitledGrid
from tenbin.reports.titled import draw_titled, labeled_grid
from tenbin.version import __version__

SHARES = (0.6, 0.7, 0.8, 0.9, 0.95)
"""Shares of system pairs whose differences are listed."""

_COLUMNS = (
    "metric",
    "share",
    "difference",
    "ci_low",
    "ci_high",
    "slope",
    "ceiling",
    "pairs",
    "language_pairs",
    "agreement",
    "largest",
)
_TITLE = "The difference at which a share of people prefer the same system"
_NEVER = "–"


def payload(table: CurveTable) -> dict[str, Any]:
    """Return the curves, what they were fitted on, and the differences of some shares."""
    return {
        "tenbin": __version__,
        "source": table.source,
        "resamples": table.resamples,
        "seed": table.seed,
        "curves": [_curve_payload(curve) for curve in table.curves],
        "data": [
            {
                "metric": point.metric,
                "place": point.place,
                "human": point.human,
                "systems": point.systems,
                "pairs": point.pairs,
                "agreement": defined(point.agreement),
            }
            for point in table.points
        ],
        "notes": list(table.notes),
    }


def tidy(table: CurveTable) -> tuple[Sequence[str], Iterable[Row]]:
    """Return a row for each metric and share."""
    return _COLUMNS, (
        (
            curve.metric,
            share,
            *(_finite(end) for end in _ends(curve.needed(share))),
            curve.slope,
            curve.ceiling,
            curve.pairs,
            len(curve.places),
            curve.agreement,
            curve.largest,
        )
        for curve in table.curves
        for share in SHARES
    )


def draw(table: CurveTable, form: Format, page: Page) -> str:
    """Return the differences of some shares, metric by metric."""
    places = max((len(curve.places) for curve in table.curves), default=0)
    of_what = "language pairs" if places > 1 else "systems"
    source = f" of {table.source}" if table.source else ""
    samples = counted(table.resamples, "bootstrap sample")
    difference = (
        f"Difference of system scores at which people order this share of system pairs{source} as "
        f"the metric does; brackets: 95 % interval over {samples} of {of_what}, seed {table.seed}. "
        f"{_NEVER}: none is large enough."
    )
    others = (
        "all: share of all pairs, whatever their difference. largest: the largest difference. "
        "pairs: system pairs, and from how many language pairs of test sets they are."
    )
    grid = TitledGrid(_TITLE, curve_grid(table))
    return draw_titled([grid], [difference, others], (), form, page)


def curve_grid(table: CurveTable) -> Grid:
    """Return metrics down, shares across."""
    headings = ["Metric", *(f"{share:.0%}".replace("%", " %") for share in SHARES)]
    headings += ["all", "largest", "pairs", "from"]
    rows = [
        [
            curve.metric,
            *(_difference(curve, share) for share in SHARES),
            _NEVER if isnan(curve.agreement) else f"{100 * curve.agreement:.0f} %",
            _NEVER if isnan(curve.largest) else f"{curve.largest:.3g}",
            f"{curve.pairs:,}",
            str(len(curve.places)),
        ]
        for curve in table.curves
    ]
    return labeled_grid(headings, rows, labels=1)


def _difference(curve: DifferenceCurve, share: float) -> str:
    value, low, high = _ends(curve.needed(share))
    if not isfinite(value):
        return _NEVER
    shown = "" if isnan(low) else f" [{_number(low)}, {_number(high)}]"
    return f"{_number(value)}{shown}"


def _number(value: float) -> str:
    """Return three digits, without an exponent.

    >>> _number(1234.5), _number(1.234), _number(0.01234), _number(inf)
    ('1234', '1.23', '0.0123', '∞')
    """
    if value == inf:
        return "∞"
    if value >= 100:  # noqa: PLR2004 - three digits
        return f"{value:.0f}"
    return f"{value:.3g}" if value >= 0.001 or value == 0 else f"{value:.5f}"  # noqa: PLR2004


def _ends(estimate: Estimate) -> tuple[float, float, float]:
    return estimate.value, estimate.low, estimate.high


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def _curve_payload(curve: DifferenceCurve) -> dict[str, Any]:
    return {
        "metric": curve.metric,
        "slope": defined(curve.slope),
        "ceiling": defined(curve.ceiling),
        "pairs": curve.pairs,
        "places": list(curve.places),
        "agreement": defined(curve.agreement),
        "largest": defined(curve.largest),
        "reliable": curve.is_reliable,
        "settings": list(curve.settings),
        "data": curve.data,
        "needed": [{"share": share, **_needed_payload(curve.needed(share))} for share in SHARES],
    }


def _needed_payload(needed: Estimate) -> dict[str, Any]:
    return {
        "difference": defined(needed.value),
        "ci": [defined(needed.low), defined(needed.high)],
        "beyond": needed.is_beyond,
    }
