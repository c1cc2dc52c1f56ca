"""Numbers the pieces between the blanks of many lines: equal pieces have equal numbers."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

ByteArray = npt.NDArray[np.uint8]

BLANK, LINE_FEED = ord(" "), ord("\n")
# Bytes that the plain twin reads in 0.1 s. Texts as long as that are aligned by compiled kernels
# where they are aligned, and one kernel more costs as much as it saves here.
_WORTH_COMPILING = 1_500_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberedFields:
    """The pieces of lines, numbered by their first occurrence.

    Attributes:
        numbers: Number of each piece, line after line.
        offsets: Line n has the pieces ``offsets[n]`` to ``offsets[n + 1]``; one at least.
        starts: First byte of the first occurrence of each distinct piece.
        stops: Byte after its last.
    """

    numbers: IdArray
    offsets: IntArray
    starts: IntArray
    stops: IntArray


def numbered_fields(text: ByteArray) -> NumberedFields:
    r"""Return the pieces between single blanks of each line; a piece may be empty.

    Args:
        text: Bytes in which a blank and a line feed stand for nothing else, such as UTF-8; lines
            are separated by line feeds, so that no bytes are one empty line.

    Example:
        >>> found = numbered_fields(np.frombuffer(b"a b a\n  b", dtype=np.uint8))
        >>> found.numbers.tolist(), found.offsets.tolist()
        ([0, 1, 0, 2, 2, 1], [0, 3, 6])
        >>> found.starts.tolist(), found.stops.tolist()
        ([0, 2, 6], [1, 3, 6])
    """
    compiled = compiled_twin("phrases.numbered_words", work=text.size, threshold=_WORTH_COMPILING)
    if compiled is None:
        numbers, offsets, starts, stops = _plain_numbered_pieces(text.tobytes())
    else:
        numbers, offsets, starts, stops = compiled.numbered_fields(text)
    return NumberedFields(numbers=numbers, offsets=offsets, starts=starts, stops=stops)


def _plain_numbered_pieces(text: bytes) -> tuple[IdArray, IntArray, IntArray, IntArray]:
    known: dict[bytes, int] = {}
    numbers: list[int] = []
    offsets = [0]
    starts: list[int] = []
    place = 0
    for line in text.split(b"\n"):
        for piece in line.split(b" "):
            number = known.setdefault(piece, len(known))
            if number == len(starts):
                starts.append(place)
            numbers.append(number)
            place += len(piece) + 1
        offsets.append(len(numbers))
    first = np.array(starts, dtype=np.int64)
    return (
        np.array(numbers, dtype=np.int32),
        np.array(offsets, dtype=np.int64),
        first,
        first + np.array([len(piece) for piece in known], dtype=np.int64),
    )
