"""Transport: the least work that moves the weights of one text's tokens to the other's.

One program for WMD, WE_WPI and MoverScore, which differ in what moving costs and in how work
becomes a score.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.explanation import Step
from tenbin.core.metric import ScoreBounds
from tenbin.kernels.similarity.blocks import MOST_OF_DIFFERENT_WORDS
from tenbin.metrics.aggregations.aggregation import Aggregation, Explained
from tenbin.metrics.aggregations.flow_problem import FlowProblem
from tenbin.metrics.aggregations.ground_costs import FARTHEST, distances
from tenbin.metrics.aggregations.links import flowing, without_special_tokens
from tenbin.metrics.aggregations.positions import position_costs
from tenbin.metrics.choices import (
    DistanceForm,
    FlowAlignment,
    MoverScoreVariant,
    PositionPenalty,
)
from tenbin.metrics.representations.blocks import BoolArray, part_bounds
from tenbin.metrics.representations.collected_texts import shares
from tenbin.metrics.representations.compared import Compared
from tenbin.metrics.written_numbers import n

# Of different subwords; see tenbin.kernels.similarity_blocks.
_LEAST_DISTANCE = float(np.sqrt(2 - 2 * np.float64(MOST_OF_DIFFERENT_WORDS)))


class MovedMass(NamedTuple):
    """What was moved between two texts.

    Attributes:
        work: What it cost together.
        weight: How much was moved.
    """

    work: float
    weight: float


class Transport(Aggregation):
    """Moves weights from tokens to tokens at the least cost."""

    nothing: ClassVar[str] = "nothing that weighs can be moved"
    """What is said of two texts of which one has nothing to move."""
    most_costs: ClassVar[int] = 16_000_000
    """Costs held at a time; as many as similarities."""

    @abstractmethod
    def costs(self, compared: Compared) -> FloatArray:
        """Return what moving one unit from token to token costs, laid out as the similarities."""

    @abstractmethod
    def from_work(self, work: FloatArray, weight: FloatArray) -> FloatArray:
        """Return the scores of pairs by the work they take and the weight that is moved."""

    @abstractmethod
    def worst(self) -> float:
        """Return the score of a pair of which one side has nothing to move."""

    @abstractmethod
    def work_steps(self, compared: Compared, moved: MovedMass, score: float) -> tuple[Step, ...]:
        """Return the steps to the score of a pair."""

    @property
    def makes_shares(self) -> bool:
        """Whether the weights of each text are made to add up to 1."""
        return True

    def problem(self, compared: Compared) -> FlowProblem:
        """Return the weights of some pairs, and what it costs to move them."""
        own, own_bounds, other, other_bounds = compared.weights
        if self.makes_shares:
            own, other = shares(own, own_bounds), shares(other, other_bounds)
        starts = compared.blocks.starts
        return FlowProblem(self.costs(compared), starts, own, own_bounds, other, other_bounds)

    def scores(self, compared: Compared) -> FloatArray:
        """Return the scores of some pairs."""
        sizes = compared.blocks.heights * compared.blocks.widths
        bounds = part_bounds(sizes, most=self.most_costs)
        scores = [self._some_scores(compared.some(start, stop)) for start, stop in bounds]
        return np.concatenate(scores) if scores else np.empty(0)

    def explanation(self, compared: Compared) -> Explained:
        """Return what is moved where, and what it costs together."""
        similarities = compared.similarities()
        problem = self.problem(compared)
        costs = problem.costs.reshape(similarities.shape)
        flow = problem.flows().reshape(similarities.shape)
        cosines = similarities.astype(np.float64)
        alignment = without_special_tokens(flowing(compared, cosines, flow, costs), compared)
        if not flow.any():
            return alignment, (Step("score", self.nothing, "", self.worst()),)
        moved = MovedMass(float((flow * costs).sum()), float(flow.sum()))
        score = float(self.from_work(np.array(moved.work), np.array(moved.weight)))
        return alignment, self.work_steps(compared, moved, score)

    def _some_scores(self, compared: Compared) -> FloatArray:
        problem = self.problem(compared)
        heavy = _heavy(problem.supplies, problem.supply_bounds)
        heavy &= _heavy(problem.demands, problem.demand_bounds)
        # A side without weight leaves nothing to divide by.
        weight = np.where(heavy, 1.0 if self.makes_shares else problem.moved(), 1.0)
        return np.where(heavy, self.from_work(problem.work(), weight), self.worst())


def _heavy(weights: FloatArray, bounds: IntArray) -> BoolArray:
    """Return which rows have any weight."""
    ends = np.concatenate([np.zeros(1), np.cumsum(weights > 0)])
    return np.diff(ends[bounds]) > 0


@dataclass(frozen=True, kw_only=True)
class WordMoversWork(Transport):
    """Moves words by the distance of their vectors (WMD).

    Attributes:
        form: The score: ``inverse`` (1 / (1 + distance)) or ``negative`` (minus the distance; -2,
            the farthest there is, for a segment without words).
    """

    nothing: ClassVar[str] = "there are no words to move: infinitely far"

    form: DistanceForm

    def costs(self, compared: Compared) -> FloatArray:
        """Return the distances of the vectors."""
        return distances(compared)

    def from_work(self, work: FloatArray, weight: FloatArray) -> FloatArray:  # noqa: ARG002
        """Return the work as a score."""
        return -work if self.form is DistanceForm.NEGATIVE else 1 / (1 + work)

    def worst(self) -> float:
        """Return the score of what is infinitely far away."""
        return -FARTHEST if self.form is DistanceForm.NEGATIVE else 0.0

    def bounds(self) -> ScoreBounds:
        """Return the range of the form."""
        return ScoreBounds(self.worst(), 0.0 if self.form is DistanceForm.NEGATIVE else 1.0)

    def work_steps(self, compared: Compared, moved: MovedMass, score: float) -> tuple[Step, ...]:
        """Return the steps to the score of a pair."""
        height, width = compared.similarities().shape
        meaning = "distinct words, each with its share as weight"
        negative = self.form is DistanceForm.NEGATIVE
        formula = f"-{n(moved.work)}" if negative else f"1 / (1 + {n(moved.work)})"
        return (
            Step("translation words", meaning, "", height),
            Step("reference words", meaning, "", width),
            *_distance_steps(moved, formula, score),
        )


@dataclass(frozen=True, kw_only=True)
class MoverScoreWork(Transport):
    """Moves subwords by the distance of their vectors (MoverScore).

    Attributes:
        variant: The published program: ``v2`` (the fast one) or ``v1`` (the original).
    """

    variant: MoverScoreVariant

    def costs(self, compared: Compared) -> FloatArray:
        """Return the distances of the vectors."""
        return distances(compared, _LEAST_DISTANCE)

    def from_work(self, work: FloatArray, weight: FloatArray) -> FloatArray:  # noqa: ARG002
        """Return the work as a score."""
        return 1 - work if self.variant is MoverScoreVariant.V1 else 1 / (1 + work)

    def worst(self) -> float:
        """Return the score of what is as far away as can be."""
        return 1 - FARTHEST if self.variant is MoverScoreVariant.V1 else 0.0

    def bounds(self) -> ScoreBounds:
        """Return the range of the variant."""
        return ScoreBounds(self.worst(), 1.0)

    def work_steps(self, compared: Compared, moved: MovedMass, score: float) -> tuple[Step, ...]:  # noqa: ARG002
        """Return the steps to the score of a pair."""
        original = self.variant is MoverScoreVariant.V1
        formula = f"1 - {n(moved.work)}" if original else f"1 / (1 + {n(moved.work)})"
        return _distance_steps(moved, formula, score)


@dataclass(frozen=True, kw_only=True)
class PositionedWork(Transport):
    """Moves words by how unlike they are, and how far apart they stand (WE_WPI).

    Attributes:
        position: How a difference p of relative positions lowers a similarity: ``linear`` (times
            1 - p) or ``exp`` (times e^-p).
        alignment: ``soft`` (weight may move to any word) or ``hard`` (at less than the full cost
            only to the most similar word).
        normalized: Whether the weights of each segment are made to add up to 1; if not, as much
            is moved as the lighter segment has.
        clip: Whether negative cosines count as 0.
    """

    nothing: ClassVar[str] = "there are no words to move"
    # The making of costs takes ten times their memory.
    most_costs: ClassVar[int] = 2_000_000

    position: PositionPenalty
    alignment: FlowAlignment
    normalized: bool
    clip: bool

    @property
    def makes_shares(self) -> bool:
        """Whether the weights of each text are made to add up to 1."""
        return self.normalized

    def costs(self, compared: Compared) -> FloatArray:
        """Return what is not alike, or not at its place."""
        return position_costs(compared.blocks, self.position, self.alignment, clip=self.clip)

    def from_work(self, work: FloatArray, weight: FloatArray) -> FloatArray:
        """Return 1 - the work for each unit that is moved."""
        return 1 - work / weight

    def worst(self) -> float:
        """Return the score of an empty text."""
        return 0.0

    def bounds(self) -> ScoreBounds:
        """Return the range: opposite words cost 2 where negative cosines count."""
        return ScoreBounds(0.0 if self.clip else -1.0, 1.0)

    def work_steps(self, compared: Compared, moved: MovedMass, score: float) -> tuple[Step, ...]:  # noqa: ARG002
        """Return the steps to the score of a pair."""
        ratio = n(moved.work) if self.normalized else f"{n(moved.work)} / {n(moved.weight)}"
        same = "adds up to 1 on either side" if self.normalized else "of the lighter side"
        return (
            Step("weight moved", f"tf-idf of the words, {same}", "", moved.weight),
            Step("work", "weight moved × (1 - similarity), added up", "", moved.work),
            Step("score", "1 - work per weight", f"1 - {ratio}", score),
        )


def _distance_steps(moved: MovedMass, formula: str, score: float) -> tuple[Step, ...]:
    return (
        Step("distance", "weight moved × distance of the vectors, added up", "", moved.work),
        Step("score", "a distance of 0 is best", formula, score),
    )
