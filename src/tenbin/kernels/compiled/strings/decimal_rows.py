"""Compiled twin of `tenbin.kernels.strings.decimal_rows`."""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.strings.decimal_rows import MOST_DIGITS, MOST_MANTISSA, MOST_POWER, ByteArray

_POWERS = 10.0 ** np.arange(MOST_POWER + 1)
_SHORT_DIGITS = 15  # all integers of so many are below 2**53
_WHOLE_POWERS = 10 ** np.arange(_SHORT_DIGITS, dtype=np.int64)
_MOST_POWER_DIGITS = 4
_BLANK, _TAB, _RETURN = 32, 9, 13
_PLUS, _MINUS, _POINT = 43, 45, 46
_ZERO, _NINE = 48, 57
_SMALL_E, _LARGE_E = 101, 69
_NOT_READ = np.nan
_NO_EXPONENT = 1_000_000


@jit
def decimal_rows(
    text: ByteArray, starts: IntArray, ends: IntArray, count: int
) -> tuple[npt.NDArray[np.float32], IntArray, npt.NDArray[np.bool_]]:
    """Return numbers, ends of heads, and which lines were read."""
    values = np.zeros((starts.size, count), dtype=np.float32)
    heads = starts.copy()
    read = np.zeros(starts.size, dtype=np.bool_)
    row = np.empty(count, dtype=np.float64)
    for line in range(starts.size):
        start, end = starts[line], ends[line]
        while end > start and (
            text[end - 1] == _BLANK or text[end - 1] == _TAB or text[end - 1] == _RETURN
        ):
            end -= 1
        good = True
        for column in range(count - 1, -1, -1):
            number, first = _short_number(text, start, end)
            if np.isnan(number):
                first = end
                while first > start and text[first - 1] != _BLANK and text[first - 1] != _TAB:
                    first -= 1
                number = _number(text, first, end)
            if first == start or np.isnan(number):
                good = False
                break
            row[column] = number
            end = first - 1
        if good:
            read[line] = True
            heads[line] = end
            for column in range(count):
                values[line, column] = np.float32(row[column])
    return values, heads, read


@jit
def _short_number(text: ByteArray, start: int, end: int) -> tuple[float, int]:
    """Return a number of few digits that ends somewhere, and where its field begins.

    Nearly all numbers are of this kind: digits with a point in them and perhaps a minus before.
    They are read from the right while their field is looked for, in half the time.
    """
    mantissa, digits, fraction = 0, 0, 0
    pointed = False
    place = end
    while place > start:
        byte = int(text[place - 1])
        if _ZERO <= byte <= _NINE:
            if digits == _SHORT_DIGITS:
                return _NOT_READ, place
            mantissa += (byte - _ZERO) * _WHOLE_POWERS[digits]
            digits += 1
        elif byte == _POINT and not pointed:
            pointed = True
            fraction = digits
        else:
            break
        place -= 1
    negative = place > start and text[place - 1] == _MINUS
    if negative:
        place -= 1
    separated = place > start and (text[place - 1] == _BLANK or text[place - 1] == _TAB)
    if digits == 0 or not separated:
        return _NOT_READ, place
    number = mantissa / float(_POWERS[fraction])
    return (-number if negative else number), place


@jit
def _number(text: ByteArray, first: int, end: int) -> float:
    """Return a decimal number, or one that is none where it is not simple."""
    signed = first < end and (text[first] == _PLUS or text[first] == _MINUS)
    mantissa, fraction, place = _mantissa(text, first + 1 if signed else first, end)
    power = -fraction
    if place < end:
        power += _exponent(text, place, end)
    if mantissa < 0 or mantissa > MOST_MANTISSA or power > MOST_POWER or power < -MOST_POWER:
        return _NOT_READ
    scale = float(_POWERS[abs(power)])
    number = mantissa * scale if power >= 0 else mantissa / scale
    return -number if signed and text[first] == _MINUS else number


@jit
def _mantissa(text: ByteArray, first: int, end: int) -> tuple[int, int, int]:
    """Return digits as one integer, how many were after the point, and where they end."""
    mantissa, digits, fraction, seen = 0, 0, 0, 0
    after_point = False
    place = first
    while place < end:
        byte = int(text[place])
        if _ZERO <= byte <= _NINE:
            if digits > 0 or byte != _ZERO:
                digits += 1
            if digits > MOST_DIGITS:
                return -1, 0, end
            mantissa = mantissa * 10 + (byte - _ZERO)
            seen += 1
            fraction += after_point
        elif byte == _POINT and not after_point:
            after_point = True
        else:
            break
        place += 1
    return (mantissa if seen > 0 else -1), fraction, place


@jit
def _exponent(text: ByteArray, first: int, end: int) -> int:
    """Return the power of ten after an E; one out of range for anything else."""
    if text[first] != _SMALL_E and text[first] != _LARGE_E:
        return _NO_EXPONENT
    place = first + 1
    negative = False
    if place < end and (text[place] == _PLUS or text[place] == _MINUS):
        negative = text[place] == _MINUS
        place += 1
    if place == end or end - place > _MOST_POWER_DIGITS:
        return _NO_EXPONENT
    exponent = 0
    while place < end:
        if text[place] < _ZERO or text[place] > _NINE:
            return _NO_EXPONENT
        exponent = exponent * 10 + (int(text[place]) - _ZERO)
        place += 1
    return -exponent if negative else exponent
