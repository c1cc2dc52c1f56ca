"""Draws links of which a word may have many: a table of numbers, word against word."""

from collections.abc import Iterator

from tenbin.core.alignment import Alignment, Match
from tenbin.core.counting import counted
from tenbin.core.folding import Folding, folded_links
from tenbin.reports.alignment_drawing import UNMATCHED, paint
from tenbin.reports.grid import display_width, printable, shortened
from tenbin.reports.wrapping import hanging

_WIDEST_LABEL = 16
_WIDEST_HEADING = 9
_NARROWEST_COLUMN = 4
_GAP = 1
# As many as a reader can follow down from the heading.
_MOST_ROWS = 40


def draw_matrix(
    alignment: Alignment,
    width: int,
    *,
    color: bool = False,
    compared_with: str = "reference",
    fold: float | None = None,
) -> str:
    """Return a table with a row per word of the translation and a column per word of the reference.

    A number is the weight that is moved, where weights are moved, or else a similarity. A table
    that is too wide goes on below itself; its parts leave out the rows without a number. A long one
    says again what its columns are.

    Args:
        alignment: What to draw.
        width: Columns to fit in.
        color: Whether to paint by kind of match, for a terminal.
        compared_with: What the columns are of: the reference, or the source.
        fold: The number below which cells are left out; None for one that suits the links.
    """
    folding = folded_links(alignment, fold)
    links = {_place(match): match for match in folding.shown}
    labels = [shortened(printable(word), _WIDEST_LABEL) for word in alignment.hypothesis]
    margin = max(map(display_width, [*labels, "translation"])) + _GAP
    headings = [shortened(printable(word), _WIDEST_HEADING) for word in alignment.reference]
    ranges = list(_column_ranges(headings, width - margin))
    blocks = []
    for start, stop in ranges:
        head = " " * margin + "".join(_right(heading) for heading in headings[start:stop])
        rows = [
            row
            for row in range(len(labels))
            if len(ranges) == 1 or any((row, column) in links for column in range(start, stop))
        ]
        for first in range(0, len(rows), _MOST_ROWS):
            lines = [head]
            for row in rows[first : first + _MOST_ROWS]:
                cells = [
                    _cell(links.get((row, column)), _width(headings[column]), color=color)
                    for column in range(start, stop)
                ]
                label = labels[row]
                lines.append(label + " " * (margin - display_width(label)) + "".join(cells))
            blocks.append("".join(f"{line.rstrip()}\n" for line in lines))
    if not blocks:
        blocks = ["".join(f"{label}\n" for label in labels)]
    drawn = f"{'translation':<{margin}}{compared_with} →\n" + "\n".join(blocks)
    return drawn + (_about(folding, len(alignment.matches), width) if folding.folded else "")


def _about(folding: Folding, count: int, width: int) -> str:
    """Return how many numbers are not shown, and why."""
    moves = any(match.mass is not None for match in folding.shown)
    text = (
        f"{UNMATCHED} stands for {folding.folded:,} of {counted(count, 'number')} too: below "
        f"{folding.threshold:.3g}{'' if moves else ' and not the best of a word'}; fold 0 shows all"
    )
    return "\n" + hanging(text, width, "", 0)


def _place(match: Match) -> tuple[int, int]:
    return match.hypothesis.start, match.reference.start


def _column_ranges(headings: list[str], room: int) -> Iterator[tuple[int, int]]:
    start = used = 0
    for column, heading in enumerate(headings):
        taken = _width(heading) + _GAP
        if column > start and used + taken > room:
            yield start, column
            start, used = column, 0
        used += taken
    if headings:
        yield start, len(headings)


def _width(heading: str) -> int:
    return max(display_width(heading), _NARROWEST_COLUMN)


def _right(heading: str) -> str:
    return " " * (_GAP + _width(heading) - display_width(heading)) + heading


def _cell(match: Match | None, width: int, *, color: bool) -> str:
    text = UNMATCHED if match is None else _short(match)
    blank = " " * (_GAP + width - display_width(text))
    return blank + (text if match is None else paint(text, match.kind, color=color))


def _short(match: Match) -> str:
    """Return a number in four columns: .93, 1.00, -.12."""
    value = match.similarity if match.mass is None else match.mass
    return f"{value:.2f}".replace("0.", ".", 1) if abs(value) < 0.995 else f"{value:.1f}"  # noqa: PLR2004
