"""Our difference curves beside published ones, and beside the stored scores they come from.

Published: Kocmi, Zouhar, Federmann and Post (2024), Navigating the Metrics Maze; the differences
for 80 % agreement with people are those of mt-thresholds 1.0.4 from PyPI, computed on 2026-11-16
as ``mt_thresholds.delta(0.8, metric)``.
"""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.differences.fitting import judged_systems
from benchmarks.differences.scoring import METRICS, Place, read_scores, score_place

from tenbin.core.difference_curve import DifferenceCurve, fitting_curve
from tenbin.core.signature import Signature
from tenbin.evaluation.run import facts_of_run
from tenbin.meta.curves import JudgedSystems, system_pairs
from tenbin.metrics.registry import load
from tenbin.resources.difference_curves import bundled_curves
from tenbin.stats.preference_curve import fitted_curve

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data"
SCORES = ROOT / "benchmarks" / "results" / "system-scores.tsv"
PUBLISHED = {"bleu": 2.34, "chrf": 1.63}

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the judged test sets are not here")


def curve_of(metric: str) -> DifferenceCurve:
    return next(curve for curve in bundled_curves().curves if curve.metric == metric)


def signature(spec: str, language: str, references: int = 1) -> Signature:
    bound = load(spec).bind(language)
    return bound.signature().of_run(*facts_of_run(bound, language, (references,)))


@pytest.mark.parametrize("metric", PUBLISHED)
def test_published_differences_are_within_our_intervals(metric: str) -> None:
    needed = curve_of(metric).needed(0.8)
    assert needed.low < PUBLISHED[metric] < needed.high
    assert needed.value == pytest.approx(PUBLISHED[metric], rel=0.2)


def test_every_bundled_curve_may_be_shown() -> None:
    curves = bundled_curves().curves
    assert {"chrf", "chrf++", "bleu", "ter", "meteor", "we_wpi", "yisi1"} <= {
        c.metric for c in curves
    }
    for curve in curves:
        assert curve.metric in METRICS
        assert curve.is_reliable
        assert curve.settings
        assert curve.slope > 0
        assert 0.8 < curve.ceiling <= 1
        for point in curve.band:
            assert 0.5 - 1e-9 <= point.low <= point.high <= 1
            middle = curve.share(point.difference).value
            assert point.low - 0.02 <= middle <= point.high + 0.02


@pytest.mark.parametrize(
    ("spec", "language", "found"),
    [
        ("chrf", "en", True),
        ("chrf", "de", True),
        ("chrf", "sw", True),  # the same settings, whatever the language
        ("chrf(word_order=2)", "en", True),  # chrf++ by another name
        ("chrf(beta=1)", "en", False),
        ("bleu", "ja", True),
        ("bleu", "zh", False),  # no set with its tokenizer
        ("ter", "de", True),
        ("we_wpi", "en", True),
    ],
)
def test_a_curve_is_found_by_its_settings(spec: str, language: str, *, found: bool) -> None:
    curves = bundled_curves().curves
    assert (fitting_curve(curves, signature(spec, language), spaced=True) is not None) == found
    assert fitting_curve(curves, signature(spec, language, 2), spaced=True) is None


def test_word_metrics_have_no_curve_without_spaces() -> None:
    curves = bundled_curves().curves
    assert fitting_curve(curves, signature("ter", "ja"), spaced=False) is None
    assert fitting_curve(curves, signature("chrf", "ja"), spaced=False) is not None


@needs_data
@pytest.mark.parametrize("metric", ["chrf", "ter", "meteor"])
def test_curves_are_those_of_the_stored_scores(metric: str) -> None:
    groups = judged_systems(DATA, read_scores(SCORES), metric).values()
    curves = [curve for curve in bundled_curves().curves if curve.metric == metric]
    for curve in curves:
        places = next(own for own in groups if tuple(o.place for o in own) == curve.places)
        slope, ceiling = fitted_curve(*system_pairs(places))
        assert curve.slope == pytest.approx(slope, rel=1e-3)
        assert curve.ceiling == pytest.approx(ceiling, abs=1e-3)
        assert curve.pairs == len(system_pairs(places)[0])
        assert curve.settings == tuple(sorted({one.settings for one in places}))


@needs_data
def test_a_sample_of_stored_scores_is_computed_again() -> None:
    place = Place("wmt24", "en-is")
    stored = {
        (one.metric, one.system): one.score for one in read_scores(SCORES) if one.place == place
    }
    for one in score_place(DATA, place, ["chrf", "bleu"], Path("adapters")):
        assert stored[one.metric, one.system] == pytest.approx(one.score, rel=1e-6)


def test_all_pairs_of_a_place_are_counted_once() -> None:
    scores = np.array([1.0, 2.0, 4.0])
    place = JudgedSystems(place="a b", human="esa", scores=scores, judgments=-scores)
    differences, agreements = system_pairs([place])
    assert sorted(differences.tolist()) == [1.0, 2.0, 3.0]
    assert agreements.tolist() == [0.0, 0.0, 0.0]
