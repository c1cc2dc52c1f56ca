"""Draws an alignment: two sentences one above the other, and what links their words.

Runs of matches that keep their order stand one above the other. A run that moved stands twice, in
its place in either sentence, under the same number.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tenbin.core.alignment import Alignment, Match, MatchKind, Span
from tenbin.reports.grid import display_width, printable, shortened

LETTERS = {
    MatchKind.EXACT: "E",
    MatchKind.STEM: "S",
    MatchKind.SYNONYM: "Y",
    MatchKind.PARAPHRASE: "P",
    MatchKind.VECTOR: "V",
    MatchKind.CONTEXT: "C",
    MatchKind.SPELLING: "L",
    MatchKind.TERM: "T",
}
UNMATCHED = "·"

_COLORS = {
    MatchKind.EXACT: "32",
    MatchKind.STEM: "36",
    MatchKind.SYNONYM: "33",
    MatchKind.PARAPHRASE: "35",
    MatchKind.VECTOR: "34",
    MatchKind.CONTEXT: "94",
    MatchKind.SPELLING: "36",
    MatchKind.TERM: "32",
}
_UNMATCHED_COLOR = "31"
_MARGIN = len("translation") + 2
_GAP = 2
_NARROWEST = 20


@dataclass(frozen=True, slots=True)
class _Cell:
    """One column of the drawing: words above, mark, words below; joined if the run goes on."""

    above: str
    below: str
    mark: str = UNMATCHED
    kind: MatchKind | None = None
    joined: bool = False

    @property
    def width(self) -> int:
        return max(map(display_width, (self.above, self.mark, self.below)))


def draw_alignment(
    alignment: Alignment, width: int, *, color: bool = False, compared_with: str = "reference"
) -> str:
    """Return both sentences with their links, in as many lines as the width asks for.

    Args:
        alignment: What to draw.
        width: Columns to fit in.
        color: Whether to paint by kind of match, for a terminal.
        compared_with: What stands below: the reference, or the source.
    """
    room = max(width - _MARGIN, _NARROWEST)
    cells = [_cut(cell, room - _GAP) for cell in _cells(alignment)]
    rows = list(_rows(cells, room)) or [[]]
    return "\n".join(_block(row, compared_with, color=color) for row in rows)


def paint(text: str, kind: MatchKind | None, *, color: bool) -> str:
    """Return a text in the color of a kind of match; None stands for no match."""
    if not color or not text:
        return text
    code = _UNMATCHED_COLOR if kind is None else _COLORS[kind]
    return f"\x1b[{code}m{text}\x1b[0m"


def _cells(alignment: Alignment) -> Iterator[_Cell]:
    """Yield the columns from left to right."""
    chunks = list(enumerate(alignment.chunks, start=1))
    straight = _in_order([chunk for _, chunk in chunks])
    moved = [pair for pair in chunks if pair[0] - 1 not in straight]
    own = _Side(alignment.hypothesis, [(n, m, m.hypothesis) for n, c in moved for m in c])
    other = _Side(alignment.reference, [(n, m, m.reference) for n, c in moved for m in c])
    above = below = 0
    for number, chunk in [*(chunks[place] for place in straight), (0, ())]:
        first = chunk[0] if chunk else None
        stops = (
            len(alignment.hypothesis) if first is None else first.hypothesis.start,
            len(alignment.reference) if first is None else first.reference.start,
        )
        yield from _between(own.cells(above, stops[0]), other.cells(below, stops[1]))
        for match in chunk:
            yield _Cell(
                _words(alignment.hypothesis, match.hypothesis),
                _words(alignment.reference, match.reference),
                _mark(number, match, is_first=match is first),
                match.kind,
                joined=match is not chunk[-1],
            )
            above, below = match.hypothesis.stop, match.reference.stop


@dataclass(frozen=True, slots=True)
class _Side:
    """One sentence, with those of its matches that are not drawn straight across."""

    tokens: tuple[str, ...]
    moved: list[tuple[int, Match, Span]]

    def cells(self, start: int, stop: int) -> list[_Cell]:
        """Return a part of the sentence as cells with the words above."""
        by_start = {span.start: (number, match, span) for number, match, span in self.moved}
        numbers = {span.stop: number for number, _, span in self.moved}
        cells = []
        while start < stop:
            number, match, span = by_start.get(start, (0, None, Span(start, start + 1)))
            follower = by_start.get(span.stop, (0, None, span))
            cells.append(
                _Cell(
                    _words(self.tokens, span),
                    "",
                    UNMATCHED
                    if match is None
                    else _mark(number, match, is_first=numbers.get(start) != number),
                    None if match is None else match.kind,
                    joined=match is not None and follower[0] == number,
                )
            )
            start = span.stop
        return cells


def _between(above: list[_Cell], below: list[_Cell]) -> Iterator[_Cell]:
    """Yield what stands between two runs; unmatched words share columns where nothing else is."""
    if any(cell.kind for cell in (*above, *below)):
        yield from above
        yield from (_Cell("", c.above, c.mark, c.kind, joined=c.joined) for c in below)
        return
    for place in range(max(len(above), len(below))):
        yield _Cell(
            above[place].above if place < len(above) else "",
            below[place].above if place < len(below) else "",
        )


def _in_order(chunks: Sequence[tuple[Match, ...]]) -> list[int]:
    """Return the places of the runs that keep their order and hold the most words together."""
    best: list[tuple[int, list[int]]] = []
    for place, chunk in enumerate(chunks):
        before = max(
            (best[p] for p in range(place) if _start(chunks[p]) < _start(chunk)),
            key=lambda path: path[0],
            default=(0, []),
        )
        words = sum(len(match.hypothesis) + len(match.reference) for match in chunk)
        best.append((before[0] + words, [*before[1], place]))
    return max(best, key=lambda path: path[0], default=(0, []))[1]


def _start(chunk: tuple[Match, ...]) -> int:
    return chunk[0].reference.start


def _mark(number: int, match: Match, *, is_first: bool) -> str:
    return f"{number if is_first else ''}{LETTERS[match.kind]}"


def _words(tokens: tuple[str, ...], span: Span) -> str:
    return printable(" ".join(tokens[span.start : span.stop]))


def _cut(cell: _Cell, room: int) -> _Cell:
    return _Cell(
        shortened(cell.above, room), shortened(cell.below, room), cell.mark, cell.kind, cell.joined
    )


def _rows(cells: Sequence[_Cell], room: int) -> Iterator[list[_Cell]]:
    row: list[_Cell] = []
    used = 0
    for cell in cells:
        # A run that goes on in the next line shows it by its link.
        if row and used + cell.width + _GAP * cell.joined > room:
            yield row
            row, used = [], 0
        row.append(cell)
        used += cell.width + _GAP
    if row:
        yield row


def _block(row: Sequence[_Cell], compared_with: str, *, color: bool) -> str:
    lines = [label.ljust(_MARGIN) for label in ("translation", "", compared_with)]
    for cell in row:
        link = "─" if cell.joined else " "
        for line, (text, fill) in enumerate(
            ((cell.above, " "), (cell.mark, link), (cell.below, " "))
        ):
            rest = fill * (cell.width + _GAP - display_width(text))
            painted = text + rest if fill != " " else text
            lines[line] += paint(painted, cell.kind, color=color) + (rest if fill == " " else "")
    return "".join(f"{line.rstrip()}\n" for line in lines)
