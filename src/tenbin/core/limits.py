"""How long a segment may be for a metric whose time or memory grows faster than the segment."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

CHARACTERS_PER_TOKEN = 20
# A character may be several subwords, of bytes.
_SUBWORDS_PER_CHARACTER = 4


class SegmentUnit(StrEnum):
    """What the length of a segment is counted in."""

    TOKENS = "tokens"
    CHARACTERS = "characters"
    SUBWORDS = "subwords"
    MATCHES = "pairs of equal words"


@dataclass(frozen=True, slots=True)
class LengthLimit:
    """The longest segment that a metric takes.

    Texts have far fewer than `CHARACTERS_PER_TOKEN` characters for each token. What has more is no
    text, and its words are as costly as many.

    >>> str(LengthLimit(10_000, SegmentUnit.TOKENS))
    '10,000 tokens, 200,000 characters'
    """

    most: int
    unit: SegmentUnit = SegmentUnit.TOKENS

    def __str__(self) -> str:
        if self.unit is SegmentUnit.CHARACTERS:
            return f"{self.most:,} {self.unit}"
        return f"{self.most:,} {self.unit}, {self.characters}"

    @property
    def characters(self) -> "LengthLimit":
        """The same limit in characters."""
        if self.unit is SegmentUnit.CHARACTERS:
            return self
        return LengthLimit(self.most * CHARACTERS_PER_TOKEN, SegmentUnit.CHARACTERS)

    def is_within_reach(self, characters: int) -> bool:
        """Say whether a text of so many characters could be too long."""
        if self.unit is SegmentUnit.CHARACTERS:
            return characters > self.most
        if self.unit is SegmentUnit.SUBWORDS:
            return characters * _SUBWORDS_PER_CHARACTER > self.most
        # A token has a character, and a blank before the next one.
        return characters >= 2 * self.most

    def least_length(self, text: str) -> int:
        """Return a length that a text has at least, as far as it shows before tokenization.

        No tokenizer joins words that blanks separate, but for a few that drop punctuation: then
        what is counted are the words.
        """
        if self.unit is SegmentUnit.CHARACTERS:
            return len(text)
        return len(text.split()) if self.is_within_reach(len(text)) else 0


class Overlong(NamedTuple):
    """A string of a batch that is too long for a metric.

    Attributes:
        string: Its position in the pool.
        length: Its length, in the unit of the limit.
        limit: What the metric takes.
    """

    string: int
    length: int
    limit: LengthLimit
