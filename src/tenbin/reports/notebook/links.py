"""Draws the links between two sentences as an SVG picture: words in two lines, curves between."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from tenbin.core.alignment import Alignment, Match, MatchKind, Span
from tenbin.core.counting import counted
from tenbin.reports.alignment_drawing import LETTERS
from tenbin.reports.grid import display_width, printable
from tenbin.reports.html import element, escaped, spoken

# Okabe and Ito's colors, or near them: all can be told apart on a light and on a dark page.
COLORS = {
    MatchKind.EXACT: "#009E73",
    MatchKind.STEM: "#0081C6",
    MatchKind.SYNONYM: "#D55E00",
    MatchKind.PARAPHRASE: "#BF62A6",
    MatchKind.VECTOR: "#8A6BD1",
    MatchKind.CONTEXT: "#B07C00",
    MatchKind.SPELLING: "#808080",
    MatchKind.TERM: "#4C8C2B",
}
# Kinds differ by more than color: by dashes, and by the letter on each curve.
DASHES = {
    MatchKind.EXACT: "",
    MatchKind.STEM: "8 3",
    MatchKind.SYNONYM: "5 3",
    MatchKind.PARAPHRASE: "9 3 2 3",
    MatchKind.VECTOR: "2 3",
    MatchKind.CONTEXT: "2 2 6 2",
    MatchKind.SPELLING: "1 3",
    MatchKind.TERM: "12 2",
}
_COLUMN = 8.2  # pixels that a narrow character takes at most, at this size
_SIZE = 14
_GAP = 18.0
_MARGIN = 8.0
_LABEL_ABOVE, _ABOVE, _BELOW, _LABEL_BELOW, _HEIGHT = 14, 40, 168, 192, 198
_TOP, _BOTTOM = _ABOVE + 8, _BELOW - 18
_BADGE_AT = 0.22  # of the way down a curve: words stand apart there, and so do letters
_LEAST_STROKE, _WIDEST_STROKE = 1.2, 14.0
_RIGHT_TO_LEFT = {"R", "AL"}


@dataclass(frozen=True, slots=True)
class _Line:
    """Words in a line: where each begins and ends."""

    words: tuple[str, ...]
    ends: tuple[tuple[float, float], ...]

    def range(self, span: Span) -> tuple[float, float]:
        """Return where some words begin and end."""
        here = self.ends[span.start : span.stop]
        return min(left for left, _ in here), max(right for _, right in here)


def draw_links(alignment: Alignment, compared_with: str, language: str = "") -> str:
    """Return the picture; its text alternative says how many words are linked.

    Where weight is moved, curves are as wide as the weight. Sentences of scripts that run from
    right to left do so.

    Args:
        alignment: What to draw.
        compared_with: What stands below: the reference, or the source.
        language: The target language, which chooses between fonts of Chinese characters.
    """
    width = max(_total(alignment.hypothesis), _total(alignment.reference), 160.0) + 2 * _MARGIN
    above, below = (_laid_out(side, width) for side in (alignment.hypothesis, alignment.reference))
    largest = max((match.mass or 0.0 for match in alignment.matches), default=0.0)
    curves = "".join(_curve(match, above, below, largest) for match in alignment.matches)
    own = {place for match in alignment.matches for place in _places(match.hypothesis)}
    other = {place for match in alignment.matches for place in _places(match.reference)}
    content = (
        _label("translation", _LABEL_ABOVE)
        + _words(above, _ABOVE, own)
        + curves
        + _words(below, _BELOW, other)
        + _label(compared_with, _LABEL_BELOW)
    )
    about = (
        f"{len(own)} of {counted(len(above.words), 'word')} of the translation linked with "
        f"{len(other)} of {counted(len(below.words), 'word')} of the {compared_with}"
    )
    return element(
        "svg",
        element("title", escaped(about)) + content,
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        width=f"{width:.0f}",
        height=str(_HEIGHT),
        viewBox=f"0 0 {width:.0f} {_HEIGHT}",
        font_size=str(_SIZE),
        font_family="system-ui, sans-serif",
        fill="currentColor",
        **spoken(language),
    )


def line_sample(kind: MatchKind) -> str:
    """Return a short line as the curves of a kind are drawn, with its letter, for a legend."""
    line = element("path", d="M1 9H39", **_stroke(kind, 2.0))
    return element(
        "svg",
        line + _badge(kind, 20.0, 9.0),
        xmlns="http://www.w3.org/2000/svg",
        width="40",
        height="18",
        fill="currentColor",
        aria_hidden="true",
        style="vertical-align:middle",
    )


def box_sample() -> str:
    """Return the box that stands around words without a link, for a legend."""
    return element(
        "svg",
        _box(2.0, 2.0, 36.0, 14.0),
        xmlns="http://www.w3.org/2000/svg",
        width="40",
        height="18",
        aria_hidden="true",
        style="vertical-align:middle",
    )


def runs_left(words: Sequence[str]) -> bool:
    """Return whether a sentence runs from right to left, by its first letter of any direction.

    >>> runs_left(["1", "שלום"]), runs_left(["peace"])
    (True, False)
    """
    for character in "".join(words):
        direction = unicodedata.bidirectional(character)
        if direction in _RIGHT_TO_LEFT:
            return True
        if direction == "L":
            return False
    return False


def _width(word: str) -> float:
    return max(display_width(printable(word)), 1) * _COLUMN


def _total(words: Sequence[str]) -> float:
    return sum(_width(word) + _GAP for word in words) - (_GAP if words else 0)


def _laid_out(words: tuple[str, ...], width: float) -> _Line:
    ends = []
    left = _MARGIN
    for word in words:
        ends.append((left, left + _width(word)))
        left += _width(word) + _GAP
    if runs_left(words):
        ends = [(width - right, width - start) for start, right in ends]
    return _Line(words, tuple(ends))


def _places(span: Span) -> range:
    return range(span.start, span.stop)


def _label(text: str, height: int) -> str:
    return element(
        "text", escaped(text), x=f"{_MARGIN:.0f}", y=str(height), font_size="11", opacity="0.7"
    )


def _words(line: _Line, height: int, linked: set[int]) -> str:
    parts = []
    for place, (word, (left, right)) in enumerate(zip(line.words, line.ends, strict=True)):
        if place not in linked:
            parts.append(_box(left - 5, height - 15, right - left + 10, 21))
        parts.append(
            element(
                "text",
                escaped(word),
                x=f"{(left + right) / 2:.1f}",
                y=str(height),
                text_anchor="middle",
                unicode_bidi="isolate",
            )
        )
    return "".join(parts)


def _box(left: float, top: float, width: float, height: float) -> str:
    return element(
        "rect",
        x=f"{left:.1f}",
        y=f"{top:.1f}",
        width=f"{width:.1f}",
        height=f"{height:.1f}",
        rx="3",
        fill="none",
        stroke="currentColor",
        stroke_dasharray="2 2",
        opacity="0.6",
    )


def _curve(match: Match, above: _Line, below: _Line, largest: float) -> str:
    own, other = above.range(match.hypothesis), below.range(match.reference)
    start, end = sum(own) / 2, sum(other) / 2
    middle = (_TOP + _BOTTOM) / 2
    path = f"M{start:.1f} {_TOP}C{start:.1f} {middle} {end:.1f} {middle} {end:.1f} {_BOTTOM}"
    stroke = 2.0
    if match.mass is not None and largest:
        stroke = max(_LEAST_STROKE, _WIDEST_STROKE * match.mass / largest)
    drawn = element("path", d=path, **_stroke(match.kind, stroke))
    # A phrase of several words has a bar along it.
    for span, (left, right), height in (
        (match.hypothesis, own, _TOP),
        (match.reference, other, _BOTTOM),
    ):
        if len(span) > 1:
            bar = f"M{left:.1f} {height}H{right:.1f}"
            drawn += element("path", d=bar, stroke=COLORS[match.kind], stroke_width="2")
    words = " ".join(above.words[match.hypothesis.start : match.hypothesis.stop])
    others = " ".join(below.words[match.reference.start : match.reference.stop])
    said = f"{match.kind}: {words} – {others}: {match.evidence}"
    badge = "" if match.mass is not None else _badge(match.kind, *_on_curve(start, end))
    return element("g", element("title", escaped(said)) + drawn + badge)


def _on_curve(start: float, end: float) -> tuple[float, float]:
    """Return where the letter of a curve stands: its Bézier polynomials at one place."""
    t, middle = _BADGE_AT, (_TOP + _BOTTOM) / 2
    first, second, third, last = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
    across = (first + second) * start + (third + last) * end
    return across, first * _TOP + (second + third) * middle + last * _BOTTOM


def _stroke(kind: MatchKind, width: float) -> dict[str, str]:
    """Return how the curves of a kind look."""
    given = {"fill": "none", "stroke": COLORS[kind], "stroke_width": f"{width:.1f}"}
    is_wide = width > 2.0  # noqa: PLR2004 - a ribbon, not a line
    if is_wide:
        return given | {"opacity": "0.65"}
    return given | ({"stroke_dasharray": DASHES[kind]} if DASHES[kind] else {})


def _badge(kind: MatchKind, across: float, down: float) -> str:
    """Return the letter of a kind in a circle of its color; white on it is legible."""
    circle = element("circle", cx=f"{across:.1f}", cy=f"{down:.1f}", r="7.5", fill=COLORS[kind])
    letter = element(
        "text",
        LETTERS[kind],
        x=f"{across:.1f}",
        y=f"{down + 3.5:.1f}",
        text_anchor="middle",
        font_size="10",
        font_weight="bold",
        fill="#000",
    )
    return circle + letter
