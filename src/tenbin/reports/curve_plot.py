"""How a measure follows the parameters of metrics, drawn as SVG.

After figures 2 and 3 of Matsuo, Komachi and Sudoh (2017): the parameter from left to right, the
measure from bottom to top, one line per metric. Of several parameters each has a panel, in which
the line is the best that any setting with this value reached, and dots are all settings.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import isnan

from tenbin.core.spec import SpecValue
from tenbin.core.tuning import Tuning
from tenbin.reports.axes import Axis, axis_around, ticks
from tenbin.reports.grid import printable
from tenbin.reports.picture import FONTS
from tenbin.reports.tuning import plain_value

_WIDTH, _LEFT, _RIGHT, _FOR_NAMES = 680, 76, 24, 110
_HEIGHT = 260
_TOP, _BELOW, _LINE = 36, 56, 18
_MOST_LABELS = 12
# Okabe and Ito's colours, which colour-blind readers can tell apart, and lighter ones for the dark.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#AA4499", "#B8860B", "#555555")
_ON_DARK = ("#56B4E9", "#FF8C42", "#2FC79B", "#E39CC9", "#E6B422", "#BBBBBB")
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "1 4")


@dataclass(frozen=True, slots=True)
class _Panel:
    """One parameter: its values, and where they are drawn."""

    parameter: int
    labels: tuple[SpecValue, ...]
    across: Axis
    is_numeric: bool

    def at(self, value: SpecValue) -> float | None:
        """Return where a value is drawn; None if it has no place."""
        if self.is_numeric:
            return self.across.at(float(value)) if _is_number(value) else None  # type: ignore[arg-type]
        return self.across.at(self.labels.index(value)) if value in self.labels else None

    def ticks(self) -> list[tuple[float, str]]:
        """Return what is written below the axis."""
        if self.is_numeric:
            marks = ticks(self.across.low, self.across.high, 11)
            return [(self.across.at(mark), f"{mark:g}") for mark in marks]
        step = -(-len(self.labels) // _MOST_LABELS)
        shown = list(enumerate(self.labels))[::step]
        return [(self.across.at(place), str(plain_value(label))) for place, label in shown]


def render_curves(tunings: Sequence[Tuning]) -> str:
    """Return an SVG picture; all tunings have the same parameters and measure."""
    first = tunings[0]
    key, height = _key(tunings)
    values = [one.value for tuning in tunings for one in tuning.settings if not isnan(one.value)]
    if _names_pairs(tunings):
        values += [v for one in first.settings for v in one.by_pair if not isnan(v)]
    parts = [key]
    for number, name in enumerate(first.parameters):
        down = axis_around(values, height + _HEIGHT, height, room=0.06)
        parts += _panel(tunings, _panel_of(tunings, number), down, name)
        height += _HEIGHT + _BELOW
    title = f"{first.measure} over {', '.join(first.parameters)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" font-family="{FONTS}" font-size="12" role="img">\n'
        f"<title>{escape(printable(title))}</title>\n{_style()}\n"
        f'<rect class="paper" width="{_WIDTH}" height="{height}"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _style() -> str:
    def colours(chosen: Sequence[str]) -> str:
        return "".join(
            f".s{n}{{stroke:{colour}}}.f{n}{{fill:{colour}}}" for n, colour in enumerate(chosen)
        )

    light = ".paper{fill:#fff}.ink{fill:#222}.axis{stroke:#222}.grid{stroke:#ddd}"
    dark = ".paper{fill:#16181d}.ink{fill:#e6e6e6}.axis{stroke:#bbb}.grid{stroke:#3a3d44}"
    return (
        f"<style>{light}{colours(_COLOURS)}"
        f"@media (prefers-color-scheme:dark){{{dark}{colours(_ON_DARK)}}}</style>"
    )


def _key(tunings: Sequence[Tuning]) -> tuple[str, int]:
    """Return the title and what lines and marks mean, and how high that is."""
    first = tunings[0]
    parts = [_text(_LEFT, 22, f"{first.measure}, {first.where}", extra='font-weight="bold"')]
    y = 42
    for number, tuning in enumerate(tunings):
        parts.append(_stroke(f"M{_LEFT} {y - 4}h26", number, width=2))
        told = f"{tuning.metric}: default {_number(tuning.default.value)}"
        if tuning.validation is not None:
            told += f", cross-validated {_number(tuning.validation.value)}"
        parts.append(_text(_LEFT + 34, y, f"{told}, oracle {_number(tuning.oracle.value)}"))
        y += _LINE
    parts.append(_default_mark(_LEFT + 6, y - 4, 0))
    parts.append(_text(_LEFT + 18, y, "default"))
    parts.append(_oracle_mark(_LEFT + 82, y - 4, 0))
    parts.append(_text(_LEFT + 94, y, "oracle (tuned on the test data)"))
    if _names_pairs(tunings):
        parts.append(_text(_LEFT + 300, y, "thin lines: language pairs"))
    elif len(first.parameters) > 1:
        parts.append(_text(_LEFT + 300, y, "dots: all settings; line: the best of them"))
    return "\n".join(parts), y + 18


def _panel_of(tunings: Sequence[Tuning], parameter: int) -> _Panel:
    found = [one.values[parameter] for tuning in tunings for one in tuning.settings]
    labels = tuple(dict.fromkeys(found))
    start, end = _LEFT, _WIDTH - (_FOR_NAMES if _names_pairs(tunings) else _RIGHT)
    if all(_is_number(label) for label in labels):
        numbers = [float(label) for label in labels]  # type: ignore[arg-type]
        return _Panel(parameter, labels, axis_around(numbers, start, end), is_numeric=True)
    axis = Axis(low=-0.5, high=len(labels) - 0.5, start=start, end=end)
    return _Panel(parameter, labels, axis, is_numeric=False)


def _panel(tunings: Sequence[Tuning], panel: _Panel, down: Axis, name: str) -> list[str]:
    left, right = _LEFT, panel.across.end
    parts = []
    for mark in ticks(down.low, down.high, 7):
        y = down.at(mark)
        parts.append(f'<path class="grid" d="M{left} {y}H{right}" fill="none"/>')
        parts.append(_text(left - 8, y + 4, f"{mark:g}", anchor="end"))
    for x, label in panel.ticks():
        parts.append(f'<path class="axis" d="M{x} {down.start}v5" fill="none"/>')
        parts.append(_text(x, down.start + 18, label, anchor="middle"))
    parts.append(_text((left + right) / 2, down.start + 38, name, anchor="middle"))
    for number, tuning in enumerate(tunings):
        parts += _lines(tuning, number, panel, down)
    if _names_pairs(tunings):
        parts += _pair_lines(tunings[0], panel, down)
    parts.append(f'<path class="axis" d="M{left} {down.end}V{down.start}H{right}" fill="none"/>')
    return parts


def _names_pairs(tunings: Sequence[Tuning]) -> bool:
    """Whether there is room for a line per language pair."""
    return len(tunings) == 1 and len(tunings[0].pairs) > 1 and len(tunings[0].parameters) == 1


def _pair_lines(tuning: Tuning, panel: _Panel, down: Axis) -> list[str]:
    """Return a thin line for each language pair, with its name at the end."""
    parts, ends = [], []
    for place, pair in enumerate(tuning.pairs):
        points = [(one.values[0], one.by_pair[place]) for one in tuning.settings]
        points.sort(key=lambda point: panel.at(point[0]) or 0.0)
        parts.append(_stroke(_path(points, panel, down), 0, width=0.8))
        known = [height for _, height in points if not isnan(height)]
        ends += [(down.at(known[-1]), pair)] if known else []
    lowest = 0.0
    for y, pair in sorted(ends):
        lowest = max(y, lowest + _LINE - 4)  # names of lines that end together stand in a column
        parts.append(_text(panel.across.end + 8, lowest + 4, pair))
    return parts


def _lines(tuning: Tuning, number: int, panel: _Panel, down: Axis) -> list[str]:
    parts = []
    if len(tuning.parameters) > 1:
        parts += [
            f'<circle class="{_class("f", number)}" cx="{panel.at(one.values[panel.parameter])}" '
            f'cy="{down.at(one.value)}" r="2" opacity="0.35"/>'
            for one in tuning.settings
            if not isnan(one.value)
        ]
    parts.append(_stroke(_path(_best_by_value(tuning, panel), panel, down), number, width=2))
    for one, mark in ((tuning.default, _default_mark), (tuning.oracle, _oracle_mark)):
        x = panel.at(one.values[panel.parameter])
        if x is not None and not isnan(one.value):
            parts.append(mark(x, down.at(one.value), number))
    return parts


def _best_by_value(tuning: Tuning, panel: _Panel) -> list[tuple[SpecValue, float]]:
    """Return the best value of the measure for each value of a parameter."""
    best: dict[SpecValue, float] = {}
    for one in tuning.settings:
        value = one.values[panel.parameter]
        if value not in best or isnan(best[value]) or one.value > best[value]:
            best[value] = one.value
    order = sorted(best, key=lambda value: panel.at(value) or 0.0)
    return [(value, best[value]) for value in order]


def _path(points: Sequence[tuple[SpecValue, float]], panel: _Panel, down: Axis) -> str:
    """Return a line through all points, broken where a value is undefined."""
    drawn, command = [], "M"
    for value, height in points:
        x = panel.at(value)
        if x is None or isnan(height):
            command = "M"
            continue
        drawn.append(f"{command}{x} {down.at(height)}")
        command = "L"
    return "".join(drawn)


def _stroke(path: str, number: int, *, width: float) -> str:
    dashes = f' stroke-dasharray="{_DASHES[number % len(_DASHES)]}"' if number else ""
    return (
        f'<path class="{_class("s", number)}" d="{path}" fill="none" stroke-width="{width}"'
        f'{dashes} stroke-linejoin="round"/>'
    )


def _default_mark(x: float, y: float, number: int) -> str:
    return (
        f'<circle class="paper {_class("s", number)}" cx="{x}" cy="{y}" r="4.5" stroke-width="2"/>'
    )


def _oracle_mark(x: float, y: float, number: int) -> str:
    return f'<path class="{_class("f", number)}" d="M{x} {y - 7}l7 7l-7 7l-7 -7z"/>'


def _class(kind: str, number: int) -> str:
    return f"{kind}{number % len(_COLOURS)}"


def _is_number(value: SpecValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(value: float) -> str:
    return "–" if isnan(value) else f"{value:.4f}"


def _text(x: float, y: float, text: str, *, anchor: str = "start", extra: str = "") -> str:
    inside = escape(printable(text))
    return f'<text class="ink" x="{x}" y="{y}" text-anchor="{anchor}" {extra}>{inside}</text>'
