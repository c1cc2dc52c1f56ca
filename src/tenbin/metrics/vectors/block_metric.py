"""What metrics share that compare every word of a segment with every word of another."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tenbin.core.alignment import Alignment
from tenbin.core.arrays import FloatArray, IntArray, Ragged
from tenbin.core.batch import Batch
from tenbin.core.explanation import Explanation, Step
from tenbin.metrics.token_metric import TokenMetric, best_segment_rows
from tenbin.metrics.vectors.blocks import Blocks, Float32Array, part_bounds
from tenbin.metrics.vectors.links import Sides

Reasons = tuple[Alignment, tuple[Step, ...]]
"""Links between words, and the steps from them to the score."""


class ComparedWords(Protocol):
    """Segments as rows of words that can be compared."""

    @property
    def rows(self) -> Ragged:
        """The words of each segment."""
        ...

    def blocks(self, left: IntArray, right: IntArray) -> Blocks:
        """Return the similarities of pairs of rows."""
        ...

    def tokens(self, row: int) -> tuple[str, ...]:
        """Return the words of a row as text."""
        ...


@dataclass(frozen=True, kw_only=True)
class BlockMetric(TokenMetric, ABC):
    """A metric that reads the similarities of all words of one segment with all of another."""

    @abstractmethod
    def words(self, batch: Batch) -> ComparedWords:
        """Return the words of a batch, and what compares them."""

    @abstractmethod
    def words_key(self) -> tuple[Hashable, ...]:
        """Return all that the words and their similarities depend on."""

    @abstractmethod
    def block_scores(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return the scores of some pairs of a batch, from the pair with a number on."""

    @abstractmethod
    def reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return the links of a pair of a batch, and the steps from them to its score."""

    def pairs(self, batch: Batch) -> tuple[IntArray, IntArray]:
        """Return the rows of words that are compared, item after item."""
        return batch.pairs()

    def statistics(self, batch: Batch) -> FloatArray:
        """Return rows (score, 1)."""
        return best_segment_rows(batch, self.pair_scores(batch), highest=True)

    def counted_scores(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return the scores of some pairs as they count."""
        return self.block_scores(batch, first, part)

    def counted_reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return the links of a pair, and the steps from them to the score that counts."""
        return self.reasons(batch, pair, similarities)

    def pair_scores(self, batch: Batch) -> FloatArray:
        """Return the score of each pair."""
        parts = [self.counted_scores(batch, first, part) for first, part in self.parts(batch)]
        return np.concatenate(parts) if parts else np.empty(0)

    def parts(self, batch: Batch) -> Iterator[tuple[int, Blocks]]:
        """Yield the similarities of all pairs, as many at a time as memory should hold."""
        words = self.words(batch)
        left, right = self.pairs(batch)
        lengths = words.rows.lengths
        bounds = list(part_bounds(lengths[left] * lengths[right]))
        for start, stop in bounds:
            if len(bounds) == 1:
                # All of it fits: other metrics that compare in this way need not do it again.
                key = ("similarities", *self.words_key())
                yield 0, batch.once(key, lambda: words.blocks(left, right))
            else:
                yield start, words.blocks(left[start:stop], right[start:stop])

    def align(self, batch: Batch, item: int) -> Alignment:
        """Return what was compared between an item and its best reference."""
        return self.explain(batch, item).alignment

    def explain(self, batch: Batch, item: int) -> Explanation:
        """Return the links of an item with its best reference, and the way to its score."""
        start, stop = self.pair_range(batch, item)
        left, right = (side[start:stop] for side in self.pairs(batch))
        blocks = self.words(batch).blocks(left, right)
        scores = self.counted_scores(batch, start, blocks)
        best = int(np.argmax(scores))  # the first wins a tie, as in statistics()
        alignment, steps = self.counted_reasons(batch, start + best, blocks.one(best))
        return Explanation(
            alignment=alignment,
            steps=steps,
            score=float(scores[best]),
            signature=self.signature(),
            reference=best + 1,
            reference_count=stop - start,
        )

    def pair_range(self, batch: Batch, item: int) -> tuple[int, int]:
        """Return the numbers of the pairs of an item."""
        start, stop = batch.references.offsets[item : item + 2].tolist()
        return start, stop

    def sides(self, batch: Batch, pair: int) -> Sides:
        """Return the words of both sides of a pair."""
        words = self.words(batch)
        left, right = self.pairs(batch)
        return words.tokens(int(left[pair])), words.tokens(int(right[pair]))
