"""WMD (Kusner et al. 2015): what it costs to move the words of one segment to those of another."""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.batch import Batch
from tenbin.core.explanation import Step
from tenbin.core.metric import NAMES_DATA, MetricInfo, Needs, Property
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.metrics.vectors.block_metric import Reasons
from tenbin.metrics.vectors.blocks import Blocks, Float32Array, compared_words
from tenbin.metrics.vectors.choices import DistanceForm, OutOfVocabulary
from tenbin.metrics.vectors.flow_problem import FlowProblem
from tenbin.metrics.vectors.links import flowing, n
from tenbin.metrics.vectors.penalised_blocks import PenalisedVectorMetric
from tenbin.metrics.vectors.vector_words import VectorWords, kept_words
from tenbin.metrics.vectors.word_counts import distinct_words
from tenbin.metrics.vectors.word_weights import shares, spread
from tenbin.penalty.texts import Penalty
from tenbin.resources.function_words import (
    FunctionWords,
    FunctionWordSource,
    load_function_words,
    read_function_words,
)

# Vectors have length 1, so two of them are never farther apart.
_FARTHEST = 2.0
_NEAR = 0.75
_WORDS_AT_ONCE = 20_000


@dataclass(frozen=True, kw_only=True)
class WordMovers(PenalisedVectorMetric):
    """WMD: the least work that turns one segment's words into the other's, as a score.

    Each distinct word has the share of its occurrences as weight; moving it to another word costs
    the Euclidean distance of their vectors. The score is 1 / (1 + WMD), 0 to 1, or -WMD. Words
    without a vector are dropped; a segment that has no other is infinitely far away. The best
    reference counts; a corpus is the mean.

    Attributes:
        form: The score: ``inverse`` (1 / (1 + distance)) or ``negative`` (minus the distance; -2,
            the farthest there is, for a segment without words).
        stop_words: Words to leave out: ``none``, ``language`` (the function words of the
            language), or a file with one word a line.
    """

    name: ClassVar[str] = "wmd"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="WMD",
        summary="Word Mover's Distance: the work of moving words to words.",
        citation="Kusner, Sun, Kolkin, Weinberger (2015), From Word Embeddings To Document "
        "Distances, ICML.",
        higher_is_better=True,
        minimum=-_FARTHEST,
        maximum=1.0,
        decimals=4,
        properties=frozenset({Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}),
        weaknesses="Blind to word order; a segment of which no word has a vector scores 0, be it "
        "identical. As good as its vectors.",
        oracle="POT ot.emd2",
    )

    oov: OutOfVocabulary = OutOfVocabulary.DROP
    form: DistanceForm = DistanceForm.INVERSE
    stop_words: str = field(default=FunctionWordSource.NONE.value, metadata=NAMES_DATA)

    def __post_init__(self) -> None:
        super().__post_init__()
        # A factor would bring a distance nearer.
        valid = self.form is DistanceForm.INVERSE or self.penalty is Penalty.NONE
        self.require("penalty", valid=valid, expected="none, with form=negative")

    @property
    def needs(self) -> Needs:
        """Tokens, vectors and the stop words, if any."""
        plain = super().needs
        if self.stop_words == FunctionWordSource.NONE:
            return plain
        return replace(plain, resources=plain.resources | {ResourceKind.FUNCTION_WORDS})

    def words(self, batch: Batch) -> VectorWords:
        """Return the distinct words of each string of the pool."""
        return self._counted(batch)[0]

    def block_scores(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return the scores of some pairs."""
        distances = self._problem(batch, first, part).work()
        filled = (part.heights > 0) & (part.widths > 0)
        if self.form is DistanceForm.NEGATIVE:
            return np.where(filled, -distances, -_FARTHEST)
        return np.where(filled, 1 / (1 + distances), 0.0)

    def reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return what is moved where, and what it costs together."""
        problem = self._problem(batch, pair, Blocks.of(similarities))
        costs = problem.costs.reshape(similarities.shape)
        flow = problem.flows().reshape(similarities.shape)
        work = float((flow * costs).sum())
        alignment = flowing(self.sides(batch, pair), similarities.astype(np.float64), flow, costs)
        if not costs.size:
            worst = 0.0 if self.form is DistanceForm.INVERSE else -_FARTHEST
            said = "there are no words to move: infinitely far"
            return alignment, (Step("score", said, "", worst),)
        negative = self.form is DistanceForm.NEGATIVE
        score = -work if negative else 1 / (1 + work)
        formula = f"-{n(work)}" if negative else f"1 / (1 + {n(work)})"
        return alignment, (
            Step(
                "translation words",
                "distinct words, each with its share as weight",
                "",
                len(costs),
            ),
            Step(
                "reference words",
                "distinct words, each with its share as weight",
                "",
                similarities.shape[1],
            ),
            Step("distance", "weight moved × distance of the vectors, added up", "", work),
            Step("score", "a distance of 0 is best", formula, score),
        )

    def identities(self) -> list[ResourceIdentity]:
        """Return which data a score depends on."""
        listed = [] if self.stop_words == FunctionWordSource.NONE else [self._stop_words().identity]
        return [*super().identities(), *listed]

    def words_key(self) -> tuple[Hashable, ...]:
        """Return what the words depend on."""
        return (*super().words_key(), "distinct", self.stop_words)

    def _counted(self, batch: Batch) -> tuple[VectorWords, FloatArray]:
        """Return the distinct words of each string, and the share of each among its words."""
        plain = super().words(batch)

        def counted() -> tuple[VectorWords, FloatArray]:
            rows = plain.rows
            if self.stop_words != FunctionWordSource.NONE:
                stopped = self._stop_words().words
                kept = [word.lower() not in stopped for word in plain.vocabulary]
                rows = kept_words(rows, np.array(kept, dtype=np.bool_))
            distinct, counts = distinct_words(rows)
            return replace(plain, rows=distinct), shares(counts, distinct.offsets)

        return batch.once(("counted words", *self.words_key()), counted)

    def _problem(self, batch: Batch, first: int, part: Blocks) -> FlowProblem:
        words, weights = self._counted(batch)
        pairs = slice(first, first + len(part.heights))
        left, right = (side[pairs] for side in batch.pairs())
        own, other = spread(words.rows, left), spread(words.rows, right)
        costs = _distances(part, words, left, right)
        return FlowProblem(costs, part.starts, weights[own[0]], own[1], weights[other[0]], other[1])

    def _stop_words(self) -> FunctionWords:
        if self.stop_words == FunctionWordSource.LANGUAGE:
            return load_function_words(FunctionWordSource.LANGUAGE, self.language)
        return read_function_words(Path(self.stop_words), self.language)


def _distances(part: Blocks, words: VectorWords, left: IntArray, right: IntArray) -> FloatArray:
    """Return the Euclidean distances of vectors of length 1, from their cosines.

    The smaller the distance of two words, the less is left of a cosine in 32 bits; where it is
    small it is that of the vectors themselves. Words that share a vector have none.
    """
    cosines = part.values.astype(np.float64)
    distances: FloatArray = np.sqrt(np.maximum(2 - 2 * cosines, 0.0))
    near = np.flatnonzero((distances > 0) & (distances < _NEAR))
    own, other = (side[near] for side in compared_words(part, words.rows, left, right))
    # In a test set the same two words are near each other dozens of times.
    size = np.int64(len(words.units))
    pairs, again = np.unique(own * size + other, return_inverse=True)
    own, other = np.divmod(pairs, size)
    exact = np.empty(len(pairs))
    for start in range(0, len(pairs), _WORDS_AT_ONCE):
        some = slice(start, start + _WORDS_AT_ONCE)
        apart = words.units[own[some]].astype(np.float64) - words.units[other[some]]
        exact[some] = np.sqrt((apart * apart).sum(axis=1))
    distances[near] = exact[again]
    return distances
