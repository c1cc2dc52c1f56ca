"""Alignments: which tokens of two segments correspond, and why."""

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from tenbin.core.counting import counted


class MatchKind(StrEnum):
    """The kind of match between two spans of tokens."""

    EXACT = "exact"
    STEM = "stem"
    SYNONYM = "synonym"
    PARAPHRASE = "paraphrase"
    VECTOR = "vector"
    CONTEXT = "context"
    SPELLING = "spelling"
    TERM = "term"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of tokens."""

    start: int
    stop: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.stop:
            raise ValueError(f"a span must have at least one token: {self.start}..{self.stop}")

    def __len__(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One link of an alignment, with the evidence for it.

    Attributes:
        hypothesis: The tokens of the hypothesis.
        reference: The tokens of the reference.
        kind: Which stage found it.
        similarity: Similarity of the two spans, 1 for certain.
        evidence: Why they match: the stem, the synset, the table entry, the cosine.
        mass: For optimal transport: the mass that is moved along the link.
        cost: For optimal transport: the cost of moving one unit along the link.
    """

    hypothesis: Span
    reference: Span
    kind: MatchKind
    similarity: float
    evidence: str
    mass: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """Two tokenized segments and the matches between them.

    Attributes:
        hypothesis: The tokens of the hypothesis.
        reference: The tokens of the reference.
        matches: The links.
        exclusive: Whether no token is matched twice. If False, a token may have many links (every
            word compared with every word, the flow of optimal transport), and there are no
            chunks.
    """

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    matches: tuple[Match, ...]
    exclusive: bool = True

    def __post_init__(self) -> None:
        for spans, tokens in (
            ([match.hypothesis for match in self.matches], self.hypothesis),
            ([match.reference for match in self.matches], self.reference),
        ):
            _check_range(spans, len(tokens))
            if self.exclusive:
                _check_overlap(spans)

    @property
    def chunks(self) -> tuple[tuple[Match, ...], ...]:
        """The longest runs of matches that follow each other directly in both segments.

        In the order of the hypothesis, as are the matches of a run. None where tokens may have
        several links.
        """
        if not self.exclusive:
            return ()
        ordered = sorted(self.matches, key=lambda match: match.hypothesis)
        starts = [0] if ordered else []
        starts += [
            place
            for place, (last, match) in enumerate(pairwise(ordered), start=1)
            if last.hypothesis.stop != match.hypothesis.start
            or last.reference.stop != match.reference.start
        ]
        bounds = pairwise([*starts, len(ordered)])
        return tuple(tuple(ordered[start:stop]) for start, stop in bounds)


def _check_range(spans: list[Span], length: int) -> None:
    end = max((span.stop for span in spans), default=0)
    if end > length:
        raise ValueError(
            f"a match ends at {end}, beyond the {counted(length, 'token')} of the segment"
        )


def _check_overlap(spans: list[Span]) -> None:
    end = 0
    for span in sorted(spans):
        if span.start < end:
            raise ValueError(f"a token is matched twice: {span}")
        end = span.stop
