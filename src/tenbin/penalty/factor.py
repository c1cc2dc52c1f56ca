"""The factor by which wrong names and numbers lower a score."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from tenbin.core.arrays import FloatArray


class Scale(StrEnum):
    """How the cost of a wrong token is scaled.

    TOKENS: by the number of tokens of the segment, as in the paper, so that one wrong name in a
    long segment costs little. EACH: not at all; the worst one takes a fixed share off the score,
    the next one half of that, and so on, so that a few of them do not reduce a score to 0.
    """

    TOKENS = "tokens"
    EACH = "each"


def penalty_factor(
    coefficients: Sequence[float] | FloatArray,
    length: int,
    *,
    scale: Scale = Scale.TOKENS,
    strength: float = 1.0,
) -> float:
    """Return the factor of a precision or recall.

    Args:
        coefficients: How well each name or number was preserved, from 0 to 1.
        length: Number of tokens of the segment.
        scale: How the cost is scaled.
        strength: The share of the score that a wrong one takes off; with ``each``, the first one.

    >>> penalty_factor([0.0], 8), penalty_factor([0.0, 1.0], 8, scale=Scale.EACH, strength=0.5)
    (0.875, 0.5)
    >>> penalty_factor([0.0, 0.0], 8, scale=Scale.EACH, strength=0.5)
    0.25
    """
    losses = strength * (1 - np.asarray(coefficients, dtype=np.float64))
    if scale is Scale.EACH:
        worst_first = np.sort(losses)[::-1]
        return max(0.0, 1 - float(worst_first @ 0.5 ** np.arange(len(losses))))
    return 1 - float(losses.sum()) / max(length, len(losses), 1)


def harmonic(precision: float, recall: float) -> float:
    """Return the harmonic mean; 0 where both are 0."""
    total = precision + recall
    return 2 * precision * recall / total if total > 0 else 0.0
