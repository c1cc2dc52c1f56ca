"""Word vectors as text: word2vec and fastText (.vec) with a header, GloVe without.

A line is a word and its numbers, separated by blanks. Words of GloVe may contain blanks (". . ."
in the 840B file), so the numbers are counted from the end of the line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import IO

import numpy as np

from tenbin.core.counting import counted
from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.formats.compression import opened_bytes
from tenbin.formats.vectors.stream import Float32Array, Progress, VectorChunk, VectorStream
from tenbin.kernels.strings.decimal_rows import decimal_rows

ADVICE = "Expected 'WORD VALUE VALUE ...' on each line, with or without 'COUNT DIMENSIONS' before."
_BLOCK_BYTES = 8 * 2**20
_MOST_LINE_BYTES = 2**24
_BOM = b"\xef\xbb\xbf"
_NUMBER = re.compile(
    rb"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:nan|inf|infinity)", re.I
)
_HEADER_FIELDS = 2
_MOST_DIGITS = 30


@dataclass(frozen=True, slots=True)
class TextShape:
    """Dimensions and number of vectors as the first lines give them, and whether by a header."""

    dimensions: int
    count: int | None
    has_header: bool


def text_shape(start: bytes) -> TextShape | None:
    r"""Return the shape from the beginning of a file, or None if it is not a text of vectors.

    >>> text_shape(b"2 3\ncat 1 2 3\n"), text_shape(b". . 0.5 1\n").dimensions
    (TextShape(dimensions=3, count=2, has_header=True), 2)
    """
    first, _, rest = start.removeprefix(_BOM).partition(b"\n")
    if b"\0" in first:
        return None
    fields = first.split()
    if len(fields) == _HEADER_FIELDS and all(field.isdigit() for field in fields):
        if max(map(len, fields)) > _MOST_DIGITS:
            return None
        count, dimensions = map(int, fields)
        if not dimensions or not _is_text(rest.partition(b"\n")[0]):
            return None
        return TextShape(dimensions, count, has_header=True)
    numbers = 0
    for field in reversed(fields[1:]):
        if _NUMBER.fullmatch(field) is None:
            break
        numbers += 1
    return TextShape(numbers, None, has_header=False) if numbers else None


def _is_text(line: bytes) -> bool:
    """Return whether a line after a header is text; in word2vec's binary form it is not."""
    return all(_NUMBER.fullmatch(field) for field in line.split()[-1:])


def read_vector_text(path: Path, shape: TextShape) -> VectorStream:
    """Read word vectors from a text, compressed or not.

    While it is read:

    Raises:
        MalformedLine: A line has a number of values that differs from the header or the lines
            before, a value that is not a finite number, or a word that is not UTF-8.
        UnreadableFile: The header does not give the number of lines; or the file is damaged.
    """
    progress = Progress(shape.count, path.stat().st_size)
    chunks = _chunks(path, shape, progress)
    return VectorStream(
        dimensions=shape.dimensions, chunks=chunks, count=shape.count, done=progress.done
    )


def _chunks(path: Path, shape: TextShape, progress: Progress) -> Iterator[VectorChunk]:
    line = 1 + shape.has_header
    with opened_bytes(path) as stream:
        compressed = not isinstance(stream, BufferedReader)
        for block in _blocks(path, stream, skip_header=shape.has_header):
            chunk = _parsed(path, block, line, shape)
            line += len(chunk[0])
            progress.add(len(chunk[0]), 0 if compressed else stream.tell())
            yield chunk
    found = line - 1 - shape.has_header
    if shape.count not in {None, found}:
        problem = f"the first line says {counted(shape.count, 'vector')}, the file has {found:,}"
        if found < (shape.count or 0):
            problem = f"the file ends after {found:,} of {counted(shape.count, 'vector')}"
        advice = "Copy it again if it was truncated; else correct or remove the first line."
        raise UnreadableFile(str(path), problem, advice)


def _blocks(path: Path, stream: IO[bytes], *, skip_header: bool) -> Iterator[bytes]:
    """Yield complete lines without the last line feed, some megabytes at a time."""
    rest = stream.read(len(_BOM)).removeprefix(_BOM)
    if skip_header:
        rest += b"" if b"\n" in rest else stream.readline()
        rest = rest.partition(b"\n")[2]
    while block := stream.read(_BLOCK_BYTES):
        rest += block
        # Up to the line feed before the last line that is not empty: whether empty lines end the
        # file, which is allowed, shows only later.
        end = rest.rfind(b"\n", 0, len(rest.rstrip()))
        if end >= 0:
            yield rest[:end]
            rest = rest[end + 1 :]
        elif len(rest) > _MOST_LINE_BYTES:
            problem = f"a line has more than {_MOST_LINE_BYTES:,} bytes"
            raise UnreadableFile(str(path), problem, ADVICE)
    if rest.strip():
        yield rest.rstrip()


def _parsed(path: Path, block: bytes, first_line: int, shape: TextShape) -> VectorChunk:
    text = np.frombuffer(block, dtype=np.uint8)
    ends = np.append(np.flatnonzero(text == ord("\n")), len(block))
    starts = np.append(0, ends[:-1] + 1)
    values, heads, read = decimal_rows(text, starts, ends, shape.dimensions)
    words: list[str] = []
    bounds = zip(starts.tolist(), heads.tolist(), read.tolist(), strict=True)
    for row, (start, head, is_read) in enumerate(bounds):
        word = block[start:head]
        try:
            if not is_read:
                word, values[row] = _read_slowly(block[start : ends[row]], shape.dimensions)
            words.append(_checked(word, shape.dimensions))
        except ValueError as error:
            raise MalformedLine(str(path), first_line + row, str(error), ADVICE) from error
    bad = np.flatnonzero(~np.isfinite(values).all(axis=1))
    if bad.size:
        raise MalformedLine(str(path), first_line + int(bad[0]), "a value is not finite", ADVICE)
    return words, values


def _read_slowly(line: bytes, dimensions: int) -> tuple[bytes, Float32Array]:
    """Return the word and the numbers of a line that the fast path could not read."""
    rest = line.rstrip()
    numbers: list[float] = []
    while len(numbers) < dimensions:
        head, field = _last_field(rest)
        if not _NUMBER.fullmatch(field):
            if head is None:
                break
            raise ValueError(f"the value {field.decode('utf-8', 'replace')!r} is not a number")
        if head is None:
            break
        numbers.append(float(field))
        rest = head
    if len(numbers) < dimensions:
        raise ValueError(f"{counted(len(numbers), 'value')}, expected {dimensions}")
    with np.errstate(over="ignore"):
        return rest, np.array(numbers[::-1]).astype(np.float32)


def _last_field(line: bytes) -> tuple[bytes | None, bytes]:
    """Return what is before the last field of a line, if there is a separator, and the field."""
    place = max(line.rfind(b" "), line.rfind(b"\t"))
    if place < 0:
        return None, line
    return line[:place].rstrip(b" \t"), line[place + 1 :]


def _checked(raw: bytes, dimensions: int) -> str:
    """Return a word."""
    try:
        word = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"the word {raw!r} is not valid UTF-8") from error
    # No known word ends in a number after a blank: such a line has a value too many.
    if " " in word and _NUMBER.fullmatch(_last_field(raw)[1]):
        found = dimensions + sum(_NUMBER.fullmatch(field) is not None for field in raw.split()[1:])
        raise ValueError(f"{counted(found, 'value')}, expected {dimensions}")
    return word
