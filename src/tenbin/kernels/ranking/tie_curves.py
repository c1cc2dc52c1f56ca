"""The best value along a curve that changes pair by pair, for many weightings of the pairs."""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import FloatArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

# Steps of all curves; the plain twin makes about a hundred million a second.
_WORTH_COMPILING = 100_000_000
# Sums of other rounding are the same point; differences between candidates are far larger.
NOISE = 1e-12


def best_along(
    start: FloatArray,
    gains: FloatArray,
    left: IntArray,
    right: IntArray,
    weights: FloatArray,
    ends: npt.NDArray[np.bool_],
) -> tuple[FloatArray, IntArray]:
    """Return the highest value of each curve and the first step at which it is reached.

    Curve ``r`` begins at ``start[r]``; step ``p`` adds
    ``gains[p] * weights[r, left[p]] * weights[r, right[p]]``. Only the beginning and the steps
    marked in ``ends`` count: steps in between belong together.

    Args:
        start: ``(samples,)``.
        gains: ``(steps,)``.
        left: Unit of each step.
        right: The other unit of each step.
        weights: ``(samples, units)``.
        ends: Where the curve may be read.

    Returns:
        The values ``(samples,)`` and the steps, -1 for the beginning.
    """
    work = len(start) * len(gains)
    compiled = compiled_twin("ranking.tie_curves", work=work, threshold=_WORTH_COMPILING)
    twin = plain_best_along if compiled is None else compiled.best_along
    values, steps = twin(start, gains, left, right, weights, ends)
    return values, steps


def plain_best_along(
    start: FloatArray,
    gains: FloatArray,
    left: IntArray,
    right: IntArray,
    weights: FloatArray,
    ends: npt.NDArray[np.bool_],
) -> tuple[FloatArray, IntArray]:
    """Return what `best_along` returns, one whole curve after the other."""
    readable = np.concatenate([[True], ends])
    places = np.flatnonzero(readable)
    values = np.empty(len(start))
    steps = np.empty(len(start), dtype=np.int64)
    for sample, row in enumerate(weights):
        changes = gains * row[left] * row[right]
        curve = np.cumsum(np.concatenate([start[sample : sample + 1], changes]))[readable]
        values[sample] = curve.max()
        steps[sample] = places[np.argmax(curve >= values[sample] - NOISE)] - 1
    return values, steps
