"""The least cost of moving masses equals that of POT, Python Optimal Transport, its `ot.emd2`.

Provenance: POT 0.9.7.post1 from the package index, its network simplex in double precision; run
where it is installed. Sentences and vectors are made up, so that nothing else is needed.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tenbin.kernels.arrays import FloatArray
from tenbin.kernels.transport.flow import transport, transport_flows

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

TOLERANCE = 1e-9
VOCABULARY, FIELDS, DIMENSIONS = 2000, 100, 50
PLAIN_STEP = 19  # the plain twin solves one problem in so many; kinds repeat by 3, 4, 5 and 8

Problem = tuple[FloatArray, FloatArray, FloatArray]  # costs (rows, columns), supplies, demands


@pytest.fixture(params=["plain", "compiled"])
def step(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Choose a twin, and say which part of the problems it is given."""
    monkeypatch.setenv("TENBIN_KERNELS", request.param)
    return PLAIN_STEP if request.param == "plain" else 1


def assert_equal(pot: Any, problems: list[Problem]) -> None:
    starts = np.cumsum([0, *(costs.size for costs, _, _ in problems)])
    supply_offsets = np.cumsum([0, *(len(supplies) for _, supplies, _ in problems)])
    demand_offsets = np.cumsum([0, *(len(demands) for _, _, demands in problems)])
    arguments = (
        np.concatenate([costs.ravel() for costs, _, _ in problems]),
        starts,
        np.concatenate([supplies for _, supplies, _ in problems]),
        supply_offsets,
        np.concatenate([demands for _, _, demands in problems]),
        demand_offsets,
    )
    expected = [float(pot.emd2(supplies, demands, costs)) for costs, supplies, demands in problems]
    values, flows = transport_flows(*arguments)
    assert values == pytest.approx(expected, abs=TOLERANCE)
    assert transport(*arguments).tolist() == values.tolist()
    for place, (costs, supplies, demands) in enumerate(problems):
        plan = flows[starts[place] : starts[place + 1]].reshape(costs.shape)
        assert plan.sum(axis=1) == pytest.approx(supplies, abs=1e-14)
        assert plan.sum(axis=0) == pytest.approx(demands, abs=1e-14)


def shares(masses: npt.ArrayLike) -> FloatArray:
    parts: FloatArray = np.asarray(masses) / np.sum(masses)
    return parts


def free(rng: np.random.Generator, size: int) -> FloatArray:
    return shares(rng.random(size))


def equal(rng: np.random.Generator, size: int) -> FloatArray:  # noqa: ARG001
    return np.full(size, 1 / size)


def tiny(rng: np.random.Generator, size: int) -> FloatArray:
    masses = np.where(rng.random(size) < 0.5, 1e-12, rng.random(size))
    return shares(masses)


def missing(rng: np.random.Generator, size: int) -> FloatArray:
    masses = rng.integers(0, 3, size).astype(np.float64)
    masses[rng.integers(size)] = 1
    return shares(masses)


def random_problem(rng: np.random.Generator, number: int) -> Problem:
    """Vary shapes, ties of costs, equal rows and kinds of masses; every fourth has one line."""
    height, width = (int(size) for size in rng.integers(1, 35, 2))
    if number % 4 == 0:
        height = 1
    if number % 8 == 0:
        height, width = width, height
    costs = rng.random((height, width))
    if number % 3 == 0:
        costs = np.round(costs, 1)
    if number % 5 == 0:
        costs[:] = costs[rng.integers(height, size=height)]
    kinds: list[Callable[[np.random.Generator, int], FloatArray]] = [free, equal, tiny, missing]
    supplies, demands = (
        kinds[kind](rng, size)
        for kind, size in zip(rng.integers(4, size=2), (height, width), strict=True)
    )
    return costs, supplies, demands


class Language:
    """Words with vectors of some fields of meaning, frequent ones first, and rough translations."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        fields = rng.standard_normal((FIELDS, DIMENSIONS))
        vectors = fields[rng.integers(FIELDS, size=VOCABULARY)]
        vectors += 0.6 * rng.standard_normal((VOCABULARY, DIMENSIONS))
        self.units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        self.frequencies = shares(1 / np.arange(3, VOCABULARY + 3))

    def words(self, count: int) -> list[int]:
        return [int(word) for word in self.rng.choice(VOCABULARY, count, p=self.frequencies)]

    def translation(self, reference: list[int]) -> list[int]:
        """Keep most words, replace some by near ones or any, drop and add some, move a phrase."""
        hypothesis = []
        for word in reference:
            fate = self.rng.random()
            if fate < 0.6:
                hypothesis.append(word)
            elif fate < 0.75:
                near = np.argsort(self.units @ self.units[word])[-5:]
                hypothesis.append(int(self.rng.choice(near)))
            elif fate < 0.95:
                hypothesis += self.words(int(self.rng.integers(3)))
        start = int(self.rng.integers(len(reference)))
        return hypothesis[start:] + hypothesis[:start] or self.words(1)

    def pair(self) -> tuple[list[int], list[int]]:
        reference = self.words(int(self.rng.integers(15, 36)))
        return self.translation(reference), reference

    def similarities(self, left: list[int], right: list[int]) -> FloatArray:
        products: FloatArray = self.units[left] @ self.units[right].T
        return np.where(np.equal.outer(left, right), 1.0, np.minimum(products, 1.0))

    def position_problem(self) -> Problem:
        """Costs and weights of WE_WPI, specification, section 5."""
        left, right = self.pair()
        rows, columns = (np.arange(1, len(side) + 1) / len(side) for side in (left, right))
        apart = np.abs(rows[:, None] - columns)
        costs = 1 - np.maximum(0, self.similarities(left, right)) * (1 - apart)
        return costs, self.weights(left), self.weights(right)

    def weights(self, words: list[int]) -> FloatArray:
        counts = np.array([words.count(word) for word in words])
        rarity = np.log10(1 + 1 / (1 - (1 - self.frequencies[words]) ** 20))
        return shares((1 + np.log10(counts)) * rarity)

    def type_problem(self) -> Problem:
        """Costs and weights of the Word Mover's Distance, specification, section 4."""
        (left, supplies), (right, demands) = (
            np.unique(side, return_counts=True) for side in self.pair()
        )
        costs = np.sqrt(2 - 2 * self.similarities(left.tolist(), right.tolist()))
        return costs, shares(supplies), shares(demands)


def test_random_problems(pot: Any, step: int) -> None:
    rng = np.random.default_rng(1951)
    assert_equal(pot, [random_problem(rng, number) for number in range(1000)][::step])


def test_sentences(pot: Any, step: int) -> None:
    language = Language(np.random.default_rng(2000))
    problems = [language.position_problem() for _ in range(500)]
    problems += [language.type_problem() for _ in range(500)]
    assert_equal(pot, problems[::step])


@pytest.mark.parametrize("masses", [free, equal, tiny, missing])
def test_large_problems(
    pot: Any,
    masses: Callable[[np.random.Generator, int], FloatArray],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", "compiled")
    rng = np.random.default_rng(120)
    points = [rng.random((size, 2)) for size in (120, 110)]
    squares = ((points[0][:, None] - points[1]) ** 2).sum(axis=2)
    tables = [rng.random((120, 110)), np.round(rng.random((120, 110)), 1), squares]
    assert_equal(pot, [(costs, masses(rng, 120), masses(rng, 110)) for costs in tables])


@pytest.mark.usefixtures("step")
def test_what_is_too_much_stays(pot: Any) -> None:
    """POT wants equal totals: a column of cost 0 takes what is too much."""
    rng = np.random.default_rng(9)
    for _ in range(10):
        costs, supplies, demands = rng.random((12, 9)), rng.random(12) + 1, rng.random(9)
        surplus = supplies.sum() - demands.sum()
        wider = np.pad(costs, ((0, 0), (0, 1)))
        expected = float(pot.emd2(supplies, np.append(demands, surplus), wider))
        ends = np.array([0, 108]), np.array([0, 12]), np.array([0, 9])
        found = transport(costs.ravel(), ends[0], supplies, ends[1], demands, ends[2])
        assert found[0] == pytest.approx(expected, abs=TOLERANCE)
