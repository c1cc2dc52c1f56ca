"""Numbers as files write them, read more strictly than Python reads its own.

Python's `int` and `float` also take ``1_000``, ``+5`` and the digits of every script, and `int`
raises an error of its own for thousands of digits: in a file these are damage.
"""

import re
from math import isfinite

_WHOLE = re.compile(r"\d{1,30}", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
MOST = 2**31 - 1
"""The largest number of a segment, a set or a count, unless a format says otherwise."""


def whole_number(text: str, most: int = MOST) -> int | None:
    """Return a number from 0 to ``most`` written in plain digits; None for anything else.

    >>> whole_number("12"), whole_number("1_2"), whole_number("-1"), whole_number("9" * 5000)
    (12, None, None, None)
    """
    if _WHOLE.fullmatch(text) is None:
        return None
    value = int(text)
    return value if value <= most else None


def decimal_number(text: str) -> float | None:
    """Return a finite decimal number, blanks around it ignored; None for anything else.

    >>> decimal_number(" -1.5e3 "), decimal_number("1_0"), decimal_number("nan")
    (-1500.0, None, None)
    """
    stripped = text.strip()
    if _DECIMAL.fullmatch(stripped) is None:
        return None
    value = float(stripped)
    return value if isfinite(value) else None
