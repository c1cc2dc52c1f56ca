"""The stored form of lexicons: sorted words and the sets of each, in one small file.

A numpy archive (npz) with the arrays ``words`` (UTF-8, one word a line), ``counts`` (how many sets
each word has), ``sets`` (their numbers, word after word), and ``notes`` for further text of a
lexicon. The same table always gives the same bytes.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tenbin.core.errors import UnreadableFile
from tenbin.formats.damage import ARCHIVE_ERRORS, ARRAY_ERRORS

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
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
            # A member that is no array comes as bytes; its type is checked below.
            words, counts, sets, notes = (np.asarray(archive[name]) for name in _ARRAYS)
        text = words.tobytes().decode("utf-8")
        listed = tuple(text.split("\n")) if text else ()
        offsets = _offsets(counts)
        table = LexiconTable(listed, offsets, sets, notes.tobytes().decode("utf-8"))
    except FileNotFoundError as error:
        raise UnreadableFile(str(path), "there is no such file", "Check the path.") from error
    except (OSError, *ARCHIVE_ERRORS, *ARRAY_ERRORS) as error:
        raise _damaged(path) from error
    whole = counts.dtype.kind == sets.dtype.kind == "i" and counts.ndim == sets.ndim == 1
    fits = len(listed) + 1 == len(offsets) and int(offsets[-1]) == sets.size
    # Words are found by bisection.
    if not (whole and fits and (np.diff(offsets) >= 0).all() and sorted(listed) == list(listed)):
        raise _damaged(path)
    return table


def _offsets(counts: npt.ArrayLike) -> npt.NDArray[np.int32]:
    sizes = np.asarray(counts, dtype=np.int32)
    offsets = np.zeros(len(sizes) + 1, dtype=np.int32)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def _damaged(path: Path) -> UnreadableFile:
    problem = "this is not a complete lexicon table"
    return UnreadableFile(str(path), problem, "Build it again, or reinstall the resource.")
