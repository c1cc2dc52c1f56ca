"""Tests between metrics, ranks, and the averages of tasks."""

from collections.abc import Sequence

import numpy as np
import pytest

from tenbin.core.agreement import MetaRow
from tenbin.core.arrays import FloatArray
from tenbin.core.errors import UsageError
from tenbin.core.judgments import HumanPairs, ScoreMatrix
from tenbin.meta.evaluation import averages_over_pairs, task_averages
from tenbin.meta.judgments import left_out_translations
from tenbin.meta.measures.catalog import measure, prepare
from tenbin.meta.measures.measurement import Prepared
from tenbin.meta.measures.pair_tau import PairTau
from tenbin.meta.measures.tie_calibration import TieAccuracy, agreements
from tenbin.meta.planning import SHARED_TASKS, HumanSystems
from tenbin.meta.significance.permutation import permutation_test, rank_metrics
from tenbin.meta.significance.williams import williams, williams_matrix

SYSTEMS = ("A", "B", "C", "D")


def table(name: str, scores: FloatArray) -> ScoreMatrix:
    return ScoreMatrix.by_segment(name, dict(zip(SYSTEMS, scores.tolist(), strict=True)))


def example(seed: int, segments: int, *noises: float) -> tuple[ScoreMatrix, list[ScoreMatrix]]:
    """Return human scores and one metric for each amount of noise."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 8, (len(SYSTEMS), segments)).astype(np.float64)
    metrics = [gold + rng.normal(0, noise, gold.shape) for noise in noises]
    return table("da", gold), [table(f"m{n}", scores) for n, scores in enumerate(metrics)]


def preferences(gold: FloatArray) -> HumanPairs:
    found = np.argwhere(gold[:, None, :] > gold[None, :, :])
    return HumanPairs.of_names("rr", [(int(s), SYSTEMS[a], SYSTEMS[b]) for a, b, s in found])


def p_of(first: Prepared, second: Prepared, *, rounds: int = 4_000) -> float:
    rng = np.random.default_rng(3)
    return permutation_test(first, second, rng=rng, rounds=rounds, early_stop=None).p_value


def test_exchanging_comparisons_is_a_binomial_walk() -> None:
    human, metrics = example(1, 15, 2.0, 2.1)
    first, second = (prepare("acc-eq", human, metric) for metric in metrics)
    assert isinstance(first, TieAccuracy)
    assert isinstance(second, TieAccuracy)
    one, other = (agreements(t.pairs, t.value().epsilon) for t in (first, second))
    weights = 1 / first.pairs.group_sizes[first.pairs.group_of_pair] / first.pairs.group_count
    delta = float(((other.astype(float) - one) * weights).sum())
    rng, reached = np.random.default_rng(4), 0
    for _ in range(4_000):
        swap = rng.random(len(one)) < 0.5
        lower, upper = np.where(swap, other, one), np.where(swap, one, other)
        reached += bool(((upper.astype(float) - lower) * weights).sum() >= delta - 1e-12)
    expected = reached / 4_000
    assert 0.05 < expected < 0.95  # a case that could go wrong
    assert p_of(first, second) == pytest.approx(expected, abs=0.045)
    assert delta == pytest.approx(second.value().value - first.value().value)


@pytest.mark.parametrize("name", ["wmt12-tau", "wmt13-tau", "wmt14-tau"])
def test_exchanging_judgments(name: str) -> None:
    human, exact = example(3, 8, 4.0, 3.5)
    metrics = [table(one.name, one.scores.round()) for one in exact]  # with ties
    pairs = preferences(human.scores)
    first, second = (prepare(name, pairs, metric) for metric in metrics)
    assert isinstance(first, PairTau)
    assert isinstance(second, PairTau)
    delta = measure(name, pairs, metrics[1]).value - measure(name, pairs, metrics[0]).value
    rng, reached = np.random.default_rng(6), 0
    for _ in range(2_000):
        swap = rng.random(len(pairs)) < 0.5
        lower = np.where(swap, second.signs, first.signs)
        upper = np.where(swap, first.signs, second.signs)
        taus = [PairTau.of_signs(first.rule, signs).value().value for signs in (lower, upper)]
        reached += bool(taus[1] - taus[0] >= delta - 1e-12)
    expected = reached / 2_000
    assert 0.02 < expected < 0.98
    assert p_of(first, second) == pytest.approx(expected, abs=0.055)


@pytest.mark.parametrize(
    "name", ["segment-pearson", "segment-spearman-item", "segment-kendall-sys", "acc-eq", "tau-eq"]
)
def test_a_better_metric_is_found_and_an_equal_one_is_not(name: str) -> None:
    human, metrics = example(3, 60, 1.0, 4.0)
    good, bad = (prepare(name, human, metric) for metric in metrics)
    assert p_of(bad, good, rounds=500) < 0.01
    assert p_of(good, bad, rounds=500) > 0.99
    assert p_of(good, good, rounds=500) == 1.0
    found = permutation_test(bad, good, rng=np.random.default_rng(1), rounds=1)
    assert found.delta == pytest.approx(good.value().value - bad.value().value)


@pytest.mark.parametrize("name", ["system-pearson", "system-accuracy"])
def test_system_scores_are_exchanged_too(name: str) -> None:
    human, metrics = example(8, 5, 0.1, 9.0)
    first, second = (prepare(name, human, metric) for metric in metrics)
    found = permutation_test(
        first, second, rng=np.random.default_rng(1), rounds=200, early_stop=None
    )
    assert found.delta == pytest.approx(second.value().value - first.value().value)
    assert 0 < found.p_value <= 1


def test_ties_of_systems_agree_with_ties_only() -> None:
    human = ScoreMatrix.by_system("h", {"A": 1, "B": 1, "C": 2, "D": 3})
    metric = ScoreMatrix.by_system("m", {"A": 5, "B": 5, "C": 7, "D": 7})
    found = measure("system-accuracy", human, metric)
    # A and B tie on both sides, C and D on one.
    assert (found.n, found.counts) == (6, (5, 1, 0))


def test_metrics_are_ranked() -> None:
    human, metrics = example(4, 80, 0.5, 5.0, 0.5, 20.0)
    progress: list[tuple[int, int]] = []
    ranking = rank_metrics(
        {metric.name: prepare("segment-pearson", human, metric) for metric in metrics},
        rng=np.random.default_rng(5),
        rounds=200,
        progress=lambda done, total: progress.append((done, total)),
    )
    assert ranking.names == ("m0", "m1", "m2", "m3")
    assert ranking.ranks.tolist() == [1, 2, 1, 3]
    np.testing.assert_array_equal(ranking.p_values, ranking.p_values.T)
    assert progress == [(done, 6) for done in range(1, 7)]


def test_an_undefined_metric_comes_last_and_separates_nobody() -> None:
    human, metrics = example(6, 30, 1.0, 1.1)
    constant = table("constant", np.ones((len(SYSTEMS), 30)))
    ranking = rank_metrics(
        {m.name: prepare("segment-pearson", human, m) for m in (constant, *metrics)},
        rng=np.random.default_rng(5),
        rounds=100,
    )
    assert np.isnan(ranking.p_values[0, 1:]).all()
    assert ranking.ranks[0] == ranking.ranks.max()


def test_measures_without_a_test_say_so() -> None:
    human, metrics = example(7, 9, 1.0, 2.0)
    first, second = (prepare("spa", human, metric) for metric in metrics)
    with pytest.raises(UsageError, match="no permutation test for this measure"):
        p_of(first, second)


def test_williams_at_its_limits() -> None:
    assert np.isnan(williams(0.9, 0.8, 0.85, 3).one_sided)
    assert williams(0.9, 0.9, 1.0, 12).one_sided == 0.5
    swapped, test = williams(0.8, 0.9, 0.85, 12), williams(0.9, 0.8, 0.85, 12)
    assert swapped.statistic == -test.statistic
    assert swapped.one_sided == test.one_sided
    gold = np.array([1.0, 2.0, 4.0, 3.0, 6.0])
    values, p_values = williams_matrix(gold, np.stack([gold**2, -gold]))
    assert values[1] == pytest.approx(-1)
    assert p_values[0, 1] == p_values[1, 0] < 0.05


def rows_of(
    pair: str, human: ScoreMatrix, metric: ScoreMatrix, names: Sequence[str]
) -> list[MetaRow]:
    found = {name: measure(name, human, metric) for name in names}
    return [
        MetaRow(
            test_set="wmt",
            pair=pair,
            metric="m",
            measure=name,
            human="mqm",
            value=one.value,
            n=one.n,
            counted="",
        )
        for name, one in found.items()
    ]


@pytest.mark.parametrize("task", SHARED_TASKS)
def test_task_averages_have_equal_weights(task: str) -> None:
    pairs = {}
    for seed, pair in enumerate(("en-de", "he-en", "zh-en")):
        human, (metric,) = example(seed, 20, 2.0)
        pairs[pair] = (human, metric)
    names = SHARED_TASKS[task]
    rows = [row for pair, data in pairs.items() for row in rows_of(pair, *data, names)]
    plain = [
        measure(name, *data).value
        for data in pairs.values()
        for name in names
        if name != "system-accuracy"
    ]
    if "system-accuracy" in names:
        accuracies = [measure("system-accuracy", *data) for data in pairs.values()]
        plain.append(sum(one.value * 6 for one in accuracies) / 18)
    (found,) = task_averages(rows, task)
    assert len(plain) == {"wmt23": 10, "wmt24": 6}[task]
    assert found.value == pytest.approx(sum(plain) / len(plain))
    assert found.pairs == 3


def test_pooling_weighs_language_pairs_by_their_system_pairs() -> None:
    human = ScoreMatrix.by_system("h", {"A": 1, "B": 2, "C": 3})
    other = ScoreMatrix.by_system("h", {"A": 1, "B": 2})
    rows = [
        *rows_of("en-de", human, human, ["system-accuracy"]),
        *rows_of("de-en", other, other.negated(), ["system-accuracy"]),
    ]
    (found,) = averages_over_pairs(rows)
    assert found.value == 3 / 4


@pytest.mark.parametrize(
    ("references", "used", "left_out"),
    [
        (["refA"], ["refA"], ["refA", "refB"]),
        (["refA", "refB"], ["refB"], ["refB"]),
        (["refA", "refB"], [], []),
    ],
)
def test_references_take_part_only_beside_others(
    references: list[str], used: list[str], left_out: list[str]
) -> None:
    systems = ["A", "refA", "refB", "B"] if len(references) > 1 else ["A", "refA", "B"]
    found, _ = left_out_translations(systems, references, used, HumanSystems.INCLUDE)
    assert found == [name for name in left_out if name in systems]
