"""fastText's own models (.bin), versions 11 and 12, and the character n-grams they are built on.

MAGIC, VERSION      int32: 793712314, 12
settings            12 int32 (dim, ws, epoch, minCount, neg, wordNgrams, loss, model, bucket, minn,
                    maxn, lrUpdateRate) and a double
dictionary          int32 entries, words, labels; int64 tokens, pruned; per entry: the string, a
                    zero byte, int64 count, int8 type
quantized           one byte
input               int64 rows, columns; then the numbers: words first, n-grams after them

Bojanowski, Grave, Joulin and Mikolov (2017), "Enriching Word Vectors with Subword Information".
"""

import struct
from collections.abc import Iterator, Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tenbin.core.arrays import IntArray
from tenbin.core.counting import counted
from tenbin.core.errors import UnreadableFile
from tenbin.formats.vectors.stream import (
    Float32Array,
    Progress,
    SubwordVectors,
    VectorChunk,
    VectorStream,
    check_finite,
)
from tenbin.kernels.strings.hashes import signed_fnv_hashes

FASTTEXT_MAGIC = (793712314).to_bytes(4, "little")
_VERSIONS = (11, 12)
_SETTINGS = struct.Struct("<2i12id")
_DICTIONARY = struct.Struct("<3i2q")
_ENTRY = struct.Struct("<qb")
_SHAPE = struct.Struct("<?2q")
_SUPERVISED = 3
_MOST_SUBWORD = 100  # characters; fastText's own default is 6
_WORDS_AT_ONCE = 1024
_ROWS_AT_ONCE = 8192
_ADVICE = "Copy the file again, or use the .vec file of the same model."
_BEGIN, _END = "<", ">"
# The end-of-sentence token has no character n-grams.
_END_OF_SENTENCE = "</s>"
_CONTINUATION_MASK, _CONTINUATION = 0xC0, 0x80


class _Model(NamedTuple):
    words: list[str]
    matrix: npt.NDArray[np.float32]
    shortest: int
    longest: int


def read_fasttext_binary(path: Path) -> VectorStream:
    """Read a model; the vector of a known word is that of fastText: with its n-grams.

    Raises:
        UnreadableFile: The model is quantized (.ftz), of an unknown version, or truncated.
    """
    with path.open("rb") as stream:
        content = mmap(stream.fileno(), 0, access=ACCESS_READ)
    try:
        model = _model(path, content)
    except (struct.error, ValueError, OverflowError) as error:
        problem = f"the file is damaged or truncated ({error})"
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
    if not 0 <= longest <= _MOST_SUBWORD:
        raise ValueError(f"n-grams of up to {longest:,} characters")
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
    if not 0 <= count <= rows or columns != settings[0] or columns < 1:
        raise ValueError(f"a matrix of {rows:,} x {columns:,} for {counted(count, 'word')}")
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


def subword_buckets(
    words: Sequence[str], shortest: int, longest: int, buckets: int
) -> tuple[IntArray, IntArray]:
    """Return the buckets of the n-grams of each word, as Dictionary::computeSubwords orders them.

    The boundary symbols count as characters but are not n-grams by themselves.

    Returns:
        Buckets of all words, one word after the other, and their offsets by word.

    Examples:
        >>> numbers, offsets = subword_buckets(["the", "</s>"], 3, 6, 2_000_000)
        >>> offsets.tolist()
        [0, 6, 6]
    """
    bounded = ["" if word == _END_OF_SENTENCE else f"{_BEGIN}{word}{_END}" for word in words]
    text = np.frombuffer("".join(bounded).encode("utf-8", "surrogatepass"), dtype=np.uint8)
    # Characters of all words: where each begins, and to which word it belongs.
    begins = np.flatnonzero((text & _CONTINUATION_MASK) != _CONTINUATION)
    sizes = np.fromiter(map(len, bounded), dtype=np.int64, count=len(bounded))
    owners = np.repeat(np.arange(len(bounded)), sizes)
    lasts = np.cumsum(sizes)[owners]  # the character after the word's last
    firsts = lasts - sizes[owners]
    bounds = np.append(begins, text.size)
    starts: list[IntArray] = []
    stops: list[IntArray] = []
    for length in range(max(shortest, 1), min(longest, sizes.max(initial=0)) + 1):
        chosen = np.flatnonzero(np.arange(begins.size) + length <= lasts)
        if length == 1:
            chosen = chosen[(chosen != firsts[chosen]) & (chosen + 1 != lasts[chosen])]
        starts.append(chosen)
        stops.append(chosen + length)
    first, stop = np.concatenate(starts or [begins[:0]]), np.concatenate(stops or [begins[:0]])
    order = np.lexsort((stop, first))
    first, stop = first[order], stop[order]
    hashes = signed_fnv_hashes(text, bounds[first], bounds[stop] - bounds[first])
    counts = np.bincount(owners[first], minlength=len(bounded))
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return hashes.astype(np.int64) % max(buckets, 1), offsets
