"""The rows of an array in numpy's format, read some at a time from a file or an archive."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import IO

import numpy as np
import numpy.typing as npt

from tenbin.core.errors import UnreadableFile
from tenbin.formats.vectors.stream import Progress, VectorChunk, VectorStream, check_finite

MAGIC = b"\x93NUMPY"
_BYTES_AT_ONCE = 8 * 2**20
_ADVICE = "Expected a table of numbers as numpy.save writes it, one row per word."

Opener = Callable[[], AbstractContextManager[IO[bytes]]]


def open_array_stream(name: str, opener: Opener) -> VectorStream:
    """Read the rows of an array; the chunks have no words.

    Args:
        name: The file, for messages.
        opener: Opens the array for reading, from its start.

    Raises:
        UnreadableFile: The array has not two dimensions, or is not of floating point numbers; while
            it is read: it is cut off, or a value is not finite.
    """
    with opener() as stream:
        rows, columns, kind = _header(name, stream)
    progress = Progress(rows)
    chunks = _chunks(name, opener, progress, (rows, columns, kind))
    return VectorStream(dimensions=columns, chunks=chunks, count=rows, done=progress.done)


def _header(name: str, stream: IO[bytes]) -> tuple[int, int, npt.DTypeLike]:
    try:
        version = np.lib.format.read_magic(stream)
        reader = (
            np.lib.format.read_array_header_1_0
            if version == (1, 0)
            else np.lib.format.read_array_header_2_0
        )
        shape, by_columns, kind = reader(stream)
    except (ValueError, OSError) as error:
        raise UnreadableFile(name, f"the array cannot be read ({error})", _ADVICE) from error
    if len(shape) != 2 or by_columns or kind.kind != "f" or not all(shape):  # noqa: PLR2004
        problem = f"an array of shape {shape} and type {kind}"
        raise UnreadableFile(name, problem, _ADVICE)
    return shape[0], shape[1], kind


def _chunks(
    name: str, opener: Opener, progress: Progress, header: tuple[int, int, npt.DTypeLike]
) -> Iterator[VectorChunk]:
    rows, columns, kind = header
    row_bytes = columns * np.dtype(kind).itemsize
    at_once = max(1, _BYTES_AT_ONCE // row_bytes)
    with opener() as stream:
        _header(name, stream)
        for first in range(0, rows, at_once):
            count = min(at_once, rows - first)
            content = stream.read(count * row_bytes)
            if len(content) < count * row_bytes:
                found = first + len(content) // row_bytes
                problem = f"the array ends after {found:,} of {rows:,} rows"
                raise UnreadableFile(name, problem, "Copy it again.")
            with np.errstate(over="ignore"):
                vectors = np.frombuffer(content, kind).reshape(count, columns).astype(np.float32)
            check_finite(name, ((), vectors), first)
            progress.add(count)
            yield (), vectors
