"""Word vectors in word2vec's binary format: a header line, then words and raw numbers in turn."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import numpy as np

from tenbin.core.counting import counted
from tenbin.core.errors import UnreadableFile
from tenbin.formats.compression import opened_bytes
from tenbin.formats.vectors.stream import (
    Float32Array,
    Progress,
    VectorChunk,
    VectorStream,
    check_finite,
)

_ADVICE = "Expected 'COUNT DIMENSIONS', a line feed, and per word: the word, a blank, its values."
_HEADER_FIELDS = 2
_MOST_HEADER_BYTES = 100
_BLOCK_BYTES = 8 * 2**20
_MOST_WORD_BYTES = 2**16


def word2vec_shape(start: bytes) -> tuple[int, int] | None:
    """Return count and dimensions if a file begins like one of word2vec, else None."""
    line, end, _ = start[:_MOST_HEADER_BYTES].partition(b"\n")
    fields = line.split()
    if not end or len(fields) != _HEADER_FIELDS or not all(field.isdigit() for field in fields):
        return None
    count, dimensions = map(int, fields)
    return (count, dimensions) if dimensions else None


def read_word2vec_binary(path: Path, count: int, dimensions: int) -> VectorStream:
    """Read word vectors in binary format, compressed or not.

    While it is read:

    Raises:
        UnreadableFile: The file is truncated, longer than its header says, or has a word that is
            not UTF-8 or a value that is not finite.
    """
    progress = Progress(count)
    chunks = _chunks(path, count, dimensions, progress)
    return VectorStream(dimensions=dimensions, chunks=chunks, count=count, done=progress.done)


def write_word2vec_binary(path: Path, words: Sequence[str], vectors: Float32Array) -> None:
    """Write word vectors in binary format, as gensim does: no line feed after a row.

    Args:
        path: The file.
        words: The words, without blanks and line feeds.
        vectors: Their vectors, shape (words, dimensions).
    """
    with path.open("wb") as stream:
        stream.write(b"%d %d\n" % vectors.shape)
        for word, vector in zip(words, vectors, strict=True):
            stream.write(word.encode("utf-8") + b" " + vector.astype("<f4").tobytes())


def _chunks(path: Path, count: int, dimensions: int, progress: Progress) -> Iterator[VectorChunk]:
    size = 4 * dimensions
    found = 0
    with opened_bytes(path) as stream:
        stream.readline()
        rest = b""
        while found < count:
            block = stream.read(_BLOCK_BYTES)
            content = rest + block
            words, places, end = _words(path, content, size, found, count)
            if not block and not words:
                problem = f"the file ends after {found:,} of {counted(count, 'vector')}"
                raise UnreadableFile(str(path), problem, "Copy the file again.")
            vectors = np.empty((len(words), dimensions), dtype=np.float32)
            for row, place in enumerate(places):
                vectors[row] = np.frombuffer(content, "<f4", dimensions, place)
            check_finite(str(path), (words, vectors), found)
            rest = content[end:]
            found += len(words)
            progress.add(len(words))
            yield words, vectors
        _check_end(path, rest, stream, count)


def _words(
    path: Path, content: bytes, size: int, before: int, count: int
) -> tuple[list[str], list[int], int]:
    """Return the words of a block, where their values begin, and where the last ones end."""
    words: list[str] = []
    places: list[int] = []
    end = 0
    while before + len(words) < count:
        blank = content.find(b" ", end, end + _MOST_WORD_BYTES)
        if blank < 0 and len(content) - end >= _MOST_WORD_BYTES:
            problem = f"there is no blank after word {before + len(words) + 1:,}"
            raise UnreadableFile(str(path), problem, _ADVICE)
        if blank < 0 or blank + 1 + size > len(content):
            break
        try:
            # word2vec ends each row with a line feed, gensim does not.
            words.append(content[end:blank].lstrip(b"\n").decode("utf-8"))
        except UnicodeDecodeError as error:
            problem = f"word {before + len(words) + 1:,} is not valid UTF-8"
            raise UnreadableFile(str(path), problem, _ADVICE) from error
        places.append(blank + 1)
        end = blank + 1 + size
    return words, places, end


def _check_end(path: Path, rest: bytes, stream: IO[bytes], count: int) -> None:
    if (rest + stream.read(2)).strip(b"\n"):
        problem = f"there is more in the file than the {counted(count, 'vector')} of its header"
        raise UnreadableFile(str(path), problem, _ADVICE)
