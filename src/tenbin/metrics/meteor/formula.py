"""METEOR's arithmetic: from counts of matches to a score, for any stack of counts."""

from dataclasses import dataclass

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.metrics.f_score import f_of_inverses

LENGTHS = 4  # hypothesis, reference; function words of either
PER_STAGE = 4  # matched content and function words of the hypothesis, then of the reference
TAIL = 3  # chunks, matched words of the hypothesis and of the reference


@dataclass(frozen=True, slots=True, eq=False)
class MeteorParts:
    """What a METEOR score is made of; every field has the shape of the score."""

    precision: FloatArray
    recall: FloatArray
    mean: FloatArray
    fragmentation: FloatArray
    penalty: FloatArray
    score: FloatArray


def meteor_parts(
    statistics: FloatArray,
    weights: FloatArray,
    *,
    alpha: float,
    beta: float,
    gamma: float,
    delta: float,
) -> MeteorParts:
    """Return precision, recall, their mean, the penalty and the score.

    Content words weigh delta, function words 1 - delta. Denkowski and Lavie (2014), section 2.

    Args:
        statistics: Shape (..., 4 + 4 * stages + 3): lengths, function words, matches by stage
            (hypothesis content, hypothesis function, reference content, reference function),
            chunks, matched words of both sides.
        weights: Weight of each stage.
        alpha: Weight of recall.
        beta: Exponent of the fragmentation.
        gamma: Weight of the penalty.
        delta: Weight of content words.
    """
    own, other, own_function, other_function = np.moveaxis(statistics[..., :LENGTHS], -1, 0)
    stages = statistics[..., LENGTHS:-TAIL].reshape(*statistics.shape[:-1], len(weights), PER_STAGE)
    chunks, own_matched, other_matched = np.moveaxis(statistics[..., -TAIL:], -1, 0)
    # Stage by stage, not as a matrix product, whose last bit depends on how many rows there are.
    sums = np.zeros((*statistics.shape[:-1], PER_STAGE))
    for stage, weight in enumerate(weights):
        sums += weight * stages[..., stage, :]
    precision = _ratio(
        delta * sums[..., 0] + (1 - delta) * sums[..., 1],
        delta * (own - own_function) + (1 - delta) * own_function,
    )
    recall = _ratio(
        delta * sums[..., 2] + (1 - delta) * sums[..., 3],
        delta * (other - other_function) + (1 - delta) * other_function,
    )
    mean = f_of_inverses(precision, recall, alpha)
    fragmentation = _ratio(chunks, (own_matched + other_matched) / 2)
    penalty = gamma * fragmentation**beta
    score = np.maximum(mean * (1 - penalty), 0.0)
    return MeteorParts(precision, recall, mean, fragmentation, penalty, score)


def penalized_matches(statistics: FloatArray, factors: FloatArray) -> FloatArray:
    """Return statistics whose matches are multiplied by factors of precision and recall.

    They add up as any others. Chunks and matched words stay: what is wrong is no worse ordered.

    Args:
        statistics: Shape (pairs, 4 + 4 * stages + 3), as `meteor_parts` takes it.
        factors: Shape (pairs, 2).

    >>> row = np.array([[4.0, 4, 0, 0, 2, 1, 2, 1, 1, 3, 3]])
    >>> penalized_matches(row, np.array([[0.5, 1.0]])).tolist()
    [[4.0, 4.0, 0.0, 0.0, 1.0, 0.5, 2.0, 1.0, 1.0, 3.0, 3.0]]
    """
    stages = (statistics.shape[1] - LENGTHS - TAIL) // PER_STAGE
    by_stage = np.repeat(factors, PER_STAGE // 2, axis=1)
    lowered = statistics.astype(np.float64)
    lowered[:, LENGTHS:-TAIL] *= np.tile(by_stage, stages)
    return lowered


def _ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    out = np.zeros(np.shape(denominator))
    ratio: FloatArray = np.divide(numerator, denominator, out=out, where=denominator > 0)
    return ratio
