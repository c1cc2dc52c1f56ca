"""The curve from a difference to the chance of agreement: a logistic curve with a ceiling.

An observation is a difference of at least 0, and whether somebody else agrees with its sign. The
chance of that is one half at a difference of 0, which says nothing, and rises to a ceiling that may
be below 1, because some disagree however large the difference is:

    1/2 + (ceiling - 1/2) * tanh(slope * difference / 2)

With a ceiling of 1 this is the logistic curve ``1 / (1 + exp(-slope * difference))``.
"""

import numpy as np
from scipy.optimize import minimize

from tenbin.stats.arrays import FloatArray

_CEILINGS = np.linspace(0.6, 1.0, 41)
# Times the median difference, from a curve that hardly rises to one that rises at once: 6 % apart.
_SLOPES = np.concatenate([[0.0], np.geomspace(0.02, 200.0, 160)])
_BLOCK = 250  # samples at a time
_LEAST_CHANCE = 1e-12
_NEAR = 1e-10


def agreement_chance(
    differences: FloatArray, slope: float | FloatArray, ceiling: float | FloatArray
) -> FloatArray:
    """Return the chance of agreement with each difference.

    >>> agreement_chance(np.array([0.0, 2.0]), 1.0, 1.0).round(4).tolist()
    [0.5, 0.8808]
    """
    chances: FloatArray = 0.5 + (ceiling - 0.5) * np.tanh(0.5 * slope * differences)
    return chances


def fitted_curve(
    differences: FloatArray, agreements: FloatArray, weights: FloatArray | None = None
) -> tuple[float, float]:
    """Return the slope and the ceiling of the greatest likelihood.

    Args:
        differences: At least 0, shape (observations,).
        agreements: 1 where the other side agrees, 0 where it does not, one half for half of each.
        weights: How often each observation counts; None for once.

    Returns:
        NaN where there is nothing to fit: no difference above 0, or no disagreement at all, so that
        the steepest curve is the best.
    """
    counted = np.ones(len(differences)) if weights is None else weights
    is_told = (differences > 0) & (counted > 0)
    if not is_told.any() or np.all(agreements[is_told] == 1):
        return np.nan, np.nan
    slopes, ceilings = fitted_on_grid(differences, agreements, counted[None, :])
    if slopes[0] == 0:
        return 0.0, 1.0
    scale = _scale(differences)

    def loss(parameters: FloatArray) -> float:
        chances = agreement_chance(differences, np.exp(parameters[0]) / scale, parameters[1])
        return -float(counted @ _log_likelihood(agreements, chances))

    # From the best point of the grid, and within one step of it.
    start = np.array([np.log(slopes[0] * scale), ceilings[0]])
    step, width = np.log(_SLOPES[2] / _SLOPES[1]), _CEILINGS[1] - _CEILINGS[0]
    found = minimize(
        loss,
        start,
        method="L-BFGS-B",
        bounds=(
            (start[0] - step, start[0] + step),
            (start[1] - width, min(start[1] + width, 1.0)),
        ),
        options={"ftol": _NEAR, "gtol": _NEAR},
    )
    best = found.x if found.fun <= loss(start) else start
    return float(np.exp(best[0]) / scale), float(best[1])


def fitted_on_grid(
    differences: FloatArray, agreements: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return slopes and ceilings of the greatest likelihood among those of a grid.

    One product of matrices serves all samples, so that a thousand of them take about a second.

    Args:
        differences: As in `fitted_curve`.
        agreements: As in `fitted_curve`.
        weights: How often each observation counts, shape (samples, observations).

    Returns:
        Two arrays of shape (samples,).
    """
    slopes = _SLOPES / _scale(differences)
    best = np.full(len(weights), -np.inf)
    found = np.zeros((2, len(weights)))
    for ceiling in _CEILINGS:
        chances = agreement_chance(differences[:, None], slopes[None, :], ceiling)
        logs = _log_likelihood(agreements[:, None], chances)
        for start in range(0, len(weights), _BLOCK):
            rows = slice(start, start + _BLOCK)
            likelihoods = weights[rows] @ logs
            places = likelihoods.argmax(axis=1)
            highest = likelihoods[np.arange(len(places)), places]
            is_better = highest > best[rows]
            best[rows] = np.where(is_better, highest, best[rows])
            found[0, rows] = np.where(is_better, slopes[places], found[0, rows])
            found[1, rows] = np.where(is_better, ceiling, found[1, rows])
    return found[0], found[1]


def _scale(differences: FloatArray) -> float:
    told = differences[differences > 0]
    return float(np.median(told)) if told.size else 1.0


def _log_likelihood(agreements: FloatArray, chances: FloatArray) -> FloatArray:
    agreeing = np.log(np.maximum(chances, _LEAST_CHANCE))
    disagreeing = np.log(np.maximum(1.0 - chances, _LEAST_CHANCE))
    logs: FloatArray = agreements * agreeing + (1.0 - agreements) * disagreeing
    return logs
