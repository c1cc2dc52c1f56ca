"""Gaps, ties and strangers: what a measure does with data that are not whole."""

from dataclasses import replace

import numpy as np
import pytest

from tenbin.core.errors import InputError, UsageError
from tenbin.core.judgments import HumanPairs, ScoreMatrix
from tenbin.formats.wmt_layout import human_translations
from tenbin.meta.measures.catalog import measure
from tenbin.meta.measures.measurement import Settings, Undefined
from tenbin.meta.measures.scores import (
    build_darr,
    coverage,
    fully_judged,
    outliers,
    system_means,
    win_shares,
)

HUMAN = ScoreMatrix.by_segment(
    "da", {"A": [10, None, 90], "B": [40, 60, None], "refA": [80, 90, 100], "D": [None] * 3}
)
METRIC = ScoreMatrix.by_segment(
    "m", {"A": [1, None, 3], "B": [2, 4, 5], "X": [0, 0, 0], "D": [None] * 3, "refA": [9, 9, 9]}
)


def test_coverage_says_what_is_on_one_side_only() -> None:
    found = coverage(HUMAN, METRIC.without(["refA"]))
    assert found.unscored == ("refA",)
    assert found.unjudged == ("X",)
    assert found.without_judgment == ("D",)
    assert (found.judged, found.missing) == (7, 5)


def test_people_are_known_by_their_names() -> None:
    names = ["refA", "ref", "refP", "Human-A.0", "human", "Online-A", "refine-mt", "Humanity"]
    assert human_translations(names) == ["refA", "ref", "refP", "Human-A.0", "human"]


def test_items_without_human_score_are_left_out() -> None:
    found = measure("segment-pearson", HUMAN, METRIC)
    gold, scores = [10, 90, 40, 60, 80, 90, 100], [1, 3, 2, 4, 9, 9, 9]
    assert found.n == 7
    assert found.value == pytest.approx(np.corrcoef(gold, scores)[0, 1])


def test_a_metric_must_score_what_was_judged() -> None:
    with pytest.raises(InputError, match=r"m: no scores for 1 of 4 systems: refA"):
        measure("segment-pearson", HUMAN, METRIC.without(["refA"]))
    holes = ScoreMatrix.by_segment("m", {n: [1, 2, None] for n in HUMAN.systems})
    with pytest.raises(InputError, match=r"2 scores are missing .* A segment 3, refA segment 3"):
        measure("segment-pearson", HUMAN, holes)
    with pytest.raises(InputError, match="no score for the judged system A"):
        measure(
            "system-pearson",
            ScoreMatrix.by_system("h", {"A": 1, "B": 2}),
            ScoreMatrix.by_system("m", {"A": None, "B": 2}),
        )


def test_levels_are_not_mixed_up() -> None:
    systems = ScoreMatrix.by_system("m", {"A": 1.0, "B": 2.0})
    with pytest.raises(InputError, match="m: there are no scores by segment"):
        measure("segment-pearson", HUMAN, systems)
    with pytest.raises(InputError, match="no preferences between systems"):
        measure("wmt14-tau", HUMAN, METRIC)
    with pytest.raises(InputError, match="nor of segments"):
        measure("system-pearson", HumanPairs.of_names("rr", [(0, "A", "B")]), systems)


def test_judgments_of_pairs_need_every_score() -> None:
    with pytest.raises(InputError, match="no scores for 1 of 2 systems: Z"):
        measure("wmt14-tau", HumanPairs.of_names("rr", [(0, "A", "Z")]), METRIC)
    with pytest.raises(InputError, match="judgments on segment 4, but m has 3 segments without it"):
        measure("wmt14-tau", HumanPairs.of_names("rr", [(3, "A", "B")]), METRIC)
    with pytest.raises(InputError, match=r"missing for 1 judged pair .* segment 2"):
        measure("wmt14-tau", HumanPairs.of_names("rr", [(1, "A", "B")]), METRIC)


def test_segments_of_judgments_are_found_by_number_or_by_place() -> None:
    pairs = HumanPairs.of_names("rr", [(1, "A", "B")])
    scores = np.array([[1.0, 0.0], [0.0, 1.0]])
    turned = ScoreMatrix(name="m", systems=("A", "B"), segments=("2", "1"), scores=scores)
    assert measure("wmt14-tau", pairs, turned).value == 1
    named = ScoreMatrix(name="m", systems=("A", "B"), segments=("x", "y"), scores=scores)
    assert measure("wmt14-tau", pairs, named).value == -1
    by_segment = Settings(by_segment=True)
    assert measure("wmt14-tau", pairs, turned, by_segment).value == 1


def test_constant_metrics_have_no_correlation_but_an_accuracy() -> None:
    constant = ScoreMatrix.by_segment("m", {name: [0.1, 0.1, 0.1] for name in HUMAN.systems})
    for name in ("segment-pearson", "segment-spearman", "segment-kendall", "segment-kendall-c"):
        assert np.isnan(measure(name, HUMAN, constant).value)
        assert measure(f"{name}-item", HUMAN, constant).groups == 0
        zero = measure(f"{name}-item", HUMAN, constant, Settings(undefined=Undefined.ZERO))
        assert (zero.value, zero.groups) == (0.0, 3)
    assert measure("acc-eq", HUMAN, constant).value == 0.0
    assert measure("darr-tau", HUMAN, constant).value == -1.0


def test_nothing_judged_gives_nothing() -> None:
    empty = ScoreMatrix.by_segment("h", {"A": [None, None], "B": [None, None]})
    metric = ScoreMatrix.by_segment("m", {"A": [1, 2], "B": [2, 1]})
    for name in ("segment-pearson", "segment-kendall-item", "acc-eq", "system-pearson", "spa"):
        found = measure(name, empty, metric)
        assert np.isnan(found.value), name
    with pytest.raises(InputError, match="25 points apart"):
        measure("darr-tau", empty, metric)


def test_darr_leaves_people_out_and_takes_differences_of_25() -> None:
    table = ScoreMatrix.by_segment(
        "da", {"A": [88.66667, 50, 50], "B": [63.66667, 74.9, None], "refA": [0, 0, 0]}
    )
    pairs = build_darr(table)
    assert (pairs.segments.tolist(), pairs.systems) == ([0], ("A", "B"))
    assert pairs.systems[pairs.better[0]] == "A"
    assert len(build_darr(table, points=24, excluded=())) == 7


def test_system_scores() -> None:
    assert system_means(HUMAN).scores[:3].tolist() == [50, 50, 90]
    assert np.isnan(system_means(HUMAN).scores[3])
    shares = win_shares(HumanPairs.of_names("rr", [(0, "A", "B"), (1, "A", "B"), (2, "B", "A")]))
    assert shares.scores.tolist() == pytest.approx([2 / 3, 1 / 3])
    equal = ScoreMatrix.by_segment("m", {"A": [0.1, 0.2, 0.3], "B": [0.3, 0.2, 0.1]})
    means = system_means(equal).scores
    assert means[0] == means[1]


def test_outliers_are_machines_that_lie_far_away() -> None:
    scores = {"a": 0.1, "b": 0.12, "c": 0.15, "d": 0.2, "refA": 9.0, "e": None}
    assert outliers(ScoreMatrix.by_system("da", scores)) == []
    assert outliers(ScoreMatrix.by_system("da", {**scores, "e": -3.0})) == ["e"]
    assert outliers(ScoreMatrix.by_system("da", {"a": 1, "b": 1, "c": 5})) == []
    human = ScoreMatrix.by_system("da", {"a": 1, "b": 2, "c": 3, "d": 9})
    metric = ScoreMatrix.by_system("m", {"a": 3, "b": 1, "c": 2, "d": 9})
    found = measure("system-pearson-without-outliers", human, metric, Settings(outliers=("d",)))
    assert found.n == 3
    assert found.value == pytest.approx(-0.5)


def test_segments_judged_for_all_systems() -> None:
    table = HUMAN.without(["D"])
    assert fully_judged(table).segments == ("1",)
    with pytest.raises(InputError, match="no segment was judged for all"):
        fully_judged(HUMAN)


def test_unknown_measures_come_with_near_names() -> None:
    with pytest.raises(UsageError, match=r"unknown measure 'segment-pearsn'.* segment-pearson"):
        measure("segment-pearsn", HUMAN, METRIC)


def test_rankings_made_of_a_table_follow_the_names_of_its_segments() -> None:
    # Numbers in another order, as a user's own file may have them.
    human = replace(
        ScoreMatrix.by_segment("da", {"A": [90.0, 10.0], "B": [10.0, 20.0]}), segments=("2", "1")
    )
    metric = replace(
        ScoreMatrix.by_segment("m", {"A": [0.1, 0.9], "B": [0.2, 0.3]}), segments=("1", "2")
    )
    assert measure("darr-tau", build_darr(human), metric).value == 1.0
    elsewhere = replace(metric, segments=("1", "3"))
    with pytest.raises(InputError, match="segment 2"):
        measure("darr-tau", build_darr(human), elsewhere)
