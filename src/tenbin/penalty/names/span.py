"""A name in a text."""

from typing import NamedTuple


class NameSpan(NamedTuple):
    """A name and its position, a half-open range of characters.

    Attributes:
        start: Its first character.
        stop: The character after it.
        text: The name as written.
        firm: Whether it is certainly a name. One that is not counts only where the other text has
            another name in exchange.
    """

    start: int
    stop: int
    text: str
    firm: bool = True
