"""Texts as encoders leave them: rows of units, each a piece of text with a vector."""

from collections.abc import Sequence
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


class PieceFlag(IntFlag):
    """What is known about a piece at its place in a text.

    SPECIAL: a mark of the model ([CLS], [SEP]), which stands for no text. CONTINUES: it goes on
    with the word of the piece before. UNKNOWN: the encoder does not know it. WINDOWED: its text was
    too long to be encoded at once.
    """

    SPECIAL = 1
    CONTINUES = 2
    UNKNOWN = 4
    WINDOWED = 8


@dataclass(frozen=True, slots=True, eq=False)
class Encoding:
    """What a model made of one text.

    Attributes:
        vectors: A vector of length 1 for each piece.
        pieces: The pieces, as numbers.
        flags: What is known about each.
    """

    vectors: Float32Array
    pieces: IdArray
    flags: FlagArray

    def __len__(self) -> int:
        return len(self.pieces)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EncodedTexts:
    """Texts as rows of units.

    In the output of a model every piece of every text is a unit of its own, for its vector depends
    on its neighbours; of static vectors a unit is a word, wherever it stands.

    Attributes:
        rows: The units of each text.
        units: The vector of each unit, of length 1, or null where there is none.
        known: Whether a unit has a vector.
        pieces: The piece of each unit, a place in the vocabulary.
        vocabulary: The pieces, as text.
        flags: What is known about each unit.
    """

    rows: Ragged
    units: Float32Array
    known: BoolArray
    pieces: IdArray
    vocabulary: tuple[str, ...]
    flags: FlagArray

    def having(self, flag: PieceFlag) -> BoolArray:
        """Return which units have a flag."""
        found: BoolArray = np.not_equal(self.flags & np.uint8(flag), 0)
        return found

    @property
    def piece_rows(self) -> Ragged:
        """The pieces of each text."""
        return Ragged(self.pieces[self.rows.values], self.rows.offsets)

    def tokens(self, row: int) -> tuple[str, ...]:
        """Return the pieces of a text."""
        return tuple(self.vocabulary[place] for place in self.pieces[self.rows.row(row)].tolist())


class Encoder(Protocol):
    """Turns texts into units; the units of a text do not depend on the other texts."""

    @property
    def identity(self) -> ResourceIdentity:
        """Which data it is."""
        ...

    @property
    def versions(self) -> tuple[tuple[str, str], ...]:
        """The programs that shape the vectors, and their versions."""
        ...

    def encode(self, texts: Sequence[str]) -> EncodedTexts:
        """Return one row per text."""
        ...

    def cut(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the pieces of each text, without those that the encoder adds."""
        ...

    def notes(self, encoded: EncodedTexts) -> list[str]:
        """Return what a reader should know about how some texts were encoded.

        Raises:
            InputError: The encoder knows next to nothing of them.
        """
        ...
