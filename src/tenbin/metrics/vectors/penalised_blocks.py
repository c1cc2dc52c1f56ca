"""Metrics over words compared with words that can punish wrong names and figures."""

from dataclasses import dataclass

from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.metrics.penalties import PenalisedMetric
from tenbin.metrics.vectors.block_metric import BlockMetric, Reasons
from tenbin.metrics.vectors.blocks import Blocks, Float32Array
from tenbin.metrics.vectors.vector_metric import VectorMetric


@dataclass(frozen=True, kw_only=True)
class PenalisedBlockMetric(PenalisedMetric, BlockMetric):
    """A metric over words that multiplies its scores by what wrong names and figures leave."""

    def counted_scores(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return the scores of some pairs after the penalty."""
        return self.lowered_part(batch, first, super().counted_scores(batch, first, part))

    def counted_reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return the links of a pair, and the steps to its score after the penalty."""
        plain = super().counted_reasons(batch, pair, similarities)
        return self.lowered_reasons(batch, pair, plain)


@dataclass(frozen=True, kw_only=True)
class PenalisedVectorMetric(PenalisedBlockMetric, VectorMetric):
    """The same over words that are looked up among vectors."""
