"""What was chosen among candidates, and by which scores."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.candidates import CandidateLists
from tenbin.core.rendering import Renderable
from tenbin.core.signature import Signature


class SelectionKind(StrEnum):
    """How candidates were scored.

    MBR: by their mean score against a pool of pseudo-references. RERANKING: without a reference.
    ORACLE: against the reference.
    """

    MBR = "mbr"
    RERANKING = "rerank"
    ORACLE = "oracle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """One of the numbers that candidates were ordered by.

    Attributes:
        name: The spec of a metric, or what the scores are called that came with the candidates.
        title: What tables call it.
        higher_is_better: The direction of its scores.
        weight: The factor of its scores in the sum.
        signature: What its scores mean; None for scores that came with the candidates.
        decimals: How many decimals tables print.
    """

    name: str
    title: str
    higher_is_better: bool
    weight: float = 1.0
    signature: Signature | None = None
    decimals: int = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Selection(Renderable):
    """The candidates of each segment with their scores, and the best of them.

    Of candidates with equal scores the first is chosen. An undefined score (NaN) is worse than all
    others.

    Attributes:
        kind: How they were scored.
        language: The target language.
        features: What the scores are made of.
        candidates: The candidates.
        scores: The score of each candidate, an array per segment.
        values: The scores by each feature, an array (candidates, features) per segment; None where
            there is one feature, whose values are the scores.
        higher_is_better: The direction of the scores.
        method: How exactly they were computed, for a reader.
        notes: What a reader should know.
    """

    kind: SelectionKind
    language: str
    features: tuple[Feature, ...]
    candidates: CandidateLists
    scores: tuple[FloatArray, ...]
    values: tuple[FloatArray, ...] | None = None
    higher_is_better: bool = True
    method: str = ""
    notes: tuple[str, ...] = ()

    def ranked(self, segment: int) -> IntArray:
        """Return the positions of the candidates of a segment, the best first."""
        return ranked_places(self.scores[segment], higher_is_better=self.higher_is_better)

    @property
    def chosen(self) -> tuple[int, ...]:
        """The position of the best candidate of each segment."""
        return tuple(int(self.ranked(segment)[0]) for segment in range(len(self.scores)))

    @property
    def texts(self) -> tuple[str, ...]:
        """The best candidate of each segment."""
        pairs = zip(self.candidates.texts, self.chosen, strict=True)
        return tuple(some[place] for some, place in pairs)


@dataclass(frozen=True, slots=True)
class ChoiceScores:
    """The score of one choice of candidates.

    Attributes:
        corpus: The score of all segments together, by the metric's own formula.
        mean: The mean of the scores of segments.
    """

    corpus: float
    mean: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Oracle(Renderable):
    """How good the best choice among candidates could be, by a metric that sees the reference.

    The candidates are chosen segment by segment, so no choice has a better mean of segments. By a
    metric whose corpus score is another number (BLEU, chrF) a different choice may have a better
    corpus score.

    Attributes:
        selection: What is best for each segment.
        first: Scores of the first candidates, which are what a system gives out.
        best: Scores of the best ones.
        worst: Scores of the worst ones.
        first_is_best: In how many segments no other candidate is better than the first.
    """

    selection: Selection
    first: ChoiceScores
    best: ChoiceScores
    worst: ChoiceScores
    first_is_best: int

    @property
    def gap(self) -> float:
        """How far the first candidates are from the best ones, by the mean of segments."""
        return abs(self.best.mean - self.first.mean)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know."""
        return self.selection.notes


def ranked_places(scores: FloatArray, *, higher_is_better: bool) -> IntArray:
    """Return the places of scores, the best first; of equal ones the first, undefined ones last.

    >>> ranked_places(np.array([1.0, np.nan, 3.0, 3.0]), higher_is_better=True).tolist()
    [2, 3, 0, 1]
    """
    signed = -scores if higher_is_better else scores
    # NaN is sorted to the end.
    return np.argsort(signed, kind="stable").astype(np.int64)
