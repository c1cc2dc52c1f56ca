"""Named arrays in one safetensors file: a JSON header, then the raw numbers.

The file is memory-mapped, so that opening it takes the same time whatever its size. The writer
reserves space for the header and lets one array grow, since the number of rows of a stream is not
known beforehand. It adds a checksum (CRC-32) of header and numbers to the metadata, by which
`check_tensors` finds out whether a file is as it was written.
"""

import json
import mmap
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tenbin.core.counting import counted
from tenbin.core.errors import UnreadableFile
from tenbin.formats.json_text import parse_json

Array = npt.NDArray[Any]

_TYPES = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "I64": "<i8",
    "I32": "<i4",
    "I16": "<i2",
    "I8": "|i1",
    "U64": "<u8",
    "U32": "<u4",
    "U16": "<u2",
    "U8": "|u1",
    "BOOL": "|b1",
}
_NAMES = {np.dtype(code): name for name, code in _TYPES.items()}
_METADATA = "__metadata__"
_LENGTH_BYTES = 8
# One page: the first array, the large one, then begins at the start of a page.
_HEADER_BYTES = 4096
_MOST_HEADER_BYTES = 100_000_000  # as in the safetensors library
_MOST_DIMENSIONS = 32
_CHECKSUM = "crc32"
_BLOCK = 1 << 20
_ADVICE = "Expected a complete safetensors file. Build or download it again."


@dataclass(frozen=True, slots=True, eq=False)
class TensorFile:
    """The arrays of a file, read from disk as they are used, and its metadata."""

    tensors: Mapping[str, Array]
    metadata: Mapping[str, str]


def is_tensor_file(start: bytes) -> bool:
    """Return whether a file that begins with these bytes (9 are enough) is a safetensors file."""
    length = int.from_bytes(start[:_LENGTH_BYTES], "little")
    return start[_LENGTH_BYTES : _LENGTH_BYTES + 1] == b"{" and length <= _MOST_HEADER_BYTES


def map_tensors(path: Path) -> TensorFile:
    """Map the arrays of a file into memory; only the header is read.

    Raises:
        UnreadableFile: The file cannot be opened, is truncated, or is not a safetensors file.
    """
    content = _open_mapped(path)
    try:
        return _mapped(content)
    except _DAMAGE_ERRORS as error:
        raise _damaged(path) from error


def check_tensors(path: Path, advice: str = _ADVICE) -> None:
    """Raise `UnreadableFile` if a file is not as `TensorWriter` wrote it; all of it is read.

    A file without a checksum, of another program, passes if its header is valid.
    """
    content = _open_mapped(path)
    try:
        _mapped(content)
        header, base = _header(content)
        expected = header.get(_METADATA, {}).pop(_CHECKSUM, None)
        if expected is None:
            return
        found = zlib.crc32(_written(header))
        with memoryview(content) as data:
            for start in range(base, len(data), _BLOCK):
                found = zlib.crc32(data[start : start + _BLOCK], found)
    except _DAMAGE_ERRORS as error:
        raise _damaged(path, advice) from error
    if expected != _hexadecimal(found):
        raise _damaged(path, advice)


# What json, int and numpy raise for a header that was changed.
_DAMAGE_ERRORS = (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError)


def _damaged(path: Path, advice: str = _ADVICE) -> UnreadableFile:
    return UnreadableFile(str(path), "the file is damaged or truncated", advice)


def _open_mapped(path: Path) -> mmap.mmap:
    try:
        with path.open("rb") as stream:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise UnreadableFile(str(path), f"cannot be read ({error.strerror})", _ADVICE) from error
    except ValueError as error:
        raise UnreadableFile(str(path), "the file is empty", _ADVICE) from error


def _header(content: mmap.mmap) -> tuple[dict[str, Any], int]:
    """Return the header and where the numbers begin."""
    length = int.from_bytes(content[:_LENGTH_BYTES], "little")
    if length > len(content) - _LENGTH_BYTES:
        raise ValueError("the header does not fit into the file")
    base = _LENGTH_BYTES + length
    header = parse_json(content[_LENGTH_BYTES:base])
    if not isinstance(header, dict):
        raise TypeError("the header is not an object")
    return header, base


def _mapped(content: mmap.mmap) -> TensorFile:
    header, base = _header(content)
    metadata = header.pop(_METADATA, {})
    tensors = {}
    for name, entry in header.items():
        if entry["dtype"] not in _TYPES:
            continue  # a type that numpy does not have
        first, end = entry["data_offsets"]
        kind, shape = np.dtype(_TYPES[entry["dtype"]]), tuple(entry["shape"])
        numbers = (first, end, *shape)
        if any(type(number) is not int or number < 0 for number in numbers):
            raise ValueError(f"{name} has a size or position that is not a number from 0")
        count = prod(shape)
        if len(shape) > _MOST_DIMENSIONS or end - first != count * kind.itemsize:
            raise ValueError(f"{name} has a size that does not match its shape")
        if end > len(content) - base:
            raise ValueError(f"{name} ends after the file")
        # An array without numbers may stand at the very end, where numpy sees no buffer.
        whole = np.frombuffer(content, kind, count, base + first) if count else np.empty(0, kind)
        tensors[name] = whole.reshape(shape)
    facts = {str(key): str(value) for key, value in metadata.items() if key != _CHECKSUM}
    return TensorFile(tensors, facts)


def _written(header: Mapping[str, Any]) -> bytes:
    return json.dumps(header, ensure_ascii=False).encode("utf-8")


def _hexadecimal(checksum: int) -> str:
    return f"{checksum:08x}"


class TensorWriter:
    """Writes arrays one after the other; the one begun last may grow.

    The file is not valid before `finish` has written the header.
    """

    def __init__(self, path: Path, header_bytes: int = _HEADER_BYTES) -> None:
        """Begin a file.

        Args:
            path: The file.
            header_bytes: The space for the header, its length included: more than one page where
                there are many arrays or much is said about them.
        """
        self._stream = path.open("w+b")
        self._base = header_bytes
        self._stream.write(bytes(header_bytes))
        self._header: dict[str, dict[str, Any]] = {}
        self._position = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stream.close()

    def extend(self, name: str, block: Array) -> None:
        """Append rows to the array begun last, or begin another."""
        if name not in self._header:
            self._begin(name, block)
        elif name != next(reversed(self._header)):
            raise ValueError(f"{name} is finished")
        entry = self._header[name]
        self._stream.write(np.ascontiguousarray(block).data if block.size else b"")
        self._position += block.nbytes
        entry["shape"][0] += len(block)
        entry["data_offsets"][1] = self._position

    def recast(self, name: str, kind: npt.DTypeLike, *, rows_at_once: int = 4096) -> None:
        """Give the array begun last a smaller type, in place."""
        entry = self._header[name]
        rows, columns = entry["shape"]
        old, new = np.dtype(_TYPES[entry["dtype"]]), np.dtype(kind)
        first = self._base + entry["data_offsets"][0]
        for row in range(0, rows, rows_at_once):
            count = min(rows_at_once, rows - row)
            self._stream.seek(first + row * columns * old.itemsize)
            block = np.frombuffer(self._stream.read(count * columns * old.itemsize), old)
            self._stream.seek(first + row * columns * new.itemsize)
            self._stream.write(block.astype(new).data)
        self._stream.truncate()
        self._position = entry["data_offsets"][0] + rows * columns * new.itemsize
        entry["data_offsets"][1] = self._position
        entry["dtype"] = _NAMES[new]

    def finish(self, metadata: Mapping[str, str]) -> None:
        """Write the header and close the file."""
        # As it is read: the header precedes the numbers.
        checksum = zlib.crc32(_written({_METADATA: dict(metadata), **self._header}))
        self._stream.seek(self._base)
        while block := self._stream.read(_BLOCK):
            checksum = zlib.crc32(block, checksum)
        checked = {**metadata, _CHECKSUM: _hexadecimal(checksum)}
        encoded = _written({_METADATA: checked, **self._header})
        if len(encoded) > self._base - _LENGTH_BYTES:
            raise ValueError(
                f"a header of {counted(len(encoded), 'byte')} does not fit into {self._base}"
            )
        self._stream.seek(0)
        self._stream.write((self._base - _LENGTH_BYTES).to_bytes(_LENGTH_BYTES, "little"))
        self._stream.write(encoded.ljust(self._base - _LENGTH_BYTES))
        self._stream.close()

    def _begin(self, name: str, block: Array) -> None:
        # The format allows no gaps: the padding before the next array is an array itself.
        missing = -self._position % block.itemsize
        if missing:
            self.extend(f"padding_{len(self._header)}", np.zeros(missing, dtype=np.uint8))
        place = self._position
        shape = [0, *block.shape[1:]]
        kind = _NAMES[block.dtype.newbyteorder("<")]
        self._header[name] = {"dtype": kind, "shape": shape, "data_offsets": [place, place]}
