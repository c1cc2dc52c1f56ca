"""Draws links of which a word may have many as a table with shades."""

from tenbin.core.alignment import Alignment, Match
from tenbin.core.folding import folded_links
from tenbin.reports.html import element, escaped, marked_text, spoken
from tenbin.reports.notebook.links import runs_left

_BLUE = "0,114,178"
_DARKEST = 0.7  # text on the darkest shade stays legible on a light and on a dark page
_MOST_NOTED = 2_500


def draw_heat_map(alignment: Alignment, compared_with: str, language: str = "") -> str:
    """Return a table with a row per word of the translation and a column per other word.

    The larger a number, the stronger the shade; weak numbers have a shade alone, and all are
    written where the pointer stands.

    Args:
        alignment: What to draw.
        compared_with: What the columns are of: the reference, or the source.
        language: The target language, which chooses between fonts of Chinese characters.
    """
    links = {_place(match): match for match in alignment.matches}
    written = {_place(match) for match in folded_links(alignment).shown}
    noted = len(links) <= _MOST_NOTED
    heads = "".join(
        element("th", marked_text(word), scope="col", dir="auto") for word in alignment.reference
    )
    rows = [element("tr", element("th", f"translation ↓ {escaped(compared_with)} →") + heads)]
    for row, word in enumerate(alignment.hypothesis):
        cells = "".join(
            _cell(links.get((row, column)), is_written=(row, column) in written, noted=noted)
            for column in range(len(alignment.reference))
        )
        rows.append(element("tr", element("th", marked_text(word), scope="row") + cells))
    direction = "rtl" if runs_left(alignment.reference) else "ltr"
    table = element("table", "".join(rows), classes="tenbin-heat", dir=direction)
    return element("div", table, classes="tenbin-scroll", **spoken(language))


def _place(match: Match) -> tuple[int, int]:
    return match.hypothesis.start, match.reference.start


def _cell(match: Match | None, *, is_written: bool, noted: bool) -> str:
    if match is None:
        return element("td")
    value = match.similarity if match.mass is None else match.mass
    shade = f"background:rgba({_BLUE},{_DARKEST * min(max(value, 0.0), 1.0):.2f})"
    note = {"title": f"{match.kind} {value:.3f}: {match.evidence}"} if noted else {}
    return element("td", f"{value:.2f}" if is_written else "", style=shade, **note)
