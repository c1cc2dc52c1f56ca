"""Text as ids of subwords, packed into arrays on disk.

The segments of a role stand one after the other, whatever bitext they come from: row n of every
role of a pair is pair n.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from tenbin.building.corpus import Advance
from tenbin.building.encoder.texts import EncoderTexts
from tenbin.core.arrays import IdArray, IntArray
from tenbin.core.counting import agreeing, counted
from tenbin.core.errors import UnreadableFile
from tenbin.formats.lines import TextFile
from tenbin.formats.tensor_file import TensorWriter, map_tensors

_IDS, _OFFSETS = "ids", "offsets"
_PACKED = "packed.json"
_LINES_AT_ONCE = 4_000
_Line = TypeVar("_Line")


class Role(StrEnum):
    """What a text is, and whose subwords it is made of.

    TEACHER: the teacher's language in the teacher's subwords. SECOND: in those of the second
    teacher. OWN: in those of the student. OTHER: the other language in those of the student. TEXT:
    text of single languages in those of the student.
    """

    TEACHER = "teacher"
    SECOND = "second"
    OWN = "own"
    OTHER = "other"
    TEXT = "text"


@dataclass(frozen=True, slots=True, eq=False)
class PackedRows:
    """The segments of one role: row r is ``ids[offsets[r]:offsets[r + 1]]``."""

    ids: IdArray
    offsets: IntArray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> IntArray:
        """Subwords of each row, special tokens included."""
        return np.diff(self.offsets)


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """What a model is trained on.

    Attributes:
        rows: The segments of each role.
        languages: The other languages.
        language_of: The number of the language of each pair.
        notes: Notes for the user.
    """

    rows: Mapping[Role, PackedRows]
    languages: tuple[str, ...]
    language_of: IntArray
    notes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.language_of)

    def counts(self) -> dict[str, int]:
        """Return the pairs of each language."""
        found = np.bincount(self.language_of, minlength=len(self.languages)).tolist()
        return dict(zip(self.languages, found, strict=True))


def write_examples(
    folder: Path,
    texts: EncoderTexts,
    tokenizers: Mapping[Role, Any],
    length: int,
    advance: Advance | None = None,
) -> None:
    """Write all text as ids of subwords.

    Lines with an empty side are left out.

    Args:
        folder: An empty folder.
        texts: The text.
        tokenizers: The tokenizer of each role.
        length: Maximum number of subwords of a row, special tokens included.
        advance: Called with the number of lines that are done.

    Raises:
        InputError: A file cannot be read, a line is malformed, or a bitext has no pair.
    """
    for tokenizer in tokenizers.values():
        tokenizer.no_padding()
        tokenizer.enable_truncation(length)
    described = _write_pairs(folder, texts, tokenizers, advance)
    if texts.texts:
        with _Packer(_path(folder, Role.TEXT), tokenizers[Role.TEXT]) as packer:
            for path in texts.texts:
                for lines in _chunks(TextFile(path).lines(), advance):
                    packer.add([line for line in lines if line.strip()])
    (folder / _PACKED).write_text(json.dumps(described), encoding="utf-8")


def _write_pairs(
    folder: Path,
    texts: EncoderTexts,
    tokenizers: Mapping[Role, Any],
    advance: Advance | None,
) -> dict[str, Any]:
    """Write the pairs of all bitexts; return what is in them."""
    pairs: list[tuple[int, int]] = []
    left_out, first_left_out = 0, ""
    with ExitStack() as stack:
        packers = {
            role: stack.enter_context(_Packer(_path(folder, role), tokenizer))
            for role, tokenizer in tokenizers.items()
            if role is not Role.TEXT
        }
        for bitext in texts.bitexts:
            count = 0
            for some in _chunks(enumerate(bitext.pairs(), start=1), advance):
                kept = [pair for _, pair in some if all(map(str.strip, pair))]
                count += len(kept)
                if len(kept) < len(some):
                    left_out += len(some) - len(kept)
                    line = next(line for line, pair in some if not all(map(str.strip, pair)))
                    first_left_out = first_left_out or f"{bitext.path}, line {line}"
                for role, packer in packers.items():
                    packer.add([pair[role is Role.OTHER] for pair in kept])
            if not count:
                problem = "no line has words on both sides"
                advice = "Give text in two languages, one pair of segments per line."
                raise UnreadableFile(bitext.path, problem, advice)
            pairs.append((texts.languages.index(bitext.language), count))
    notes = []
    if left_out:
        lines = f"{left_out:,} of {counted(left_out + sum(n for _, n in pairs), 'line')}"
        without = f"without words on a side {agreeing(left_out, 'was')} left out"
        notes.append(f"{lines} {without}, the first at {first_left_out}.")
    return {"languages": texts.languages, "pairs": pairs, "notes": notes}


def read_examples(folder: Path) -> Examples:
    """Map packed text into memory."""
    described = json.loads((folder / _PACKED).read_text(encoding="utf-8"))
    rows = {}
    for role in Role:
        if _path(folder, role).is_file():
            tensors = map_tensors(_path(folder, role)).tensors
            rows[role] = PackedRows(tensors[_IDS], tensors[_OFFSETS])
    numbers, counts = np.array(described["pairs"], dtype=np.int64).T
    return Examples(
        rows,
        tuple(described["languages"]),
        np.repeat(numbers, counts),
        tuple(described["notes"]),
    )


class _Packer:
    """Writes the rows of a role; ids go to disk as they come."""

    def __init__(self, path: Path, tokenizer: Any) -> None:  # noqa: ANN401 - of tokenizers
        self._writer = TensorWriter(path)
        self._tokenizer = tokenizer
        self._lengths: list[IntArray] = []

    def __enter__(self) -> "_Packer":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            lengths = np.concatenate([np.zeros(1, dtype=np.int64), *self._lengths])
            self._writer.extend(_OFFSETS, np.cumsum(lengths))
            self._writer.finish({})
        self._writer.__exit__(None, None, None)

    def add(self, texts: Sequence[str]) -> None:
        if not texts:
            return
        rows = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(texts)]
        self._lengths.append(np.array([len(row) for row in rows], dtype=np.int64))
        self._writer.extend(_IDS, np.fromiter(chain.from_iterable(rows), dtype=np.int32))


def _chunks(lines: Iterable[_Line], advance: Advance | None) -> Iterator[list[_Line]]:
    going = iter(lines)
    while some := list(islice(going, _LINES_AT_ONCE)):
        yield some
        if advance is not None:
            advance(len(some))


def _path(folder: Path, role: Role) -> Path:
    return folder / f"{role}.safetensors"
