"""P-values of correlation coefficients and quantiles of Student's t, by scipy."""

import math

from scipy import special

from tenbin.core.arrays import FloatArray

# Rounding leaves a perfect correlation this far from 1.
_ROUNDING = 4e-16


def t_upper_tail(t: float, degrees: float) -> float:
    """Return the probability that Student's t exceeds ``t``.

    >>> round(t_upper_tail(3.182446, 3), 6)
    0.025
    """
    # The lower tail of -t: 1 - stdtr(t) would lose the digits of a small p.
    return float(special.stdtr(degrees, -t)) if degrees > 0 else math.nan


def t_quantile(probability: float, degrees: float) -> float:
    """Return the t below which Student's t falls with a probability.

    >>> round(t_quantile(0.975, 3), 6), round(t_quantile(0.975, 999), 6)
    (3.182446, 1.962341)
    """
    return float(special.stdtrit(degrees, probability))


def pearson_p(value: float, items: int) -> float:
    """Return the two-sided p of Pearson's r; 1 for two items, which always lie on a line."""
    if math.isnan(value):
        return math.nan
    return 1.0 if items == 2 else _p_of_r(value, items)  # noqa: PLR2004 - two points


def spearman_p(value: float, items: int) -> float:
    """Return the two-sided p of Spearman's rho; NaN for two items."""
    return _p_of_r(value, items) if items > 2 else math.nan  # noqa: PLR2004 - two points


def kendall_p(gold: FloatArray, metric: FloatArray) -> float:
    """Return the two-sided p of Kendall's tau: exact for few items without ties, else normal."""
    from scipy.stats import kendalltau  # noqa: PLC0415 - takes half a second

    return float(kendalltau(gold, metric).pvalue)


def _p_of_r(value: float, items: int) -> float:
    degrees = items - 2
    if math.isnan(value):
        return math.nan
    if abs(value) >= 1 - _ROUNDING:
        return 0.0
    t = abs(value) * math.sqrt(degrees / ((1 - value) * (1 + value)))
    return 2 * t_upper_tail(t, degrees)
