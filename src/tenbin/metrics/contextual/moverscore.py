"""MoverScore (Zhao et al. 2019): what it costs to move the pieces of one text to the other's."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

import numpy as np

from tenbin.annotation.encoders.encoded import BoolArray, EncodedTexts, PieceFlag
from tenbin.annotation.encoders.loading import is_static
from tenbin.annotation.encoders.settings import Pooling, View
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.batch import Batch
from tenbin.core.explanation import Step
from tenbin.core.metric import NAMES_DATA, MetricInfo, Property
from tenbin.kernels.similarity.blocks import MOST_OF_DIFFERENT_WORDS
from tenbin.metrics.contextual.model_defaults import last_layer
from tenbin.metrics.contextual.moved_ngrams import Moved, Side, moved_ngrams, moved_pieces
from tenbin.metrics.contextual.penalised_encoder import PenalisedEncoderMetric
from tenbin.metrics.contextual.piece_weights import collection_idfs, place_weights
from tenbin.metrics.vectors.block_metric import Reasons
from tenbin.metrics.vectors.blocks import Blocks, Float32Array, compared_words
from tenbin.metrics.vectors.flow_problem import FlowProblem
from tenbin.metrics.vectors.links import flowing, n
from tenbin.metrics.vectors.word_weights import (
    hypothesis_collections,
    reference_collection,
    shares,
    spread,
    system_numbers,
)

# Vectors have length 1, so two of them are never farther apart.
_FARTHEST = 2.0
_POOLED_LAYERS = 5  # of the original, below and including the last
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_NEAR = 0.75
# Of different pieces; see tenbin.kernels.similarity.blocks.
_LEAST = float(np.sqrt(2 - 2 * np.float64(MOST_OF_DIFFERENT_WORDS)))
_PIECES_AT_ONCE = 20_000


class Variant(StrEnum):
    """Which of the two published programs is followed."""

    V1 = "v1"
    V2 = "v2"


@dataclass(frozen=True, kw_only=True)
class MoverScore(PenalisedEncoderMetric):
    """MoverScore: the least work that turns one text's pieces into the other's, as a score.

    Pieces weigh their idf; punctuation and pieces that go on with a word weigh nothing. Moving
    weight costs the Euclidean distance of the vectors. The score is 1 / (1 + work) on one layer
    (v2), or 1 - work on the least, mean and greatest of five layers (v1). The best reference
    counts; a corpus is the mean. A segment without pieces that weigh anything is as far away as can
    be. With ``ngram=2`` pairs of neighbours are moved in place of pieces.

    Attributes:
        layer: The layer that vectors are taken from, counted from 1; with ``v1`` also the four
            below; None: the last.
        variant: The published program: ``v2`` (the fast one) or ``v1`` (the original).
        ngram: How many neighbouring pieces are moved together; their vector is the sum of those of
            the pieces, by weight.
    """

    name: ClassVar[str] = "moverscore"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="MoverScore",
        summary="The work of moving pieces to pieces, by vectors in context.",
        citation="Zhao, Peyrard, Liu, Gao, Meyer, Eger (2019), MoverScore: Text Generation "
        "Evaluating with Contextualized Embeddings and Earth Mover Distance, EMNLP.",
        higher_is_better=True,
        minimum=-1.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset({Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}),
        weaknesses="Weights depend on the test set, and those of a translation on its system: "
        "compare on one test set only. Blind to punctuation.",
        oracle="worked examples; POT ot.emd2 for the work",
    )

    idf: bool | str = field(default=True, metadata=NAMES_DATA)
    variant: Variant = Variant.V2
    ngram: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("ngram", valid=self.ngram >= 1, expected="a whole number of at least 1")

    def view(self) -> View:
        """Return the last layer, or the last five."""
        last = self.layer or 0
        if self.variant is Variant.V2 or is_static(self.model):
            return View((last,))
        return View(tuple(range(max(last - _POOLED_LAYERS + 1, 0), last + 1)), Pooling.EXTREMES)

    def usual_layer(self, model: str, language: str) -> int:
        """Return the last layer."""
        return last_layer(model, language)

    def block_scores(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return the scores of some pairs."""
        problem = self._problem(batch, first, part)
        apart = ~_weighty(problem.supplies, problem.supply_bounds)
        apart |= ~_weighty(problem.demands, problem.demand_bounds)
        work = problem.work()
        original = 1 - np.where(apart, _FARTHEST, work)
        fast = np.where(apart, 0.0, 1 / (1 + work))
        scores = original if self.variant is Variant.V1 else fast
        return self.lowered_part(batch, first, scores)

    def reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return what is moved where, and what it costs together."""
        plain = self._reasons(batch, pair, similarities)
        return self.lowered_reasons(batch, pair, plain)

    def _reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        problem = self._problem(batch, pair, Blocks.of(similarities))
        costs = problem.costs.reshape(similarities.shape)
        flow = problem.flows().reshape(similarities.shape)
        alignment = flowing(self.sides(batch, pair), similarities.astype(np.float64), flow, costs)
        work = float((flow * costs).sum())
        if not flow.any():
            worst = 1 - _FARTHEST if self.variant is Variant.V1 else 0.0
            return alignment, (Step("score", "nothing that weighs can be moved", "", worst),)
        original = self.variant is Variant.V1
        score = 1 - work if original else 1 / (1 + work)
        formula = f"1 - {n(work)}" if original else f"1 / (1 + {n(work)})"
        return alignment, (
            Step("distance", "weight moved × distance of the vectors, added up", "", work),
            Step("score", "a distance of 0 is best", formula, score),
        )

    def compared(self, batch: Batch) -> EncodedTexts:
        """Return rows of pieces or n-grams."""
        return self._moved(batch).texts

    def pairs(self, batch: Batch) -> tuple[IntArray, IntArray]:
        """Return the rows of pieces or n-grams that are compared."""
        moved = self._moved(batch)
        return moved.left, moved.right

    def _problem(self, batch: Batch, first: int, part: Blocks) -> FlowProblem:
        moved = self._moved(batch)
        pairs = slice(first, first + len(part.heights))
        left, right = moved.left[pairs], moved.right[pairs]
        own, other = spread(moved.texts.rows, left), spread(moved.texts.rows, right)
        systems = _pair_systems(batch)[pairs] % len(moved.supplies)
        return FlowProblem(
            _distances(part, moved, left, right),
            part.starts,
            _shares(moved.supplies[np.repeat(systems, np.diff(own[1])), own[0]], own[1]),
            own[1],
            _shares(moved.demands[other[0]], other[1]),
            other[1],
        )

    def _moved(self, batch: Batch) -> Moved:
        """Return what is moved, and what it weighs."""

        def joined() -> Moved:
            texts, (on_left, on_right) = self.texts(batch), self._weights(batch)
            left, right = self.text_pairs(batch)
            own = Side(left, _pair_systems(batch) % len(on_left), on_left)
            other = Side(right, np.zeros(len(right), dtype=np.int64), on_right[np.newaxis])
            if self.ngram == 1:
                return moved_pieces(texts, _kept(texts), own, other)
            return moved_ngrams(texts, _kept(texts), own, other, self.ngram)

        return batch.once(("moved", self.choice, self.idf, self.ngram), joined)

    def _weights(self, batch: Batch) -> tuple[FloatArray, FloatArray]:
        """Return the weights of all places on the left, by system, and on the right."""
        texts = self.texts(batch)
        if self.idf is True:
            own = [collection_idfs(texts, some) for some in hypothesis_collections(batch)]
            idfs = collection_idfs(texts, reference_collection(batch))
            left = np.stack([place_weights(texts, some) for some in own])
            return left, place_weights(texts, idfs)
        frequencies = self.frequencies()
        if frequencies is None:
            both = place_weights(texts, None, marks_weigh=True)
        else:
            both = place_weights(texts, frequencies.idfs(texts.vocabulary))
        return both[np.newaxis], both


def _pair_systems(batch: Batch) -> IntArray:
    """Return the system of each pair of a hypothesis and a reference."""
    return system_numbers(batch)[np.repeat(np.arange(len(batch)), batch.references.lengths)]


def _kept(texts: EncodedTexts) -> BoolArray:
    """Return which places are neither punctuation nor pieces that go on with a word."""
    marks = np.array([piece in _PUNCTUATION for piece in texts.vocabulary], dtype=np.bool_)
    values = texts.rows.values
    dropped = texts.having(PieceFlag.CONTINUES)[values]
    if len(marks):
        dropped |= marks[texts.pieces[values]]
    return ~dropped


def _weighty(weights: FloatArray, bounds: IntArray) -> BoolArray:
    ends = np.concatenate([np.zeros(1), np.cumsum(weights > 0)])
    return np.diff(ends[bounds]) > 0


def _shares(weights: FloatArray, bounds: IntArray) -> FloatArray:
    """Return weights divided by the sum of their row; rows of nothing stay so."""
    row_of = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    nothing = np.bincount(row_of, weights, minlength=len(bounds) - 1) <= 0
    return np.where(nothing[row_of], 0.0, shares(np.where(nothing[row_of], 1.0, weights), bounds))


def _distances(part: Blocks, moved: Moved, left: IntArray, right: IntArray) -> FloatArray:
    """Return the Euclidean distances of vectors of length 1, from their cosines.

    The smaller the distance of two pieces, the less is left of a cosine in 32 bits; where it is
    small it is that of the vectors themselves.
    """
    cosines = part.values.astype(np.float64)
    distances: FloatArray = np.sqrt(np.maximum(2 - 2 * cosines, 0.0))
    near = np.flatnonzero((distances > 0) & (distances < _NEAR))
    units = moved.texts.units
    own, other = (side[near] for side in compared_words(part, moved.texts.rows, left, right))
    for start in range(0, len(near), _PIECES_AT_ONCE):
        some = slice(start, start + _PIECES_AT_ONCE)
        apart = units[own[some]].astype(np.float64) - units[other[some]]
        measured = np.sqrt((apart * apart).sum(axis=1))
        # N-grams of the same pieces may weigh them otherwise, by next to nothing.
        same = moved.classes[own[some]] == moved.classes[other[some]]
        distances[near[some]] = np.where(same, measured, np.maximum(measured, _LEAST))
    return distances
