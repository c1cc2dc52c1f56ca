"""Compiled twin of `tenbin.kernels.similarity.threshold_sums`.

Each similarity is looked up among the bounds once and added to what belongs between two of them;
running sums from the highest bound down give every threshold. The sums are whole numbers, so this
order changes nothing. The look-up starts from a table of small intervals, most of which no bound
falls into; a binary search would spend its time on branches that no processor can foresee.
"""

import numpy as np

from tenbin.kernels.arrays import Float32Array, FloatArray, IdArray, IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.similarity.threshold_sums import STEPS_PER_ONE

_LOWEST = np.float32(-np.inf)
_INTERVALS = 1024  # of the similarities from -1 to 1


@jit
def threshold_sums(
    blocks: Float32Array,
    starts: IntArray,
    heights: IntArray,
    widths: IntArray,
    bounds: FloatArray,
) -> FloatArray:
    """Return sums and counts of counted entries, row maxima and column maxima."""
    sums = np.empty((heights.size, bounds.size, 6))
    reached = _reached(bounds)
    # Place k: what reaches the first k bounds and no other.
    between = np.empty((bounds.size + 1, 6), dtype=np.int64)
    best = np.empty(widths.max() if widths.size else 0, dtype=np.float32)
    for pair in range(heights.size):
        height, width = heights[pair], widths[pair]
        between[:] = 0
        best[:width] = _LOWEST
        for i in range(height):
            row = blocks[starts[pair] + i * width : starts[pair] + (i + 1) * width]
            best_of_row = _LOWEST
            for j in range(width):
                value = row[j]
                _add(value, bounds, reached, between, 0)
                best_of_row = max(best_of_row, value)
            for j in range(width):
                best[j] = max(best[j], row[j])
            if width > 0:
                _add(best_of_row, bounds, reached, between, 2)
        if height > 0:
            for j in range(width):
                _add(best[j], bounds, reached, between, 4)
        _run_down(between, sums[pair])
    return sums


@jit
def link_sums(
    blocks: Float32Array,
    starts: IntArray,
    widths: IntArray,
    columns: IdArray,
    column_offsets: IntArray,
    bounds: FloatArray,
) -> FloatArray:
    """Return sums and counts of counted links."""
    sums = np.empty((widths.size, bounds.size, 2))
    reached = _reached(bounds)
    between = np.empty((bounds.size + 1, 2), dtype=np.int64)
    for pair in range(widths.size):
        between[:] = 0
        first = column_offsets[pair]
        for i in range(column_offsets[pair + 1] - first):
            if columns[first + i] >= 0:
                value = blocks[starts[pair] + i * widths[pair] + columns[first + i]]
                _add(value, bounds, reached, between, 0)
        _run_down(between, sums[pair])
    return sums


@jit
def _add(
    value: np.float32, bounds: FloatArray, reached: IntArray, between: IntArray, kind: int
) -> None:
    """Add a similarity, and 1, to two columns of its place among the bounds."""
    exact = np.float64(value)
    place = reached[_interval(exact)]
    while place < bounds.size and exact >= bounds[place]:
        place += 1
    between[place, kind] += np.int64(exact * STEPS_PER_ONE)
    between[place, kind + 1] += 1


@jit
def _interval(value: float) -> int:
    """Return the interval of a similarity; a lower one never has a higher interval."""
    place = (value + 1.0) * (_INTERVALS / 2)
    if place >= _INTERVALS:
        return _INTERVALS
    return int(place) if place > 0.0 else 0


@jit
def _reached(bounds: FloatArray) -> IntArray:
    """Return how many bounds lie in lower intervals, per interval."""
    reached = np.zeros(_INTERVALS + 2, dtype=np.int64)
    for bound in bounds:
        reached[_interval(bound) + 1] += 1
    return np.cumsum(reached)


@jit
def _run_down(between: IntArray, sums: FloatArray) -> None:
    """Write, per bound, what lies above it; sums and counts alternate."""
    for kind in range(between.shape[1]):
        scale = STEPS_PER_ONE if kind % 2 == 0 else 1.0
        total = 0
        for k in range(sums.shape[0] - 1, -1, -1):
            total += between[k + 1, kind]
            sums[k, kind] = total / scale
