"""The segments on which two systems differ most, with their texts."""

from dataclasses import dataclass

from tenbin.core.segment_texts import SegmentTexts

CharacterRanges = tuple[tuple[int, int], ...]
"""Half-open ranges of the characters of a text, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentDifference:
    """A segment that two systems translate with different success.

    Attributes:
        texts: What is translated.
        translations: How the first and the second system translate it.
        scores: The scores of the two translations.
        differing: For each translation, the words that the other one does not have, or not in
            this order.
    """

    texts: SegmentTexts
    translations: tuple[str, str]
    scores: tuple[float, float]
    differing: tuple[CharacterRanges, CharacterRanges]

    @property
    def difference(self) -> float:
        """Score of the first system less that of the second."""
        return self.scores[0] - self.scores[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDifferences:
    """Where two systems differ most, in both directions, the largest differences first.

    Attributes:
        first: Name of the first system.
        second: Name of the second system.
        first_better: Segments on which the first system is better.
        second_better: Segments on which the second system is better.
    """

    first: str
    second: str
    first_better: tuple[SegmentDifference, ...]
    second_better: tuple[SegmentDifference, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentDifferences:
    """Where systems differ most.

    Attributes:
        metric: Spec of the metric that measures the differences.
        pairs: The differences of each pair of systems that was asked for.
    """

    metric: str
    pairs: tuple[PairDifferences, ...]
