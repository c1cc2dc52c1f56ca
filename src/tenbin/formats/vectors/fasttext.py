"""fastText's own models (.bin), version 11 and 12.

MAGIC, VERSION      int32: 793712314, 12
settings            12 int32 (dim, ws, epoch, minCount, neg, wordNgrams, loss, model, bucket, minn,
                    maxn, lrUpdateRate) and a double
dictionary          int32 entries, words, labels; int64 tokens, pruned; per entry: the string, a
                    zero byte, int64 count, int8 type
quantised           one byte
input               int64 rows, columns; then the numbers: words first, n-grams after them
"""

import struct
from collections.abc import Iterator
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tenbin.core.errors import UnreadableFile
from tenbin.formats.vectors.stream import (
    Float32Array,
    Progress,
    SubwordVectors,
    VectorChunk,
    VectorStream,
    check_finite,
)
from tenbin.formats.vectors.subwords import subword_buckets

MAGIC = (793712314).to_bytes(4, "little")
_VERSIONS = (11, 12)
_SETTINGS = struct.Struct("<2i12id")
_DICTIONARY = struct.Struct("<3i2q")
_ENTRY = struct.Struct("<qb")
_SHAPE = struct.Struct("<?2q")
_SUPERVISED = 3
_WORDS_AT_ONCE = 1024
_ROWS_AT_ONCE = 8192
_ADVICE = "Copy the file again, or use the .vec file of the same model."


class _Model(NamedTuple):
    words: list[str]
    matrix: npt.NDArray[np.float32]
    shortest: int
    longest: int


def read_fasttext_binary(path: Path) -> VectorStream:
    """Read a model; the vector of a known word is that of fastText: with its n-grams.

    Raises:
        UnreadableFile: The model is quantised (.ftz), of an unknown version, or cut off.
    """
    with path.open("rb") as stream:
        content = mmap(stream.fileno(), 0, access=ACCESS_READ)
    try:
        model = _model(path, content)
    except (struct.error, ValueError) as error:
        problem = f"the file is damaged or cut off ({error})"
        raise UnreadableFile(str(path), problem, _ADVICE) from error
    count, columns = len(model.words), model.matrix.shape[1]
    progress = Progress(count)
    buckets = len(model.matrix) - count
    subwords = SubwordVectors(
        shortest=model.shortest,
        longest=model.longest,
        count=buckets,
        chunks=_bucket_chunks(path, model),
    )
    return VectorStream(
        dimensions=columns,
        chunks=_word_chunks(path, model, progress),
        count=count,
        subwords=subwords if buckets > 0 and model.longest > 0 else None,
        done=progress.done,
    )


def _model(path: Path, content: mmap) -> _Model:
    _, version, *settings = _SETTINGS.unpack_from(content)
    if version not in _VERSIONS:
        problem = f"this is a model of fastText's format {version}, expected 11 or 12"
        raise UnreadableFile(str(path), problem, _ADVICE)
    kind, shortest, longest = settings[7], settings[9], settings[10]
    if kind == _SUPERVISED and version == _VERSIONS[0]:
        longest = 0
    place = _SETTINGS.size
    entries, count, _, _, pruned = _DICTIONARY.unpack_from(content, place)
    place += _DICTIONARY.size
    words: list[str] = []
    for number in range(entries):
        end = content.find(b"\0", place)
        if end < 0:
            raise ValueError(f"it ends in word {number + 1:,} of {entries:,}")
        if number < count:
            words.append(_word(path, content[place:end], number))
        place = end + 1 + _ENTRY.size
    quantised, rows, columns = _SHAPE.unpack_from(content, place + 8 * max(pruned, 0))
    if quantised or pruned >= 0:
        problem = "this is a quantised model (.ftz), whose vectors are only approximate"
        raise UnreadableFile(str(path), problem, "Use the .bin file it was made from.")
    if rows < count or columns != settings[0]:
        raise ValueError(f"a matrix of {rows:,} x {columns:,} for {count:,} words")
    place += _SHAPE.size
    if place + 4 * rows * columns > len(content):
        raise ValueError(f"a matrix of {rows:,} x {columns:,} does not fit into it")
    matrix = np.frombuffer(content, "<f4", rows * columns, place).reshape(rows, columns)
    return _Model(words, matrix, shortest, longest)


def _word(path: Path, raw: bytes, number: int) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = f"word {number + 1:,} ({raw!r}) is not valid UTF-8"
        raise UnreadableFile(str(path), problem, _ADVICE) from error


def _word_chunks(path: Path, model: _Model, progress: Progress) -> Iterator[VectorChunk]:
    count = len(model.words)
    buckets = len(model.matrix) - count
    for first in range(0, count, _WORDS_AT_ONCE):
        words = model.words[first : first + _WORDS_AT_ONCE]
        own = np.arange(first, first + len(words))
        numbers, offsets = subword_buckets(words, model.shortest, model.longest, buckets)
        # Each word's own row goes before those of its n-grams.
        rows = np.insert(numbers + count, offsets[:-1], own)
        places = offsets[:-1] + np.arange(len(words))
        sums = np.add.reduceat(model.matrix[rows], places, axis=0)
        parts = (np.diff(offsets)[:, None] + 1).astype(np.float32)
        vectors: Float32Array = np.divide(sums, parts, dtype=np.float32)
        check_finite(str(path), (words, vectors), first)
        progress.add(len(words))
        yield words, vectors


def _bucket_chunks(path: Path, model: _Model) -> Iterator[Float32Array]:
    for first in range(len(model.words), len(model.matrix), _ROWS_AT_ONCE):
        rows = np.array(model.matrix[first : first + _ROWS_AT_ONCE])
        check_finite(str(path), ([], rows), first)
        yield rows
