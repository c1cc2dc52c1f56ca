"""A representation: words that are alike by the letters they share."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tenbin.core.alignment import MatchKind
from tenbin.core.arrays import IntArray, Ragged
from tenbin.core.batch import Batch
from tenbin.core.metric import AUTO, MetricInfo, Property
from tenbin.metrics.aggregations.thresholded import MeanOfMatching
from tenbin.metrics.choices import Rejected, RejectionOrder
from tenbin.metrics.representations.blocks import Blocks
from tenbin.metrics.representations.spelled_words import EqualWords
from tenbin.metrics.similarity_metric import PenaltyPoint, SimilarityMetric
from tenbin.penalty.choices import STRENGTH, NameSource, Penalty


@dataclass(frozen=True, eq=False)
class LetterRows:
    """Texts as rows of words, and the letters of each word."""

    vocabulary: tuple[str, ...]
    rows: Ragged
    letters: list[frozenset[str]]

    def blocks(self, left: IntArray, right: IntArray) -> Blocks:
        """Return the similarities of pairs of rows: shared letters over all letters."""
        return Blocks.joined(
            [
                np.array(
                    [[self.alike(own, other) for other in self.rows.row(there)] for own in here],
                    dtype=np.float32,
                ).reshape(len(here), len(self.rows.row(there)))
                for here, there in zip(map(self.rows.row, left), right, strict=True)
            ]
        )

    def alike(self, own: int, other: int) -> float:
        """Return how alike two words are."""
        here, there = self.letters[own], self.letters[other]
        return len(here & there) / max(len(here | there), 1)

    def tokens(self, row: int) -> tuple[str, ...]:
        """Return the words of a row as text."""
        return tuple(self.vocabulary[word] for word in self.rows.row(row))


@dataclass(frozen=True, kw_only=True)
class LetterSets(EqualWords):
    """Words that are alike by the letters they share; all weigh the same."""

    match_kind: ClassVar[MatchKind] = MatchKind.SPELLING

    def key(self) -> tuple[Hashable, ...]:
        """Return all that the words and their similarities depend on."""
        return ("letter sets", self.tokenization.annotation)

    def tokens(self, batch: Batch) -> LetterRows:
        """Return the words of a batch; metrics with the same words share them."""
        column = batch.column(self.tokenization.annotation)
        letters = [frozenset(word) for word in column.vocabulary]
        return batch.once(self.key(), lambda: LetterRows(column.vocabulary, column.rows, letters))


@dataclass(frozen=True, kw_only=True)
class LetterMatching(SimilarityMetric):
    """Letter matching: HAS over letters in place of vectors, 0 to 1. An empty segment scores 0."""

    name: ClassVar[str] = "letter-matching"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="Letter matching",
        summary="The best one-to-one matching of words that share letters.",
        citation="This page.",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset({Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}),
        weaknesses="Anagrams are the same word.",
        oracle="its definition",
    )
    representation = LetterSets
    aggregation = MeanOfMatching
    penalty_point = PenaltyPoint.SCORE

    tokenizer: str = AUTO
    lowercase: bool = True
    language: str = AUTO
    penalty: Penalty = Penalty.NONE
    names: NameSource = NameSource.AUTO
    strength: float = STRENGTH
    threshold: float = 0.0
    rejected: Rejected = Rejected.ZERO
    length_penalty: bool = False
    order: RejectionOrder = RejectionOrder.MATCH_THEN_REJECT
