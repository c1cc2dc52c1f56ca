"""Pairs of texts of a batch as an aggregation sees them, as many at a time as memory holds."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from tenbin.core.arrays import IntArray
from tenbin.core.batch import Batch
from tenbin.metrics.representations.blocks import Blocks, BoolArray, Float32Array, part_bounds
from tenbin.metrics.representations.representation import (
    ComparedTokens,
    PairWeights,
    Representation,
)
from tenbin.metrics.representations.vector_tokens import VectorTokens
from tenbin.penalty.applied import AppliedPenalty


@dataclass(frozen=True, eq=False, kw_only=True)
class Compared:
    """Some pairs of texts that follow each other in a batch.

    Attributes:
        representation: What compares them.
        batch: The batch.
        first: The number of the first pair.
        stop: The number behind the last pair.
        penalty: What is to lower precision and recall, where a metric applies it to them.
        given: The similarities of their tokens, where they were worked out before.
    """

    representation: Representation
    batch: Batch
    first: int
    stop: int
    penalty: AppliedPenalty | None = None
    given: Blocks | None = None

    @property
    def pairs(self) -> slice:
        """The pairs, among all pairs of the batch."""
        return slice(self.first, self.stop)

    @cached_property
    def tokens(self) -> ComparedTokens:
        """The tokens of all texts."""
        return self.representation.tokens(self.batch)

    @cached_property
    def rows(self) -> tuple[IntArray, IntArray]:
        """The rows of tokens of both sides of each pair."""
        left, right = self.representation.rows_of_pairs(self.batch)
        return left[self.pairs], right[self.pairs]

    @cached_property
    def texts(self) -> tuple[IntArray, IntArray]:
        """The texts of both sides of each pair, as places in the pool."""
        left, right = self.representation.texts_of_pairs(self.batch)
        return left[self.pairs], right[self.pairs]

    @cached_property
    def blocks(self) -> Blocks:
        """The similarities of the tokens of each pair."""
        return self.tokens.blocks(*self.rows) if self.given is None else self.given

    @cached_property
    def weights(self) -> PairWeights:
        """What the tokens of each pair weigh."""
        systems = self.representation.systems_of_pairs(self.batch)[self.pairs]
        return self.representation.weights(self.batch).of_pairs(systems, *self.rows)

    def some(self, start: int, stop: int) -> "Compared":
        """Return a range of these pairs, counted from the first of them."""
        first = self.first
        return replace(
            self, first=first + start, stop=first + stop, given=self.blocks.some(start, stop)
        )

    def words(self, pair: int = 0) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the tokens of both sides of a pair as text."""
        left, right = self.rows
        return self.tokens.tokens(int(left[pair])), self.tokens.tokens(int(right[pair]))

    def same_vectors(self, pair: int = 0) -> BoolArray | None:
        """Return which tokens of a pair are different tokens with one vector, where any have."""
        if not isinstance(self.tokens, VectorTokens):
            return None
        left, right = self.rows
        return self.tokens.same_vectors(int(left[pair]), int(right[pair]))

    def strings(self, pair: int = 0) -> tuple[str, str]:
        """Return both texts of a pair."""
        left, right = self.texts
        return self.batch.strings[int(left[pair])], self.batch.strings[int(right[pair])]

    def similarities(self, pair: int = 0) -> Float32Array:
        """Return the similarities of the tokens of a pair as a matrix."""
        return self.blocks.one(pair)


def compared_parts(
    representation: Representation, batch: Batch, penalty: AppliedPenalty | None = None
) -> Iterator[Compared]:
    """Yield all pairs of a batch, as many at a time as memory should hold."""
    tokens = representation.tokens(batch)
    left, right = representation.rows_of_pairs(batch)
    lengths = tokens.rows.lengths
    bounds = list(part_bounds(lengths[left] * lengths[right]))
    for start, stop in bounds:
        given = None
        if len(bounds) == 1:
            # All of it fits: other metrics that compare in this way need not do it again.
            key = ("similarities", *representation.key())
            given = batch.once(key, lambda: tokens.blocks(left, right))
        yield Compared(
            representation=representation,
            batch=batch,
            first=start,
            stop=stop,
            penalty=penalty,
            given=given,
        )
