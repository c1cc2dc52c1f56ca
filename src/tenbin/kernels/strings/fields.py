"""Numbers the fields between the spaces of many lines: equal fields have equal numbers."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

ByteArray = npt.NDArray[np.uint8]

BLANK, LINE_FEED = ord(" "), ord("\n")
# Bytes that the plain twin reads in 0.1 s. For longer texts numba is loaded anyway.
_WORTH_COMPILING = 1_500_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberedFields:
    """The fields of lines, numbered by first occurrence.

    Attributes:
        numbers: Number of each field, line after line.
        offsets: Line n has the fields ``offsets[n]`` to ``offsets[n + 1]``; at least one.
        starts: First byte of the first occurrence of each distinct field.
        stops: Byte after its last.
    """

    numbers: IdArray
    offsets: IntArray
    starts: IntArray
    stops: IntArray


def numbered_fields(text: ByteArray) -> NumberedFields:
    r"""Return the fields between single spaces of each line; a field may be empty.

    Args:
        text: Bytes in an encoding such as UTF-8, in which the bytes of a space and a line feed have
            no other meaning. Lines are separated by line feeds; no bytes are one empty line.

    Example:
        >>> found = numbered_fields(np.frombuffer(b"a b a\n  b", dtype=np.uint8))
        >>> found.numbers.tolist(), found.offsets.tolist()
        ([0, 1, 0, 2, 2, 1], [0, 3, 6])
        >>> found.starts.tolist(), found.stops.tolist()
        ([0, 2, 6], [1, 3, 6])
    """
    compiled = compiled_twin("strings.fields", work=text.size, threshold=_WORTH_COMPILING)
    if compiled is None:
        numbers, offsets, starts, stops = _plain_numbered_fields(text.tobytes())
    else:
        numbers, offsets, starts, stops = compiled.numbered_fields(text)
    return NumberedFields(numbers=numbers, offsets=offsets, starts=starts, stops=stops)


def _plain_numbered_fields(text: bytes) -> tuple[IdArray, IntArray, IntArray, IntArray]:
    known: dict[bytes, int] = {}
    numbers: list[int] = []
    offsets = [0]
    starts: list[int] = []
    place = 0
    for line in text.split(b"\n"):
        for field in line.split(b" "):
            number = known.setdefault(field, len(known))
            if number == len(starts):
                starts.append(place)
            numbers.append(number)
            place += len(field) + 1
        offsets.append(len(numbers))
    first = np.array(starts, dtype=np.int64)
    return (
        np.array(numbers, dtype=np.int32),
        np.array(offsets, dtype=np.int64),
        first,
        first + np.array([len(field) for field in known], dtype=np.int64),
    )
