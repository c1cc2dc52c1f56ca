"""Lines over one number, drawn as SVG with axes from 0."""

from collections.abc import Mapping, Sequence
from html import escape

from tenbin.reports.axes import Axis, ticks
from tenbin.reports.picture import FONTS

_WIDTH, _HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BELOW = 64, 150, 50, 48
# Okabe and Ito's colours, which colour-blind readers can tell apart.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#AA4499")

Points = Sequence[tuple[float, float]]


def render_lines(title: str, across: str, up: str, lines: Mapping[str, Points]) -> str:
    """Return a picture.

    Args:
        title: What it shows.
        across: What the points have from left to right.
        up: What they have from bottom to top.
        lines: The points of each line, by name.
    """
    places = [point for points in lines.values() for point in points]
    x = Axis(low=0, high=max(place[0] for place in places), start=_LEFT, end=_WIDTH - _RIGHT)
    y = Axis(low=0, high=max(place[1] for place in places), start=_HEIGHT - _BELOW, end=_TOP)
    style = f'font-family="{escape(FONTS)}" font-size="12" fill="#444"'
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" {style}>',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        _text(_LEFT, 18, title, extra=' font-weight="bold"'),
        _text((x.start + x.end) / 2, _HEIGHT - 10, across, anchor="middle"),
        _text(10, _TOP - 12, up),
    ]
    drawn += [
        _text(x.at(mark), y.start + 18, f"{mark:,.0f}", anchor="middle")
        for mark in ticks(x.low, x.high, 6)
    ]
    for mark in ticks(y.low, y.high, 6):
        drawn.append(_text(x.start - 8, y.at(mark) + 4, f"{mark:g}", anchor="end"))
        drawn.append(f'<path d="M{x.start} {y.at(mark)}H{x.end}" stroke="#ddd" stroke-width="1"/>')
    for (name, points), colour in zip(lines.items(), _COLOURS, strict=False):
        path = "L".join(f"{x.at(one)} {y.at(other)}" for one, other in points)
        drawn.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        drawn += [
            f'<circle cx="{x.at(one)}" cy="{y.at(other)}" r="3" fill="{colour}"/>'
            for one, other in points
        ]
        drawn.append(_text(x.end + 8, y.at(points[-1][1]) + 4, name, extra=f' fill="{colour}"'))
    return "\n".join([*drawn, "</svg>"]) + "\n"


def _text(x: float, y: float, text: str, *, anchor: str = "start", extra: str = "") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{extra}>{escape(text)}</text>'
