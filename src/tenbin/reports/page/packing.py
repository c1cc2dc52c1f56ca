"""Numbers as few bytes: decimal integers, byte by byte, in base64.

A value is ``(offset + q) / 10 ** decimals``, and q, an unsigned number of 1, 2 or 4 bytes, is what
is stored: first the lowest byte of every number, then the next byte of every number, for the high
bytes are alike and are compressed away. All ones are a missing value.
"""

from base64 import b64decode, b64encode
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tenbin.core.arrays import FloatArray, IntArray

_WIDTHS = (1, 2, 4)
_LARGEST_EXACT = 2**53
_SMALL = 2  # bytes: what one decimal more than is printed may take
_TEN, _FIVE = 10, 5
_TIE = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """A matrix of numbers, packed.

    Attributes:
        shape: Rows and columns.
        decimals: Of the stored numbers; negative where even units are too fine for 4 bytes.
        offset: Added to each stored number.
        width: Bytes of one number.
        data: Base64 of the bytes.
    """

    shape: tuple[int, int]
    decimals: int
    offset: int
    width: int
    data: str


def pack(values: FloatArray | IntArray, decimals: int) -> Packed:
    """Return numbers packed; what is not finite is missing.

    A table that prints ``decimals`` digits prints the same of the packed numbers. One decimal more
    is stored where there is more to store and two bytes allow it, so that numbers which are printed
    alike can be ordered.

    Args:
        values: Rows and columns, or one row.
        decimals: How many decimals tables print.

    >>> packed = pack(np.array([[12.5, np.nan, 13.257]]), 2)
    >>> packed.decimals, packed.offset, packed.width
    (3, 12500, 2)
    """
    matrix = np.atleast_2d(np.asarray(values, dtype=np.float64))
    known = np.isfinite(matrix)
    chosen = matrix[known]
    stored = _stored_decimals(chosen, decimals)
    whole = _rounded(chosen, stored, decimals)
    offset = int(whole.min()) if whole.size else 0
    shifted = whole - offset
    width = _width(int(shifted.max()) if whole.size else 0)
    everything = np.full(matrix.shape, _missing(width), dtype=np.int64)
    everything[known] = shifted
    return Packed(
        shape=(matrix.shape[0], matrix.shape[1]),
        decimals=stored,
        offset=offset,
        width=width,
        data=b64encode(_planes(everything.ravel(), width)).decode("ascii"),
    )


def unpack(packed: Packed) -> FloatArray:
    """Return the numbers that were packed, missing ones as NaN; the page does the same."""
    size = packed.shape[0] * packed.shape[1]
    planes = np.frombuffer(b64decode(packed.data), dtype=np.uint8).reshape(packed.width, size)
    weights = 256 ** np.arange(packed.width, dtype=np.int64)
    whole = (planes.astype(np.int64) * weights[:, None]).sum(axis=0)
    values = (packed.offset + whole) / 10.0**packed.decimals
    found: FloatArray = np.where(whole == _missing(packed.width), np.nan, values)
    return found.reshape(packed.shape)


def _stored_decimals(chosen: FloatArray, decimals: int) -> int:
    """Return how many decimals are stored: as many as are printed, or one more, or what fits."""
    if not chosen.size:
        return decimals
    low, high = float(chosen.min()), float(chosen.max())
    scaled = chosen * 10.0**decimals
    is_finer = not np.array_equal(scaled, np.rint(scaled))
    if is_finer and _fits(low, high, decimals + 1, _SMALL):
        return decimals + 1
    stored = decimals
    while not _fits(low, high, stored, _WIDTHS[-1]):
        stored -= 1
    return stored


def _fits(low: float, high: float, decimals: int, width: int) -> bool:
    unit = 10.0**decimals
    # Two more, as both ends are rounded.
    small = high * unit - low * unit + 2 < _missing(width)
    return small and max(abs(low), abs(high)) * unit < _LARGEST_EXACT


def _rounded(chosen: FloatArray, stored: int, printed: int) -> IntArray:
    """Return numbers in units of the last stored decimal, such that they print as before."""
    if stored < 0:
        return np.rint(chosen / 10.0**-stored).astype(np.int64)
    scaled = chosen * 10.0**stored
    whole = np.rint(scaled).astype(np.int64)
    # In floating point a product may fall on the other side of a half.
    halves = np.flatnonzero(np.abs(np.abs(scaled - np.floor(scaled)) - 0.5) < _TIE)
    for place in halves.tolist():
        whole[place] = _spelled(float(chosen[place]), stored)
    if stored > printed:
        # Rounded a second time, a last digit of 5 would not know which way to go.
        for place in np.flatnonzero(whole % _TEN == _FIVE).tolist():
            below = whole[place] // _TEN
            goes_up = _spelled(float(chosen[place]), printed) > below
            whole[place] += 1 if goes_up else -1
    return whole


def _spelled(value: float, decimals: int) -> int:
    """Return a number in units of a decimal, as Python prints it."""
    return int(f"{value:.{decimals}f}".replace(".", ""))


def _width(largest: int) -> int:
    return next(width for width in _WIDTHS if largest < _missing(width))


def _missing(width: int) -> int:
    return int(2 ** (8 * width) - 1)


def _planes(numbers: IntArray, width: int) -> bytes:
    little: npt.NDArray[np.uint8] = numbers.astype("<u4").view(np.uint8).reshape(-1, 4)
    return bytes(little[:, :width].T.tobytes())
