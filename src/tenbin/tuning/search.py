"""Ways through the settings of a metric: all of them, some at random, one parameter at a time."""

from collections.abc import Callable, Sequence
from enum import StrEnum

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.errors import UsageError
from tenbin.tuning.parameters import (
    MOST_SETTINGS,
    Setting,
    TunedParameter,
    grid,
    grid_size,
    with_value,
)

DEFAULT_TRIALS = 100
_MOST_ROUNDS = 20

Objective = Callable[[Sequence[Setting]], FloatArray]
"""The measure of each setting, NaN where it is undefined."""


class Search(StrEnum):
    """How settings are looked for."""

    GRID = "grid"
    COORDINATE = "coordinate"
    RANDOM = "random"


def listed_settings(
    parameters: Sequence[TunedParameter], search: Search, trials: int, rng: np.random.Generator
) -> list[Setting]:
    """Return the settings that are tried whatever their values are; none in coordinate search.

    Raises:
        UsageError: The grid is too large.
    """
    if search is Search.COORDINATE:
        return []
    size = grid_size(parameters)
    if search is Search.RANDOM and trials < size:
        return _drawn(parameters, trials, rng)
    if size > MOST_SETTINGS:
        raise UsageError(
            f"the grid has {size:,} settings, more than {MOST_SETTINGS:,}; take larger steps, or "
            "search by coordinate or at random (--search random --trials 100)."
        )
    return grid(parameters)


def ascent(
    parameters: Sequence[TunedParameter], objective: Objective, start: Setting = ()
) -> Setting:
    """Return where changing one parameter at a time leads to, as long as the measure rises.

    Every round goes through the parameters in their order and takes the best value of each, the
    others staying as they are.
    """
    current, height = start, float(objective([start])[0])
    for _ in range(_MOST_ROUNDS):
        before = current
        for parameter in parameters:
            tried = [with_value(current, parameter.name, v, parameters) for v in parameter.values]
            values = objective(tried)
            best = best_place(values)
            if best is not None and not values[best] <= height:
                current, height = tried[best], float(values[best])
        if current == before:
            break
    return current


def best_place(values: FloatArray) -> int | None:
    """Return the place of the highest value, the first of equals; None if all are undefined."""
    if np.isnan(values).all():
        return None
    return int(np.nanargmax(values))


def _drawn(
    parameters: Sequence[TunedParameter], trials: int, rng: np.random.Generator
) -> list[Setting]:
    """Return distinct settings, drawn evenly."""
    sizes = [len(parameter.values) for parameter in parameters]
    if grid_size(parameters) <= MOST_SETTINGS:
        places = rng.permutation(grid_size(parameters))[:trials]
        rows = np.stack(np.unravel_index(places, sizes), axis=1).tolist()
    else:
        distinct: dict[tuple[int, ...], None] = {}
        while len(distinct) < trials:
            distinct[tuple(rng.integers(sizes).tolist())] = None
        rows = [list(row) for row in distinct]
    return [
        tuple((one.name, one.values[p]) for one, p in zip(parameters, row, strict=True))
        for row in rows
    ]
