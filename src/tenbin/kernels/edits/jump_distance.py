"""Edit distance that may jump back and forth in the hypothesis at the blanks of the reference.

This is the number behind EED (Stanchev, Wang and Ney, 2019, "EED: Extended Edit Distance Measure
for Machine Translation"). Rows are characters as code points; both sides are wrapped in a blank
here, so that a jump is possible at either end.

The authors published two programs that differ: `jump_distance` is the definition of the paper and
of their Python function, `truncated_jump_distance` is what their command-line program computes.
"""

from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import FloatArray, IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

BLANK = ord(" ")

# Grid cells the plain twin fills in about the two seconds that starting numba takes.
_THRESHOLD = 6_000_000

_Reals = npt.NDArray[np.floating[Any]]


class JumpCosts(NamedTuple):
    """What each operation costs; a substitution and a step along the left edge always cost 1.

    The defaults are those of the programs of Stanchev et al. (2019).
    """

    jump: float = 2.0
    """A jump to any position of the hypothesis (alpha)."""
    coverage: float = 0.3
    """Each position of the hypothesis visited more than once, or never (rho)."""
    deletion: float = 0.2
    """A character of the hypothesis that is passed over."""
    insertion: float = 1.0
    """A character of the reference that is missing from the hypothesis."""


def jump_distance(
    values: IdArray, offsets: IntArray, left: IntArray, right: IntArray, costs: JumpCosts
) -> FloatArray:
    """Return the extended edit distance of each pair, in 0..1.

    Per reference character one row of a grid over hypothesis positions is filled; the first
    cheapest position of each row is visited, and where the character is a blank every position may
    be reached from there for ``costs.jump``. With c = ``costs.coverage`` times the number of
    positions never visited plus the visits beyond the first, the distance is
    min(1, (cost of the last position + c) / (reference length + c)). Lengths include the two
    blanks, so empty rows need no special case. Equal rows give a little more than 0, as some
    position is always left unvisited.

    Args:
        values: Code points of all rows.
        offsets: Row r is ``values[offsets[r]:offsets[r + 1]]``, without wrapping blanks.
        left: Hypothesis row of each pair.
        right: Reference row of each pair.
        costs: Cost of each operation.

    Returns:
        Array of shape (pairs,).

    Example:
        >>> from tenbin.kernels.edits.jump_distance import JumpCosts, jump_distance
        >>> values = np.array([97, 98], dtype=np.int32)
        >>> rows = np.array([0]), np.array([1])
        >>> jump_distance(values, np.array([0, 1, 2]), *rows, JumpCosts()).round(6).tolist()
        [0.487179]
    """
    compiled = compiled_twin(
        "edits.jump_distance", work=_cells(offsets, left, right), threshold=_THRESHOLD
    )
    twin = plain_jump_distance if compiled is None else compiled.jump_distance
    distances: FloatArray = twin(values, offsets, left, right, costs)
    return distances


def truncated_jump_distance(
    values: IdArray, offsets: IntArray, left: IntArray, right: IntArray, costs: JumpCosts
) -> FloatArray:
    """Return the distance of the authors' command-line program (C++) for each pair, in 0..1.

    It departs from `jump_distance` in three ways: the running minimum of a row is stored as an
    integer, so the position visited is the last one found below the truncated minimum and often not
    the cheapest; position 0 does not count towards coverage; all arithmetic is in single precision.
    Equal rows give 0. Arguments and shape are those of `jump_distance`.
    """
    compiled = compiled_twin(
        "edits.jump_distance", work=_cells(offsets, left, right), threshold=_THRESHOLD
    )
    twin = plain_truncated_jump_distance if compiled is None else compiled.truncated_jump_distance
    distances: FloatArray = twin(values, offsets, left, right, costs)
    return distances


def plain_jump_distance(
    values: IdArray, offsets: IntArray, left: IntArray, right: IntArray, costs: JumpCosts
) -> FloatArray:
    """Return the same numbers as `jump_distance`, a grid row at a time."""
    distances = np.empty(len(left))
    double = np.array(costs, dtype=np.float64)
    for pair, (hypothesis, reference) in enumerate(zip(left, right, strict=True)):
        wrapped = _wrapped(values, offsets, int(reference))
        row, visits = _last_row(
            _wrapped(values, offsets, int(hypothesis)), wrapped, double, truncated=False
        )
        coverage = costs.coverage * _counted(visits)
        distances[pair] = min(1.0, (row[-1] + coverage) / (len(wrapped) + coverage))
    return distances


def plain_truncated_jump_distance(
    values: IdArray, offsets: IntArray, left: IntArray, right: IntArray, costs: JumpCosts
) -> FloatArray:
    """Return the same numbers as `truncated_jump_distance`, a grid row at a time."""
    distances = np.empty(len(left))
    single = np.array(costs, dtype=np.float32)
    for pair, (hypothesis, reference) in enumerate(zip(left, right, strict=True)):
        wrapped = _wrapped(values, offsets, int(reference))
        row, visits = _last_row(
            _wrapped(values, offsets, int(hypothesis)), wrapped, single, truncated=True
        )
        coverage = single[JumpCosts._fields.index("coverage")] * np.float32(_counted(visits[1:]))
        share = (row[-1] + coverage) / (np.float32(len(wrapped)) + coverage)
        distances[pair] = min(np.float32(1), share)
    return distances


def _last_row(
    hypothesis: IdArray, reference: IdArray, costs: _Reals, *, truncated: bool
) -> tuple[_Reals, IntArray]:
    """Return the grid row of the last reference character and the visits of each position.

    All arithmetic is in the type of ``costs``.
    """
    jump, _, deletion, insertion = costs
    row = np.ones(len(hypothesis) + 1, dtype=costs.dtype)
    row[0] = 0
    visits = np.full(len(row), -1)
    for symbol in reference:
        along = np.minimum(row[:-1] + (hypothesis != symbol), row[1:] + insertion)
        passing = accumulate(
            along,
            lambda last, best: min(last + deletion, best),
            initial=row[0] + costs.dtype.type(1),
        )
        row = np.fromiter(passing, costs.dtype, len(row))
        visited = _truncated_minimum(row) if truncated else int(np.argmin(row))
        visits[visited] += 1
        if symbol == BLANK:
            row = np.minimum(row, jump + row[visited])
    return row, visits


def _truncated_minimum(row: _Reals) -> int:
    """Return the position a scan ends at when it remembers the minimum without its fraction."""
    position, minimum = 0, int(row[0])
    for candidate, value in enumerate(row):
        if value < minimum:
            position, minimum = candidate, int(value)
    return position


def _counted(visits: IntArray) -> int:
    """Return the visits that coverage charges: those after the first, and 1 where there is none."""
    return int(np.where(visits < 0, 1, visits).sum())


def _wrapped(values: IdArray, offsets: IntArray, number: int) -> IdArray:
    return np.pad(values[offsets[number] : offsets[number + 1]], 1, constant_values=BLANK)


def _cells(offsets: IntArray, left: IntArray, right: IntArray) -> int:
    lengths = np.diff(offsets) + 2
    return int(lengths[left] @ lengths[right])
