"""Greedy maxima: each subword and the most similar one of the other side (BERTScore)."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Self

import numpy as np

from tenbin.core.alignment import Alignment
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.explanation import Step
from tenbin.core.metric import ScoreBounds
from tenbin.core.part import Entries, Part, part_of
from tenbin.core.resource import ResourceIdentity
from tenbin.metrics.aggregations.aggregation import Aggregation, Explained
from tenbin.metrics.aggregations.baseline import NONE, Baseline, read_baseline
from tenbin.metrics.aggregations.links import Mask, linked, without_special_tokens
from tenbin.metrics.aggregations.maxima import precision_and_recall
from tenbin.metrics.aggregations.rare_tokens import RareTokenPenalty
from tenbin.metrics.aggregations.thresholded import best_for
from tenbin.metrics.choices import BertScoreMeasure
from tenbin.metrics.f_score import EVEN, f_step, weighted_f
from tenbin.metrics.representations.blocks import Blocks, Float32Array
from tenbin.metrics.representations.compared import Compared
from tenbin.metrics.representations.representation import Representation
from tenbin.metrics.written_numbers import added, divided, n
from tenbin.penalty.applied_steps import SideLosses
from tenbin.penalty.choices import Coefficient, NameSource, Penalty

_SIDES = ("precision", "recall")


class SidesExplained(NamedTuple):
    """Precision and recall of a pair, after the penalty, and the way to them."""

    links: Alignment
    steps: list[Step]
    precision: float
    recall: float


@dataclass(frozen=True, kw_only=True)
class GreedyMaxima(Aggregation):
    """Means over the most similar subwords by weight, as precision and recall.

    The penalty acts on these two. Where one text is empty both are 0.
    """

    composed_of: ClassVar[tuple[type[Part], ...]] = (RareTokenPenalty,)

    language: str
    idf: bool | str
    penalty: Penalty
    names: NameSource
    coefficient: Coefficient

    @property
    def rare_penalty(self) -> RareTokenPenalty:
        """What is done with rare tokens that are linked to others."""
        return part_of(RareTokenPenalty, self)

    def bind(self, language: str, metric: str) -> Self:
        """Return the part as it is; rare tokens need a dictionary."""
        self.rare_penalty.bind(language, metric)
        self.identities()  # what is missing is told now
        return self

    def versions(self) -> Entries:
        """Return the programs that read rare tokens."""
        return self.rare_penalty.versions()

    def notes(self, representation: Representation, batch: Batch) -> list[str]:  # noqa: ARG002
        """Return notes on what the dictionary takes for rare."""
        return self.rare_penalty.notes(representation)

    def near(self, blocks: Blocks) -> Blocks:
        """Return the similarities as they count."""
        return blocks

    @abstractmethod
    def joined(self, compared: Compared, precision: FloatArray, recall: FloatArray) -> FloatArray:
        """Return scores of some pairs from precision and recall."""

    @abstractmethod
    def joined_steps(self, compared: Compared, precision: float, recall: float) -> list[Step]:
        """Return the steps from precision and recall of a pair to its score."""

    def scores(self, compared: Compared) -> FloatArray:
        """Return the scores of some pairs."""
        precision, recall = self.sides(compared, self.near(compared.blocks)).T
        return self.joined(compared, precision, recall)

    def sides(self, compared: Compared, blocks: Blocks) -> FloatArray:
        """Return precision and recall of some pairs after the penalty, shape (pairs, 2)."""
        weights = compared.weights
        means = precision_and_recall(blocks, weights.own, weights.other)
        both = np.column_stack(means)
        lowered = np.where(both > 0, both * self._factors(compared, blocks), both)
        return np.where(_scored(compared)[:, np.newaxis], lowered, 0.0)

    def explanation(self, compared: Compared) -> Explained:
        """Return the most similar subwords as links, and the way to the score."""
        explained = self.sides_explained(compared)
        last = self.joined_steps(compared, explained.precision, explained.recall)
        return explained.links, (*explained.steps, *last)

    def sides_explained(self, compared: Compared) -> SidesExplained:
        """Return the most similar subwords as links, and the steps to precision and recall."""
        blocks = self.near(compared.blocks)
        similarities, weights = blocks.one(0), (compared.weights.own, compared.weights.other)
        scored = bool(_scored(compared)[0])
        forth = np.zeros(similarities.shape, dtype=np.bool_)
        back = np.zeros(similarities.shape, dtype=np.bool_)
        steps = []
        values = []
        directions = (
            ("translation", similarities, weights[0], forth),
            (compared.representation.compared_with, similarities.T, weights[1], back.T),
        )
        for label, (name, block, own, used) in zip(_SIDES, directions, strict=True):
            total = added(own)
            found = _covered(block, own, used) if scored else 0.0
            formula, value = divided(found, total if scored else 0.0)
            meaning = f"subwords of the {name}: weight × similarity of the most similar / weight"
            steps.append(Step(label, meaning, formula, value))
            values.append(value)
        losses = self._losses(compared, blocks)
        lowering = (losses.precision_steps(values[0]), losses.recall_steps(values[1]))
        for place, lowered in enumerate(lowering):
            steps += lowered
            values[place] = lowered[-1].value if lowered else values[place]
        said = best_for(forth, back)

        def reason(own: int, other: int) -> str:
            heavy = f"weights {n(weights[0][own])} and {n(weights[1][other])}"
            return f"{said(own, other)}, {heavy}"

        links = linked(compared, similarities, forth | back, reason=reason)
        return SidesExplained(without_special_tokens(links, compared), steps, values[0], values[1])

    def _factors(self, compared: Compared, blocks: Blocks) -> FloatArray:
        """Return what the penalty leaves of precision and recall of some pairs, (pairs, 2)."""
        pairs = len(blocks.heights)
        factors = np.ones((pairs, 2))
        if compared.penalty is not None:
            factors = compared.penalty.side_factors(compared.batch)[compared.pairs]
        rare = self.rare_penalty.rare_tokens(compared.representation, compared.batch)
        return factors if rare is None else factors * rare.factors(blocks, *compared.rows)

    def _losses(self, compared: Compared, blocks: Blocks) -> SideLosses:
        """Return what the penalty leaves of both sides of a pair, and what is wrong in them."""
        losses = SideLosses()
        if compared.penalty is not None:
            losses = compared.penalty.side_losses(*compared.strings())
        factors = self._factors(compared, blocks)[0]
        losses = losses._replace(precision=float(factors[0]), recall=float(factors[1]))
        rare = self.rare_penalty.rare_tokens(compared.representation, compared.batch)
        similarities = blocks.one(0)
        if rare is None or not similarities.size:
            return losses
        own, other = (int(side[0]) for side in compared.rows)
        linked_to = [
            ", ".join(f"{link.token} (linked to {link.partner})" for link in links)
            for links in (
                rare.links(own, other, similarities.argmax(axis=1)),
                rare.links(other, own, similarities.argmax(axis=0)),
            )
        ]
        return losses._replace(
            extra=", ".join(filter(None, [linked_to[0], losses.extra])),
            missing=", ".join(filter(None, [linked_to[1], losses.missing])),
        )


@dataclass(frozen=True, kw_only=True)
class BertScoreMeans(GreedyMaxima):
    """Precision, recall or F of the most similar subwords.

    Attributes:
        measure: The score: ``f``, ``p`` (precision) or ``r`` (recall).
        baseline: A file of the package bert-score with the scores of unrelated texts, which become
            0, so that scores spread more; scores may then be negative. ``none``: no such file.
    """

    layer: int | None
    measure: BertScoreMeasure
    baseline: str

    def identities(self) -> list[ResourceIdentity]:
        """Return which data a score depends on."""
        if self.baseline == NONE or self.layer is None:
            return []
        return [read_baseline(path=self.baseline, layer=self.layer)[1]]

    def levels(self) -> Baseline | None:
        """Return what unrelated texts score, where a file says it."""
        if self.baseline == NONE:
            return None
        return read_baseline(path=self.baseline, layer=self.layer or 0)[0]

    @property
    def number(self) -> int:
        """Which of precision, recall and F is the score."""
        return list(BertScoreMeasure).index(self.measure)

    def rescaled(self, score: FloatArray) -> FloatArray:
        """Return scores with what unrelated texts score at 0, if that is known."""
        levels = self.levels()
        if levels is None:
            return score
        level = levels[self.number]
        return np.asarray((score - level) / (1 - level), dtype=np.float64)

    def bounds(self) -> ScoreBounds:
        """Return the range: cosines, an F of which is never negative, above what a baseline is."""
        least = 0.0 if self.measure is BertScoreMeasure.F_SCORE else -1.0
        if self.baseline != NONE and self.layer is None:
            return ScoreBounds(-np.inf, 1.0)  # the file says more once the layer is known
        return ScoreBounds(float(self.rescaled(np.array(least))), 1.0)

    def joined(self, compared: Compared, precision: FloatArray, recall: FloatArray) -> FloatArray:  # noqa: ARG002
        """Return the chosen one of the three numbers for some pairs."""
        score = (precision, recall, weighted_f(precision, recall, EVEN))[self.number]
        return self.rescaled(score)

    def joined_steps(self, compared: Compared, precision: float, recall: float) -> list[Step]:  # noqa: ARG002
        """Return the steps from precision and recall of a pair to its score."""
        by_both = f_step("F", precision, recall, EVEN, "harmonic mean of both")
        label = (*_SIDES, "F")[self.number]
        score = (precision, recall, by_both.value)[self.number]
        levels = self.levels()
        if levels is not None:
            level = levels[self.number]
            formula = f"({n(score)} - {n(level)}) / (1 - {n(level)})"
            meaning = f"the {label}, with what unrelated texts score at 0"
            last = Step("score", meaning, formula, float(self.rescaled(np.array(score))))
            return [by_both, last] if label == "F" else [last]
        if label == "F":
            return [replace(by_both, label="score")]
        return [Step("score", f"the {label} alone", "", score)]


def _scored(compared: Compared) -> Mask:
    """Return which pairs have text on both sides."""
    there = compared.representation.filled(compared.batch)
    left, right = compared.rows
    both: Mask = there[left] & there[right]
    return both


def _covered(block: Float32Array, weights: FloatArray, used: Mask) -> float:
    """Return the weighted similarities of the best of each row; note the links that weigh."""
    if not block.size:
        return 0.0
    best = block.argmax(axis=1)
    rows = np.arange(len(block))
    used[rows[weights > 0], best[weights > 0]] = True
    return added(weights * block[rows, best])
