"""Systems and human translators as a metric ranks them, drawn as SVG.

After figure 5 of Zhou, Lin and Hovy (2006, ParaEval): rank from left to right, score from bottom to
top, so that good translators stand in the upper left corner.
"""

from collections.abc import Callable, Sequence
from html import escape

from tenbin.core.agreement import RankedSystem, SystemRanking
from tenbin.reports.grid import display_width, printable

_PLOT_WIDTH_PER_SYSTEM = 34
_LEAST_WIDTH = 240
_PLOT_HEIGHT = 240
_LEAST_LEFT = 72
_RIGHT = 24
_TOP = 56
_GAP = 34
_NAME_SLOPE = 0.71  # names are turned by 45 degrees
_CHARACTER = 6.6
_FONT = 11
_TICKS = 5
# Okabe and Ito's colours, which colour-blind readers can tell apart; shapes differ as well.
_MACHINE = "#0072B2"
_HUMAN = "#D55E00"

_Scale = Callable[[float], float]


def render_rankings(rankings: Sequence[SystemRanking]) -> str:
    """Return an SVG picture with one panel below the other.

    Below each system stands its rank by people, where it is known.
    """
    panels = []
    width = height = 0
    for ranking in rankings:
        drawn, panel_width, panel_height = _panel(ranking)
        panels.append(f'<g transform="translate(0 {height})">{drawn}</g>')
        width, height = max(width, panel_width), height + panel_height
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="{_FONT}">\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n'
        + "\n".join(panels)
        + "\n</svg>\n"
    )


def _panel(ranking: SystemRanking) -> tuple[str, int, int]:
    systems = sorted(ranking.systems, key=lambda one: -one.score)
    inner = max(_LEAST_WIDTH, _PLOT_WIDTH_PER_SYSTEM * len(systems))
    low, high = _range(systems)
    longest = max((display_width(printable(one.name)) for one in systems), default=0)
    names_height = int(longest * _CHARACTER * _NAME_SLOPE) + 30
    bottom = _TOP + _PLOT_HEIGHT
    # Names lean to the left, the first one out of the plot.
    left = max(_LEAST_LEFT, int(longest * _CHARACTER * _NAME_SLOPE))

    def across(rank: int) -> float:
        return round(left + (rank - 0.5) * inner / max(1, len(systems)), 1)

    def down(score: float) -> float:
        return round(bottom - (score - low) / (high - low) * _PLOT_HEIGHT, 1)

    parts = [_text(left, 20, ranking.title, size=14, weight="bold"), _key(left)]
    for tick in range(_TICKS + 1):
        score = low + (high - low) * tick / _TICKS
        y = down(score)
        parts.append(f'<line x1="{left}" y1="{y}" x2="{left + inner}" y2="{y}" stroke="#dddddd"/>')
        parts.append(_text(left - 6, y + 4, _tick_label(score, high - low), anchor="end"))
    by_people = _human_ranks(systems)
    for rank, one in enumerate(systems, start=1):
        x = across(rank)
        parts.append(_mark(x, one, down))
        parts.append(_text(x, bottom + 16, by_people.get(one.name, "–"), anchor="middle"))
        colour = _HUMAN if one.is_human else "black"
        turned = f'transform="rotate(-45 {x} {bottom + 30})"'
        parts.append(_text(x, bottom + 30, one.name, anchor="end", colour=colour, extra=turned))
    parts.append(f'<path d="M{left} {_TOP}V{bottom}H{left + inner}" fill="none" stroke="black"/>')
    parts.append(_text(left - 6, bottom + 16, "by people", anchor="end"))
    height = bottom + names_height + _GAP
    return "\n".join(parts), left + inner + _RIGHT, height


def _mark(x: float, one: RankedSystem, down: _Scale) -> str:
    parts = []
    colour = _HUMAN if one.is_human else _MACHINE
    if one.interval is not None:
        low, high = (down(end) for end in one.interval)
        parts.append(
            f'<path d="M{x} {low}V{high}M{x - 4} {low}h8M{x - 4} {high}h8" stroke="{colour}"/>'
        )
    y = down(one.score)
    if one.is_human:
        parts.append(f'<path d="M{x} {y - 6}l6 6l-6 6l-6 -6z" fill="{colour}"/>')
    else:
        parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{colour}"/>')
    return "".join(parts)


def _key(left: int) -> str:
    machine = RankedSystem(name="", score=0, interval=None, human_score=None, is_human=False)
    human = RankedSystem(name="", score=0, interval=None, human_score=None, is_human=True)
    parts = []
    for x, one, label in ((left + 6, machine, "system"), (left + 70, human, "human translation")):
        parts.append(_mark(x, one, lambda _: 36))
        parts.append(_text(x + 10, 40, label))
    parts.append(_text(left + 190, 40, "bars: 95 % interval"))
    return "".join(parts)


def _range(systems: Sequence[RankedSystem]) -> tuple[float, float]:
    """Return the lowest and highest score to draw, with some room."""
    ends = [end for one in systems for end in (one.score, *(one.interval or ()))]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    room = (high - low) * 0.05 or 0.5
    return low - room, high + room


def _tick_label(score: float, spread: float) -> str:
    """Return a score with as many decimals as tell one tick from the next.

    >>> _tick_label(31.26, 20), _tick_label(0.31264, 0.02)
    ('31', '0.313')
    """
    decimals = next((d for d in range(6) if spread / _TICKS >= 10.0**-d), 6)
    return f"{score:.{decimals}f}"


def _human_ranks(systems: Sequence[RankedSystem]) -> dict[str, str]:
    """Return the rank by people of each system that they judged; equals share the better rank."""
    scores = [one.human_score for one in systems if one.human_score is not None]
    return {
        one.name: str(1 + sum(other > one.human_score for other in scores))
        for one in systems
        if one.human_score is not None
    }


def _text(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    size: int = _FONT,
    weight: str = "normal",
    colour: str = "black",
    extra: str = "",
) -> str:
    style = f'text-anchor="{anchor}" font-size="{size}" font-weight="{weight}" fill="{colour}"'
    return f'<text x="{x}" y="{y}" {style} {extra}>{escape(printable(text))}</text>'
