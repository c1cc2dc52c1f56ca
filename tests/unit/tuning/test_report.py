"""Tuned by one measure, reported by another: on systems and on segments, as in Matsuo et al."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau

import tenbin
from tenbin.api.meta import meta_evaluate
from tenbin.core.arrays import FloatArray
from tenbin.core.errors import InputError, UsageError
from tenbin.core.tuning import Tuning
from tenbin.formats.mt_metrics_eval import read_score_file
from tenbin.reports.render import render
from tenbin.tuning.folds import assigned_folds

JUDGED = Path(__file__).parents[2] / "data" / "judged"
PAIR = "de-en"
MACHINES = ("alpha", "beta", "gamma", "delta", "epsilon")
THRESHOLDS = [0.0, 0.25, 0.5, 0.75, 1.0]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path / "scores"))


def tuned(metric: str, **options: object) -> Tuning:
    chosen: dict[str, object] = {
        "folder": str(JUDGED),
        "pairs": PAIR,
        "measure": "system-pearson",
        "report": "kendall",
    }
    table = tenbin.tune(metric, "threshold=0:1:0.25", **(chosen | options))  # type: ignore[arg-type]
    (one,) = table.tunings
    return one


def segment_scores(metric: str) -> FloatArray:
    """Return segment scores of the machine systems, straight from the texts."""
    texts = {
        name: (JUDGED / "system-outputs" / PAIR / f"{name}.txt").read_text().splitlines()
        for name in MACHINES
    }
    marked = "[No translation supplied]"
    texts = {name: ["" if t == marked else t for t in own] for name, own in texts.items()}
    reference = (JUDGED / "references" / f"{PAIR}.refA.txt").read_text().splitlines()
    table = tenbin.score(texts, reference, metrics=[metric], language="en", segments=True)
    rows = table.score_set.results[0].segments
    assert rows is not None
    return rows


def gold() -> FloatArray:
    human = read_score_file(str(JUDGED / "human-scores" / f"{PAIR}.mqm.seg.score"))
    return human.chosen(MACHINES).scores


def pearson_of_systems(people: FloatArray, scores: FloatArray) -> float:
    """Correlate means over segments; a segment that nobody judged counts for the metric only."""
    return float(np.corrcoef(np.nanmean(people, axis=1), scores.mean(axis=1))[0, 1])


def kendall_of_segments(people: FloatArray, scores: FloatArray) -> float:
    known = ~np.isnan(people)
    return float(kendalltau(people[known], scores[known]).statistic)


@pytest.mark.parametrize("metric", ["was", "mas", "has"])
def test_both_measures_of_every_setting_are_those_of_meta(metric: str) -> None:
    tuning = tuned(metric, folds=0)
    assert tuning.reported is not None
    assert tuning.reported.measure == "segment-kendall"
    for one in tuning.settings:
        assert one.spec is not None
        assert one.reported is not None
        rows = meta_evaluate(
            str(JUDGED), PAIR, metrics=one.spec, measures=["system-pearson", "segment-kendall"]
        ).rows
        by_measure = {row.measure: row.value for row in rows}
        assert one.value == pytest.approx(by_measure["system-pearson"], abs=1e-12)
        assert one.reported.value == pytest.approx(by_measure["segment-kendall"], abs=1e-12)


@pytest.mark.parametrize("metric", ["was", "mas", "has"])
def test_the_threshold_is_chosen_on_systems_and_worth_what_it_is_on_segments(metric: str) -> None:
    """Tables 5 and 6 of the paper, from the texts and without the tuning."""
    scores = {t: segment_scores(f"{metric}(threshold={t})") for t in THRESHOLDS}
    people = read_score_file(str(JUDGED / "human-scores" / f"{PAIR}.mqm.sys.score"))
    of_systems = people.chosen(MACHINES).scores
    fits = {t: float(np.corrcoef(of_systems, own.mean(axis=1))[0, 1]) for t, own in scores.items()}
    best = max(fits, key=lambda t: fits[t])
    tuning = tuned(metric, folds=0)
    assert tuning.oracle.values == (best,)
    assert tuning.oracle.value == pytest.approx(fits[best], abs=1e-12)
    assert tuning.oracle.reported is not None
    expected = kendall_of_segments(gold(), scores[best])
    assert tuning.oracle.reported.value == pytest.approx(expected, abs=1e-12)


def test_on_folds_the_choice_is_that_of_systems_too() -> None:
    tuning = tuned("mas", folds=3, by="segments", seed=5)
    scores = {t: segment_scores(f"mas(threshold={t})") for t in THRESHOLDS}
    people = gold()
    fold_of = assigned_folds(np.ones(6, dtype=np.bool_), 3, np.random.default_rng(5))
    chosen, held_out = [], []
    for fold in range(3):
        out = fold_of == fold
        fits = {t: pearson_of_systems(people[:, ~out], own[:, ~out]) for t, own in scores.items()}
        best = max(fits, key=lambda t: fits[t])
        chosen.append((best,))
        held_out.append(kendall_of_segments(people[:, out], scores[best][:, out]))
    assert tuning.validation is not None
    assert tuning.validation.chosen == tuple(chosen)
    assert tuning.reported is not None
    means = tuning.reported.held_out
    assert means is not None
    assert means.value == pytest.approx(np.mean(held_out), abs=1e-12)
    assert tuning.default.reported is not None
    assert means.default == pytest.approx(np.mean(tuning.default.reported.by_fold), abs=1e-12)


def test_a_report_changes_no_choice() -> None:
    plain, reported = tuned("has", report=None), tuned("has")
    assert plain.reported is None
    assert plain.oracle.values == reported.oracle.values
    assert [one.value for one in plain.settings] == [one.value for one in reported.settings]
    assert plain.validation is not None
    assert reported.validation is not None
    assert plain.validation == reported.validation


def test_judgments_of_two_kinds() -> None:
    """Systems by scores, pairs of segments by rankings."""
    tuning = tuned("mas", report="wmt14-tau", folds=0)
    assert tuning.reported is not None
    assert tuning.human != tuning.reported.human
    assert tuning.reported.counted != tuning.counted


def test_what_cannot_be_reported() -> None:
    with pytest.raises(UsageError, match="system-pearson is what is tuned"):
        tuned("mas", report="system-pearson")
    with pytest.raises(UsageError, match="mean over samples; report "):
        tuned("mas", report="paraeval-spearman")
    with pytest.raises(InputError, match="could be computed from"):
        tuned("mas", report="wmt14-tau", human="mqm")


def test_every_format_has_both_measures() -> None:
    table = tenbin.tune(
        "mas",
        "threshold=0:1:0.5",
        folder=str(JUDGED),
        pairs=PAIR,
        measure="system-pearson",
        report="kendall",
        folds=3,
    )
    (tuning,) = table.tunings
    text = render(table, "text")
    assert "segment-kendall, all data" in text
    assert "Settings are chosen without segment-kendall (against mqm" in text
    data = json.loads(render(table, "json"))["tunings"][0]
    assert data["report"]["measure"] == "segment-kendall"
    assert tuning.oracle.reported is not None
    assert data["oracle"]["reported"]["value"] == pytest.approx(tuning.oracle.reported.value)
    rows = [line.split("\t") for line in render(table, "tsv").splitlines()[1:]]
    assert sum(row[1] == "segment-kendall" for row in rows) == len(tuning.settings) + 3
    assert render(table, "markdown").count("segment-kendall") > 2
    assert "segment-kendall" in render(table, "latex")
