"""Precision and recall as one number."""

import numpy as np

from tenbin.core.arrays import FloatArray


def weighted_f(precision: FloatArray, recall: FloatArray, alpha: float) -> FloatArray:
    """Return P R / (alpha P + (1 - alpha) R); 0 where one of them is not positive.

    Args:
        precision: Of any shape.
        recall: Of the same shape.
        alpha: Weight of recall.

    >>> weighted_f(np.array([1.0, 0.0]), np.array([0.5, 0.5]), 0.6).tolist()
    [0.625, 0.0]
    """
    positive = (precision > 0) & (recall > 0)
    divisor = alpha * precision + (1 - alpha) * recall
    whole: FloatArray = np.zeros(divisor.shape)
    np.divide(precision * recall, divisor, out=whole, where=positive)
    return whole
