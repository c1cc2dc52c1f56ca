"""A number in a text, whatever its notation."""

from dataclasses import dataclass, field

_HUNDRED = 100
_YEAR_DIGITS, _SHORT_YEAR = 4, 2


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text.

    Attributes:
        values: The values that the written number may have.
        quantity: What is counted: ``length``, ``dollars``, ``share``, ``month`` …; empty if
            unknown.
        factor: The size of the unit in base units of the quantity.
        text: The number as written, after NFKC.
        firm: Whether it is certainly a number. One that is not (``one``, ``first``) may match
            another number, but it is no error if it does not.
        start: Where it begins in the text with plain signs.
        stop: Where it ends.
    """

    values: tuple[float, ...]
    quantity: str
    factor: float
    text: str
    firm: bool = True
    start: int = field(default=0, compare=False)
    stop: int = field(default=0, compare=False)


def is_short_year(first: Number, one: Number, text: str) -> bool:
    """Return whether a number is the end of years whose century is said before: 1939-45."""
    digits = one.text.isdecimal() and first.text.isdecimal()
    joined = text[first.stop : one.start] in {"-", "–", "/"}
    return digits and joined and len(first.text) == _YEAR_DIGITS and len(one.text) == _SHORT_YEAR


def short_span(first: float) -> float:
    """Return how the years from one on are called for short: 1970s, 70; 1800s, 19."""
    return first % _HUNDRED or first // _HUNDRED + 1
