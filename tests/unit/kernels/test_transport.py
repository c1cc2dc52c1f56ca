"""Earth mover's distance: both twins, brute force, worked examples, exactness."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenbin.kernels.arrays import FloatArray, IntArray
from tenbin.kernels.compiled.transport import flow as compiled_module
from tenbin.kernels.transport import flow as plain_module
from tenbin.kernels.transport.flow import transport, transport_flows

Numbers = npt.ArrayLike
Problem = tuple[Numbers, Numbers, Numbers]  # costs (rows, columns), supplies, demands
Packed = tuple[FloatArray, IntArray, FloatArray, IntArray, FloatArray, IntArray]

TWINS = pytest.mark.parametrize("choice", ["plain", "compiled"], indirect=True)
LIMIT = plain_module._EXCHANGES_PER_CELL

# The vectors of the examples in the specification.
VECTORS = {
    "cat": (1, 0, 0),
    "kitten": (0.8, 0.6, 0),
    "dog": (0.6, 0.8, 0),
    "sat": (0, 0, 1),
    "sits": (0, 0.28, 0.96),
    "the": (0.6, 0, 0.8),
    "a": (0.48, 0.36, 0.8),
}


@pytest.fixture
def choice(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The twin that the public functions use in a test."""
    monkeypatch.setenv("TENBIN_KERNELS", request.param)
    return str(request.param)


def packed(problems: Sequence[Problem]) -> Packed:
    costs, starts = joined([costs for costs, _, _ in problems])
    supplies, supply_offsets = joined([supplies for _, supplies, _ in problems])
    return costs, starts, supplies, supply_offsets, *joined([demands for _, _, demands in problems])


def joined(parts: Sequence[Numbers]) -> tuple[FloatArray, IntArray]:
    flat = [np.asarray(part, dtype=np.float64).ravel() for part in parts]
    return np.concatenate([np.empty(0), *flat]), np.cumsum([0, *map(len, flat)], dtype=np.int64)


def least_costs(*problems: Problem) -> list[float]:
    return [float(value) for value in transport(*packed(problems))]


def solved(problem: Problem) -> tuple[float, FloatArray]:
    values, flows = transport_flows(*packed([problem]))
    return float(values[0]), flows.reshape(np.shape(problem[0]))


def brute_force(problem: Problem) -> float:
    """Send whole units one by one, in every way."""
    costs = np.asarray(problem[0])
    senders, takers = (
        np.repeat(np.arange(np.size(masses)), np.asarray(masses, dtype=np.int64))
        for masses in problem[1:]
    )
    if len(senders) > len(takers):
        senders, takers, costs = takers, senders, costs.T
    ways = itertools.permutations(takers, len(senders))
    return min((sum(costs[senders, list(way)]) for way in ways), default=0.0)


def cosines(left: str, right: str) -> FloatArray:
    rows, columns = (np.array([VECTORS[word] for word in text.split()]) for text in (left, right))
    products: FloatArray = rows @ columns.T
    return products


@st.composite
def small_problems(draw: st.DrawFn) -> Problem:
    """Whole masses of at most six on the lesser side, and costs with many ties, some negative."""
    supplies = draw(st.lists(st.integers(0, 3), max_size=4).filter(lambda m: sum(m) <= 5))
    demands = draw(st.lists(st.integers(0, 3), max_size=4).filter(lambda m: sum(m) <= 6))
    size = len(supplies) * len(demands)
    costs = draw(
        st.lists(st.sampled_from([0, 0.25, 0.3, 1, 7, -0.5]), min_size=size, max_size=size)
    )
    table = np.array(costs, dtype=np.float64).reshape(len(supplies), len(demands))
    return table, supplies, demands


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Any shape up to 12 lines a side; costs free or tied, masses free, equal, tiny or missing."""
    height, width = draw(st.tuples(st.integers(0, 12), st.integers(0, 12)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    costs = rng.random((height, width)) * draw(st.sampled_from([1e-3, 1.0, 50.0]))
    if draw(st.booleans()):
        costs = np.round(costs * 4)
    kinds: dict[str, Callable[[int], FloatArray]] = {
        "free": rng.random,
        "equal": lambda size: np.full(size, 1 / max(size, 1)),
        "tiny": lambda size: rng.choice([1e-12, 0.2], size),
        "missing": lambda size: rng.integers(0, 3, size) / 3,
    }
    supplies = kinds[draw(st.sampled_from(sorted(kinds)))](height)
    demands = kinds[draw(st.sampled_from(sorted(kinds)))](width)
    if draw(st.booleans()) and supplies.sum() > 0 and demands.sum() > 0:
        supplies, demands = supplies / supplies.sum(), demands / demands.sum()
    return costs, supplies, demands


@TWINS
@pytest.mark.parametrize(
    ("problem", "expected"),
    [
        (([[0.3]], [1], [1]), 0.3),
        (([[0.25, 0.5]], [1], [0.5, 0.5]), 0.375),
        (([[0.25], [0.75]], [0.25, 0.75], [1]), 0.625),
        (([[0, 1], [1, 0]], [0.5, 0.5], [0.5, 0.5]), 0),
        (([[0, 1], [1, 10]], [0.5, 0.5], [0.5, 0.5]), 1),  # not through the cheapest cell
        (([[2, 1], [2, 1]], [0, 1], [1, 0]), 2),
        (([[-3, 1], [1, -3]], [1, 1], [1, 1]), -6),
        (([[5, 1], [1, 5]], [3, 4], [1, 1]), 2),  # the lesser total is moved
        (([[5, 1], [1, 5]], [1, 1], [3, 4]), 2),
        (([[5, 1]], [2], [1, 9]), 2),
        (([[0.1, 0.2]], [1], [0, 0]), 0),
        ((np.empty((0, 2)), [], [0.5, 0.5]), 0),
        ((np.empty((2, 0)), [0.5, 0.5], []), 0),
        ((np.empty((0, 0)), [], []), 0),
    ],
)
@pytest.mark.usefixtures("choice")
def test_known_costs(problem: Problem, expected: float) -> None:
    assert least_costs(problem) == [expected]
    value, flows = solved(problem)
    assert value == expected
    assert flows.sum() == min(np.sum(problem[1]), np.sum(problem[2]))


@TWINS
@pytest.mark.usefixtures("choice")
def test_worked_examples() -> None:
    """Word Mover's Distance and WE_WPI, specification, sections 4 and 5."""
    thirds = [1 / 3] * 3
    distances = np.sqrt(2 - 2 * cosines("a kitten sits", "the cat sat"))
    assert least_costs((distances, thirds, thirds)) == pytest.approx([0.431591], abs=5e-7)
    apart = np.abs(np.arange(3)[:, None] - np.arange(3)) / 3
    weights = np.log10([2, 3, 2]) / np.log10(12)
    pairs = [("sat the cat", "the cat sat"), ("a dog sits", "the dog sat")]
    costs = [1 - np.maximum(0, cosines(*pair)) * (1 - apart) for pair in pairs]
    found = least_costs(*((table, thirds, weights) for table in costs))
    assert 1 - np.array(found) == pytest.approx([0.648537, 0.888986], abs=5e-7)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.lists(small_problems(), max_size=4))
def test_whole_masses_equal_brute_force(given_problems: list[Problem]) -> None:
    expected = [brute_force(problem) for problem in given_problems]
    assert least_costs(*given_problems) == pytest.approx(expected, abs=1e-12)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.lists(problems(), max_size=4))
def test_twins_agree_to_the_last_bit(given_problems: list[Problem]) -> None:
    assert_twins_agree(given_problems)


def test_twins_agree_on_large_problems() -> None:
    """More than one block of cells is searched, and costs have fewer bits."""
    rng = np.random.default_rng(120)
    assert_twins_agree(
        [(rng.random((m, n)), rng.random(m), rng.random(n)) for m, n in [(70, 50), (3, 300)]]
    )


def assert_twins_agree(given_problems: list[Problem]) -> None:
    arrays = packed(given_problems)
    plain_flows, compiled_flows = np.zeros(len(arrays[0])), np.zeros(len(arrays[0]))
    plain = plain_module.plain_transport(*arrays, plain_flows, LIMIT)
    compiled = compiled_module.transport(*arrays, compiled_flows, LIMIT)
    assert compiled.tolist() == plain.tolist()
    assert compiled_flows.tolist() == plain_flows.tolist()


@settings(derandomize=True, deadline=None, max_examples=150)
@given(problems())
def test_flows_are_a_plan_that_costs_what_is_said(problem: Problem) -> None:
    costs, supplies, demands = (np.asarray(part) for part in problem)
    value, flows = solved(problem)
    assert (flows >= 0).all()
    assert (flows.sum(axis=1) <= supplies + 1e-15).all()
    assert (flows.sum(axis=0) <= demands + 1e-15).all()
    total = min(supplies.sum(), demands.sum())
    assert flows.sum() == pytest.approx(total, rel=1e-14)
    assert value == pytest.approx((flows * costs).sum(), rel=1e-13, abs=1e-15)
    assert np.count_nonzero(flows) <= max(0, len(supplies) + len(demands) - 1)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(problems(), st.randoms(use_true_random=False))
def test_order_and_side_do_not_matter(problem: Problem, random: object) -> None:
    costs, supplies, demands = (np.asarray(part) for part in problem)
    value = least_costs(problem)
    assert least_costs((costs.T, demands, supplies)) == value
    rng = np.random.default_rng(random.getrandbits(32))  # type: ignore[attr-defined]
    rows, columns = rng.permutation(len(supplies)), rng.permutation(len(demands))
    moved = least_costs((costs[np.ix_(rows, columns)], supplies[rows], demands[columns]))
    assert moved == pytest.approx(value, rel=1e-14, abs=1e-16)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(problems(), st.integers(-60, 60), st.integers(-60, 60))
def test_powers_of_two_scale_costs_exactly(problem: Problem, cost: int, mass: int) -> None:
    costs, supplies, demands = (np.asarray(part) for part in problem)
    scaled = costs * 2.0**cost, supplies * 2.0**mass, demands * 2.0**mass
    assert least_costs(scaled) == [2.0 ** (cost + mass) * least_costs(problem)[0]]


@TWINS
@pytest.mark.usefixtures("choice")
def test_a_problem_costs_the_same_in_any_batch() -> None:
    rng = np.random.default_rng(2000)
    shapes = rng.integers(0, 9, (12, 2))
    batch = [(rng.random((m, n)), rng.random(m), rng.random(n)) for m, n in shapes]
    alone = [solved(problem) for problem in batch]
    values = [value for value, _ in alone]
    assert least_costs(*batch) == values
    assert least_costs(*batch[::-1]) == values[::-1]
    together = transport_flows(*packed(batch))[1]
    assert least_costs() == []
    assert together.tolist() == [flow for _, flows in alone for flow in flows.ravel()]


@TWINS
@pytest.mark.usefixtures("choice")
def test_equal_masses_and_ties_come_to_an_end() -> None:
    """Where all masses are alike, all bases but few are degenerate; here costs are tied as well."""
    rng = np.random.default_rng(1955)
    size = 40
    places = rng.permutation(size)
    costs = rng.integers(1, 3, (size, size)).astype(np.float64)
    costs[np.arange(size), places] = 0
    masses = np.full(size, 1 / size)
    value, flows = solved((costs, masses, masses))
    assert value == 0
    assert np.argmax(flows, axis=1).tolist() == places.tolist()
    assert solved((np.ones((size, size)), masses, masses))[0] == pytest.approx(1, abs=1e-15)


@TWINS
@pytest.mark.usefixtures("choice")
def test_the_limit_of_exchanges_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_module, "_EXCHANGES_PER_CELL", 0)
    halves = [0.5, 0.5]
    easy: Problem = [[0, 1], [1, 0]], halves, halves
    hard: Problem = [[0, 1], [1, 10]], halves, halves
    assert least_costs(easy) == [0]
    with pytest.raises(ArithmeticError, match="problem 1, of 2 x 2 cells"):
        least_costs(easy, hard)


@TWINS
@pytest.mark.usefixtures("choice")
def test_other_layouts_are_accepted() -> None:
    rng = np.random.default_rng(32)
    costs = rng.random((4, 3)).astype(np.float32)
    supplies, demands = rng.random(4), rng.random(3)
    expected = least_costs((costs, supplies, demands))
    _, starts, _, supply_offsets, _, demand_offsets = packed([(costs, supplies, demands)])
    spread: Any = np.repeat(costs.ravel(), 2)[::2]
    demands.setflags(write=False)
    found = transport(spread, starts, supplies, supply_offsets, demands, demand_offsets)
    assert found.tolist() == expected


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (([[np.nan]], [1], [1]), "costs must be finite"),
        (([[1, np.inf]], [1], [1, 1]), "costs must be finite"),
        (([[1]], [-1e-300], [1]), "from 0 to"),
        (([[1]], [1], [np.nan]), "from 0 to"),
        (([[1]], [np.inf], [1]), "from 0 to"),
        (([[1, 2]], [1], [1]), "as many costs as"),
    ],
)
def test_what_cannot_be_solved_is_refused(problem: Problem, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        least_costs(problem)


def test_ends_must_be_those_of_the_arrays() -> None:
    one, ends = np.ones(1), np.array([0, 1])
    with pytest.raises(ValueError, match="must end at the last"):
        transport(one, ends, np.ones(2), ends, one, ends)
