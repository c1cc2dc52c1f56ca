"""The vector table of a spaCy pipeline.

vectors        the rows, as numpy writes an array
key2row        the row of each word, a map in MessagePack; words are identified by their hash
strings.json   the words themselves and many other strings, if the file exists
vectors.cfg    {"mode": "default"}; tables of the mode "floret" have no words at all

The files are in one folder, or in an archive: a wheel, as pipelines are published, or a tar.
"""

import struct
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EINVAL
from pathlib import Path, PurePosixPath
from typing import IO

import numpy as np

from tenbin.core.arrays import IdArray
from tenbin.core.errors import UnreadableFile
from tenbin.formats.compression import DAMAGE_ERRORS
from tenbin.formats.damage import ARCHIVE_ERRORS
from tenbin.formats.json_text import parse_json
from tenbin.formats.vectors.arrays import open_array_stream
from tenbin.formats.vectors.stream import KeyArray, KeyedRows, VectorStream

ROWS_FILE, KEYS_FILE, STRINGS_FILE, SETTINGS_FILE = (
    "vectors",
    "key2row",
    "strings.json",
    "vectors.cfg",
)
# A table itself, a pipeline, and a pipeline as pip installs it.
_PLACES = ("", "vocab/", "*/vocab/", "*/*/vocab/")
_ADVICE = f"Expected a folder of spaCy with the files {ROWS_FILE!r} and {KEYS_FILE!r}."
# MessagePack: maps and integers by their first byte; the integers follow, most significant first.
_MAP16, _MAP32, _SMALL_MAP, _SMALL_MAP_END = 0xDE, 0xDF, 0x80, 0x90
_INTEGERS = {
    0xCC: struct.Struct(">B"),
    0xCD: struct.Struct(">H"),
    0xCE: struct.Struct(">I"),
    0xCF: struct.Struct(">Q"),
    0xD0: struct.Struct(">b"),
    0xD1: struct.Struct(">h"),
    0xD2: struct.Struct(">i"),
    0xD3: struct.Struct(">q"),
}
_POSITIVE_END, _NEGATIVE = 0x80, 0xE0


class SpacyFiles:
    """The files of one vector table."""

    def __init__(self, path: Path, prefix: str, names: frozenset[str]) -> None:
        self.path = path
        self._prefix = prefix
        self._names = names

    def has(self, name: str) -> bool:
        """Return whether a file is there."""
        return name in self._names

    def paths(self) -> list[Path]:
        """Return the files that are read, of a table in a folder."""
        read = (ROWS_FILE, KEYS_FILE, STRINGS_FILE, SETTINGS_FILE)
        return [self.path / f"{self._prefix}{name}" for name in read if self.has(name)]

    @contextmanager
    def opened(self, name: str) -> Iterator[IO[bytes]]:
        """Open a file.

        Raises:
            UnreadableFile: The archive is damaged; also while the file is being read.
        """
        member = f"{self._prefix}{name}"
        if self.path.is_dir():
            with (self.path / member).open("rb") as stream:
                yield stream
            return
        with _reading_archive(self.path):
            if _is_zip(self.path):
                with zipfile.ZipFile(self.path) as wheel, wheel.open(member) as stream:
                    yield stream
            else:
                with tarfile.open(self.path) as archive:
                    content = archive.extractfile(member)
                    if content is None:
                        raise UnreadableFile(
                            str(self.path), f"{member} is not a file", "Repack it."
                        )
                    yield content

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        with self.opened(name) as stream:
            return stream.read()


def find_spacy_files(path: Path) -> SpacyFiles | None:
    """Return the files of a table in a folder, a pipeline, a wheel or a tar; None if there is none.

    Raises:
        UnreadableFile: The file is a damaged archive.
    """
    if path.is_dir():
        for place in _PLACES:
            for found in sorted(path.glob(place + KEYS_FILE)):
                names = frozenset(one.name for one in found.parent.iterdir())
                prefix = found.parent.relative_to(path).as_posix()
                return SpacyFiles(path, "" if prefix == "." else f"{prefix}/", names)
        return None
    members = [PurePosixPath(name) for name in _members(path)]
    folders = [member.parent for member in members if member.name == KEYS_FILE]
    if not folders:
        return None
    names = frozenset(member.name for member in members if member.parent == folders[0])
    prefix = "" if folders[0] == PurePosixPath() else f"{folders[0]}/"
    return SpacyFiles(path, prefix, names)


def _members(path: Path) -> list[str]:
    with _reading_archive(path):
        if _is_zip(path):
            with zipfile.ZipFile(path) as wheel:
                return wheel.namelist()
        with tarfile.open(path) as archive:
            return archive.getnames()


@contextmanager
def _reading_archive(path: Path) -> Iterator[None]:
    """Turn errors while an archive is read inside the block into `UnreadableFile`."""
    try:
        yield
    except (*ARCHIVE_ERRORS, *DAMAGE_ERRORS) as error:
        raise _damaged(path) from error
    except OSError as error:
        if error.errno not in {None, EINVAL}:  # a place outside the file
            raise
        raise _damaged(path) from error


def _is_zip(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(2) == b"PK"


def _damaged(path: Path) -> UnreadableFile:
    return UnreadableFile(str(path), "the archive is damaged or truncated", "Download it again.")


def read_spacy_vectors(files: SpacyFiles) -> VectorStream:
    """Read a table; the keys are spaCy's own, so those of its symbols are small numbers.

    Raises:
        UnreadableFile: A file is missing or damaged, or the table has no words.
    """
    name = str(files.path)
    if not files.has(ROWS_FILE):
        raise UnreadableFile(name, f"found {KEYS_FILE!r} but no {ROWS_FILE!r}", _ADVICE)
    if files.has(SETTINGS_FILE) and b"floret" in files.read(SETTINGS_FILE):
        problem = "this is a floret table, which has vectors of n-grams and not of words"
        raise UnreadableFile(name, problem, _ADVICE)
    keys, rows = _key_rows(files)
    strings = _strings(files) if files.has(STRINGS_FILE) else []
    stream = open_array_stream(name, lambda: files.opened(ROWS_FILE))
    if rows.max() >= (stream.count or 0) or rows.min() < 0:
        problem = f"{KEYS_FILE!r} refers to row {rows.max():,}, {ROWS_FILE!r} has {stream.count:,}"
        raise UnreadableFile(name, problem, _ADVICE)
    keyed = KeyedRows(keys=keys, rows=rows, strings=strings)
    return VectorStream(
        dimensions=stream.dimensions,
        chunks=stream.chunks,
        count=stream.count,
        keyed=keyed,
        done=stream.done,
    )


def _strings(files: SpacyFiles) -> list[str]:
    try:
        found = parse_json(files.read(STRINGS_FILE))
    except ValueError as error:
        problem = f"{STRINGS_FILE!r} is damaged ({str(error)[:200]})"
        raise UnreadableFile(str(files.path), problem, _ADVICE) from error
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        problem = f"{STRINGS_FILE!r} is not a list of texts"
        raise UnreadableFile(str(files.path), problem, _ADVICE)
    return found


def _key_rows(files: SpacyFiles) -> tuple[KeyArray, IdArray]:
    try:
        numbers = _integer_map(files.read(KEYS_FILE))
        keys, rows = np.array(numbers[::2], np.uint64), np.array(numbers[1::2], np.int32)
    except (ValueError, IndexError, OverflowError, struct.error) as error:
        problem = f"{KEYS_FILE!r} is damaged or truncated ({error})"
        raise UnreadableFile(str(files.path), problem, _ADVICE) from error
    if not keys.size:
        raise UnreadableFile(str(files.path), f"{KEYS_FILE!r} has no words", _ADVICE)
    return keys, rows


def _integer_map(content: bytes) -> list[int]:
    """Return the keys and values, alternating, of a map of integers in MessagePack."""
    first = content[0]
    if _SMALL_MAP <= first < _SMALL_MAP_END:
        count, place = first - _SMALL_MAP, 1
    elif first == _MAP16:
        count, place = int.from_bytes(content[1:3], "big"), 3
    elif first == _MAP32:
        count, place = int.from_bytes(content[1:5], "big"), 5
    else:
        raise ValueError("it is not a map")
    numbers: list[int] = []
    for _ in range(2 * count):
        byte = content[place]
        place += 1
        kind = _INTEGERS.get(byte)
        if kind is not None:
            numbers.append(kind.unpack_from(content, place)[0])
            place += kind.size
        elif byte < _POSITIVE_END or byte >= _NEGATIVE:
            numbers.append(byte if byte < _POSITIVE_END else byte - 256)
        else:
            raise ValueError(f"byte {place:,} is not the start of an integer")
    return numbers
