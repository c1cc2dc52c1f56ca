"""Explanations: why a segment got its score, step by step from its matches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from tenbin.core.alignment import Alignment
from tenbin.core.glossary import TermFinding
from tenbin.core.rendering import Renderable
from tenbin.core.segment_texts import SegmentTexts
from tenbin.core.signature import Signature


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the arithmetic from matches to score.

    Attributes:
        label: What is computed: ``precision``.
        meaning: What that is, for a reader who does not know the metric.
        formula: How the value comes about, with the numbers of this segment put in; empty for
            what is counted in the alignment.
        value: The result, unrounded.
    """

    label: str
    meaning: str
    formula: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation(Renderable):
    """An alignment, and the steps that lead from it to the score.

    Attributes:
        alignment: The translation and its best reference, or its source, and what was matched.
        steps: The arithmetic; the last step is the score.
        score: The score of the segment.
        signature: What the score means.
        reference: Which reference was the best, counted from 1; 0 where none was read.
        reference_count: How many references there were; 0 where none was read.
        compared_with: What the translation was compared with: ``reference`` or ``source``.
        system: Name of the system; empty where nobody gave one.
        segment: Number of the segment, counted from 1.
        texts: Source and references as they were given, where known.
        translation: The translation as it was given.
        terms: What became of the terms of the glossary of the run, in the order of the source.
    """

    alignment: Alignment
    steps: tuple[Step, ...]
    score: float
    signature: Signature
    reference: int = 1
    reference_count: int = 1
    compared_with: str = "reference"
    system: str = ""
    segment: int = 1
    texts: SegmentTexts | None = None
    translation: str = ""
    terms: tuple[TermFinding, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanations(Renderable, Sequence[Explanation]):
    """The explanations of several segments or systems, one after the other."""

    explanations: tuple[Explanation, ...]

    def __len__(self) -> int:
        return len(self.explanations)

    @overload
    def __getitem__(self, place: int) -> Explanation: ...

    @overload
    def __getitem__(self, place: slice) -> "Explanations": ...

    def __getitem__(self, place: int | slice) -> "Explanation | Explanations":
        if isinstance(place, slice):
            return Explanations(self.explanations[place])
        return self.explanations[place]

    def __iter__(self) -> Iterator[Explanation]:
        return iter(self.explanations)
