"""The table of word vectors of a spaCy pipeline.

vectors        the rows, as numpy writes an array
key2row        which row a word has, a map in MessagePack; words are known by their hash
strings.json   the words themselves and many others, if it is there
vectors.cfg    {"mode": "default"}; tables of the mode "floret" have no words at all

The files are in one folder, or in an archive: a wheel, as pipelines are published, or a tar.
"""

import json
import struct

import numpy as np

from tenbin.core.arrays import IdArray
from tenbin.core.errors import UnreadableFile
from tenbin.formats.vectors.array_stream import open_array_stream
from tenbin.formats.vectors.spacy_files import (
    KEYS_FILE,
    ROWS_FILE,
    SETTINGS_FILE,
    STRINGS_FILE,
    SpacyFiles,
)
from tenbin.formats.vectors.stream import KeyArray, KeyedRows, VectorStream

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


def read_spacy_vectors(files: SpacyFiles) -> VectorStream:
    """Read a table; keys are as spaCy has them, so that of its symbols they are small numbers.

    Raises:
        UnreadableFile: A file is missing or damaged, or the table has no words.
    """
    name = str(files.path)
    if not files.has(ROWS_FILE):
        raise UnreadableFile(name, f"there is {KEYS_FILE!r} but no {ROWS_FILE!r}", _ADVICE)
    if files.has(SETTINGS_FILE) and b"floret" in files.read(SETTINGS_FILE):
        problem = "this is a table of floret, which has vectors of n-grams and not of words"
        raise UnreadableFile(name, problem, _ADVICE)
    keys, rows = _key_rows(files)
    strings = _strings(files) if files.has(STRINGS_FILE) else []
    stream = open_array_stream(name, lambda: files.opened(ROWS_FILE))
    if rows.max() >= (stream.count or 0) or rows.min() < 0:
        problem = f"{KEYS_FILE!r} leads to row {rows.max():,}, {ROWS_FILE!r} has {stream.count:,}"
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
        found = json.loads(files.read(STRINGS_FILE))
    except ValueError as error:
        problem = f"{STRINGS_FILE!r} is damaged ({error})"
        raise UnreadableFile(str(files.path), problem, _ADVICE) from error
    return found if isinstance(found, list) else []


def _key_rows(files: SpacyFiles) -> tuple[KeyArray, IdArray]:
    try:
        numbers = _integer_map(files.read(KEYS_FILE))
        keys, rows = np.array(numbers[::2], np.uint64), np.array(numbers[1::2], np.int32)
    except (ValueError, IndexError, OverflowError, struct.error) as error:
        problem = f"{KEYS_FILE!r} is damaged or cut off ({error})"
        raise UnreadableFile(str(files.path), problem, _ADVICE) from error
    if not keys.size:
        raise UnreadableFile(str(files.path), f"{KEYS_FILE!r} has no words", _ADVICE)
    return keys, rows


def _integer_map(content: bytes) -> list[int]:
    """Return the keys and values, by turns, of a map of integers in MessagePack."""
    first = content[0]
    if _SMALL_MAP <= first < _SMALL_MAP_END:
        count, place = first - _SMALL_MAP, 1
    elif first == _MAP16:
        count, place = int.from_bytes(content[1:3], "big"), 3
    elif first == _MAP32:
        count, place = int.from_bytes(content[1:5], "big"), 5
    else:
        raise ValueError("it is no map")
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
            raise ValueError(f"byte {place:,} begins no integer")
    return numbers
