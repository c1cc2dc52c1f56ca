"""Values of parameters: checked against their types and ranges, and in words.

A parameter that is a number declares its range with its type, once: ``strength: Share``. The check
of every metric and its page read it from there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import isfinite
from types import MappingProxyType
from typing import Annotated, TypeVar, get_args, get_origin, get_type_hints

from tenbin.core.errors import UsageError

Choice = TypeVar("Choice", bound=StrEnum)

WRONG = object()
"""What `of_type` returns for a value of another type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """The numbers that a parameter may have.

    Attributes:
        least: The least of them, or what they are above.
        most: The greatest of them, or what they are below.
        above: Whether ``least`` itself is not one of them.
        below: Whether ``most`` itself is not one of them.
        whole: Whether they are whole.

    >>> str(Range(least=0, most=1))
    'a number from 0 to 1'
    >>> 0 in Range(least=0, most=1, above=True)
    False
    """

    least: float
    most: float
    above: bool = False
    below: bool = False
    whole: bool = False

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, int | float):
            return False
        return (
            self.least <= value <= self.most
            and not (self.above and value == self.least)
            and not (self.below and value == self.most)
        )

    def __str__(self) -> str:
        kind = "a whole number" if self.whole else "a number"
        least, most = f"{self.least:g}", f"{self.most:g}"
        start = f"above {least}" if self.above else f"from {least}"
        between = "up to" if self.above else "to"
        return f"{kind} {start} {between} {'below ' if self.below else ''}{most}"


def one_of(choices: type[Choice], given: str, parameter: str) -> Choice:
    """Return one of several choices, as the parameter of a function names it.

    Raises:
        UsageError: It is none of them.
    """
    if given not in list(choices):
        raise UsageError(f"`{parameter}` {given!r}: choose one of {', '.join(choices)}.")
    return choices(given)


def whole_number(least: int, most: int) -> Range:
    """Return a range of whole numbers, both ends included."""
    return Range(least=least, most=most, whole=True)


Share = Annotated[float, Range(least=0, most=1)]
"""A share, a weight or an exponent of at most 1."""
Cosine = Annotated[float, Range(least=-1, most=1)]
"""A cosine, or a threshold that cosines are compared with."""
Cost = Annotated[float, Range(least=0, most=1_000)]
"""What an edit costs; thousands would be rounded away beside lengths."""
Exponent = Annotated[float, Range(least=0, most=100)]
"""An exponent, or a factor, of a share."""
Layer = Annotated[int, whole_number(0, 1_000)]
"""The number of a layer; that the model has it is checked when it is known."""


@cache
def declared_ranges(kind: type) -> Mapping[str, Range]:
    """Return the ranges that the parameters of a metric or a part declare, by name."""
    hints = get_type_hints(kind, include_extras=True)
    found = {name: range_in(hint) for name, hint in hints.items()}
    return MappingProxyType({name: one for name, one in found.items() if one is not None})


@cache
def declared_types(kind: type) -> Mapping[str, object]:
    """Return the types of the parameters of a metric, without their ranges."""
    return MappingProxyType(get_type_hints(kind))


def range_in(hint: object) -> Range | None:
    """Return the range that a type declares, be it one of several types, or of values of a list."""
    if get_origin(hint) is Annotated:
        return next((one for one in hint.__metadata__ if isinstance(one, Range)), None)  # type: ignore[attr-defined]
    return next((one for one in map(range_in, get_args(hint)) if one is not None), None)


def in_range(value: object, allowed: Range) -> bool:
    """Return whether all numbers of a value are in a range; None and texts have none."""
    if isinstance(value, tuple):
        return all(in_range(part, allowed) for part in value)
    return isinstance(value, bool) or not isinstance(value, int | float) or value in allowed


def of_type(value: object, hint: object) -> object:
    """Return a value as its parameter's type, or `WRONG`; 2 is a float, True is not a number."""
    for choice in _choices(hint):
        if choice is type(None) and value is None:
            return None
        if get_origin(choice) is tuple:
            if isinstance(value, tuple):
                parts = tuple(of_type(part, get_args(choice)[0]) for part in value)
                return WRONG if WRONG in parts else parts
            continue
        if isinstance(choice, type) and issubclass(choice, StrEnum):
            if isinstance(value, str) and value in list(choice):
                return choice(value)
        elif choice is float:
            if isinstance(value, int | float) and not isinstance(value, bool) and _finite(value):
                return value
        elif isinstance(choice, type) and type(value) is choice:
            return value
    return WRONG


def _finite(value: float) -> bool:
    try:
        return isfinite(value)
    except OverflowError:  # a whole number of hundreds of digits
        return False


def _choices(hint: object) -> tuple[object, ...]:
    """Return the types that a hint allows; a list of values is one of them."""
    alone = get_origin(hint) in {tuple, Annotated}
    return (hint,) if alone else get_args(hint) or (hint,)


def _plain(hint: object) -> object:
    """Return a type without its range."""
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def type_in_words(hint: object) -> str:
    """Return a parameter's type as a person would say it."""
    declared = range_in(hint)
    words = {int: "a whole number", float: "a number", str: "a text", bool: "True or False"}
    if declared is not None:
        words |= {int: str(declared), float: str(declared)}
    parts: list[str] = []
    for choice in map(_plain, _choices(hint)):
        if isinstance(choice, type) and issubclass(choice, StrEnum):
            parts.append("one of " + ", ".join(choice))
        elif choice is type(None):
            parts.append("None")
        elif get_origin(choice) is tuple:
            parts.append(f"a list of values, each {type_in_words(get_args(choice)[0])}")
        else:
            parts.append(
                words.get(choice, str(choice)) if isinstance(choice, type) else str(choice)
            )
    return " or ".join(parts)


def signature_value(value: object) -> str:
    """Return a parameter value as signatures write it: booleans as yes and no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, tuple):
        return ",".join(signature_value(part) for part in value)
    return str(value)
