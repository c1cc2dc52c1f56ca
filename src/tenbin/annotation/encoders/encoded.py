"""Encoded texts: rows of units, each a subword or word with a vector."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntFlag
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tenbin.core.arrays import IdArray, Ragged
from tenbin.core.resource import ResourceIdentity

Float32Array = npt.NDArray[np.float32]
BoolArray = npt.NDArray[np.bool_]
FlagArray = npt.NDArray[np.uint8]


class SubwordFlag(IntFlag):
    """The flags of a subword in its text.

    SPECIAL: a special token ([CLS], [SEP]). CONTINUES: it belongs to the word of the subword
    before. UNKNOWN: the encoder does not know it. WINDOWED: its text was too long to be encoded at
    once. SHARED: its vector is that of other words too.
    """

    SPECIAL = 1
    CONTINUES = 2
    UNKNOWN = 4
    WINDOWED = 8
    SHARED = 16


@dataclass(frozen=True, slots=True, eq=False)
class Encoding:
    """One encoded text.

    Attributes:
        vectors: A unit vector for each subword.
        subwords: The ids of the subwords.
        flags: The flags of each.
    """

    vectors: Float32Array
    subwords: IdArray
    flags: FlagArray

    def __len__(self) -> int:
        return len(self.subwords)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EncodedTexts:
    """Texts as rows of units.

    In the output of a model every subword of every text is a unit of its own, because its vector
    depends on its context; with static vectors a unit is a word in any context.

    Attributes:
        rows: The units of each text.
        units: The unit vector of each unit, or zeros if there is none.
        known: Whether a unit has a vector.
        subwords: The subword of each unit, a position in the vocabulary.
        vocabulary: The subwords as strings.
        flags: The flags of each unit.
        same: Units of one number are the same token; None where each is like itself alone.
        fold: What makes spellings of one token equal.
    """

    rows: Ragged
    units: Float32Array
    known: BoolArray
    subwords: IdArray
    vocabulary: tuple[str, ...]
    flags: FlagArray
    same: IdArray | None = None
    fold: Callable[[str], str] = str.lower

    @property
    def classes(self) -> IdArray:
        """A number for each unit; units of one number are the same token."""
        return np.arange(len(self.units), dtype=np.int32) if self.same is None else self.same

    def having(self, flag: SubwordFlag) -> BoolArray:
        """Return which units have a flag."""
        found: BoolArray = np.not_equal(self.flags & np.uint8(flag), 0)
        return found

    @property
    def subword_rows(self) -> Ragged:
        """The subwords of each text."""
        return Ragged(self.subwords[self.rows.values], self.rows.offsets)

    def tokens(self, row: int) -> tuple[str, ...]:
        """Return the subwords of a text."""
        return tuple(self.vocabulary[place] for place in self.subwords[self.rows.row(row)].tolist())


class Encoder(Protocol):
    """Turns texts into units; the units of a text do not depend on the other texts."""

    @property
    def identity(self) -> ResourceIdentity:
        """Which model or table it is."""
        ...

    @property
    def versions(self) -> tuple[tuple[str, str], ...]:
        """The libraries that determine the vectors, and their versions."""
        ...

    def encode(self, texts: Sequence[str]) -> EncodedTexts:
        """Return one row per text."""
        ...

    def tokenize(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the subwords of each text, without special tokens."""
        ...

    def notes(self, encoded: EncodedTexts) -> list[str]:
        """Return notes for the user about texts that were encoded in an unusual way.

        Raises:
            InputError: Nearly all of the texts are unknown to the encoder.
        """
        ...
