"""SV (Matsuo, Komachi and Sudoh 2017): the cosine of averaged word vectors."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.explanation import Step
from tenbin.core.metric import MetricInfo, Property
from tenbin.metrics.vectors.block_metric import Reasons
from tenbin.metrics.vectors.blocks import Blocks, Float32Array, part_bounds
from tenbin.metrics.vectors.choices import OutOfVocabulary
from tenbin.metrics.vectors.links import linked, n
from tenbin.metrics.vectors.penalised_blocks import PenalisedVectorMetric
from tenbin.metrics.vectors.vector_words import VectorWords, kept_words
from tenbin.metrics.vectors.word_counts import shared_counts, squared_counts

# Coordinates of words held at a time, in 64 bits.
_MOST_COORDINATES = 8_000_000


@dataclass(frozen=True, kw_only=True)
class AveragedVectors(PenalisedVectorMetric):
    """SV: the cosine of the mean word vectors of two segments, -1 to 1.

    Words without a vector are dropped; a segment that has no other scores 0. The best reference
    counts; a corpus is the mean. With ``oov="identity"`` each word without a vector is a dimension
    of its own.
    """

    name: ClassVar[str] = "sv"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="SV",
        summary="Cosine of averaged word vectors.",
        citation="Matsuo, Komachi, Sudoh (2017), Word-Alignment-Based Segment-Level Machine "
        "Translation Evaluation using Word Embeddings.",
        higher_is_better=True,
        minimum=-1.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset({Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}),
        weaknesses="Long segments are all alike; blind to word order; a segment of which no word "
        "has a vector scores 0, be it identical.",
        oracle="worked examples of the definition",
    )

    oov: OutOfVocabulary = OutOfVocabulary.DROP

    def pair_scores(self, batch: Batch) -> FloatArray:
        """Return the score of each pair of hypothesis and reference."""
        return self.lowered(batch, self._cosines(batch, 0, len(batch.references.values))[0])

    def block_scores(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return the scores of some pairs."""
        return self._cosines(batch, first, first + len(part.heights))[0]

    def reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return all links of words, and the cosine of the sums of their vectors."""
        cosine, product, own, other = (
            float(values[0]) for values in self._cosines(batch, pair, pair + 1)
        )
        formula = f"{n(product)} / ({n(own)} × {n(other)})" if own * other else "0"
        return linked(self.sides(batch, pair), similarities, similarities != 0), (
            Step(
                "product", "of the sums of both sides' vectors: all cosines, added up", "", product
            ),
            Step("translation", "length of the sum of its vectors", "", own),
            Step("reference", "length of the sum of its vectors", "", other),
            Step("score", "cosine of the sums, which is that of the means", formula, cosine),
        )

    def _cosines(
        self, batch: Batch, start: int, stop: int
    ) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return cosines, products and both lengths of the sums of some pairs."""
        words = self.words(batch)
        left, right = (side[start:stop] for side in batch.pairs())
        used, places = np.unique(np.concatenate([left, right]), return_inverse=True)
        sums = _sums(words, used)
        here, there = places[: len(left)], places[len(left) :]
        squares = (sums * sums).sum(axis=1)
        product = np.empty(len(left))
        for low in range(0, len(left), step := max(1, _MOST_COORDINATES // max(sums.shape[1], 1))):
            part = slice(low, low + step)
            product[part] = (sums[here[part]] * sums[there[part]]).sum(axis=1)
        if words.equal_unknown:
            unknown = kept_words(words.rows, ~words.known)
            product += shared_counts(unknown, left, right)
            squares += squared_counts(unknown)[used]
        own, other = np.sqrt(squares[here]), np.sqrt(squares[there])
        lengths = own * other
        cosines = np.divide(product, lengths, out=np.zeros(len(left)), where=lengths > 0)
        return np.clip(cosines, -1.0, 1.0), product, own, other


def _sums(words: VectorWords, strings: np.ndarray) -> FloatArray:
    """Return the sum of the vectors of each string."""
    rows, dimensions = words.rows, words.units.shape[1]
    lengths = rows.lengths[strings]
    sums = np.zeros((len(strings), dimensions))
    for start, stop in part_bounds(lengths * dimensions, most=_MOST_COORDINATES):
        filled = np.flatnonzero(lengths[start:stop]) + start
        if not len(filled):
            continue
        tokens = np.concatenate([rows.row(string) for string in strings[filled]])
        starts = np.concatenate([[0], np.cumsum(lengths[filled])[:-1]])
        vectors = words.units[tokens].astype(np.float64)
        sums[filled] = np.add.reduceat(vectors, starts, axis=0)
    return sums
