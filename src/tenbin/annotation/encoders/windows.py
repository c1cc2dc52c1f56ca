"""Long texts in windows that overlap, so that no piece is cut off and each has neighbours."""

from itertools import pairwise
from typing import NamedTuple


class Window(NamedTuple):
    """A part of a text that is encoded at once.

    Attributes:
        start: The first piece.
        stop: The end.
        first: The first piece whose vector is taken from this window.
        last: The end of those.
    """

    start: int
    stop: int
    first: int
    last: int


def windows(length: int, room: int) -> list[Window]:
    """Return the windows of a text; every piece is taken from exactly one.

    Neighbouring windows share about half of their pieces, and the middle of what they share is
    where one hands over to the next: a piece has at least a quarter of a window on either side, or
    the end of the text. The windows depend on the length alone.

    Args:
        length: Pieces of the text.
        room: Pieces that a window can hold, at least 1.

    >>> windows(5, 8)
    [Window(start=0, stop=5, first=0, last=5)]
    >>> windows(10, 4)[:2]
    [Window(start=0, stop=4, first=0, last=3), Window(start=2, stop=6, first=3, last=5)]
    """
    if length <= room:
        return [Window(0, length, 0, length)]
    step = max(room // 2, 1)
    count = -(-(length - room) // step) + 1
    # The last window is as full as the others.
    starts = [min(number * step, length - room) for number in range(count)]
    turns = [(here + room + after + 1) // 2 for here, after in pairwise(starts)]
    bounds = [0, *turns, length]
    return [
        Window(start, start + room, first, last)
        for start, (first, last) in zip(starts, pairwise(bounds), strict=True)
    ]
