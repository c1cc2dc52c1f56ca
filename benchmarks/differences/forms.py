"""Which form a curve should have: the likelihood of test sets that a fit has not seen.

Every form is fitted on all years but one, and judged by the likelihood of the pairs of that year.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from tenbin.core.arrays import FloatArray
from tenbin.meta.curves import JudgedSystems, system_pairs

Curve = Callable[[FloatArray, FloatArray], FloatArray]
_LEAST = 1e-9
_SPREAD = (0.3, 1.0, 3.0)  # slopes to begin with, times one per median difference


@dataclass(frozen=True, slots=True)
class Form:
    """A form of the curve.

    Attributes:
        name: What it is called.
        start: Parameters to begin with.
        chance: From differences and parameters the chance of agreement.
    """

    name: str
    start: tuple[float, ...]
    chance: Curve


def _sigmoid(values: FloatArray | float) -> FloatArray:
    chances: FloatArray = 0.5 * (1 + np.tanh(0.5 * np.asarray(values)))
    return chances


def _logistic(differences: FloatArray, parameters: FloatArray) -> FloatArray:
    return _sigmoid(parameters[0] * differences)


def _ceiling(differences: FloatArray, parameters: FloatArray) -> FloatArray:
    chances: FloatArray = 0.5 + 0.5 * _sigmoid(parameters[1]) * np.tanh(
        0.5 * parameters[0] * differences
    )
    return chances


def _power(differences: FloatArray, parameters: FloatArray) -> FloatArray:
    return _sigmoid(parameters[0] * np.power(differences, np.exp(parameters[1])))


def _scaled(differences: FloatArray, parameters: FloatArray) -> FloatArray:
    return _sigmoid(parameters[1]) * _sigmoid(parameters[0] * differences)


FORMS = (
    Form("logistic", (1.0,), _logistic),
    Form("logistic with a ceiling", (1.0, 2.0), _ceiling),
    Form("logistic of a power", (1.0, 0.0), _power),
    # Kocmi et al. (2024); below one half at a difference of 0.
    Form("scaled sigmoid", (1.0, 3.0), _scaled),
)


def held_out_losses(places: Sequence[JudgedSystems]) -> dict[str, float]:
    """Return, by form, the mean negative log likelihood of a pair of a year left out."""
    data = [(one.place.partition(" ")[0], *system_pairs([one])) for one in places]
    scale = float(np.median(np.concatenate([differences for _, differences, _ in data])))
    losses = dict.fromkeys((form.name for form in FORMS), 0.0)
    count = sum(len(differences) for _, differences, _ in data)
    for year in dict.fromkeys(name for name, _, _ in data):
        seen = [(d / scale, a) for name, d, a in data if name != year]
        unseen = [(d / scale, a) for name, d, a in data if name == year]
        for form in FORMS:
            fitted = _fitted(form, *_joined(seen))
            losses[form.name] += _loss(form, fitted, *_joined(unseen)) / count
    return losses


def _joined(data: Sequence[tuple[FloatArray, FloatArray]]) -> tuple[FloatArray, FloatArray]:
    return np.concatenate([d for d, _ in data]), np.concatenate([a for _, a in data])


def _fitted(form: Form, differences: FloatArray, agreements: FloatArray) -> FloatArray:
    found = [
        minimize(
            lambda values: _loss(form, values, differences, agreements),
            (form.start[0] * factor, *form.start[1:]),
            method="Nelder-Mead",
        )
        for factor in _SPREAD
    ]
    best: FloatArray = min(found, key=lambda one: float(one.fun)).x
    return best


def _loss(
    form: Form, parameters: FloatArray, differences: FloatArray, agreements: FloatArray
) -> float:
    chances = np.clip(form.chance(differences, parameters), _LEAST, 1 - _LEAST)
    told = agreements * np.log(chances) + (1 - agreements) * np.log(1 - chances)
    return -float(told.sum()) + 1e-3 * float(np.sum(np.square(parameters[1:])))
