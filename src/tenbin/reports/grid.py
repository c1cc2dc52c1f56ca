"""A grid of cells, the common form from which text, Markdown and LaTeX tables are drawn."""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

# Marks that combine with the character before them, and characters that only steer layout.
_WITHOUT_WIDTH = {"Mn", "Me", "Cf"}
# Controls, separators of lines, and halves of characters, which no file can hold.
_UNPRINTABLE = {"Cc", "Zl", "Zp", "Cs"}
# What turns the direction of the text after it, and ends such a turn.
_TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


class Align(StrEnum):
    """How a column is set."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Cell:
    """A text, and whether it deserves to stand out: the best score, a proven difference."""

    text: str
    strong: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table: one heading and one alignment per column, rows of cells.

    Attributes:
        headings: The heading of each column.
        alignments: How each column is set.
        rows: The cells, row by row.
        labels: How many columns at the left say what a row is about.
    """

    headings: tuple[str, ...]
    alignments: tuple[Align, ...]
    rows: tuple[tuple[Cell, ...], ...]
    labels: int = 1


@dataclass(frozen=True, slots=True)
class TitledGrid:
    """A grid and what it is about.

    Attributes:
        title: The title above it; may be empty.
        grid: The cells.
        measures: The measures of agreement in it.
    """

    title: str
    grid: Grid
    measures: tuple[str, ...] = ()


def printable(text: str) -> str:
    r"""Return a text for one line of output: no control character may move or turn what follows.

    >>> printable("a\tb\x1b[31m"), printable("abc\u202edef")
    ('a\ufffdb\ufffd[31m', 'abc\ufffddef')
    """
    return "".join("\ufffd" if is_control(character) else character for character in text)


def is_control(character: str) -> bool:
    """Return whether a character acts on the output: moves the cursor or turns the direction."""
    return (
        unicodedata.category(character) in _UNPRINTABLE
        or unicodedata.bidirectional(character) in _TURNING
    )


def display_width(text: str) -> int:
    r"""Return the columns a text takes on a terminal; Chinese and Japanese take two a character.

    >>> display_width("abc"), display_width("訳"), display_width("e\u0301")
    (3, 2, 1)
    """
    return sum(_character_width(character) for character in text)


def shortened(text: str, width: int) -> str:
    """Return a text with its middle left out if it takes more columns than there are.

    >>> shortened("a-long-name.en-de", 9)
    'a-lo…n-de'
    """
    if display_width(text) <= width:
        return text
    front, back = (width - 1 + 1) // 2, (width - 1) // 2
    return f"{_start(text, front)}…{_start(text[::-1], back)[::-1]}"


def _start(text: str, width: int) -> str:
    used = 0
    for position, character in enumerate(text):
        used += _character_width(character)
        if used > width:
            return text[:position]
    return text


def _character_width(character: str) -> int:
    if unicodedata.category(character) in _WITHOUT_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
