"""An aggregation: the median of the largest similarities of all words."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.explanation import Step
from tenbin.core.metric import AUTO, NAMES_DATA, MetricInfo, Property
from tenbin.metrics.aggregations.aggregation import Aggregation, Explained
from tenbin.metrics.aggregations.links import linked
from tenbin.metrics.choices import OutOfVocabulary
from tenbin.metrics.representations.blocks import Float32Array
from tenbin.metrics.representations.compared import Compared
from tenbin.metrics.representations.static_vectors import StaticVectors
from tenbin.metrics.similarity_metric import SimilarityMetric


@dataclass(frozen=True, kw_only=True)
class MedianOfMaxima(Aggregation):
    """The median over the most similar word of each word, of both sides.

    Attributes:
        quantile: 0.5 for the median; less to listen to the worst words.
    """

    quantile: float

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield parameters that are out of their range."""
        if not 0 <= self.quantile <= 1:
            yield "quantile", "a number from 0 to 1"

    def scores(self, compared: Compared) -> FloatArray:
        """Return the scores of some pairs."""
        pairs = range(len(compared.blocks.heights))
        return np.array([self.score(compared.similarities(pair)) for pair in pairs])

    def explanation(self, compared: Compared) -> Explained:
        """Return the largest similarities as links, and their median."""
        similarities = compared.similarities()
        if not similarities.size:
            nothing = linked(compared, similarities, similarities > 0)
            return nothing, (Step("score", "there is nothing to compare", "", 0.0),)
        rows, columns = similarities.max(axis=1)[:, np.newaxis], similarities.max(axis=0)
        best = (similarities == rows) | (similarities == columns)
        return linked(compared, similarities, best), (
            Step("words", "of both sides", "", float(sum(similarities.shape))),
            Step("score", "median of their maxima", "", self.score(similarities)),
        )

    def score(self, similarities: Float32Array) -> float:
        """Return the score of one pair."""
        if not similarities.size:
            return 0.0
        maxima = np.concatenate([similarities.max(axis=1), similarities.max(axis=0)])
        return float(np.quantile(maxima.astype(np.float64), self.quantile))


@dataclass(frozen=True, kw_only=True)
class MedianSimilarity(SimilarityMetric):
    """Median similarity: the median cosine of words and their most similar ones, -1 to 1.

    The best reference counts; a corpus is the mean. An empty segment scores 0.
    """

    name: ClassVar[str] = "median-maxima"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="Median similarity",
        summary="The median cosine of words with their most similar ones.",
        citation="This page.",
        higher_is_better=True,
        minimum=-1.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset({Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}),
        weaknesses="Half of the words may be wrong.",
        oracle="its definition",
    )
    representation = StaticVectors
    aggregation = MedianOfMaxima

    tokenizer: str = AUTO
    lowercase: bool = False
    language: str = AUTO
    vectors: str = field(default=AUTO, metadata=NAMES_DATA)
    oov: OutOfVocabulary = OutOfVocabulary.IDENTITY
    fold_case: bool = True
    min_coverage: float = 0.1
    quantile: float = 0.5
