"""Tests between two metrics agree with mt-metrics-eval: differences exactly, p within chance.

Provenance: `oracles/mtme/README.md` of the shared folder; read 2026-11-15. p-values come from
random rounds there and here; tolerances are four binomial standard errors of each side.
"""

import csv
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenbin.formats.score_table import ScoreTable
from tenbin.meta.measures.coefficients import PEARSON, correlation
from tenbin.meta.measures.judgments import system_means
from tenbin.meta.measures.lookup import prepare
from tenbin.meta.measures.measurement import Averaging, Prepared, Undefined
from tenbin.meta.measures.segment_level import SegmentCorrelation
from tenbin.meta.measures.tie_calibration import TieAccuracy
from tenbin.meta.significance.permutation import permutation_test
from tenbin.meta.significance.williams import williams, williams_matrix

pytestmark = pytest.mark.oracle

TABLES = ("t1", "t2", "t3", "t4", "t5", "t6", "t7")
TESTS_OF_TABLE = {"t1": 8, "t2": 4, "t3": 8, "t4": 8, "t5": 8, "t6": 8, "t7": 10}
ROUNDS = 4_000


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


def joined(key: str, human: ScoreTable, metric: ScoreTable, column: str) -> Prepared:
    """Return the measure that a key of the expected values names."""
    parts = key.split(".")
    if parts[0].startswith("Pairwise"):
        epsilon = None
        if "eps1=" in key:
            found = re.search(r"eps1=(.*)\.eps2=(.*?)\.k", key)
            assert found
            epsilon = float(found[1] if column == "m1" else found[2])
        return TieAccuracy.prepare(Averaging.ITEM, human, metric, epsilon=epsilon)
    averaging = "item" if ".item." in key else "none"
    kind = "kendall" if "Kendall" in key else "pearson"
    suffix = "" if averaging == "none" else "-item"
    return prepare(f"segment-{kind}{suffix}", human, metric)


@pytest.mark.parametrize("name", TABLES)
def test_permutation_tests(shared: Path, name: str) -> None:
    human = table(shared, name, "gold")
    rng = np.random.default_rng(2026)
    compared = 0
    for key, wanted in expected(shared)[name]["significance_m2_better_than_m1"].items():
        if key.startswith("note"):
            continue
        columns = ("m2", "m1") if "(swapped)" in key else ("m1", "m2")
        first, second = (
            joined(key, human, table(shared, name, column), column) for column in columns
        )
        found = permutation_test(first, second, rng=rng, rounds=ROUNDS, early_stop=None)
        assert found.delta == pytest.approx(wanted["delta"], rel=0, abs=1e-9), key
        share = min(max(wanted["p"], 1 / ROUNDS), 1 - 1 / ROUNDS)
        chance = 4 * np.sqrt(share * (1 - share) / ROUNDS)
        assert found.p_value == pytest.approx(wanted["p"], abs=wanted["tolerance"] + chance), key
        compared += 1
    assert compared == TESTS_OF_TABLE[name]


def test_a_clear_case_stops_early(shared: Path) -> None:
    human = table(shared, "t1", "gold")
    first, second = (
        prepare("segment-pearson", human, table(shared, "t1", m)) for m in ("m1", "m2")
    )
    rng = np.random.default_rng(3)
    # p is near .59, so that a look after 200 rounds is enough; without looks all are used.
    early = permutation_test(first, second, rng=rng, rounds=1_000, block=200)
    whole = permutation_test(first, second, rng=rng, rounds=1_000, block=200, early_stop=None)
    assert (early.rounds, whole.rounds) == (200, 1_000)


def test_williams_on_given_correlations(shared: Path) -> None:
    cases = expected(shared)["_williams_direct"]
    assert len(cases) == 4
    for case in cases:
        found = williams(*case["args"])
        assert found.one_sided == pytest.approx(case["one_sided"], rel=0, abs=1e-12)
        assert found.two_sided == pytest.approx(case["two_sided"], rel=0, abs=1e-12)


@pytest.mark.parametrize("name", ["t1", "t3", "t4", "t5", "t6"])
def test_williams_on_tables(shared: Path, name: str) -> None:
    human = table(shared, name, "gold")
    metrics = [table(shared, name, column) for column in ("m1", "m2")]
    cases = expected(shared)[name]["Williams"]
    assert cases
    for key, wanted in cases.items():
        if key.startswith("system"):
            gold = system_means(human).scores
            scores = np.stack([system_means(metric).scores for metric in metrics])
        else:
            gold = human.scores.ravel()
            scores = np.stack([metric.scores.ravel() for metric in metrics])
        values, p_values = williams_matrix(gold, scores)
        factor = 2 if key.endswith("two_sided") else 1
        assert factor * p_values[0, 1] == pytest.approx(wanted["p"], rel=0, abs=1e-9), key
        if "n" in wanted:
            between = correlation(PEARSON, scores[0], scores[1])
            found = [*values, between, len(gold)]
            listed = [wanted["r1"], wanted["r2"], wanted["r12"], wanted["n"]]
            assert found == pytest.approx(listed, rel=0, abs=1e-9), key


def test_permutations_are_those_of_a_literal_test() -> None:
    """Exchanging scores one by one, round by round, gives the same differences."""
    rng = np.random.default_rng(8)
    gold, one, other = rng.normal(size=(3, 4, 6))
    human = ScoreTable.by_segment("gold", dict(zip("ABCD", gold.tolist(), strict=True)))
    tables = [
        ScoreTable.by_segment("m", dict(zip("ABCD", rows.tolist(), strict=True)))
        for rows in (one, other)
    ]
    first, second = (
        SegmentCorrelation.prepare(PEARSON, Averaging.NONE, Undefined.LEFT_OUT, human, metric)
        for metric in tables
    )
    found = permutation_test(
        first, second, rng=np.random.default_rng(5), rounds=300, block=300, early_stop=None
    )
    z1, z2 = ((rows.ravel() - rows.mean()) / rows.std() for rows in (one, other))
    delta = np.corrcoef(gold.ravel(), z2)[0, 1] - np.corrcoef(gold.ravel(), z1)[0, 1]
    reached = 0
    for swap in np.random.default_rng(5).integers(2, size=(300, 24), dtype=np.bool_):
        lower, upper = np.where(swap, z2, z1), np.where(swap, z1, z2)
        gained = np.corrcoef(gold.ravel(), upper)[0, 1] - np.corrcoef(gold.ravel(), lower)[0, 1]
        reached += bool(gained >= delta - 1e-12)
    assert found.p_value == reached / 300
