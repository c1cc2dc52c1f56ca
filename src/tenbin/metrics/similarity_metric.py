"""Metrics over similarities of tokens: a representation, an aggregation, and the penalty."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np

from tenbin.core.alignment import Alignment
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.explanation import Explanation
from tenbin.core.metric import BaseMetric, ScoreBounds, mean_of_rows
from tenbin.core.part import Part
from tenbin.metrics.aggregations.aggregation import Aggregation
from tenbin.metrics.representations.compared import Compared, compared_parts
from tenbin.metrics.representations.representation import OtherSide, Representation
from tenbin.penalty.applied import AppliedPenalty


class PenaltyPoint(StrEnum):
    """Where wrong names and numbers are penalized.

    NOWHERE: the metric has no penalty. SCORE: the score of each pair is multiplied, before the best
    reference is chosen. SIDES: precision and recall are, before the aggregation makes one number of
    them.
    """

    NOWHERE = "nowhere"
    SCORE = "score"
    SIDES = "sides"


@dataclass(frozen=True, kw_only=True)
class SimilarityMetric(BaseMetric):
    """A metric that compares tokens with tokens; all it does is what its parts say.

    It is a flat list of parameters, those of its parts among them, and the names of its parts.
    Rows are ``(score, 1)`` of the best reference, and what the aggregation adds to them.
    """

    representation: ClassVar[type[Representation]]
    aggregation: ClassVar[type[Aggregation]]
    penalty_point: ClassVar[PenaltyPoint] = PenaltyPoint.NOWHERE

    @classmethod
    def part_kinds(cls) -> tuple[type[Part], ...]:
        """Return the representation, the aggregation and the penalty, if there is one."""
        penalized = cls.penalty_point is not PenaltyPoint.NOWHERE
        return (cls.representation, cls.aggregation, *((AppliedPenalty,) if penalized else ()))

    @property
    def compares(self) -> Representation:
        """What gives tokens, their similarities and weights."""
        return self.part(self.representation)

    @property
    def aggregates(self) -> Aggregation:
        """What makes scores of them."""
        return self.part(self.aggregation)

    @property
    def bounds(self) -> ScoreBounds:
        """The range of scores with these parameters."""
        return self.aggregates.bounds() or super().bounds

    def penalty_at(self, point: PenaltyPoint) -> AppliedPenalty | None:
        """Return the penalty, if it acts at a point."""
        return self.part(AppliedPenalty) if self.penalty_point is point else None

    def statistics(self, batch: Batch) -> FloatArray:
        """Return rows (score, 1) of the best reference, and what the aggregation adds."""
        scores = self.pair_scores(batch)
        return self.best_rows(batch, scores)

    def best_rows(self, batch: Batch, scores: FloatArray) -> FloatArray:
        """Return the rows of the pairs with the best scores."""
        best = self.compares.best_pairs(batch, scores)
        more = self.aggregates.columns(self.compares, batch, best)
        return np.column_stack([scores[best], np.ones(len(best)), *more])

    def pair_scores(self, batch: Batch) -> FloatArray:
        """Return the score of each pair."""
        parts = [self.scores_of(compared) for compared in self.compared(batch)]
        return np.concatenate(parts) if parts else np.empty(0)

    def compared(self, batch: Batch) -> Iterable[Compared]:
        """Return all pairs of a batch, as many at a time as the aggregation should look at."""
        if self.aggregates.reads_blocks:
            return compared_parts(self.compares, batch, self.penalty_at(PenaltyPoint.SIDES))
        count = len(self.compares.texts_of_pairs(batch)[0])
        return [self.pairs_from(batch, 0, count)]

    def pairs_from(self, batch: Batch, start: int, stop: int) -> Compared:
        """Return a range of the pairs of a batch."""
        return Compared(
            representation=self.compares,
            batch=batch,
            first=start,
            stop=stop,
            penalty=self.penalty_at(PenaltyPoint.SIDES),
        )

    def scores_of(self, compared: Compared) -> FloatArray:
        """Return the scores of some pairs as they count."""
        scores = self.aggregates.scores(compared)
        penalty = self.penalty_at(PenaltyPoint.SCORE)
        return scores if penalty is None else penalty.apply(compared.batch, compared.first, scores)

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return the scores of systems."""
        return self.aggregates.corpus_score(statistics)

    def segment_score(self, statistics: FloatArray) -> FloatArray:
        """Return the mean of segment scores."""
        return mean_of_rows(statistics)

    def subword_counts(self, texts: Sequence[str]) -> list[int]:
        """Return how many subwords each text has; counted before any is encoded."""
        return self.compares.subword_counts(texts)

    @property
    def looks_at_texts(self) -> bool:
        """Whether a part has notes on texts; if not, no sample of them need be made."""
        own = type(self.compares).notes, type(self.aggregates).notes
        return own != (Representation.notes, Aggregation.notes)

    def check_batch(self, batch: Batch) -> list[str]:
        """Return notes on texts that suit the metric badly; raise if they do not suit at all."""
        notes = self.compares.notes(batch)
        return [*notes, *self.aggregates.notes(self.compares, batch)]

    def align(self, batch: Batch, item: int) -> Alignment:
        """Return what was compared between an item and its best reference."""
        return self.explain(batch, item).alignment

    def explain(self, batch: Batch, item: int) -> Explanation:
        """Return the links of an item with its best other side, and the way to its score."""
        start, stop = self.compares.pair_range(batch, item)
        compared = self.pairs_from(batch, start, stop)
        scores = self.scores_of(compared)
        best = int(np.argmax(scores))  # the first wins a tie, as in statistics()
        chosen = compared.some(best, best + 1)
        alignment, steps = self.aggregates.explanation(chosen)
        penalty = self.penalty_at(PenaltyPoint.SCORE)
        if penalty is not None:
            steps = penalty.steps(steps, *chosen.strings())
        of_source = self.compares.compared_with is OtherSide.SOURCE
        return Explanation(
            alignment=alignment,
            steps=steps,
            score=float(scores[best]),
            signature=self.signature(),
            reference=0 if of_source else best + 1,
            reference_count=0 if of_source else stop - start,
            compared_with=str(self.compares.compared_with),
        )
