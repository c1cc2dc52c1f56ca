"""Ways through settings: where they lead, and what they may not do."""

from collections.abc import Sequence

import numpy as np
import pytest

from tenbin.core.arrays import FloatArray
from tenbin.core.errors import UsageError
from tenbin.tuning.parameters import Setting, grid, parse_parameters
from tenbin.tuning.search import (
    Objective,
    Search,
    ascent,
    best_place,
    listed_settings,
)

PARAMETERS = parse_parameters(["x=0:9:1", "y=0:9:1", "z=0:9:1"])


def number(setting: Setting, name: str) -> float:
    """Return the value of a parameter; 0 where it stays as it is."""
    value = dict(setting).get(name, 0)
    assert isinstance(value, int | float)
    return float(value)


def hill(top: dict[str, float]) -> tuple[list[Setting], Objective]:
    """Return a list of what will be asked, and an objective with one summit."""
    asked: list[Setting] = []

    def objective(settings: Sequence[Setting]) -> FloatArray:
        asked.extend(settings)
        return np.array([-sum((number(s, n) - v) ** 2 for n, v in top.items()) for s in settings])

    return asked, objective


def test_ascent_finds_the_summit_without_trying_everything() -> None:
    asked, objective = hill({"x": 3, "y": 8, "z": 1})
    found = ascent(PARAMETERS, objective)
    assert found == (("x", 3), ("y", 8), ("z", 1))
    assert len(set(asked)) < len(grid(PARAMETERS)) / 10


def test_ascent_goes_round_again_while_it_rises() -> None:
    def ridge(settings: Sequence[Setting]) -> FloatArray:
        # One step of x allows one of y: a single round would stop early.
        points = [(number(s, "x"), number(s, "y")) for s in settings]
        return np.array([x + y if abs(x - y) <= 1 else -1.0 for x, y in points])

    two = PARAMETERS[:2]
    assert dict(ascent(two, ridge)) == {"x": 9, "y": 9}


def test_ascent_stays_where_nothing_is_better() -> None:
    def flat(settings: Sequence[Setting]) -> FloatArray:
        return np.ones(len(settings))

    assert ascent(PARAMETERS, flat, (("x", 4),)) == (("x", 4),)


def test_ascent_leaves_an_undefined_start() -> None:
    def only_five(settings: Sequence[Setting]) -> FloatArray:
        return np.array([1.0 if dict(s).get("x") == 5 else np.nan for s in settings])

    assert ascent(PARAMETERS[:1], only_five) == (("x", 5),)


def test_random_settings_are_distinct_and_come_from_the_seed() -> None:
    def drawn(seed: int, trials: int) -> list[Setting]:
        rng = np.random.default_rng(seed)
        return listed_settings(PARAMETERS, Search.RANDOM, trials, rng)

    assert len(set(drawn(1, 300))) == 300
    assert drawn(1, 20) == drawn(1, 20)
    assert drawn(1, 20) != drawn(2, 20)
    assert set(drawn(1, 300)) <= set(grid(PARAMETERS))


def test_as_many_trials_as_settings_are_the_grid() -> None:
    found = listed_settings(PARAMETERS, Search.RANDOM, 5_000, np.random.default_rng(1))
    assert found == grid(PARAMETERS)


def test_a_huge_grid_can_be_drawn_from_but_not_walked() -> None:
    huge = parse_parameters([f"{name}=0:1:0.001" for name in "abc"])
    found = listed_settings(huge, Search.RANDOM, 50, np.random.default_rng(1))
    assert len(set(found)) == 50
    with pytest.raises(UsageError, match=r"1,003,003,001 settings"):
        listed_settings(huge, Search.GRID, 50, np.random.default_rng(1))


def test_the_first_of_equals_is_the_best_and_undefined_ones_never() -> None:
    assert best_place(np.array([np.nan, 2.0, 3.0, 3.0])) == 2
    assert best_place(np.array([np.nan, np.nan])) is None
