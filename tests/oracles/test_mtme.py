"""Measures agree with mt-metrics-eval on seven tables of random numbers.

Provenance: `oracles/mtme/README.md` of the shared folder: google-research/mt-metrics-eval, commit
68a481a, numpy 2.4.6, scipy 1.17.1; read 2026-11-15.
"""

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenbin.formats.score_table import ScoreTable
from tenbin.kernels.ranking.order_counts import order_counts
from tenbin.meta.measures.coefficients import KENDALL_B, KENDALL_C, PEARSON, SPEARMAN, Coefficient
from tenbin.meta.measures.judgments import system_means
from tenbin.meta.measures.lookup import measure, prepare
from tenbin.meta.measures.measurement import Averaging, Undefined
from tenbin.meta.measures.scores import Settings
from tenbin.meta.measures.segment_level import DifferenceCorrelation, SegmentCorrelation
from tenbin.meta.measures.soft_accuracy import parity_swaps, permutation_p_values
from tenbin.meta.measures.tie_calibration import (
    TieAccuracy,
    item_pairs,
    order_statistics,
    threshold_tau,
    tied_kendall,
)

pytestmark = pytest.mark.oracle

TABLES = ("t1", "t2", "t3", "t4", "t5", "t6")
METRICS = ("m1", "m2")
COEFFICIENTS = {"Pearson": PEARSON, "Spearman": SPEARMAN}
KENDALL = {"b": KENDALL_B, "c": KENDALL_C}


@cache
def expected(shared: Path) -> Any:
    return json.loads((shared / "oracles" / "mtme" / "expected.json").read_text("utf-8"))


@cache
def table(shared: Path, name: str, column: str) -> ScoreTable:
    rows: dict[str, list[float | None]] = {}
    with (shared / "oracles" / "mtme" / f"{name}.tsv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            value = None if row[column] == "None" else float(row[column])
            rows.setdefault(row["system"], []).append(value)
    return ScoreTable.by_segment(column, rows)


def exactly(values: Any) -> Any:
    return pytest.approx(values, rel=0, abs=1e-9, nan_ok=True)


def numbers(values: list[float | None]) -> list[float]:
    return [np.nan if value is None else value for value in values]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("name", TABLES)
def test_plain_correlations(shared: Path, name: str, metric: str) -> None:
    human, scores = table(shared, name, "gold"), table(shared, name, metric)
    compared = 0
    for key, values in expected(shared)[name]["metrics"][metric].items():
        parts = key.split(".")
        if parts[0] not in {"Pearson", "Spearman", "Kendall"}:
            continue
        if key == "Pearson.item.pdp":
            differences = DifferenceCorrelation.prepare(PEARSON, human, scores)
            found = [differences.value().value, differences.p_value(), 1]
        else:
            coefficient: Coefficient = (
                KENDALL[parts[1]] if parts[0] == "Kendall" else COEFFICIENTS[parts[0]]
            )
            averaging = Averaging(parts[2] if parts[0] == "Kendall" else parts[1])
            undefined = Undefined.ZERO if parts[-1] == "nan0" else Undefined.LEFT_OUT
            prepared = SegmentCorrelation.prepare(coefficient, averaging, undefined, human, scores)
            measured = prepared.value()
            found = [measured.value, prepared.p_value(), measured.groups]
        assert found == exactly(numbers(values)), key
        compared += 1
    assert compared == 19


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("name", TABLES)
def test_kendall_variants_and_threshold_pairs(shared: Path, name: str, metric: str) -> None:
    human, scores = table(shared, name, "gold"), table(shared, name, metric)
    kinds = {"KendallLike": 0, "KendallVariants": 0}
    for key, values in expected(shared)[name]["metrics"][metric].items():
        kind, _, rest = key.partition(".")
        if kind not in kinds:
            continue
        if kind == "KendallLike":
            grouping, _, points = rest.partition(".thresh=")
            averaging = Averaging.NONE if grouping == "function" else Averaging(grouping)
            tau = threshold_tau(item_pairs(human, scores, averaging), float(points))
            assert tau.counts is not None
            found = [tau.value, 0, tau.n, *tau.counts[:2]][: len(values)]
        else:
            variant, _, rest = rest.partition(".eps=")
            epsilon, _, grouping = rest.rpartition(".")
            found = _variant(variant, float(epsilon), Averaging(grouping), human, scores)
        assert found == exactly(numbers(values)), key
        kinds[kind] += 1
    assert kinds["KendallLike"] >= 4
    assert kinds["KendallVariants"] >= 21


def _variant(
    variant: str, epsilon: float, averaging: Averaging, human: ScoreTable, scores: ScoreTable
) -> list[float]:
    if variant == "c":
        prepared = SegmentCorrelation.prepare(
            KENDALL_C, averaging, Undefined.LEFT_OUT, human, scores
        )
        assert epsilon == 0
        measured = prepared.value()
    elif variant == "b":
        measured = tied_kendall(item_pairs(human, scores, averaging), epsilon)
    else:
        as_tau = variant == "23"
        measured = TieAccuracy.prepare(
            averaging, human, scores, epsilon=epsilon, as_tau=as_tau
        ).value()
    return [measured.value, 0, measured.groups]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("name", TABLES)
def test_counts_behind_them(shared: Path, name: str, metric: str) -> None:
    human, scores = table(shared, name, "gold"), table(shared, name, metric)
    # There, ties of the metric alone come before those of gold alone.
    swapped = [0, 1, 3, 2, 4]
    for key, values in expected(shared)[name]["metrics"][metric]["SufficientStatistics"].items():
        if key == "none.fenwick":
            known = ~np.isnan(human.scores)
            gold, other = human.scores[known], scores.scores[known]
            counts = order_counts(gold, other, np.array([0, len(gold)]))[0, 0]
            assert counts[swapped].tolist() == values
            continue
        grouping, _, rest = key.partition(".eps=")
        if grouping == "none":
            pairs = item_pairs(human, scores, Averaging.NONE)
            assert order_statistics(pairs, float(rest))[0, swapped].tolist() == values
            continue
        epsilon, _, what = rest.rpartition(".")
        pairs = item_pairs(human, scores, Averaging.ITEM)
        counts = order_statistics(pairs, float(epsilon))[:, swapped]
        if what == "sum":
            assert counts.sum(axis=0).tolist() == values
        else:
            judged = [row for row in values if row is not None]
            assert counts[: len(judged)].tolist() == judged


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("name", [*TABLES, "t7"])
def test_tie_calibration(shared: Path, name: str, metric: str) -> None:
    human, scores = table(shared, name, "gold"), table(shared, name, metric)
    of_table = expected(shared)[name]
    key = "KendallWithTiesOpt.sample_rate=1.0"
    values = of_table[key][metric] if name == "t7" else of_table["metrics"][metric][key]
    assert len(values) == (2 if name == "t7" else 6)
    for kind, wanted in values.items():
        variant, _, grouping = kind.partition(".")
        suffix = "" if grouping == "item" else f"-{grouping}"
        prepared = prepare(f"{'tau' if variant == '23' else 'acc'}-eq{suffix}", human, scores)
        assert isinstance(prepared, TieAccuracy)
        found = prepared.value()
        assert found.value == exactly(wanted["value"]), kind
        allowed = wanted.get("epsilons_within_1e-9_of_max", [wanted["epsilon"]])
        assert found.epsilon == pytest.approx(min(allowed), abs=1e-12), kind
        candidates, curve = prepared.curve()
        if "value_at_epsilon_0" in wanted:
            assert curve[0] == exactly(wanted["value_at_epsilon_0"])
            assert len(candidates) == wanted["num_candidates"], kind
        if "curve" in wanted:
            assert candidates.tolist() == exactly([e for e, _ in wanted["curve"]])
            assert curve.tolist() == exactly([v for _, v in wanted["curve"]])


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("name", TABLES)
def test_system_level(shared: Path, name: str, metric: str) -> None:
    human, scores = table(shared, name, "gold"), table(shared, name, metric)
    wanted = expected(shared)[name]["metrics"][metric]["system"]
    gold, values = system_means(human).scores, system_means(scores).scores
    assert gold.tolist() == exactly(expected(shared)[name]["system_gold"])
    assert values.tolist() == exactly(wanted["scores"])
    for key, coefficient in {
        "pearson": PEARSON,
        "spearman": SPEARMAN,
        "kendall_b": KENDALL_B,
        "kendall_c": KENDALL_C,
    }.items():
        found = measure(f"system-{coefficient.name}", human, scores).value
        p_value = coefficient.p_value(found, gold, values)
        assert [found, p_value] == exactly(numbers(wanted[key])), key
    accuracy = measure("system-accuracy", human, scores)
    assert accuracy.counts is not None
    assert [accuracy.counts[0], accuracy.n] == wanted["Agreement"]
    assert accuracy.value == exactly(wanted["pairwise_accuracy"])


@pytest.mark.parametrize("name", ["t1", "t3", "t5"])
def test_soft_pairwise_accuracy(shared: Path, name: str) -> None:
    human = table(shared, name, "gold")
    wanted = expected(shared)[name]["PairwiseConfidenceError"]
    for metric in METRICS:
        found = measure("spa", human, table(shared, name, metric)).value
        exact = wanted[metric]["same_signs_float64_tolerance_1e-9"]
        assert found == exactly(exact)
        # The program itself works in single precision, where a tie may fall either way.
        assert found == pytest.approx(wanted[metric]["1-PCE"], abs=2e-3)
    kept = ~np.isnan(human.scores).any(axis=0)
    swaps = parity_swaps(int(kept.sum()), permutations=1_000, seed=4)
    for column in ("gold", *METRICS):
        found_p = permutation_p_values(table(shared, name, column).scores[:, kept], swaps)
        listed = np.array([numbers(row) for row in wanted[f"p_{column}"]])
        np.testing.assert_allclose(found_p, listed, atol=5e-3)


def test_permutations_of_both_signs_are_all_that_there_are(shared: Path) -> None:
    exact = expected(shared)["t1"]["PairwiseConfidenceError"]["exact_p_by_enumeration"]
    every = np.array([[bit >> place & 1 for place in range(4)] for bit in range(16)], dtype=float)
    for column in ("gold", *METRICS):
        found = permutation_p_values(table(shared, "t1", column).scores, every)
        listed = np.array([numbers(row) for row in exact[column]])
        np.testing.assert_allclose(found, listed, atol=1e-12)


@pytest.mark.parametrize("name", ["t2", "t4", "t6"])
def test_soft_accuracy_refuses_irregular_gaps(shared: Path, name: str) -> None:
    with pytest.raises(Exception, match="judged for some systems only"):
        measure("spa", table(shared, name, "gold"), table(shared, name, "m1"))


def test_undefined_groups_can_count_as_zero(shared: Path) -> None:
    human, metric = table(shared, "t6", "gold"), table(shared, "t6", "m2")
    left_out = measure("segment-pearson-item", human, metric)
    zero = measure("segment-pearson-item", human, metric, Settings(undefined=Undefined.ZERO))
    assert zero.groups == left_out.groups + 3
    assert zero.value * zero.groups == pytest.approx(left_out.value * left_out.groups)
