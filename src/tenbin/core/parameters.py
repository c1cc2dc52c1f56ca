"""Values of parameters: checked against their types, and in words."""

from enum import StrEnum
from math import isfinite
from typing import get_args, get_origin

WRONG = object()
"""What `of_type` returns for a value of another type."""


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
            if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
                return value
        elif isinstance(choice, type) and type(value) is choice:
            return value
    return WRONG


def _choices(hint: object) -> tuple[object, ...]:
    """Return the types that a hint allows; a list of values is one of them."""
    return (hint,) if get_origin(hint) is tuple else get_args(hint) or (hint,)


def type_in_words(hint: object) -> str:
    """Return a parameter's type as a person would say it."""
    words = {int: "a whole number", float: "a number", str: "a text", bool: "True or False"}
    parts: list[str] = []
    for choice in _choices(hint):
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
