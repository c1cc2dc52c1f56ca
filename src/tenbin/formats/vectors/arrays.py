"""Word vectors as an array in one file and the words, one per line, in another.

vectors.npy, or a file of safetensors with one table, beside vectors.words.txt or vectors.vocab
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tenbin.core.errors import UnreadableFile
from tenbin.formats.lines import TextFile
from tenbin.formats.tensor_file import Array, map_tensors
from tenbin.formats.vectors.array_stream import open_array_stream
from tenbin.formats.vectors.stream import Progress, VectorChunk, VectorStream, check_finite

TENSOR = "vectors"
_WORD_ENDINGS = (".words.txt", ".vocab")
_ROWS_AT_ONCE = 8192
_TABLE_AXES = 2


def word_file(path: Path) -> Path | None:
    """Return the file with the words of an array, or None if there is none."""
    places = (path.with_name(path.stem + ending) for ending in _WORD_ENDINGS)
    return next((place for place in places if place.is_file()), None)


def read_array_pair(path: Path) -> VectorStream:
    """Read the rows of an .npy file with their words.

    Raises:
        UnreadableFile: There is no file of words, or it has another number of them than there are
            rows; or the array is not what it should be.
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
        UnreadableFile: As `read_array_pair`; also where nobody can say which table is meant.
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
        problem = "the words of these vectors are not beside them"
        raise UnreadableFile(str(path), problem, f"Put them, one per line, into {named}.")
    words = list(TextFile(str(place)).lines())
    if len(words) != rows:
        problem = f"there are {len(words):,} words for {rows:,} vectors"
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
