"""YiSi-1 (Lo 2019) on vectors in context, without semantic roles."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.metric import MetricInfo
from tenbin.metrics.contextual.context_ngrams import ContextNgrams
from tenbin.metrics.contextual.penalised_encoder import PenalisedEncoderMetric
from tenbin.metrics.vectors.block_metric import Reasons
from tenbin.metrics.vectors.blocks import Blocks, Float32Array
from tenbin.metrics.vectors.word_weights import lexical_weights, reference_collection
from tenbin.metrics.vectors.yisi import CITATION, TRAITS


@dataclass(frozen=True, kw_only=True)
class ContextYisi1(ContextNgrams, PenalisedEncoderMetric):
    """YiSi-1 in context: n-grams of the other side, pieces compared by a model's vectors, 0 to 1.

    Pieces of words are as alike as the cosine of their vectors, or 0 if that is negative. Rare
    pieces weigh more. The best reference counts; a corpus is the mean. An empty segment scores 0.

    Attributes:
        idf: What pieces weigh: True (rare ones more, by the references), False (all the same), or
            a dictionary: ``wordfreq`` or a file of ``tenbin build idf``.
    """

    name: ClassVar[str] = "yisi1-context"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="YiSi-1, contextual",
        summary="n-grams of pieces with near vectors in context, rare pieces first.",
        citation=CITATION,
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=TRAITS,
        weaknesses="Without semantic roles. Weights depend on the test set: compare systems on one "
        "test set only.",
        oracle="yisi1 on the same static vectors and words",
    )

    def weights(self, batch: Batch) -> FloatArray:
        """Return the weight of each piece of all rows."""

        def learned() -> FloatArray:
            texts = self.texts(batch)
            frequencies = self.frequencies()
            if frequencies is not None:
                by_piece = frequencies.idfs(texts.vocabulary)
            elif self.idf:
                collection = reference_collection(batch)
                by_piece = lexical_weights(texts.piece_rows, collection, texts.vocabulary)
            else:
                by_piece = np.ones(len(texts.vocabulary))
            return by_piece[texts.pieces[texts.rows.values]]

        return batch.once(("piece weights", self.name, self.choice, self.idf), learned)

    def block_scores(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return the scores of some pairs."""
        weights = self.weights(batch)
        left, right = (side[first : first + len(part.heights)] for side in self.pairs(batch))
        plain = self.ngram_scores(batch, part, left, right, (weights, weights))
        return self.lowered_part(batch, first, plain)

    def reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return the pieces of the best n-grams, and precision and recall."""
        weights = self.weights(batch)
        plain = self.ngram_reasons(batch, pair, similarities, (weights, weights))
        return self.lowered_reasons(batch, pair, plain)
