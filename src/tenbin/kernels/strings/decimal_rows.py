"""Reads the numbers at the ends of lines of text, the greater part of opening word vectors.

A line of a text file of vectors is a word and then some hundred decimal numbers. Files have
gigabytes of them, and Python's own conversion of text to numbers takes minutes.
"""

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import IntArray
from tenbin.kernels.dispatch import compiled_twin

ByteArray = npt.NDArray[np.uint8]

# A decimal whose digits, without the point, are an integer up to 2**53 and whose power of ten is at
# most 22 is one exact number divided or multiplied by another: correctly rounded by the processor
# (Clinger 1990, "How to read floating point numbers accurately"). None is too large for 32 bits.
MOST_DIGITS = 18
MOST_MANTISSA = 2**53
MOST_POWER = 22

_PAYS_OFF = 400_000  # numbers that the plain twin reads in the time numba takes to start
_NUMBER = re.compile(rb"[+-]?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?")
_TRAILING = b" \t\r"


class DecimalRows(NamedTuple):
    """What was read.

    Attributes:
        values: Shape (lines, numbers per line), 32 bits; meaningless where not ``read``.
        heads: Where the part of each line before its numbers ends, from the start of the text.
        read: Whether a line was read. One that breaks the pattern, or has numbers of so many digits
            that they need more care, is not; whoever calls decides about it.
    """

    values: npt.NDArray[np.float32]
    heads: IntArray
    read: npt.NDArray[np.bool_]


def decimal_rows(text: ByteArray, starts: IntArray, ends: IntArray, count: int) -> DecimalRows:
    r"""Read the last ``count`` fields of each line as decimal numbers, rounded to 32 bits.

    Fields are separated by one blank or tab each; blanks, tabs and carriage returns at the end of a
    line are no part of it. The first number must have a field or nothing, and a separator, before
    it.

    >>> text = np.frombuffer(b"New York 1 -2.5e1\na 3\n", dtype=np.uint8)
    >>> rows = decimal_rows(text, np.array([0, 18]), np.array([17, 21]), 2)
    >>> rows.values[0].tolist(), rows.heads[0].item(), rows.read.tolist()
    ([1.0, -25.0], 8, [True, False])
    """
    work = starts.size * count
    if compiled := compiled_twin("strings.decimal_rows", work=work, threshold=_PAYS_OFF):
        return DecimalRows(*compiled.decimal_rows(text, starts, ends, count))
    return _plain_decimal_rows(text, starts, ends, count)


def _plain_decimal_rows(
    text: ByteArray, starts: IntArray, ends: IntArray, count: int
) -> DecimalRows:
    content = text.tobytes()
    values = np.zeros((starts.size, count), dtype=np.float32)
    heads = starts.copy()
    read = np.zeros(starts.size, dtype=np.bool_)
    bounds = zip(starts.tolist(), ends.tolist(), strict=True)
    for line, (start, end) in enumerate(bounds):
        fields = content[start:end].rstrip(_TRAILING).replace(b"\t", b" ").rsplit(b" ", count)
        if len(fields) <= count:
            continue
        numbers = [_simple_number(field) for field in fields[1:]]
        if None in numbers:
            continue
        values[line] = np.array(numbers, dtype=np.float64).astype(np.float32)
        heads[line] = start + len(fields[0])
        read[line] = True
    return DecimalRows(values, heads, read)


def _simple_number(field: bytes) -> float | None:
    match = _NUMBER.fullmatch(field)
    if match is None:
        return None
    fraction = match[2] or b""
    digits = ((match[1] or b"") + fraction).lstrip(b"0")
    if not match[1] and not fraction:
        return None
    power = int(match[3] or 0) - len(fraction)
    if len(digits) > MOST_DIGITS or int(digits or 0) > MOST_MANTISSA or abs(power) > MOST_POWER:
        return None
    return float(field)
