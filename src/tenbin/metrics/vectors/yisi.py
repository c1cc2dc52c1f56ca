"""YiSi-0, YiSi-1 and YiSi-2 (Lo 2019) on words and static vectors, without semantic roles."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tenbin.core.alignment import MatchKind
from tenbin.core.arrays import FloatArray, IdArray, IntArray
from tenbin.core.batch import Batch
from tenbin.core.metric import MetricInfo, Needs, Property
from tenbin.kernels.similarity.windows import windowed_similarity
from tenbin.metrics.f_score import weighted_f
from tenbin.metrics.vectors import yisi_steps
from tenbin.metrics.vectors.block_metric import BlockMetric, Reasons
from tenbin.metrics.vectors.blocks import Blocks, Float32Array
from tenbin.metrics.vectors.penalised_blocks import PenalisedBlockMetric
from tenbin.metrics.vectors.spelled_words import SpelledWords
from tenbin.metrics.vectors.vector_metric import VectorMetric
from tenbin.metrics.vectors.word_weights import (
    ASCII_LOWER,
    lexical_weights,
    reference_collection,
)

CITATION = (
    "Lo (2019), YiSi - a Unified Semantic MT Quality Evaluation and Estimation Metric for "
    "Languages with Different Levels of Available Resources, WMT."
)
TRAITS = frozenset(
    {Property.IDENTITY_IS_BEST, Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}
)


@dataclass(frozen=True, kw_only=True)
class Yisi(BlockMetric):
    """What the three share: weighted n-grams, precision and recall.

    Attributes:
        alpha: Weight of recall.
        ngram: Words of an n-gram; as many as the shorter segment has, where that is fewer.
    """

    compared_by: ClassVar[MatchKind] = MatchKind.VECTOR
    compared_with: ClassVar[str] = "reference"

    alpha: float = 0.8
    ngram: int = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("alpha", valid=0 <= self.alpha <= 1, expected="a number from 0 to 1")
        self.require("ngram", valid=self.ngram >= 1, expected="a whole number of at least 1")

    @property
    def needs(self) -> Needs:
        """Tokens, and all references of the test set in one batch."""
        return replace(super().needs, collection=True)

    def word_weights(self, batch: Batch) -> FloatArray:
        """Return the weight of each word of all rows, learned from the references."""

        def learned() -> FloatArray:
            column = self.token_column(batch)
            by_word = lexical_weights(column.rows, reference_collection(batch), column.vocabulary)
            return by_word[self.words(batch).rows.values]

        return batch.once(("lexical weights", *self.words_key()), learned)

    def block_scores(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return the scores of some pairs."""
        weights = self.word_weights(batch)
        left, right = (side[first : first + len(part.heights)] for side in self.pairs(batch))
        return self.f_scores(self.means(batch, part, left, right, weights, weights))

    def pair_weights(self, batch: Batch, pair: int) -> tuple[FloatArray, FloatArray]:  # noqa: ARG002
        """Return the weight of each word of all rows, on the left and on the right of a pair."""
        weights = self.word_weights(batch)
        return weights, weights

    def means(
        self,
        batch: Batch,
        part: Blocks,
        left: IntArray,
        right: IntArray,
        left_weights: FloatArray,
        right_weights: FloatArray,
    ) -> FloatArray:
        """Return precision and recall of pairs of rows, shape (pairs, 2)."""
        offsets = self.words(batch).rows.offsets
        similarities = np.maximum(part.values, np.float32(0))
        return windowed_similarity(
            similarities,
            part.starts,
            offsets,
            left,
            right,
            left_weights,
            right_weights,
            self.ngram,
        )

    def f_scores(self, means: FloatArray) -> FloatArray:
        """Return P R / (alpha P + (1 - alpha) R); 0 where one of them is 0."""
        return weighted_f(means[:, 0], means[:, 1], self.alpha)

    def reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return the words of the best n-grams, and precision and recall."""
        offsets = self.words(batch).rows.offsets
        own, other = (
            weights[offsets[side[pair]] : offsets[side[pair] + 1]]
            for weights, side in zip(self.pair_weights(batch, pair), self.pairs(batch), strict=True)
        )
        sides = self.sides(batch, pair)
        return yisi_steps.reasons(
            sides,
            similarities,
            (own, other),
            self.ngram,
            self.alpha,
            self.compared_by,
            self.compared_with,
        )


@dataclass(frozen=True, kw_only=True)
class Yisi0(PenalisedBlockMetric, Yisi):
    """YiSi-0: n-grams of the other side, words compared by their longest common piece, 0 to 1.

    Two words are 2 × the longest common run of bytes / both lengths alike. Rare words weigh more.
    The best reference counts; a corpus is the mean. An empty segment scores 0.
    """

    name: ClassVar[str] = "yisi0"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="YiSi-0",
        summary="n-grams of words that share letters, rare words first; needs no resource.",
        citation=CITATION,
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=TRAITS,
        weaknesses="Weights depend on the test set: compare systems on one test set only. Words "
        "that share letters by chance count as alike.",
        oracle="YiSi (chikiulo/yisi fd07bfc), its sample data",
    )

    compared_by: ClassVar[MatchKind] = MatchKind.SPELLING

    def words(self, batch: Batch) -> SpelledWords:
        """Return the words of the pool."""
        column = self.token_column(batch)
        key = ("spelled words", *self.words_key())
        return batch.once(key, lambda: SpelledWords.of(column.vocabulary, column.rows))

    def words_key(self) -> tuple[Hashable, ...]:
        """Return all that the words and their similarities depend on."""
        return ("spelling", self.tokens)


def ascii_lower_classes(words: tuple[str, ...]) -> IdArray:
    """Return one number for words that differ only in the case of letters A to Z.

    >>> ascii_lower_classes(("The", "the", "É", "é")).tolist()
    [0, 0, 2, 3]
    """
    first: dict[str, int] = {}
    classes = [first.setdefault(word.translate(ASCII_LOWER), n) for n, word in enumerate(words)]
    return np.array(classes, dtype=np.int32)


@dataclass(frozen=True, kw_only=True)
class Yisi1(PenalisedBlockMetric, Yisi, VectorMetric):
    """YiSi-1: n-grams of the other side, words compared by vectors, 0 to 1.

    Words that are equal but for the case of letters A to Z are fully alike, others by their cosine,
    or 0 if that is negative or a vector is missing. Rare words weigh more. The best reference
    counts; a corpus is the mean. An empty segment scores 0.
    """

    name: ClassVar[str] = "yisi1"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="YiSi-1",
        summary="n-grams of words with near vectors, rare words first.",
        citation=CITATION,
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=TRAITS,
        weaknesses="Static vectors in place of the contextual ones of the WMT submissions. Weights "
        "depend on the test set: compare systems on one test set only.",
        oracle="YiSi (chikiulo/yisi fd07bfc), its sample data",
    )

    word_classes = staticmethod(ascii_lower_classes)
