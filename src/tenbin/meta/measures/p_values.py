"""Student's t distribution, and p-values of coefficients of correlation, without scipy."""

import math

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.kernels.ranking.order_counts import DISCORDANT, order_counts

_MOST_TERMS = 10_000
_SMALLEST = 1e-300
_PRECISION = 1e-16
_ROUNDING = 4e-16
# Up to this many items scipy counts permutations instead of taking the normal distribution.
_EXACT_ITEMS = 33
_LARGEST_FACTORIAL = 171


def t_upper_tail(t: float, degrees: float) -> float:
    """Return the probability that Student's t exceeds ``t``.

    >>> round(t_upper_tail(3.182446, 3), 6)
    0.025
    """
    if math.isnan(t) or degrees <= 0:
        return math.nan
    if math.isinf(t):
        return 0.0 if t > 0 else 1.0
    # Of x and 1 - x the one computed without subtraction keeps the digits of a small p.
    tail = _incomplete_beta(degrees / 2, 0.5, degrees, t * t) / 2
    return tail if t >= 0 else 1 - tail


def t_quantile(probability: float, degrees: float) -> float:
    """Return the t below which Student's t falls with a probability of at least one half.

    >>> round(t_quantile(0.975, 3), 6), round(t_quantile(0.975, 999), 6)
    (3.182446, 1.962341)
    """
    low, high = 0.0, 1.0
    while t_upper_tail(high, degrees) > 1 - probability:
        high *= 2
    middle = high
    while high - low > _PRECISION * high * 4:
        middle = (low + high) / 2
        if middle in {low, high}:
            break
        if t_upper_tail(middle, degrees) > 1 - probability:
            low = middle
        else:
            high = middle
    return middle


def pearson_p(value: float, items: int) -> float:
    """Return the two-sided p of Pearson's r; 1 for two items, which always lie on a line."""
    if math.isnan(value):
        return math.nan
    if items == 2:  # noqa: PLR2004 - two points
        return 1.0
    return _p_of_r(value, items)


def spearman_p(value: float, items: int) -> float:
    """Return the two-sided p of Spearman's rho; NaN for two items."""
    return _p_of_r(value, items) if items > 2 else math.nan  # noqa: PLR2004 - two points


def kendall_p(gold: FloatArray, metric: FloatArray) -> float:
    """Return the two-sided p of Kendall's tau.

    By counting permutations where nothing is tied and there are few items or hardly any pair out of
    order, else by the normal approximation with Kendall's correction for ties.
    """
    counts = order_counts(gold, metric, np.array([0, len(gold)]))[0, 0]
    size = len(gold)
    pairs = size * (size - 1) // 2
    discordant = int(counts[DISCORDANT])
    ties = [np.unique(row, return_counts=True)[1].astype(np.float64) for row in (gold, metric)]
    if any(len(heights) <= 1 for heights in ties):
        return math.nan
    fewest = min(discordant, pairs - discordant)
    untied = all(len(heights) == size for heights in ties)
    if untied and (size <= _EXACT_ITEMS or fewest <= 1):
        return _exact_kendall_p(size, fewest)
    (x, x0, x1), (y, y0, y1) = (
        (
            float((t * (t - 1) / 2).sum()),
            float((t * (t - 1) * (t - 2)).sum()),
            float((t * (t - 1) * (2 * t + 5)).sum()),
        )
        for t in ties
    )
    m = size * (size - 1.0)
    variance = (m * (2 * size + 5) - x1 - y1) / 18 + 2 * x * y / m + x0 * y0 / (9 * m * (size - 2))
    difference = int(counts[0]) - discordant
    return math.erfc(abs(difference) / math.sqrt(variance) / math.sqrt(2))


def _p_of_r(value: float, items: int) -> float:
    degrees = items - 2
    if math.isnan(value):
        return math.nan
    if abs(value) >= 1 - _ROUNDING:
        return 0.0
    t = abs(value) * math.sqrt(degrees / ((1 - value) * (1 + value)))
    return 2 * t_upper_tail(t, degrees)


def _exact_kendall_p(size: int, fewest: int) -> float:
    """Return the share of permutations with at most so many pairs out of order, on both sides."""
    if size <= 2 or 4 * fewest == size * (size - 1):  # noqa: PLR2004
        return 1.0
    if size >= _LARGEST_FACTORIAL:
        return 0.0
    ways = [1] + [0] * fewest
    for items in range(2, size + 1):
        # A further item can be put before 0 to items - 1 of the others.
        sums = np.cumsum(np.array(ways, dtype=object))
        ways = [
            int(total - (sums[place - items] if place >= items else 0))
            for place, total in enumerate(sums)
        ]
    return min(1.0, 2 * sum(ways) / math.factorial(size))


def _incomplete_beta(a: float, b: float, one: float, other: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b) at x = one / (one + other)."""
    x, y = one / (one + other), other / (one + other)
    if y == 0:
        return 1.0
    # The continued fraction converges quickly below this point; above it, by symmetry.
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, other, one)
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(logarithm + a * math.log(x) + b * math.log(y)) / a
    return front * _fraction(a, b, x)


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _away_from_zero(1 + term * d)
            c = _away_from_zero(1 + term / c)
            value *= c * d
        if abs(c * d - 1) < _PRECISION * 4:
            break
    return value


def _away_from_zero(number: float) -> float:
    return number if abs(number) > _SMALLEST else _SMALLEST
