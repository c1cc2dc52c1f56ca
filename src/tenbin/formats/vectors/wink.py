"""Word vectors of wink: one JSON object with a list of numbers per word.

{"dimensions": 100, "size": 341479, ..., "words": [...],
 "vectors": {"the": [100 values, their length, a number], ...}, "unkVector": [...]}

The file has 300 MB; its entries are read some megabytes at a time.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np

from tenbin.core.counting import counted
from tenbin.core.errors import UnreadableFile
from tenbin.formats.compression import opened_bytes
from tenbin.formats.json_text import parse_json
from tenbin.formats.vectors.stream import (
    Float32Array,
    Progress,
    VectorChunk,
    VectorStream,
    check_finite,
)
from tenbin.kernels.strings.decimal_rows import decimal_rows

_ADVICE = 'Expected JSON as wink-embeddings has it: {"dimensions": ..., "vectors": {WORD: [...]}}.'
_SIGN = re.compile(rb'\s*\{\s*"')
_DIMENSIONS = re.compile(rb'"dimensions"\s*:\s*(\d{1,30})(?!\d)')
_SIZE = re.compile(rb'"size"\s*:\s*(\d{1,30})(?!\d)')
_BEGIN = re.compile(rb'(?<!\\)"vectors"\s*:\s*\{')
_ENTRY = re.compile(rb'\s*("(?:[^"\\]|\\.)*")\s*:\s*\[([^\]]*)\]\s*([,}])')
_BLOCK_BYTES = 4 * 2**20
_MOST_ENTRY_BYTES = 2**22
_OVERLAP = 64
_EXTRAS = 2  # after the values of a vector: its length, its number


def wink_shape(start: bytes) -> tuple[int, int | None] | None:
    """Return dimensions and count if a file begins like one of wink, else None."""
    dimensions = _DIMENSIONS.search(start)
    if _SIGN.match(start) is None or dimensions is None or int(dimensions[1]) == 0:
        return None
    size = _SIZE.search(start)
    return int(dimensions[1]), None if size is None else int(size[1])


def read_wink_vectors(path: Path, dimensions: int, count: int | None) -> VectorStream:
    """Read word vectors of wink.

    While it is read:

    Raises:
        UnreadableFile: The file is truncated, has another number of vectors than it says, or a
            vector is malformed.
    """
    progress = Progress(count)
    chunks = _chunks(path, dimensions, count, progress)
    return VectorStream(dimensions=dimensions, chunks=chunks, count=count, done=progress.done)


def _chunks(
    path: Path, dimensions: int, count: int | None, progress: Progress
) -> Iterator[VectorChunk]:
    found = 0
    with opened_bytes(path) as stream:
        for entries in _entries(path, stream):
            words = [_word(path, word, found + row) for row, (word, _) in enumerate(entries)]
            vectors = _numbers(path, [numbers for _, numbers in entries], found, dimensions)
            check_finite(str(path), (words, vectors), found)
            found += len(words)
            progress.add(len(words))
            yield words, vectors
    if count not in {None, found}:
        problem = f"the file says {counted(count, 'vector')} and has {found:,}"
        raise UnreadableFile(str(path), problem, "Download it again.")


def _entries(path: Path, stream: IO[bytes]) -> Iterator[list[tuple[bytes, bytes]]]:
    """Yield words and numbers as written in the file, some thousands at a time."""
    rest = b""
    begin = None
    while begin is None:
        block = stream.read(_BLOCK_BYTES)
        if not block:
            raise UnreadableFile(str(path), 'there are no "vectors" in the file', _ADVICE)
        rest = rest[-_OVERLAP:] + block
        begin = _BEGIN.search(rest)
    rest = rest[begin.end() :]
    while True:
        entries: list[tuple[bytes, bytes]] = []
        place = 0
        while entry := _ENTRY.match(rest, place):
            entries.append((entry[1], entry[2]))
            place = entry.end()
            if entry[3] == b"}":
                yield entries
                return
        if entries:
            yield entries
        block = stream.read(_BLOCK_BYTES)
        rest = rest[place:] + block
        if not block or len(rest) > _MOST_ENTRY_BYTES + 2 * _BLOCK_BYTES:
            break
    if not rest.lstrip().startswith(b"}"):  # an object without any entry
        raise UnreadableFile(str(path), "the file is damaged or truncated", _ADVICE)


def _word(path: Path, raw: bytes, row: int) -> str:
    try:
        return str(parse_json(raw))
    except ValueError as error:
        problem = f"word {row + 1:,} ({raw!r}) is not valid ({error})"
        raise UnreadableFile(str(path), problem, _ADVICE) from error


def _numbers(path: Path, lists: list[bytes], before: int, dimensions: int) -> Float32Array:
    """Return the first numbers of each list; length and number of a word may follow."""
    # As lines of blanks and numbers, which a kernel reads.
    block = b"\n".join(b" " + b" ".join(one.replace(b",", b" ").split()) for one in lists)
    sizes = np.array([one.count(b",") + 1 for one in lists])
    expected = dimensions + _EXTRAS if sizes[:1] > dimensions else dimensions
    wrong = np.flatnonzero(sizes != expected)
    if wrong.size:
        row = int(wrong[0])
        found = counted(int(sizes[row]), "value")
        problem = f"vector {before + row + 1:,} has {found}, expected {expected}"
        raise UnreadableFile(str(path), problem, _ADVICE)
    text = np.frombuffer(block, dtype=np.uint8)
    ends = np.append(np.flatnonzero(text == ord("\n")), len(block))[: len(lists)]
    starts = np.append(0, ends[:-1] + 1)[: len(lists)]
    values, _, read = decimal_rows(text, starts, ends, expected)
    for row in np.flatnonzero(~read).tolist():
        try:
            # Python would read 1_0 as 10.
            values[row] = [float(one.replace(b"_", b"x")) for one in lists[row].split(b",")]
        except ValueError as error:
            problem = f"vector {before + row + 1:,} has a value that is not a number"
            raise UnreadableFile(str(path), problem, _ADVICE) from error
    return np.ascontiguousarray(values[:, :dimensions])
