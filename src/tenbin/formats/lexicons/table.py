"""The stored form of lexicons: sorted words and the sets of each, in one small file.

A numpy archive (npz) with the arrays ``words`` (UTF-8, one word a line), ``counts`` (how many sets
each word has), ``sets`` (their numbers, word after word), and ``notes`` for further text of a
lexicon. The same table always gives the same bytes.
"""

import io
import lzma
import struct
import zipfile
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tenbin.core.errors import UnreadableFile

# What zipfile, zlib and numpy raise for bytes that were changed.
_DAMAGE_ERRORS = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    EOFError,
    RuntimeError,  # 'encrypted', and NotImplementedError
    OverflowError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)
_ARRAYS = ("words", "counts", "sets", "notes")


@dataclass(frozen=True, eq=False)
class LexiconTable:
    """Words and the numbers of the sets they belong to.

    Attributes:
        words: The words, sorted, each once.
        offsets: Where the sets of each word begin, shape (words + 1,).
        sets: Numbers of sets, ascending within a word.
        notes: Further text.
    """

    words: tuple[str, ...]
    offsets: npt.NDArray[np.int32]
    sets: npt.NDArray[np.int32]
    notes: str = field(default="")

    def __contains__(self, word: str) -> bool:
        return self._place(word) is not None

    def sets_of(self, word: str) -> tuple[int, ...]:
        """Return the sets of a word, ascending; none for a word that is not listed."""
        place = self._place(word)
        if place is None:
            return ()
        return tuple(self.sets[self.offsets[place] : self.offsets[place + 1]].tolist())

    def _place(self, word: str) -> int | None:
        # A dictionary would be faster, but building it costs as much as 40,000 lookups.
        place = bisect_left(self.words, word)
        return place if place < len(self.words) and self.words[place] == word else None

    def members(self, number: int) -> tuple[str, ...]:
        """Return the words of a set in alphabetical order."""
        found = np.searchsorted(self.offsets, np.flatnonzero(self.sets == number), side="right") - 1
        return tuple(self.words[place] for place in found.tolist())


def lexicon_table(sets: Mapping[str, Iterable[int]], notes: str = "") -> LexiconTable:
    """Return the table of a mapping from words to the numbers of their sets."""
    words = tuple(sorted(sets))
    rows = [sorted(set(sets[word])) for word in words]
    offsets = _offsets([len(row) for row in rows])
    numbers = np.fromiter((number for row in rows for number in row), dtype=np.int32)
    return LexiconTable(words, offsets, numbers, notes)


def write_lexicon_table(path: Path, table: LexiconTable) -> None:
    """Write a table; the words must not contain line breaks."""
    arrays = {
        "words": np.frombuffer("\n".join(table.words).encode("utf-8"), dtype=np.uint8),
        "counts": np.diff(table.offsets),
        "sets": table.sets,
        "notes": np.frombuffer(table.notes.encode("utf-8"), dtype=np.uint8),
    }
    with path.open("wb") as stream:
        np.savez_compressed(stream, allow_pickle=False, **arrays)


def read_lexicon_table(path: Path) -> LexiconTable:
    """Return the table of a file that `write_lexicon_table` wrote.

    Raises:
        UnreadableFile: The file is missing, truncated, damaged or not a lexicon table.
    """
    try:
        with path.open("rb") as stream, zipfile.ZipFile(stream) as archive:
            words, counts, sets, notes = (_array(archive, name) for name in _ARRAYS)
        table = _table(words, counts, sets, notes)
    except FileNotFoundError as error:
        raise UnreadableFile(str(path), "there is no such file", "Check the path.") from error
    except _DAMAGE_ERRORS as error:
        raise _damaged(path) from error
    return table


def _array(archive: zipfile.ZipFile, name: str) -> npt.NDArray[Any]:
    # Read to its end, where its checksum is compared, before numpy believes what it says.
    content = io.BytesIO(archive.read(f"{name}.npy"))
    found: npt.NDArray[Any] = np.lib.format.read_array(content, allow_pickle=False)
    return found


def _table(
    words: npt.NDArray[Any],
    counts: npt.NDArray[Any],
    sets: npt.NDArray[Any],
    notes: npt.NDArray[Any],
) -> LexiconTable:
    """Return a table; raise `ValueError` if its arrays do not fit together."""
    numbers = all(one.ndim == 1 and one.dtype.kind in "iu" for one in (words, counts, sets, notes))
    if not numbers or words.dtype != np.uint8 or notes.dtype != np.uint8:
        raise ValueError("an array is of another type")
    text = words.tobytes().decode("utf-8")
    listed = tuple(text.split("\n")) if text else ()
    if any(one >= other for one, other in pairwise(listed)):
        raise ValueError("the words are not in order")
    if counts.min(initial=0) < 0 or int(counts.sum()) != len(sets) or len(counts) != len(listed):
        raise ValueError("words and sets do not fit together")
    return LexiconTable(listed, _offsets(counts), sets, notes.tobytes().decode("utf-8"))


def _offsets(counts: npt.ArrayLike) -> npt.NDArray[np.int32]:
    sizes = np.asarray(counts, dtype=np.int32)
    offsets = np.zeros(len(sizes) + 1, dtype=np.int32)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def _damaged(path: Path) -> UnreadableFile:
    problem = "this is not a complete lexicon table"
    return UnreadableFile(str(path), problem, "Build it again, or reinstall the resource.")
