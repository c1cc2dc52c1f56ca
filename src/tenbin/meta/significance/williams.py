"""Williams' test: do two metrics correlate differently with the same human scores?

Williams (1959); Graham, Baldwin (2014), "Testing for Significance of Increased Correlation with
Human Judgment".
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.meta.measures.coefficients import PEARSON, correlation
from tenbin.meta.measures.p_values import t_upper_tail

_LOST_DEGREES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class WilliamsTest:
    """The result of a test.

    Attributes:
        statistic: Student's t; positive if the first metric correlates better.
        one_sided: Probability of a t as far from 0 or farther on the side of the better metric.
        two_sided: The same on either side.
    """

    statistic: float
    one_sided: float
    two_sided: float


def williams(r12: float, r13: float, r23: float, n: int) -> WilliamsTest:
    """Test whether human scores (1) correlate with metric 2 otherwise than with metric 3.

    Args:
        r12: Correlation of human scores with one metric.
        r13: Correlation of human scores with the other.
        r23: Correlation of the two metrics.
        n: Observations; three or fewer give no result.

    >>> round(williams(0.9, 0.8, 0.85, 12).one_sided, 6)
    0.119804
    """
    if n <= _LOST_DEGREES:
        return WilliamsTest(statistic=np.nan, one_sided=np.nan, two_sided=np.nan)
    k = max(1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23, 0.0)
    variance = 2 * k * (n - 1) / (n - 3) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    numerator = (r12 - r13) * np.sqrt((n - 1) * (1 + r23))
    if variance <= 0:  # the metrics order everything alike
        statistic = 0.0 if numerator == 0 else float(np.copysign(np.inf, numerator))
    else:
        statistic = float(numerator / np.sqrt(variance))
    tail = t_upper_tail(abs(statistic), n - _LOST_DEGREES)
    return WilliamsTest(statistic=statistic, one_sided=tail, two_sided=2 * tail)


def williams_matrix(gold: FloatArray, metrics: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Test every pair of metrics on the same observations.

    Args:
        gold: Human scores ``(n,)``, none missing.
        metrics: Scores of each metric ``(metrics, n)``.

    Returns:
        Pearson's r of each metric, and one-sided p-values ``(metrics, metrics)``, symmetric: of the
        better one of the two being better. 1 on the diagonal.
    """
    values = np.array([correlation(PEARSON, gold, row) for row in metrics])
    p_values = np.ones((len(metrics), len(metrics)))
    for one in range(len(metrics)):
        for other in range(one):
            between = correlation(PEARSON, metrics[one], metrics[other])
            test = williams(values[one], values[other], between, len(gold))
            p_values[one, other] = p_values[other, one] = test.one_sided
    return values, p_values


def not_outperformed(
    names: Sequence[str], values: FloatArray, p_values: FloatArray, *, alpha: float = 0.05
) -> list[str]:
    """Return the winners in the sense of WMT: metrics that no other one beats significantly.

    Args:
        names: The metrics.
        values: Measure of each.
        p_values: ``(metrics, metrics)``, symmetric, as in `williams_matrix`.
        alpha: Level of significance.
    """
    beaten = np.any((values[:, None] > values[None, :]) & (p_values <= alpha), axis=0)
    return [name for name, lost in zip(names, beaten.tolist(), strict=True) if not lost]
