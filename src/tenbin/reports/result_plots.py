"""Figures of results, by matplotlib: what ``plot()`` of a result returns."""

from functools import partial
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

from tenbin.core.agreement import MetaRow, MetaTable
from tenbin.core.errors import MissingExtra, UsageError
from tenbin.core.rendering import Plottable
from tenbin.core.scores import Comparison, MetricComparison, MetricScores, ScoreTable
from tenbin.core.tuning import TuningTable
from tenbin.reports.comparison import p_text
from tenbin.reports.grid import printable
from tenbin.reports.plots import (
    COLORS,
    FONTS,
    GRID_COLOR,
    PLAIN_TEXT,
    drawing_style,
    panels_below,
    plot_curves,
)
from tenbin.reports.scores import heading

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH = 7.2
_ROW_HEIGHT = 0.3
_ROOM = 0.9
_LEVEL = 0.05
_MARKERS = ("o", "s", "D", "^", "v", "P")


def plot_result(result: Plottable) -> "Figure":
    """Return the figure of a result, which a notebook shows as a picture.

    Scores: systems from best to worst by each metric, with their intervals. A comparison: the
    differences of all pairs of systems, with those that are significant in bold. Agreement: bars
    with intervals, a panel per measure and language pair. A tuning: its curves.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    if find_spec("matplotlib") is None:
        raise MissingExtra("plot()", "plots")
    figure = _figure(result)
    _use_installed_fonts(figure)
    # IPython knows figures only once pyplot is imported, which Tenbin does not do.
    object.__setattr__(figure, "_repr_png_", partial(_png, figure))
    return figure


def _use_installed_fonts(figure: "Figure") -> None:
    """Name only fonts that are there: of each other one matplotlib would tell at every saving."""
    from matplotlib.font_manager import fontManager  # noqa: PLC0415 - an optional extra
    from matplotlib.text import Text  # noqa: PLC0415

    there = {font.name for font in fontManager.ttflist}
    families = [name for name in FONTS if name in there]
    for text in figure.findobj(Text):
        text.set_fontfamily(families)


def _figure(result: Plottable) -> "Figure":
    if isinstance(result, ScoreTable):
        return plot_scores(result)
    if isinstance(result, Comparison):
        return plot_comparison(result)
    if isinstance(result, MetaTable):
        return plot_agreement(result)
    if isinstance(result, TuningTable):
        return plot_curves(result.tunings)
    raise UsageError(f"there is no figure of {type(result).__name__}.")


def plot_scores(table: ScoreTable) -> "Figure":
    """Return a panel per metric: systems from best to worst, scores with their intervals."""
    height = _ROOM + _ROW_HEIGHT * len(table.systems)
    with drawing_style():
        figure, panels = panels_below(len(table.results), _WIDTH, height=height)
        for panel, scores in zip(panels, table.results, strict=True):
            _draw_scores(panel, scores)
        figure.tight_layout()
    return figure


def plot_comparison(comparison: Comparison) -> "Figure":
    """Return a panel per metric: score of the row less that of the column; bold is significant."""
    count = len(comparison.scores.systems)
    with drawing_style():
        figure, panels = panels_below(
            len(comparison.metrics), max(4.0, 1.6 + 0.75 * count), height=1.4 + 0.45 * count
        )
        for panel, part in zip(panels, comparison.metrics, strict=True):
            _draw_differences(panel, part)
        figure.tight_layout()
    return figure


def plot_agreement(table: MetaTable) -> "Figure":
    """Return a panel per measure and language pair: metrics from best to worst, with intervals."""
    groups: dict[tuple[str, str, str], list[MetaRow]] = {}
    for row in table.rows:
        groups.setdefault((row.test_set, row.pair, row.measure), []).append(row)
    most = max(map(len, groups.values()), default=0)
    with drawing_style():
        figure, panels = panels_below(len(groups), _WIDTH, height=_ROOM + _ROW_HEIGHT * most)
        for panel, (place, rows) in zip(panels, groups.items(), strict=True):
            _draw_bars(panel, place, rows)
        figure.tight_layout()
    return figure


def _png(figure: "Figure") -> bytes:
    content = BytesIO()
    with drawing_style():
        figure.savefig(content, format="png", dpi=110, bbox_inches="tight", facecolor="white")
    return content.getvalue()


def _draw_scores(panel: "Axes", scores: MetricScores) -> None:
    order = np.argsort(-scores.scores if scores.higher_is_better else scores.scores, kind="stable")
    places = range(len(order))
    bars = None
    if scores.intervals is not None:
        ends = scores.intervals[order]
        middle = scores.scores[order]
        bars = np.maximum(0.0, [middle - ends[:, 0], ends[:, 1] - middle])
    panel.errorbar(
        scores.scores[order],
        list(places),
        xerr=bars,
        linestyle="none",
        marker=_MARKERS[0],
        color=COLORS[0],
        capsize=3,
    )
    panel.set_yticks(
        list(places), [printable(scores.systems[place]) for place in order], **PLAIN_TEXT
    )
    panel.set_ylim(len(order) - 0.5, -0.5)
    panel.set_title(printable(heading(scores)), **PLAIN_TEXT)
    if bars is not None:
        panel.set_xlabel("bars: 95 % bootstrap confidence interval")
    _finish(panel)


def _draw_differences(panel: "Axes", part: MetricComparison) -> None:
    scores = part.scores
    order = np.argsort(-scores.scores if scores.higher_is_better else scores.scores, kind="stable")
    shown = part.differences[np.ix_(order, order)]
    adjusted = part.adjusted[np.ix_(order, order)]
    reach = float(np.nanmax(np.abs(shown), initial=0.0)) or 1.0
    panel.imshow(shown, cmap="PuOr", vmin=-reach, vmax=reach, aspect="auto")
    for row, column in np.ndindex(*shown.shape):
        if row == column:
            continue
        strong = bool(adjusted[row, column] <= _LEVEL)
        dark = abs(shown[row, column]) > 0.6 * reach  # of the darkest color
        panel.text(
            column,
            row,
            f"{shown[row, column]:+.{scores.decimals}f}\np {p_text(float(adjusted[row, column]))}",
            ha="center",
            va="center",
            fontsize=7,
            fontweight="bold" if strong else "normal",
            color="white" if dark else "black",
        )
    names = [printable(scores.systems[place]) for place in order]
    panel.set_xticks(list(range(len(names))), names, rotation=45, ha="right", **PLAIN_TEXT)
    panel.set_yticks(list(range(len(names))), names, **PLAIN_TEXT)
    panel.set_title(printable(f"{heading(scores)}: row less column"), **PLAIN_TEXT)
    panel.set_xlabel("bold: p (Holm) ≤ 0.05")


def _draw_bars(panel: "Axes", place: tuple[str, str, str], rows: list[MetaRow]) -> None:
    order = sorted(rows, key=lambda row: -np.nan_to_num(row.value, nan=-np.inf))
    values = [row.value for row in order]
    places = list(range(len(order)))
    panel.barh(places, np.nan_to_num(values), height=0.6, color=COLORS[0], alpha=0.75)
    for at, row in zip(places, order, strict=True):
        if row.ci is not None:
            panel.plot(row.ci, [at, at], color="#222222", linewidth=1.2, marker="|")
    names = [
        f"{printable(row.metric)}" + ("" if row.rank is None else f"  ({row.rank})")
        for row in order
    ]
    panel.set_yticks(places, names, **PLAIN_TEXT)
    panel.set_ylim(len(order) - 0.5, -0.5)
    test_set, pair, measure = place
    panel.set_title(printable(" ".join(filter(None, (measure, test_set, pair)))), **PLAIN_TEXT)
    notes = ["lines: 95 % interval"] if any(row.ci is not None for row in order) else []
    notes += ["in parentheses: rank"] if any(row.rank is not None for row in order) else []
    panel.set_xlabel("; ".join(notes))
    _finish(panel)


def _finish(panel: "Axes") -> None:
    panel.grid(visible=True, axis="x", color=GRID_COLOR, linewidth=0.6)
    panel.set_axisbelow(True)
