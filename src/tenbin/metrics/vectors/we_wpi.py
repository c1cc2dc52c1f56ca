"""WE_WPI (Echizen'ya, Araki and Hovy 2019): earth mover's distance with word positions."""

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.explanation import Step
from tenbin.core.metric import NAMES_DATA, MetricInfo, Needs, Property
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.metrics.vectors.block_metric import Reasons
from tenbin.metrics.vectors.blocks import Blocks, Float32Array, part_bounds
from tenbin.metrics.vectors.choices import FlowAlignment, PositionPenalty, TermFrequency
from tenbin.metrics.vectors.flow_problem import FlowProblem
from tenbin.metrics.vectors.links import flowing, n
from tenbin.metrics.vectors.penalised_blocks import PenalisedVectorMetric
from tenbin.metrics.vectors.position_costs import position_costs
from tenbin.metrics.vectors.term_weights import TermWeights, term_weights
from tenbin.metrics.vectors.word_weights import shares
from tenbin.resources.frequencies import load_frequencies

TESTSET = "testset"
"""Value of ``idf``: segment frequencies are counted in the texts that are scored."""

# Costs held at a time; their making takes ten times the memory.
_MOST_COSTS = 2_000_000


@dataclass(frozen=True, kw_only=True)
class WeWpi(PenalisedVectorMetric):
    """WE_WPI: 1 - the work of moving words to words, which costs more the farther they moved.

    Every word has a tf-idf weight. The similarity of two words is their cosine, lowered by how far
    apart their relative positions are; moving weight costs 1 - similarity. The best reference
    counts; a corpus is the mean. An empty segment scores 0.

    Attributes:
        position: How a difference p of relative positions lowers a similarity: ``linear`` (times
            1 - p) or ``exp`` (times e^-p).
        alignment: ``soft`` (weight may move to any word) or ``hard`` (at less than the full cost
            only to the most similar word).
        normalized: Whether the weights of each segment are made to add up to 1; if not, as much
            is moved as the lighter segment has.
        tf: Where occurrences are counted: in the ``sentence`` or in the ``collection``.
        clip: Whether negative cosines count as 0.
        idf: Where segment frequencies are from: ``testset``, ``wordfreq``, or a file with a word
            and its count on each line.
    """

    name: ClassVar[str] = "we_wpi"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="WE_WPI",
        summary="Earth mover's distance of words that knows their positions.",
        citation="Echizen'ya, Araki, Hovy (2019), Word Embedding-Based Automatic MT Evaluation "
        "Metric using Word Position Information, NAACL.",
        higher_is_better=True,
        minimum=-1.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset({Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}),
        weaknesses="The formulas are reconstructed from descriptions and not confirmed by the "
        "authors. Weights depend on the test set: compare systems on one test set only. As good as "
        "its vectors.",
        oracle="POT ot.emd2; worked examples of the reconstruction",
    )

    position: PositionPenalty = PositionPenalty.LINEAR
    alignment: FlowAlignment = FlowAlignment.SOFT
    normalized: bool = True
    tf: TermFrequency = TermFrequency.SENTENCE
    clip: bool = True
    idf: str = field(default=TESTSET, metadata=NAMES_DATA)

    @property
    def needs(self) -> Needs:
        """Tokens; the whole test set in one batch where weights are learned from it."""
        plain = super().needs
        listed = frozenset() if self.idf == TESTSET else frozenset({ResourceKind.FREQUENCIES})
        learned = self.idf == TESTSET or self.tf is TermFrequency.COLLECTION
        return replace(plain, resources=plain.resources | listed, collection=learned)

    def block_scores(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return the scores of some pairs."""
        bounds = part_bounds(part.heights * part.widths, most=_MOST_COSTS)
        scores = [
            self._moved(batch, first + start, part.some(start, stop)) for start, stop in bounds
        ]
        return np.concatenate(scores) if scores else np.empty(0)

    def reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return what is moved where, and what it costs together."""
        part = Blocks.of(similarities)
        problem = self._problem(batch, pair, part)
        flow = problem.flows().reshape(similarities.shape)
        costs = problem.costs.reshape(similarities.shape)
        alignment = flowing(self.sides(batch, pair), similarities.astype(np.float64), flow, costs)
        if not costs.size:
            return alignment, (Step("score", "there are no words to move", "", 0.0),)
        work, moved = float((flow * costs).sum()), float(flow.sum())
        ratio = n(work) if self.normalized else f"{n(work)} / {n(moved)}"
        same = "adds up to 1 on either side" if self.normalized else "of the lighter side"
        return alignment, (
            Step("weight moved", f"tf-idf of the words, {same}", "", moved),
            Step("work", "weight moved × (1 - similarity), added up", "", work),
            Step("score", "1 - work per weight", f"1 - {ratio}", 1 - work / moved),
        )

    def identities(self) -> list[ResourceIdentity]:
        """Return which data a score depends on."""
        learned = self.idf == TESTSET
        listed = [] if learned else [load_frequencies(self.idf, self.language).identity]
        return [*super().identities(), *listed]

    def _moved(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        filled = (part.heights > 0) & (part.widths > 0)
        problem = self._problem(batch, first, part)
        # An empty side leaves nothing to divide by.
        moved = np.where(filled, 1.0 if self.normalized else problem.moved(), 1.0)
        return np.where(filled, 1 - problem.work() / moved, 0.0)

    def _problem(self, batch: Batch, first: int, part: Blocks) -> FlowProblem:
        costs = position_costs(part, self.position, self.alignment, clip=self.clip)
        pairs = slice(first, first + len(part.heights))
        left, right = (side[pairs] for side in batch.pairs())
        weights = self._weights(batch)
        own, own_bounds = weights.of_hypotheses(pairs, left)
        other, other_bounds = weights.of_references(right)
        if self.normalized:
            own, other = shares(own, own_bounds), shares(other, other_bounds)
        return FlowProblem(costs, part.starts, own, own_bounds, other, other_bounds)

    def _weights(self, batch: Batch) -> TermWeights:
        words = self.words(batch)

        def learned() -> TermWeights:
            found = None
            if self.idf != TESTSET:
                found = load_frequencies(self.idf, self.language).shares(words.vocabulary)
            return term_weights(batch, words.rows, len(words.vocabulary), self.tf, found)

        return batch.once(("term weights", *self.words_key(), self.tf, self.idf), learned)
