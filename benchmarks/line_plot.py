"""Lines over one number, with axes from 0."""

from collections.abc import Mapping, Sequence
from itertools import cycle

from matplotlib.figure import Figure

from tenbin.reports.plots import COLORS, plot_bytes

Points = Sequence[tuple[float, float]]


def render_lines(title: str, across: str, up: str, lines: Mapping[str, Points]) -> str:
    """Return a plot as SVG.

    Args:
        title: What it shows.
        across: Label of the horizontal axis.
        up: Label of the vertical axis.
        lines: The points of each line, by name.
    """
    figure = Figure(figsize=(6.4, 3.2))
    axes = figure.subplots()
    for (name, points), color in zip(lines.items(), cycle(COLORS), strict=False):
        axes.plot(*zip(*points, strict=True), marker="o", color=color, label=name)
    axes.set(title=title, xlabel=across, ylabel=up)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    return plot_bytes(figure, "lines.svg").decode()
