"""The worked examples of the specification, and what a reader can count by hand."""

from itertools import permutations

import numpy as np
import pytest

from tenbin.core.judgments import HumanPairs, ScoreMatrix
from tenbin.meta.measures.catalog import measure, prepare
from tenbin.meta.measures.scores import build_darr, outlier_values, outliers
from tenbin.meta.measures.soft_accuracy import parity_swaps, permutation_p_values
from tenbin.meta.measures.tie_calibration import TieAccuracy
from tenbin.meta.significance.bootstrap import uncertainty
from tenbin.meta.significance.williams import not_outperformed, williams
from tenbin.stats.significance import significance_clusters

GOLD = ScoreMatrix.by_segment(
    "gold", {"A": [90, 40, 70, 10], "B": [60, 45, 70, 35], "C": [30, 80, 20, 10]}
)
METRIC = ScoreMatrix.by_segment(
    "m", {"A": [0.9, 0.4, 0.5, 0.3], "B": [0.7, 0.35, 0.56, 0.3], "C": [0.75, 0.6, 0.45, 0.34]}
)


def ranking(table: ScoreMatrix) -> HumanPairs:
    """Return every pair of systems that gold orders, segment by segment."""
    judgments = [
        (segment, table.systems[one], table.systems[other])
        for segment, scores in enumerate(table.scores.T)
        for one, other in permutations(range(len(scores)), 2)
        if scores[one] > scores[other]
    ]
    return HumanPairs.of_names("rr", judgments)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("segment-pearson", 0.660913),
        ("segment-pearson-item", 0.503256),
        ("segment-kendall", 0.511643),
        ("segment-kendall-item", 0.245791),
        ("system-pearson", -0.634285),
        ("system-spearman", -0.866025),
        ("system-accuracy", 0.0),
        ("acc-eq-fixed", 0.5),
        ("tau-eq-fixed", 0.0),
        ("acc-eq", 0.583333),
        ("tau-eq", 0.166667),
        ("darr-tau", 0.333333),
    ],
)
def test_toy_data(name: str, value: float) -> None:
    assert measure(name, GOLD, METRIC).value == pytest.approx(value, abs=5e-7)


@pytest.mark.parametrize(
    ("name", "value"), [("wmt12-tau", 0.2), ("wmt13-tau", 1 / 3), ("wmt14-tau", 0.3)]
)
def test_relative_ranking(name: str, value: float) -> None:
    found = measure(name, ranking(GOLD), METRIC)
    assert found.counts == (6, 3, 1)
    assert found.value == pytest.approx(value)


def test_darr_of_the_toy() -> None:
    assert len(build_darr(GOLD)) == 9
    # A tie of the metric is discordant in DARR, but told apart in the counts.
    assert measure("darr-tau", GOLD, METRIC).counts == (6, 2, 1)


def test_candidates_of_tie_calibration() -> None:
    prepared = prepare("acc-eq", GOLD, METRIC)
    assert isinstance(prepared, TieAccuracy)
    epsilons, values = prepared.curve()
    # .9 - .7 and .6 - .4 are not the same number in binary; the first one found is listed.
    first: dict[float, float] = {}
    for epsilon, value in zip(epsilons.tolist(), values.tolist(), strict=True):
        first.setdefault(round(epsilon, 9), value)
    assert list(first) == [0, 0.04, 0.05, 0.06, 0.11, 0.15, 0.2, 0.25]
    expected = [0.5, 0.5833, 0.5, 0.5833, 0.5, 0.4167, 0.3333, 0.1667]
    assert list(first.values()) == pytest.approx(expected, abs=5e-5)
    assert round(prepared.value().epsilon, 9) in {0.04, 0.06}


def test_outliers() -> None:
    scores = [-0.9, 0.1, 0.12, 0.15, 0.2, 0.22, 0.25]
    values = outlier_values(np.array(scores))
    assert values.tolist() == pytest.approx([14.16, 0.67, 0.40, 0, 0.67, 0.94, 1.35], abs=0.005)
    table = ScoreMatrix.by_system("da", dict(zip("abcdefg", scores, strict=True)))
    assert outliers(table) == ["a"]


def test_soft_accuracy_p_value() -> None:
    scores = np.array([[0.8, 0.9, 0.7, 1.0, 0.6], [0.2, 0.3, 0.1, 0.4, 0.0]])
    every = np.array([[bit >> place & 1 for place in range(5)] for bit in range(32)], dtype=float)
    assert permutation_p_values(scores, every)[0, 1] == 1 / 32
    parity = parity_swaps(5, permutations=1_000, seed=4)
    assert permutation_p_values(scores, parity)[0, 1] == pytest.approx(0.036)


@pytest.mark.parametrize(
    ("arguments", "one_sided"),
    [((0.9, 0.8, 0.85, 12), 0.119804), ((0.95, 0.90, 0.92, 10), 0.158492)],
)
def test_williams(arguments: tuple[float, float, float, int], one_sided: float) -> None:
    found = williams(*arguments)
    assert found.one_sided == pytest.approx(one_sided, abs=5e-7)
    assert found.two_sided == pytest.approx(2 * one_sided, abs=1e-6)


def symmetric(upper: list[list[float]]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    size = len(upper) + 1
    matrix = np.ones((size, size))
    for row, values in enumerate(upper):
        matrix[row, row + 1 :] = matrix[row + 1 :, row] = values
    return matrix


def test_ranks_and_winners() -> None:
    p_values = symmetric([[0.3, 0.04, 0.01], [0.2, 0.03], [0.5]])
    values = np.array([0.9, 0.8, 0.7, 0.6])
    ranks = significance_clusters(values, p_values, higher_is_better=True)
    assert ranks.tolist() == [1, 1, 2, 2]
    # The third is beaten by the first, the fourth by the first two; the second by none.
    assert not_outperformed("wxyz", values, p_values) == ["w", "x"]
    # A small p says that the better of two is better, whichever it is.
    assert not_outperformed("wxyz", values[::-1], p_values) == ["y", "z"]


def test_interval_of_the_mean() -> None:
    found = uncertainty(np.array([0.70, 0.72, 0.68, 0.71]))
    assert found.mean == pytest.approx(0.7025)
    assert found.of_mean == pytest.approx((0.675325, 0.729675), abs=5e-7)
