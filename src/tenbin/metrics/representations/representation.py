"""What a representation gives: tokens that can be compared, and what each of them weighs."""

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from tenbin.core.alignment import MatchKind
from tenbin.core.arrays import FloatArray, IntArray, Ragged
from tenbin.core.batch import Batch
from tenbin.core.errors import UsageError
from tenbin.core.metric import Needs
from tenbin.core.part import Part
from tenbin.metrics.representations.blocks import Blocks, BoolArray
from tenbin.metrics.representations.collected_texts import spread, system_numbers


class OtherSide(StrEnum):
    """What the translation is compared with."""

    REFERENCE = "reference"
    SOURCE = "source"


class ComparedTokens(Protocol):
    """Texts as rows of tokens that can be compared."""

    @property
    def rows(self) -> Ragged:
        """The tokens of each text."""
        ...

    def blocks(self, left: IntArray, right: IntArray) -> Blocks:
        """Return the similarities of pairs of rows."""
        ...

    def tokens(self, row: int) -> tuple[str, ...]:
        """Return the tokens of a row as text."""
        ...


class PairWeights(NamedTuple):
    """What the tokens of some pairs weigh, pair after pair.

    Attributes:
        own: Weights of the tokens of the translations.
        own_bounds: Where those of each pair start, and the end.
        other: Weights of the tokens of the other sides.
        other_bounds: Where those of each pair start, and the end.
    """

    own: FloatArray
    own_bounds: IntArray
    other: FloatArray
    other_bounds: IntArray


class TokenWeights(Protocol):
    """What the tokens of all texts weigh."""

    def of_pairs(self, systems: IntArray, left: IntArray, right: IntArray) -> PairWeights:
        """Return the weights of pairs of rows; those on the left may depend on the system."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class PlaceWeights:
    """A weight for each place of all rows.

    Attributes:
        rows: The rows.
        left: On the left of a pair, shape (systems, places), or (1, places) for all systems.
        right: On its right, shape (places,).
    """

    rows: Ragged
    left: FloatArray
    right: FloatArray

    def of_pairs(self, systems: IntArray, left: IntArray, right: IntArray) -> PairWeights:
        """Return the weights of pairs of rows."""
        here, own_bounds = spread(self.rows, left)
        there, other_bounds = spread(self.rows, right)
        if len(self.left) == 1:
            own = self.left[0][here]
        else:
            own = self.left[np.repeat(systems, np.diff(own_bounds)), here]
        return PairWeights(own, own_bounds, self.right[there], other_bounds)


class Representation(Part):
    """Says which tokens of two texts are compared, how alike they are, and what they weigh."""

    compared_with: ClassVar[OtherSide] = OtherSide.REFERENCE
    match_kind: ClassVar[MatchKind] = MatchKind.VECTOR

    @abstractmethod
    def tokens(self, batch: Batch) -> ComparedTokens:
        """Return the tokens of a batch, and what compares them."""

    @abstractmethod
    def key(self) -> tuple[Hashable, ...]:
        """Return all that the tokens and their similarities depend on."""

    def weights(self, batch: Batch) -> TokenWeights:
        """Return what the tokens weigh: all the same, unless said otherwise."""
        rows = self.tokens(batch).rows
        same = np.ones(len(rows.values))
        return PlaceWeights(rows, same[np.newaxis], same)

    def subword_counts(self, texts: Sequence[str]) -> list[int]:
        """Return how many subwords each text has, without encoding them; 0 if there are none."""
        return [0] * len(texts)

    def notes(self, batch: Batch) -> list[str]:  # noqa: ARG002 - for representations that have any
        """Return notes on texts that suit badly; raise if they do not suit at all."""
        return []

    def filled(self, batch: Batch) -> BoolArray:
        """Return which rows have a token that stands for text."""
        there: BoolArray = self.tokens(batch).rows.lengths > 0
        return there

    def lengths(self, batch: Batch) -> IntArray:
        """Return how long the strings of the pool are, for penalties of short texts."""
        return self.tokens(batch).rows.lengths

    @property
    def needs(self) -> Needs:
        """References, or the source."""
        of_source = self.compared_with is OtherSide.SOURCE
        return Needs(source=of_source, references=not of_source)

    def texts_of_pairs(self, batch: Batch) -> tuple[IntArray, IntArray]:
        """Return the places of the texts that are compared, item after item."""
        if self.compared_with is OtherSide.REFERENCE:
            return batch.pairs()
        if batch.sources is None:
            raise UsageError("the metric reads the source text, which was not given (`source`).")
        return batch.hypotheses, batch.sources

    def rows_of_pairs(self, batch: Batch) -> tuple[IntArray, IntArray]:
        """Return the rows of tokens that belong to these texts."""
        return self.texts_of_pairs(batch)

    def systems_of_pairs(self, batch: Batch) -> IntArray:
        """Return the number of the system of each pair."""
        systems = system_numbers(batch)
        if self.compared_with is OtherSide.SOURCE:
            return systems
        return systems[np.repeat(np.arange(len(batch)), batch.references.lengths)]

    def pair_range(self, batch: Batch, item: int) -> tuple[int, int]:
        """Return the numbers of the pairs of an item."""
        if self.compared_with is OtherSide.SOURCE:
            return item, item + 1
        start, stop = batch.references.offsets[item : item + 2].tolist()
        return start, stop

    def best_pairs(self, batch: Batch, scores: FloatArray) -> IntArray:
        """Return the number of the best pair of each item; the first wins a tie."""
        if self.compared_with is OtherSide.SOURCE:
            return np.arange(len(batch))
        return batch.best_pairs(scores, highest=True)
