"""YiSi-1 (Lo 2019) on vectors in context, without semantic roles."""

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from tenbin.annotation.encoders.encoded import EncodedTexts, PieceFlag
from tenbin.annotation.encoders.settings import View
from tenbin.core.alignment import MatchKind
from tenbin.core.arrays import FloatArray, Ragged
from tenbin.core.batch import Batch
from tenbin.core.metric import NAMES_DATA, MetricInfo
from tenbin.kernels.windowed_similarity import windowed_similarity
from tenbin.metrics.contextual.bertscore_steps import in_context
from tenbin.metrics.contextual.greedy_means import weighted_f
from tenbin.metrics.contextual.model_defaults import default_layer
from tenbin.metrics.contextual.penalised_encoder import PenalisedEncoderMetric
from tenbin.metrics.vectors import yisi_steps
from tenbin.metrics.vectors.block_metric import Reasons
from tenbin.metrics.vectors.blocks import Blocks, Float32Array
from tenbin.metrics.vectors.word_weights import lexical_weights, reference_collection
from tenbin.metrics.vectors.yisi import CITATION, TRAITS


@dataclass(frozen=True, kw_only=True)
class ContextYisi1(PenalisedEncoderMetric):
    """YiSi-1 in context: n-grams of the other side, pieces compared by a model's vectors, 0 to 1.

    Pieces of words are as alike as the cosine of their vectors, or 0 if that is negative. Rare
    pieces weigh more. The best reference counts; a corpus is the mean. An empty segment scores 0.

    Attributes:
        idf: What pieces weigh: True (rare ones more, by the references), False (all the same), or
            a dictionary: ``wordfreq`` or a file of ``tenbin build idf``.
        alpha: Weight of recall.
        ngram: Pieces of an n-gram; as many as the shorter segment has, where that is fewer.
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

    idf: bool | str = field(default=True, metadata=NAMES_DATA)
    alpha: float = 0.8
    ngram: int = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("alpha", valid=0 <= self.alpha <= 1, expected="a number from 0 to 1")
        self.require("ngram", valid=self.ngram >= 1, expected="a whole number of at least 1")

    def view(self) -> View:
        """Return the layer."""
        return View((self.layer or 0,))

    def usual_layer(self, model: str, language: str) -> int:
        """Return the layer that agrees best with people, as far as that is known."""
        return default_layer(model, language)

    def texts(self, batch: Batch) -> EncodedTexts:
        """Return the pieces of the texts; marks of the model are no words of an n-gram."""
        whole = super().texts(batch)
        return batch.once(("texts without marks", self.choice), lambda: _without_marks(whole))

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
        left, right = (side[first : first + len(part.heights)] for side in batch.pairs())
        means = windowed_similarity(
            np.maximum(part.values, np.float32(0)),
            part.starts,
            self.texts(batch).rows.offsets,
            left,
            right,
            weights,
            weights,
            self.ngram,
        )
        return self.lowered_part(batch, first, weighted_f(means[:, 0], means[:, 1], self.alpha))

    def reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return the pieces of the best n-grams, and precision and recall."""
        offsets, weights = self.texts(batch).rows.offsets, self.weights(batch)
        own, other = (
            weights[offsets[side[pair]] : offsets[side[pair] + 1]] for side in batch.pairs()
        )
        links, steps = yisi_steps.reasons(
            self.sides(batch, pair),
            similarities,
            (own, other),
            self.ngram,
            self.alpha,
            MatchKind.VECTOR,
            "reference",
        )
        return self.lowered_reasons(batch, pair, (in_context(links), steps))


def _without_marks(texts: EncodedTexts) -> EncodedTexts:
    """Return texts whose rows lack the marks of the model."""
    values, offsets = texts.rows.values, texts.rows.offsets
    inside = ~texts.having(PieceFlag.SPECIAL)[values]
    ends = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(inside)])
    return replace(texts, rows=Ragged(values[inside], ends[offsets]))
