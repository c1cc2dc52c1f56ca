"""Plots of results, by matplotlib: tuning curves and rankings of systems.

Figures are built without pyplot, so that nothing global changes and no display is needed. The same
figure becomes SVG, PNG or PDF by the name of its file, byte for byte the same in every run.
"""

import logging
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from math import isnan, nan
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from tenbin.core.agreement import RankedSystem, SystemRanking
from tenbin.core.errors import MissingExtra, ResourceError, UsageError
from tenbin.core.spec import SpecValue
from tenbin.core.tuning import TriedSetting, Tuning
from tenbin.reports.grid import printable
from tenbin.reports.tuning import plain_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".svg", ".png", ".pdf")
# Okabe and Ito's colors, which color-blind readers can tell apart; dashes and markers differ too.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#AA4499", "#B8860B", "#555555")
_DASHES = ("-", "--", ":", "-.")
GRID_COLOR, _INK = "#dddddd", "#222222"
# Names of systems may be in any script; the first font of the list that has a glyph is taken.
FONTS = ["DejaVu Sans", "Noto Sans CJK JP", "IPAGothic", "Hiragino Sans", "Yu Gothic"]
_SETTINGS = {
    "font.family": FONTS,
    "font.size": 9.0,
    "svg.fonttype": "none",  # text stays text: it can be searched, and follows the reader's fonts
    "svg.hashsalt": "tenbin",
    "pdf.fonttype": 42,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": _INK,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
}
# A title that is read as mathematics would lose its dollar signs.
PLAIN_TEXT: dict[str, Any] = {"parse_math": False}
# The same result gives the same file.
_NO_DATE: dict[str, dict[str, None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
_PANEL_HEIGHT = 2.9
_CURVE_WIDTH = 7.2
_WIDTH_PER_SYSTEM, _LEAST_WIDTH = 0.36, 4.0
_MOST_LABELS = 12


def check_plot(path: str) -> None:
    """Raise if a plot of that name cannot be drawn, before hours of scoring.

    Raises:
        UsageError: The name does not end in .svg, .png or .pdf.
        MissingExtra: matplotlib is not installed.
    """
    if PurePath(path).suffix.lower() not in FORMATS:
        raise UsageError(f"{path}: give the name of a file that ends in .svg, .png or .pdf.")
    if find_spec("matplotlib") is None:
        raise MissingExtra("a plot", "plots")


def plot_bytes(figure: "Figure", path: str) -> bytes:
    """Return a figure as the content of a file, in the format that the file's name ends in.

    Raises:
        ResourceError: No font on this machine has a character of the text, which PNG and PDF need.
    """
    check_plot(path)
    form = PurePath(path).suffix.lower().removeprefix(".")
    content = BytesIO()
    with drawing_style() as missing:
        figure.savefig(
            content,
            format=form,
            dpi=200,
            bbox_inches="tight",
            facecolor="white",
            metadata=_NO_DATE.get(form),
        )
    # SVG carries the text itself, for the fonts of whoever looks at it.
    if missing and form != "svg":
        raise ResourceError(
            f"{path}: no font on this machine has the characters {''.join(missing)!r}. Install one "
            "that has, such as Noto Sans CJK, or name a file that ends in .svg."
        )
    return content.getvalue()


def plot_curves(tunings: Sequence[Tuning]) -> "Figure":
    """Return the measure over each tuned parameter, one line per metric.

    After figures 2 and 3 of Matsuo, Komachi and Sudoh (2017). Several parameters have a panel each,
    in which the line is the best that any setting with this value reached and dots are all
    settings. One metric on several language pairs has a thin line for each.

    Args:
        tunings: Tunings over the same parameters by the same measure.
    """
    first = tunings[0]
    with drawing_style():
        figure, panels = panels_below(len(first.parameters), _CURVE_WIDTH)
        for parameter, (panel, name) in enumerate(zip(panels, first.parameters, strict=True)):
            scale = _Scale.of(tunings, parameter)
            for number, tuning in enumerate(tunings):
                _draw_tuning(panel, tuning, number, scale)
            if _by_pair(tunings):
                _draw_pairs(panel, first, scale)
            scale.label(panel)
            panel.set_xlabel(printable(name), **PLAIN_TEXT)
            panel.set_ylabel(printable(first.measure), **PLAIN_TEXT)
        panels[0].set_title(printable(f"{first.measure}, {first.where}"), **PLAIN_TEXT)
        _legend(panels[0])
        figure.tight_layout()
    return figure


def plot_rankings(rankings: Sequence[SystemRanking]) -> "Figure":
    """Return systems and human translators in the order of a metric, one panel per ranking.

    After figure 5 of Zhou, Lin and Hovy (2006, ParaEval): rank from left to right, score from
    bottom to top. Below each system stands its rank by human judgment, where it is known.
    """
    most = max((len(ranking.systems) for ranking in rankings), default=0)
    with drawing_style():
        figure, panels = panels_below(
            len(rankings), max(_LEAST_WIDTH, _WIDTH_PER_SYSTEM * most), height=_PANEL_HEIGHT + 1.1
        )
        for panel, ranking in zip(panels, rankings, strict=True):
            _draw_ranking(panel, ranking)
        figure.tight_layout()
    return figure


@contextmanager
def drawing_style() -> Iterator[list[str]]:
    """Draw in Tenbin's style; yields a list that is filled with characters no font has."""
    import matplotlib as mpl  # noqa: PLC0415 - an optional extra

    logger = logging.getLogger("matplotlib.font_manager")
    level = logger.level
    logger.setLevel(logging.ERROR)  # it tells of every font of the list that is not installed
    missing: list[str] = []
    try:
        with (
            warnings.catch_warnings(record=True) as caught,
            mpl.rc_context(_SETTINGS),  # type: ignore[arg-type]
        ):
            warnings.simplefilter("always")
            yield missing
    finally:
        logger.setLevel(level)
    for warning in caught:
        glyph = re.match(r"Glyph (\d+) ", str(warning.message))
        if glyph is None:
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
        elif chr(int(glyph[1])) not in missing:
            missing.append(chr(int(glyph[1])))


def panels_below(
    count: int, width: float, *, height: float = _PANEL_HEIGHT
) -> tuple["Figure", list["Axes"]]:
    """Return a figure with panels below each other, at least one.

    Args:
        count: How many are used.
        width: Of each, in inches.
        height: Of each, in inches.
    """
    from matplotlib.figure import Figure  # noqa: PLC0415 - an optional extra

    figure = Figure(figsize=(width, height * max(count, 1)))
    grid = figure.subplots(max(count, 1), 1, squeeze=False)
    return figure, list(grid[:, 0])[:count]


@dataclass(frozen=True, slots=True)
class _Scale:
    """Where the values of a parameter stand: numbers by their size, others side by side."""

    parameter: int
    values: tuple[SpecValue, ...]

    @classmethod
    def of(cls, tunings: Sequence[Tuning], parameter: int) -> "_Scale":
        found = [one.values[parameter] for tuning in tunings for one in tuning.settings]
        return cls(parameter, tuple(dict.fromkeys(found)))

    @property
    def is_numeric(self) -> bool:
        return all(_is_number(value) for value in self.values)

    def at(self, setting: TriedSetting) -> float | None:
        """Return where a setting stands; None if its value is not among those drawn."""
        value = setting.values[self.parameter]
        if self.is_numeric:
            return float(value) if _is_number(value) else None  # type: ignore[arg-type]
        return float(self.values.index(value)) if value in self.values else None

    def label(self, panel: "Axes") -> None:
        if not self.is_numeric:
            step = -(-len(self.values) // _MOST_LABELS)
            places = range(0, len(self.values), step)
            names = [printable(str(plain_value(self.values[place]))) for place in places]
            panel.set_xticks(list(places), names, **PLAIN_TEXT)
            panel.set_xlim(-0.5, len(self.values) - 0.5)


def _draw_tuning(panel: "Axes", tuning: Tuning, number: int, scale: _Scale) -> None:
    color = COLORS[number % len(COLORS)]
    if len(tuning.parameters) > 1:
        across = [nan if (x := scale.at(one)) is None else x for one in tuning.settings]
        up = [one.value for one in tuning.settings]
        panel.scatter(across, up, s=8, color=color, alpha=0.35, linewidths=0)
    best: dict[float, float] = {}
    for one in tuning.settings:
        place = scale.at(one)
        if place is not None:
            # The maximum, whatever else is undefined; a gap where all are.
            best[place] = float(np.fmax(best.get(place, nan), one.value))
    line = sorted(best.items())
    panel.plot(
        *(zip(*line, strict=True) if line else ((), ())),
        color=color,
        linestyle=_DASHES[number % len(_DASHES)],
        linewidth=1.8,
        label=printable(_summary(tuning)),
    )
    only = number == 0
    for one, marker, face, label in (
        (tuning.default, "o", "white", "default"),
        (tuning.oracle, "D", color, "oracle (tuned on the test data)"),
    ):
        place = scale.at(one)
        if place is not None and not isnan(one.value):
            panel.plot(
                [place],
                [one.value],
                linestyle="none",
                marker=marker,
                color=color,
                markerfacecolor=face,
                zorder=3,
                label=label if only else None,
            )


def _draw_pairs(panel: "Axes", tuning: Tuning, scale: _Scale) -> None:
    """Draw a thin line for each language pair, with its name at the end."""
    for place, pair in enumerate(tuning.pairs):
        points = sorted(
            (where, one.by_pair[place])
            for one in tuning.settings
            if (where := scale.at(one)) is not None
        )
        panel.plot(*zip(*points, strict=True), color=COLORS[0], linewidth=0.7, alpha=0.7)
        known = [point for point in points if not isnan(point[1])]
        if known:
            panel.annotate(
                printable(pair),
                known[-1],
                xytext=(6, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
                **PLAIN_TEXT,
            )


def _draw_ranking(panel: "Axes", ranking: SystemRanking) -> None:
    systems = sorted(ranking.systems, key=lambda one: -one.score)
    ranks = range(1, len(systems) + 1)
    for is_human, marker, color, label in (
        (False, "o", COLORS[0], "system"),
        (True, "D", COLORS[1], "human translation"),
    ):
        chosen = [
            (rank, one)
            for rank, one in zip(ranks, systems, strict=True)
            if one.is_human == is_human
        ]
        if not chosen:
            continue
        panel.errorbar(
            [rank for rank, _ in chosen],
            [one.score for _, one in chosen],
            yerr=_bars([one for _, one in chosen]),
            linestyle="none",
            marker=marker,
            color=color,
            capsize=3,
            label=label,
        )
    by_humans = _human_ranks(systems)
    names = [f"{printable(one.name)}  ({by_humans.get(one.name, '–')})" for one in systems]
    panel.set_xticks(list(ranks), names, rotation=45, ha="right", **PLAIN_TEXT)
    for tick, one in zip(panel.get_xticklabels(), systems, strict=True):
        tick.set_color(COLORS[1] if one.is_human else _INK)
    panel.set_xlim(0.5, max(len(systems), 1) + 0.5)
    panel.set_xlabel("in parentheses: rank by human judgment; bars: 95 % interval")
    panel.set_title(printable(ranking.title), **PLAIN_TEXT)
    panel.grid(visible=True, axis="y", color=GRID_COLOR, linewidth=0.6)
    panel.set_axisbelow(True)
    if systems:
        panel.legend(frameon=False)


def _bars(systems: Sequence[RankedSystem]) -> list[list[float]]:
    """Return how far the interval of each score reaches down and up; 0 where it is unknown."""
    ends = [one.interval or (one.score, one.score) for one in systems]
    down = [max(0.0, one.score - low) for one, (low, _) in zip(systems, ends, strict=True)]
    up = [max(0.0, high - one.score) for one, (_, high) in zip(systems, ends, strict=True)]
    return [down, up]


def _human_ranks(systems: Sequence[RankedSystem]) -> dict[str, str]:
    """Return the rank by human judgment of each judged system; ties share the better rank."""
    scores = [one.human_score for one in systems if one.human_score is not None]
    return {
        one.name: str(1 + sum(other > one.human_score for other in scores))
        for one in systems
        if one.human_score is not None
    }


def _legend(panel: "Axes") -> None:
    panel.grid(visible=True, axis="y", color=GRID_COLOR, linewidth=0.6)
    panel.set_axisbelow(True)
    for text in panel.legend(frameon=False, fontsize=8).get_texts():
        text.set_parse_math(False)


def _by_pair(tunings: Sequence[Tuning]) -> bool:
    """Whether there is room for a line per language pair."""
    return len(tunings) == 1 and len(tunings[0].pairs) > 1 and len(tunings[0].parameters) == 1


def _summary(tuning: Tuning) -> str:
    text = f"{tuning.metric}: default {_number(tuning.default.value)}"
    if tuning.validation is not None:
        text += f", cross-validated {_number(tuning.validation.value)}"
    return f"{text}, oracle {_number(tuning.oracle.value)}"


def _is_number(value: SpecValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(value: float) -> str:
    return "–" if isnan(value) else f"{value:.4f}"
