"""Word vectors as an array in one file and the words, one per line, in another.

vectors.npy, or a safetensors file with one table, beside vectors.words.txt or vectors.vocab
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from tenbin.core.counting import counted
from tenbin.core.errors import UnreadableFile
from tenbin.formats.damage import ARRAY_ERRORS
from tenbin.formats.lines import TextFile
from tenbin.formats.tensor_file import Array, map_tensors
from tenbin.formats.vectors.stream import Progress, VectorChunk, VectorStream, check_finite

NPY_MAGIC = b"\x93NUMPY"
_BYTES_AT_ONCE = 8 * 2**20
_ADVICE = "Expected a table of numbers as numpy.save writes it, one row per word."

Opener = Callable[[], AbstractContextManager[IO[bytes]]]
TENSOR = "vectors"
_WORD_ENDINGS = (".words.txt", ".vocab")
_ROWS_AT_ONCE = 8192
_TABLE_AXES = 2


def open_array_stream(name: str, opener: Opener) -> VectorStream:
    """Read the rows of an array; the chunks have no words.

    Args:
        name: The file, for messages.
        opener: Opens the array for reading, from its start.

    Raises:
        UnreadableFile: The array has not two dimensions, or is not of floating point numbers; while
            it is read: it is truncated, or a value is not finite.
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
    except (OSError, *ARRAY_ERRORS) as error:
        # numpy quotes the whole header.
        problem = f"the array cannot be read ({str(error)[:200]})"
        raise UnreadableFile(name, problem, _ADVICE) from error
    if len(shape) != _TABLE_AXES or by_columns or kind.kind != "f" or min(shape) < 1:
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
                problem = f"the array ends after {found:,} of {counted(rows, 'row')}"
                raise UnreadableFile(name, problem, "Copy the file again.")
            with np.errstate(over="ignore"):
                vectors = np.frombuffer(content, kind).reshape(count, columns).astype(np.float32)
            check_finite(name, ((), vectors), first)
            progress.add(count)
            yield (), vectors


def word_file(path: Path) -> Path | None:
    """Return the file with the words of an array, or None if there is none."""
    places = (path.with_name(path.stem + ending) for ending in _WORD_ENDINGS)
    return next((place for place in places if place.is_file()), None)


def read_array_pair(path: Path) -> VectorStream:
    """Read the rows of an .npy file with their words.

    Raises:
        UnreadableFile: There is no file of words, or it has another number of them than there are
            rows; or the array is not a table of numbers.
    """
    stream = open_array_stream(str(path), lambda: path.open("rb"))
    words = _words(path, stream.count or 0)
    return VectorStream(
        dimensions=stream.dimensions,
        chunks=_with_words(stream.chunks, words),
        count=stream.count,
        done=stream.done,
    )


def read_tensor_pair(path: Path) -> VectorStream:
    """Read the table of a safetensors file with its words.

    Raises:
        UnreadableFile: As `read_array_pair`; also if the file has several tables.
    """
    tables = {
        name: tensor
        for name, tensor in map_tensors(path).tensors.items()
        if tensor.ndim == _TABLE_AXES and tensor.dtype.kind == "f" and tensor.size
    }
    if len(tables) > 1 and TENSOR in tables:
        tables = {TENSOR: tables[TENSOR]}
    if len(tables) != 1:
        problem = f"there are {len(tables)} tables of floating point numbers in the file"
        raise UnreadableFile(str(path), problem, f"Expected one, or one called {TENSOR!r}.")
    (table,) = tables.values()
    words = _words(path, len(table))
    progress = Progress(len(table))
    return VectorStream(
        dimensions=table.shape[1],
        chunks=_with_words(_rows(path, table, progress), words),
        count=len(table),
        done=progress.done,
    )


def _words(path: Path, rows: int) -> list[str]:
    place = word_file(path)
    if place is None:
        named = " or ".join(path.stem + ending for ending in _WORD_ENDINGS)
        problem = "there is no file with the words of these vectors"
        raise UnreadableFile(str(path), problem, f"Put them, one per line, into {named}.")
    words = list(TextFile(str(place)).lines())
    if len(words) != rows:
        problem = f"found {counted(len(words), 'word')} for {counted(rows, 'vector')}"
        raise UnreadableFile(str(place), problem, "Expected one word per line, as many as rows.")
    return words


def _with_words(chunks: Iterator[VectorChunk], words: list[str]) -> Iterator[VectorChunk]:
    first = 0
    for _, vectors in chunks:
        yield words[first : first + len(vectors)], vectors
        first += len(vectors)


def _rows(path: Path, table: Array, progress: Progress) -> Iterator[VectorChunk]:
    for first in range(0, len(table), _ROWS_AT_ONCE):
        with np.errstate(over="ignore"):
            vectors = table[first : first + _ROWS_AT_ONCE].astype(np.float32)
        check_finite(str(path), ((), vectors), first)
        progress.add(len(vectors))
        yield (), vectors
