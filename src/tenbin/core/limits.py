"""How long a segment may be for a metric whose time or memory grows faster than the segment."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

CHARACTERS_PER_TOKEN = 20


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

    def least_length(self, text: str) -> int:
        """Return a length that a text has at least, as far as it shows before tokenization.

        No tokenizer joins words that blanks separate, but for a few that drop punctuation: then
        what is counted are the words.
        """
        if self.unit is SegmentUnit.CHARACTERS:
            return len(text)
        # A token has a character, and a blank before the next one.
        return 0 if len(text) < 2 * self.most else len(text.split())


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
