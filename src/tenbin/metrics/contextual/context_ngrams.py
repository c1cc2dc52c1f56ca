"""What YiSi-1 and YiSi-2 on vectors in context share: n-grams of pieces, weighted, both ways."""

from abc import ABC
from dataclasses import dataclass, field, replace

import numpy as np

from tenbin.annotation.encoders.encoded import EncodedTexts, PieceFlag
from tenbin.annotation.encoders.settings import View
from tenbin.core.alignment import MatchKind
from tenbin.core.arrays import FloatArray, IntArray, Ragged
from tenbin.core.batch import Batch
from tenbin.core.metric import NAMES_DATA
from tenbin.kernels.similarity.windows import windowed_similarity
from tenbin.metrics.contextual.bertscore_steps import in_context
from tenbin.metrics.contextual.encoder_metric import EncoderMetric
from tenbin.metrics.contextual.model_defaults import default_layer
from tenbin.metrics.f_score import weighted_f
from tenbin.metrics.vectors import yisi_steps
from tenbin.metrics.vectors.block_metric import Reasons
from tenbin.metrics.vectors.blocks import Blocks, Float32Array

SideWeights = tuple[FloatArray, FloatArray]
"""What each piece of all rows weighs, on the left of a pair and on the right."""


@dataclass(frozen=True, kw_only=True)
class ContextNgrams(EncoderMetric, ABC):
    """N-grams of pieces that answer each other, by the vectors of one layer.

    Attributes:
        alpha: Weight of recall.
        ngram: Pieces of an n-gram; as many as the shorter segment has, where that is fewer.
    """

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
        key = ("texts without marks", self.compared_with, self.choice)
        return batch.once(key, lambda: _without_marks(whole))

    def ngram_scores(
        self, batch: Batch, part: Blocks, left: IntArray, right: IntArray, weights: SideWeights
    ) -> FloatArray:
        """Return the scores of some pairs of rows by the similarities of their pieces."""
        means = windowed_similarity(
            np.maximum(part.values, np.float32(0)),
            part.starts,
            self.texts(batch).rows.offsets,
            left,
            right,
            *weights,
            self.ngram,
        )
        return weighted_f(means[:, 0], means[:, 1], self.alpha)

    def ngram_reasons(
        self, batch: Batch, pair: int, similarities: Float32Array, weights: SideWeights
    ) -> Reasons:
        """Return the pieces of the best n-grams, and precision and recall."""
        offsets = self.texts(batch).rows.offsets
        own, other = (
            some[offsets[side[pair]] : offsets[side[pair] + 1]]
            for some, side in zip(weights, self.pairs(batch), strict=True)
        )
        links, steps = yisi_steps.reasons(
            self.sides(batch, pair),
            similarities,
            (own, other),
            self.ngram,
            self.alpha,
            MatchKind.VECTOR,
            self.compared_with,
        )
        return in_context(links), steps


def _without_marks(texts: EncodedTexts) -> EncodedTexts:
    """Return texts whose rows lack the marks of the model."""
    values, offsets = texts.rows.values, texts.rows.offsets
    inside = ~texts.having(PieceFlag.SPECIAL)[values]
    ends = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(inside)])
    return replace(texts, rows=Ragged(values[inside], ends[offsets]))
