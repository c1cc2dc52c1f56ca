"""SentencePiece models: subwords with their scores, and the rules that normalize text before.

A model is a protocol buffer (``sentencepiece_model.proto``). The rules are a double-array trie of
UTF-8 byte strings in one field of it, each with a place in a list of replacements. Both are read
here into plain values; nothing else of the file is needed to split texts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tenbin.core.errors import UnreadableFile

_ADVICE = "Expected a SentencePiece model of type unigram. Install or download it again."
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_MOST_VARINT_BYTES = 10
_PIECES, _TRAINER, _NORMALIZER = 1, 2, 3
_UNIGRAM = 1
# Of a unit of the trie: its label (or the mark of a value), whether a key ends, where children are.
_LABEL, _IS_VALUE, _ENDS = 0xFF, 1 << 31, 1 << 8
_MOST_RULE_BYTES = 64


class PieceType(IntEnum):
    """What a subword of a vocabulary is."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SentencePieceModel:
    """A unigram model.

    Attributes:
        pieces: The subwords by id.
        scores: The logarithm of the probability of each.
        types: What each of them is.
        rules: What strings are replaced by before a text is split; the longest one counts.
    """

    pieces: tuple[str, ...]
    scores: npt.NDArray[np.float32]
    types: npt.NDArray[np.uint8]
    rules: dict[str, str]


def read_sentencepiece(path: Path) -> SentencePieceModel:
    """Return the model of a file.

    Raises:
        UnreadableFile: The file cannot be read, is damaged, or holds another kind of model.
    """
    try:
        content = path.read_bytes()
        return parse_sentencepiece(content)
    except OSError as error:
        raise UnreadableFile(str(path), f"cannot be read ({error.strerror})", _ADVICE) from error
    # Text that is not UTF-8 is a ValueError too.
    except (ValueError, IndexError) as error:
        problem = f"is not a SentencePiece model that can be used ({error})"
        raise UnreadableFile(str(path), problem, _ADVICE) from error


def parse_sentencepiece(content: bytes) -> SentencePieceModel:
    """Return the model of some bytes.

    Raises:
        ValueError: They are damaged, or of another kind of model.
    """
    pieces: list[str] = []
    scores: list[float] = []
    types: list[int] = []
    rules = b""
    for field, value in _fields(content):
        if field == _PIECES:
            found = dict(_fields(_as_bytes(value)))
            pieces.append(_as_bytes(found.get(1, b"")).decode("utf-8"))
            scores.append(_as_float(found.get(2, b"\0\0\0\0")))
            types.append(_as_int(found.get(3, int(PieceType.NORMAL))))
        elif field == _TRAINER:
            kind = _as_int(dict(_fields(_as_bytes(value))).get(3, _UNIGRAM))
            if kind != _UNIGRAM:
                raise ValueError(f"model type {kind}, expected {_UNIGRAM}")
        elif field == _NORMALIZER:
            normalizer = dict(_fields(_as_bytes(value)))
            # A space before the text, none doubled, and written as a visible sign: the defaults.
            if any(_as_int(normalizer.get(number, 1)) != 1 for number in (3, 4, 5)):
                raise ValueError("spaces are not treated in the usual way")
            rules = _as_bytes(normalizer.get(2, b""))
    if not pieces or len(set(pieces)) < len(pieces) or not all(pieces):
        raise ValueError("subwords are missing, empty, or there twice")
    if not set(types) <= {*PieceType} - {PieceType.BYTE} or not np.isfinite(scores).all():
        raise ValueError("types or scores of subwords are out of their range")
    return SentencePieceModel(
        pieces=tuple(pieces),
        scores=np.array(scores, dtype=np.float32),
        types=np.array(types, dtype=np.uint8),
        rules=_parse_rules(rules),
    )


def _fields(content: bytes) -> Iterator[tuple[int, bytes | int]]:
    """Yield number and value of each field of a message; fixed numbers as their bytes."""
    place = 0
    while place < len(content):
        key, place = _varint(content, place)
        field, wire = key >> 3, key & 7
        if wire == _VARINT:
            number, place = _varint(content, place)
            yield field, number
            continue
        if wire == _BYTES:
            size, place = _varint(content, place)
        elif wire in {_FIXED32, _FIXED64}:
            size = 4 if wire == _FIXED32 else 8
        else:
            raise ValueError(f"a field of wire type {wire}")
        if not field or size > len(content) - place:
            raise ValueError("a field ends after the message")
        yield field, content[place : place + size]
        place += size


def _varint(content: bytes, place: int) -> tuple[int, int]:
    found = 0
    for count in range(_MOST_VARINT_BYTES):
        byte = content[place + count]
        found |= (byte & 0x7F) << (7 * count)
        if byte < 0x80:  # noqa: PLR2004 - the bit that says that more follow
            return found, place + count + 1
    raise ValueError("a number without an end")


def _as_bytes(value: bytes | int) -> bytes:
    if isinstance(value, int):
        raise ValueError("a number in place of a message")  # noqa: TRY004 - damage of a file
    return value


def _as_int(value: bytes | int) -> int:
    if isinstance(value, bytes):
        raise ValueError("a message in place of a number")  # noqa: TRY004 - damage of a file
    return value


def _as_float(value: bytes | int) -> float:
    return float(np.frombuffer(_as_bytes(value), "<f4", 1)[0])


def _parse_rules(content: bytes) -> dict[str, str]:
    """Return the replacements of a trie, by the strings that are replaced."""
    if not content:
        return {}
    size = int.from_bytes(content[:4], "little")
    if size % 4 or not 0 < size <= len(content) - 4:
        raise ValueError("the rules of normalization are damaged")
    units = np.frombuffer(content, "<u4", size // 4, 4).astype(np.int64)
    replacements = content[4 + size :]
    found = {}
    for key, place in _trie_keys(units):
        end = replacements.find(b"\0", place)
        if end < 0:
            raise ValueError("a replacement without an end")
        try:
            found[key.decode("utf-8")] = replacements[place:end].decode("utf-8")
        except UnicodeDecodeError:
            continue  # part of a character, which no text has
    return found


def _trie_keys(units: npt.NDArray[np.int64]) -> Iterator[tuple[bytes, int]]:
    """Yield the keys of a double-array trie with their values; all of one length together."""
    labels = np.arange(1, 256)
    # Where the children of a node are: XOR of this and their label.
    bases = np.array([_child_base(units[:1])[0]])
    keys = [b""]
    for _ in range(_MOST_RULE_BYTES):
        places = bases[:, np.newaxis] ^ labels
        inside = places < len(units)
        heads = units[np.where(inside, places, 0)]
        is_child = inside & ((heads & (_LABEL | _IS_VALUE)) == labels)
        parents, columns = np.nonzero(is_child)
        if not len(parents):
            return
        own = places[parents, columns]
        keys = [
            keys[parent] + bytes((label,))
            for parent, label in zip(parents.tolist(), labels[columns].tolist(), strict=True)
        ]
        bases = own ^ _child_base(units[own])
        for row in np.flatnonzero(units[own] & _ENDS).tolist():
            # The value stands where a child of label 0 would.
            yield keys[row], int(units[int(bases[row])] & ~_IS_VALUE)
    raise ValueError("a rule of normalization without an end")


def _child_base(units: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    shifts = (units & (1 << 9)) >> 6
    found: npt.NDArray[np.int64] = np.left_shift(units >> 10, shifts)
    return found
