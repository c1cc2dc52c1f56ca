"""Word vectors in the two formats of word2vec: text, and binary with a text header."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tenbin.core.errors import InputError, MalformedLine, UnreadableFile
from tenbin.formats.lines import TextFile

Float32Array = npt.NDArray[np.float32]

_HEADER_FIELDS = 2
_ADVICE = "Expected 'COUNT DIMENSIONS' and then 'WORD VALUE VALUE ...', or word2vec's binary form."
_MOST_HEADER_BYTES = 100


@dataclass(frozen=True, slots=True, eq=False)
class VectorTable:
    """Words and their vectors as they stand in the file; shape (words, dimensions)."""

    words: tuple[str, ...]
    vectors: Float32Array


def read_word2vec(path: Path) -> VectorTable:
    """Read word vectors; text may be packed and may lack the header line (GloVe).

    Raises:
        MalformedLine: A line has another number of values than the first, or not numbers.
        UnreadableFile: The file is missing, empty, cut off, or lies about its size.
    """
    binary = _binary_shape(path)
    return _read_text(path) if binary is None else _read_binary(path, *binary)


def _binary_shape(path: Path) -> tuple[int, int] | None:
    """Return count and dimensions of a binary file; None for a text."""
    try:
        with path.open("rb") as stream:
            header = stream.readline(_MOST_HEADER_BYTES)
            start = stream.read(4096)
    except OSError as error:
        raise UnreadableFile(str(path), f"cannot be read ({error.strerror})", _ADVICE) from error
    fields = header.split()
    if len(fields) != _HEADER_FIELDS or not all(field.isdigit() for field in fields):
        return None
    line = start.split(b"\n", 1)[0]
    values = line.split()[1:]
    if len(values) == int(fields[1]) and all(_is_number(value) for value in values):
        return None
    return int(fields[0]), int(fields[1])


def _is_number(value: bytes) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def _read_text(path: Path) -> VectorTable:
    words: list[str] = []
    rows: list[Float32Array] = []
    lines = enumerate(TextFile(str(path)).lines(), start=1)
    for number, line in lines:
        word, *values = line.rstrip().split(" ")
        if number == 1 and len(values) == 1:
            continue  # the header of word2vec
        try:
            row = np.array(values, dtype=np.float32)
        except ValueError as error:
            raise MalformedLine(str(path), number, "a value is not a number", _ADVICE) from error
        if rows and row.size != rows[0].size:
            problem = f"{row.size} values, expected {rows[0].size} as on the lines before"
            raise MalformedLine(str(path), number, problem, _ADVICE)
        if not np.isfinite(row).all():
            raise MalformedLine(str(path), number, "a value is not finite", _ADVICE)
        words.append(word)
        rows.append(row)
    if not rows or not rows[0].size:
        raise UnreadableFile(str(path), "there are no vectors in the file", _ADVICE)
    return VectorTable(tuple(words), np.stack(rows))


def _read_binary(path: Path, count: int, dimensions: int) -> VectorTable:
    content = path.read_bytes()
    place = content.index(b"\n") + 1
    size = 4 * dimensions
    words: list[str] = []
    possible = (len(content) - place) // (size + 1)
    # A damaged header may ask for more memory than there is.
    vectors = np.empty((min(count, possible), dimensions), dtype=np.float32)
    for row in range(count):
        blank = content.find(b" ", place)
        if blank < 0 or blank + 1 + size > len(content):
            raise _cut_off(path, row, count)
        try:
            words.append(content[place:blank].lstrip(b"\n").decode("utf-8"))
        except UnicodeDecodeError as error:
            problem = f"word {row + 1} is not valid UTF-8"
            raise UnreadableFile(str(path), problem, _ADVICE) from error
        vectors[row] = np.frombuffer(content, dtype="<f4", count=dimensions, offset=blank + 1)
        place = blank + 1 + size
    if not np.isfinite(vectors).all():
        raise UnreadableFile(str(path), "a value is not finite", _ADVICE)
    return VectorTable(tuple(words), vectors)


def _cut_off(path: Path, found: int, expected: int) -> InputError:
    problem = f"the file ends after {found:,} of {expected:,} vectors"
    return UnreadableFile(str(path), problem, "Copy it again.")
