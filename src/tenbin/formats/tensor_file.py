"""Named arrays in one safetensors file: a JSON header, then the raw numbers.

The file is memory-mapped, so that opening it takes the same time whatever its size. The writer
reserves space for the header and lets one array grow, since the number of rows of a stream is not
known beforehand.
"""

import json
import mmap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tenbin.core.counting import counted
from tenbin.core.errors import UnreadableFile

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
    """Map the arrays of a file into memory.

    Raises:
        UnreadableFile: The file cannot be opened, is truncated, or is not a safetensors file.
    """
    try:
        with path.open("rb") as stream:
            content = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise UnreadableFile(str(path), f"cannot be read ({error.strerror})", _ADVICE) from error
    except ValueError as error:
        raise UnreadableFile(str(path), "the file is empty", _ADVICE) from error
    try:
        return _mapped(content)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnreadableFile(str(path), "the file is damaged or truncated", _ADVICE) from error


def _mapped(content: mmap.mmap) -> TensorFile:
    length = int.from_bytes(content[:_LENGTH_BYTES], "little")
    if length > len(content) - _LENGTH_BYTES:
        raise ValueError("the header does not fit into the file")
    base = _LENGTH_BYTES + length
    header = json.loads(content[_LENGTH_BYTES:base].decode("utf-8"))
    metadata = header.pop(_METADATA, {})
    tensors = {}
    for name, entry in header.items():
        if entry["dtype"] not in _TYPES:
            continue  # a type that numpy does not have
        first, end = entry["data_offsets"]
        kind, shape = np.dtype(_TYPES[entry["dtype"]]), tuple(entry["shape"])
        count = int(np.prod(shape, dtype=np.int64))
        if first < 0 or end - first != count * kind.itemsize:
            raise ValueError(f"{name} has a size that does not match its shape")
        whole = np.frombuffer(content, kind, count, base + first)
        tensors[name] = whole.reshape(shape)
    return TensorFile(tensors, {str(key): str(value) for key, value in metadata.items()})


class TensorWriter:
    """Writes arrays one after the other; the one begun last may grow.

    The file is not valid before `finish` has written the header.
    """

    def __init__(self, path: Path) -> None:
        self._stream = path.open("w+b")
        self._stream.write(bytes(_HEADER_BYTES))
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
        first = _HEADER_BYTES + entry["data_offsets"][0]
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
        header = json.dumps({_METADATA: dict(metadata), **self._header}, ensure_ascii=False)
        encoded = header.encode("utf-8")
        if len(encoded) > _HEADER_BYTES - _LENGTH_BYTES:
            raise ValueError(
                f"a header of {counted(len(encoded), 'byte')} does not fit into {_HEADER_BYTES}"
            )
        self._stream.seek(0)
        self._stream.write((_HEADER_BYTES - _LENGTH_BYTES).to_bytes(_LENGTH_BYTES, "little"))
        self._stream.write(encoded.ljust(_HEADER_BYTES - _LENGTH_BYTES))
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
