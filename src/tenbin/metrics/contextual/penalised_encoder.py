"""Metrics over encoded texts that can punish wrong names and figures."""

from dataclasses import dataclass

from tenbin.metrics.contextual.encoder_metric import EncoderMetric
from tenbin.metrics.penalties import PenalisedMetric


@dataclass(frozen=True, kw_only=True)
class PenalisedEncoderMetric(PenalisedMetric, EncoderMetric):
    """A metric over encoded texts that can punish wrong names and figures."""
