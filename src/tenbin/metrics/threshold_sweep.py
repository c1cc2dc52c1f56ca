"""Statistics of a metric with a threshold at many thresholds, from one pass over similarities."""

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.metrics.aggregations.thresholded import ThresholdedMeans
from tenbin.metrics.similarity_metric import PenaltyPoint, SimilarityMetric


def swept_statistics(metric: SimilarityMetric, batch: Batch, thresholds: FloatArray) -> FloatArray:
    """Return the statistics of each item at each threshold, shape (items, thresholds, K).

    Args:
        metric: Its aggregation must be one of `ThresholdedMeans`.
        batch: The texts.
        thresholds: In increasing order.
    """
    aggregation = metric.aggregates
    if not isinstance(aggregation, ThresholdedMeans):
        raise TypeError(f"{metric.name} has no threshold to sweep")
    parts = [aggregation.swept_scores(part.blocks, thresholds) for part in metric.compared(batch)]
    scores = np.concatenate(parts) if parts else np.empty((0, len(thresholds)))
    penalty = metric.penalty_at(PenaltyPoint.SCORE)
    if penalty is not None:
        scores = penalty.apply(batch, 0, scores)
    rows = [metric.best_rows(batch, scores[:, place]) for place in range(len(thresholds))]
    return np.stack(rows, axis=1)
