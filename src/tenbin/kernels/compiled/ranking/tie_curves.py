"""Compiled twin of `kernels.ranking.tie_curves`: follows each curve twice and stores none."""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import FloatArray, IntArray
from tenbin.kernels.compiled.jit import jit

_NOISE = 1e-12


@jit
def best_along(
    start: FloatArray,
    gains: FloatArray,
    left: IntArray,
    right: IntArray,
    weights: FloatArray,
    ends: npt.NDArray[np.bool_],
) -> tuple[FloatArray, IntArray]:
    """Return the highest value of each curve and the first step at which it is reached."""
    values = np.empty(start.size)
    steps = np.empty(start.size, dtype=np.int64)
    for sample in range(start.size):
        row = weights[sample]
        best = value = start[sample]
        for step in range(gains.size):
            value += gains[step] * row[left[step]] * row[right[step]]
            if ends[step] and value > best:
                best = value
        values[sample] = best
        steps[sample] = -1
        value = start[sample]
        if value >= best - _NOISE:
            continue
        for step in range(gains.size):
            value += gains[step] * row[left[step]] * row[right[step]]
            if ends[step] and value >= best - _NOISE:
                steps[sample] = step
                break
    return values, steps
