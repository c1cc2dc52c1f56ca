"""A tokenized text as numbers of words, in a temporary file, for several passes over it."""

import tempfile
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from tenbin.core.arrays import IdArray, IntArray
from tenbin.core.errors import InputError
from tenbin.kernels.training.word_prediction import UNKNOWN

# Distinct words that are counted at a time: about half a gigabyte.
_MOST_WORDS = 5_000_000
_BLOCK = 2**20


@dataclass(frozen=True, slots=True, eq=False)
class NumberedVocabulary:
    """The words that get a vector, the commonest first, then by word.

    Attributes:
        words: The words.
        counts: How often each occurs.
        total: Number of all tokens, of the other words too.
        dropped_up_to: The largest count of words that were dropped while counting; 0 if none was.
    """

    words: tuple[str, ...]
    counts: IntArray
    total: int
    dropped_up_to: int

    @classmethod
    def of(cls, ranked: Sequence[tuple[str, int]], total: int, dropped_up_to: int) -> Self:
        """Return the vocabulary of words and counts."""
        words = tuple(word for word, _ in ranked)
        counts = np.array([count for _, count in ranked], dtype=np.int64)
        return cls(words, counts, total, dropped_up_to)

    @property
    def known(self) -> int:
        """Number of tokens that have a vector."""
        return int(self.counts.sum())


def frequent_words(
    ranked: Sequence[tuple[str, int]], least: int, total: int
) -> list[tuple[str, int]]:
    """Return the words that get a vector.

    Args:
        ranked: Words and their counts, the commonest first.
        least: The least count.
        total: Number of all tokens.

    Raises:
        InputError: There is none.
    """
    frequent = [(word, count) for word, count in ranked if count >= least]
    if not frequent:
        word, count = ranked[0] if ranked else ("", 0)
        raise InputError(
            f"no word occurs {least} times among all tokens ({total:,}); the commonest, {word!r}, "
            f"occurs {count} times. Give more text, or a smaller min_count."
        )
    return frequent


class NumberedText:
    """Segments of word numbers; in memory are the distinct words and where segments begin.

    With more than five million distinct words the rarest are dropped on the way, as in word2vec, so
    that a word may lack the few occurrences it had by then.

    Attributes:
        total: Number of all tokens.
    """

    def __init__(self, folder: Path, *, most: int = _MOST_WORDS) -> None:
        """Create the file in a folder, which must have room for the whole text.

        Args:
            folder: The folder.
            most: Distinct words that are counted at a time.
        """
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed by __exit__
        self._most = most
        self._numbers: dict[str, int] = {}
        self._dropped = 0  # words, whose numbers are not given again
        self._dropped_up_to = 0
        self._counts = np.zeros(0, dtype=np.int64)
        self._block = array("i")
        self._offsets = array("q", [0])
        self.total = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    @property
    def offsets(self) -> IntArray:
        """Where segments begin and, last, where the last one ends."""
        return np.array(self._offsets, dtype=np.int64)

    def add(self, tokens: Sequence[str]) -> None:
        """Store a segment."""
        numbers, dropped = self._numbers, self._dropped
        self._block.extend([numbers.setdefault(token, dropped + len(numbers)) for token in tokens])
        self.total += len(tokens)
        self._offsets.append(self.total)
        if len(self._block) >= _BLOCK or len(numbers) > self._most:
            self._store_block()

    def _store_block(self) -> None:
        block = np.array(self._block, dtype=np.int32)
        self._file.write(block.tobytes())
        self._block = array("i")
        counts = np.bincount(block, minlength=self._dropped + len(self._numbers))
        counts[: self._counts.size] += self._counts
        self._counts = counts
        numbers = self._numbers
        while len(numbers) > self._most:
            self._dropped_up_to += 1
            given = self._dropped + len(numbers)
            least = self._dropped_up_to
            numbers = {word: number for word, number in numbers.items() if counts[number] > least}
            self._dropped = given - len(numbers)
        self._numbers = numbers

    def vocabulary(self, least: int) -> NumberedVocabulary:
        """Give the final numbers to words that occur often enough, and `UNKNOWN` to others.

        Called once, when all segments are stored.

        Raises:
            InputError: No word occurs so often.
        """
        self._store_block()
        counted = [(word, int(self._counts[number])) for word, number in self._numbers.items()]
        # A word with a blank has no place in word2vec's format.
        fit = [(word, count) for word, count in counted if word and not {" ", "\n"} & set(word)]
        ranked = sorted(fit, key=lambda pair: (-pair[1], pair[0]))
        frequent = frequent_words(ranked, least, self.total)
        final = np.full(self._counts.size, UNKNOWN, dtype=np.int32)
        for number, (word, _) in enumerate(frequent):
            final[self._numbers[word]] = number
        self._numbers = {}
        stored = self.numbers()
        for start in range(0, self.total, _BLOCK):
            stored[start : start + _BLOCK] = final[stored[start : start + _BLOCK]]
        return NumberedVocabulary.of(frequent, self.total, self._dropped_up_to)

    def numbers(self) -> IdArray:
        """Return the numbers of all segments, which stay in the file."""
        self._file.flush()
        # As a plain array, for kernels.
        return np.asarray(np.memmap(self._file, np.int32, "r+", shape=(self.total,)))
