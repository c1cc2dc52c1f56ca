"""Precision and recall as one number, and as a step of an explanation.

The F-score is the harmonic mean of precision and recall by weight. Published programs put it in
different ways, which round differently in the last bit: METEOR divides by each of them, chrF and
IMPACT weigh by beta. Their numbers are kept, so that there is a function for each way.
"""

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.explanation import Step
from tenbin.metrics.written_numbers import n

EVEN = 0.5
"""Weight of recall where both weigh the same: the F-score is 2 P R / (P + R), to the last bit."""


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


def f_of_inverses(precision: FloatArray, recall: FloatArray, alpha: float) -> FloatArray:
    """Return 1 / ((1 - alpha) / P + alpha / R), as METEOR; 0 where one of them is not positive.

    >>> f_of_inverses(np.array([1.0, 0.0]), np.array([0.5, 0.5]), 0.6).tolist()
    [0.625, 0.0]
    """
    defined = (precision > 0) & (recall > 0)
    inverse = (1 - alpha) / np.where(defined, precision, 1) + alpha / np.where(defined, recall, 1)
    return np.where(defined, 1 / inverse, 0.0)


def f_by_beta(
    precision: FloatArray, recall: FloatArray, factor: float | FloatArray, *, otherwise: float = 0.0
) -> FloatArray:
    """Return (1 + f) P R / (f P + R), where f is the square of beta.

    Args:
        precision: Of any shape.
        recall: Of the same shape.
        factor: The square of beta, by which recall weighs more than precision.
        otherwise: What is returned where there is nothing to divide by.

    >>> f_by_beta(np.array([1.0, 0.0]), np.array([0.5, 0.0]), 1.5).tolist()
    [0.625, 0.0]
    """
    denominator = factor * precision + recall
    fallback = np.full(np.shape(denominator), otherwise)
    numerator = (1 + factor) * precision * recall
    score: FloatArray = np.divide(numerator, denominator, out=fallback, where=denominator > 0)
    return score


def f_by_ratio(precision: FloatArray, recall: FloatArray) -> FloatArray:
    """Return (1 + g) R P / (R + g P), where g is the square of P / R, as IMPACT; both positive.

    >>> f_by_ratio(np.array([1.0]), np.array([0.5])).round(6).tolist()
    [0.555556]
    """
    factor = (precision / recall) ** 2
    score: FloatArray = (1 + factor) * recall * precision / (recall + factor * precision)
    return score


def f_step(label: str, precision: float, recall: float, alpha: float, meaning: str) -> Step:
    """Return the step from precision and recall to their F-score.

    Args:
        label: What it is called: ``score`` or ``F``.
        precision: The precision.
        recall: The recall.
        alpha: Weight of recall.
        meaning: What it is, for a reader.
    """
    value = float(weighted_f(np.array(precision), np.array(recall), alpha))
    if alpha == EVEN:
        written = f"2 × {n(precision)} × {n(recall)} / ({n(precision)} + {n(recall)})"
    else:
        divisor = f"{n(alpha)} × {n(precision)} + {n(1 - alpha)} × {n(recall)}"
        written = f"{n(precision)} × {n(recall)} / ({divisor})"
    return Step(label, meaning, written if value else "0", value)
