"""The texts of one segment, for a person to read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentTexts:
    """What a segment says, but for its translations.

    Attributes:
        number: Number of the segment, counted from 1.
        document: Its document, where that is known.
        source: The source text, where there is one.
        references: Its references; none where there are none.
    """

    number: int
    document: str | None = None
    source: str | None = None
    references: tuple[str, ...] = ()
