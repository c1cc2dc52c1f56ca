"""The segments that systems translate worst, with their texts."""

from dataclasses import dataclass

from tenbin.core.segment_texts import SegmentTexts


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstSegment:
    """A segment with a poor score.

    Attributes:
        system: Name of the system.
        texts: What is translated.
        translation: How the system translates it.
        scores: The score of this segment by each metric of the table, in the order of the table.
    """

    system: str
    texts: SegmentTexts
    translation: str
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstSegments:
    """The worst segments of each system, system after system, the worst first.

    Attributes:
        metric: Spec of the metric that chose them.
        segments: What it chose; of equal scores the first of the text.
    """

    metric: str
    segments: tuple[WorstSegment, ...]

    def of(self, system: str) -> tuple[WorstSegment, ...]:
        """Return the worst segments of one system."""
        return tuple(one for one in self.segments if one.system == system)
