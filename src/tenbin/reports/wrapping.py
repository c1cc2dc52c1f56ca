"""Running text in lines that fit: by columns of the terminal, also where no spaces are."""

from collections.abc import Iterator
from itertools import pairwise

from tenbin.reports.grid import display_width

OPENING, CLOSING = "⟦", "⟧"
"""What encloses words that are to be noticed."""

# What no line of Japanese or Chinese begins with, and what none ends with (JIS X 4051).
# ruff: noqa: RUF001 - full-width signs are meant
_NOT_FIRST = frozenset(
    "、。，．・：；？！ー々〻ゝゞヽヾ゛゜’”）〕］｝〉》」』】〙〗｠»…‥,.:;?!)]}%°′″℃"
    "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ" + CLOSING
)
_NOT_LAST = frozenset("‘“（〔［｛〈《「『【〘〖｟«([{$£¥￥＄" + OPENING)
_JOINER = "\u200d"
_HANGUL = ("\uac00", "\ud7a3")


def wrapped(text: str, width: int) -> list[str]:
    """Return a text in lines of at most so many columns.

    Lines end at spaces, and between Chinese and Japanese characters where their typography allows
    it; a word that is wider than a line is cut.

    >>> wrapped("a cat sat", 5)
    ['a cat', 'sat']
    >>> wrapped("「猫」が寝ている。", 9)
    ['「猫」が', '寝てい', 'る。']
    """
    lines = [""]
    used, gap = 0, ""
    for piece, blank in _pieces(text):
        taken = display_width(piece)
        if lines[-1] and used + len(gap) + taken > width:
            lines.append("")
            used, gap = 0, ""
        if taken > width:
            *whole, piece = _cut(piece, width)  # noqa: PLW2901 - the rest of it
            lines[-1:] = [*whole, ""]
            used, taken = 0, display_width(piece)
        lines[-1] += gap + piece
        used += len(gap) + taken
        gap = blank
    return lines


def hanging(text: str, width: int, start: str, indent: int) -> str:
    """Return a paragraph whose first line begins with something and whose others are indented.

    Args:
        text: What is wrapped.
        width: Columns of the whole.
        start: What stands before the first line; it takes ``indent`` columns.
        indent: Columns before the other lines.

    >>> print(hanging("a cat sat", 8, "x: ", 3), end="")
    x: a cat
       sat
    """
    lines = wrapped(text, max(width - indent, 2))
    return start + f"\n{' ' * indent}".join(lines) + "\n"


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield what stays together, each with the blanks after it."""
    start = 0
    while start < len(text):
        stop = start + 1
        if text[start] != " ":
            while stop < len(text) and text[stop] != " " and not _may_break(text, stop):
                stop += 1
        end = stop
        while end < len(text) and text[end] == " ":
            end += 1
        yield (text[start:stop], text[stop:end]) if text[start] != " " else ("", text[start:end])
        start = end


def _may_break(text: str, place: int) -> bool:
    """Return whether a line may end before the character at a place."""
    before, after = text[place - 1], text[place]
    if after in _NOT_FIRST or before in _NOT_LAST:
        return False
    if not display_width(after) or _JOINER in {before, after}:
        return False
    back = place - 1
    while back and not display_width(text[back]):  # a mark belongs to the letter before it
        back -= 1
    return _is_free(text[back]) or _is_free(after)


def _is_free(character: str) -> bool:
    """Return whether a character needs no space between it and its neighbors."""
    return display_width(character) > 1 and not _HANGUL[0] <= character <= _HANGUL[1]


def _cut(word: str, width: int) -> list[str]:
    """Return a word that is wider than a line in parts; marks stay with their letters."""
    starts = [place for place, c in enumerate(word) if display_width(c) or not place]
    parts = [""]
    for start, stop in pairwise([*starts, len(word)]):
        letter = word[start:stop]
        if parts[-1] and display_width(parts[-1]) + display_width(letter) > width:
            parts.append("")
        parts[-1] += letter
    return parts
