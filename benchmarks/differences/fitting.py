"""Curves of all metrics on the stored system scores and the human scores of the test sets."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.differences.scoring import SPLIT_AT_SPACES, Place, SystemScore, runs
from tenbin.annotation.languages import parse_language
from tenbin.core.difference_curve import (
    FEWEST_PLACES,
    CurvePoint,
    CurveTable,
    DifferenceCurve,
    TargetGroup,
    settings_digest,
)
from tenbin.core.judgments import ScoreMatrix
from tenbin.core.signature import Signature
from tenbin.evaluation.run import facts_of_run
from tenbin.meta.curves import MEASURE, JudgedSystems, curve_points, fit_curve
from tenbin.meta.judgments import find_judgments
from tenbin.meta.measures.catalog import find_measure
from tenbin.meta.measures.scores import system_means, systems_of
from tenbin.meta.planning import suitable_kinds
from tenbin.metrics.registry import load

RESAMPLES = 1_000
SEED = 12345
SOURCE = "WMT"


def judgments(data: Path, place: Place) -> ScoreMatrix:
    """Return human scores of systems of the most reliable kind; its name is that kind."""
    files = find_judgments(str(data / place.test_set), place.pair)
    kind = suitable_kinds(find_measure(MEASURE).info, files.forms)[0]
    return system_means(systems_of(files.read(kind, segments=False)))


def judged_systems(
    data: Path, scores: Sequence[SystemScore], metric: str
) -> dict[tuple[str, ...], list[JudgedSystems]]:
    """Return the judged systems of a metric, place by place, grouped by the resources it reads.

    Scores that come from other vectors or from another lexicon have another scale.
    """
    sign = 1.0 if load(metric).info.higher_is_better else -1.0
    by_place: dict[Place, dict[str, float]] = {}
    for one in scores:
        if one.metric == metric:
            by_place.setdefault(one.place, {})[one.system] = sign * one.score
    groups: dict[tuple[str, ...], list[JudgedSystems]] = {}
    for place, own in sorted(by_place.items()):
        if metric in SPLIT_AT_SPACES and not parse_language(place.language).spaced:
            continue
        human = judgments(data, place)
        known = dict(zip(human.systems, human.scores.tolist(), strict=True))
        names = [name for name in own if not np.isnan(known.get(name, np.nan))]
        signature = _signature(metric, place.language)
        resources = tuple(f"{name}={content}" for name, content in signature.resources)
        groups.setdefault(resources, []).append(
            JudgedSystems(
                place=f"{place.test_set} {place.pair}",
                human=human.name,
                scores=np.array([own[name] for name in names]),
                judgments=np.array([known[name] for name in names]),
                settings=settings_digest(signature),
            )
        )
    return groups


def fit_all(data: Path, scores: Sequence[SystemScore]) -> CurveTable:
    """Return a curve for each metric and each group of places that is large enough."""
    curves: list[DifferenceCurve] = []
    points: list[CurvePoint] = []
    for metric in dict.fromkeys(one.metric for one in scores):
        if not any(runs(metric, one.place.language) for one in scores if one.metric == metric):
            continue
        target = TargetGroup.SPACED if metric in SPLIT_AT_SPACES else TargetGroup.ANY
        for places in judged_systems(data, scores, metric).values():
            points += curve_points(metric, places)
            if len(places) >= FEWEST_PLACES:
                curve = fit_curve(metric, places, resamples=RESAMPLES, seed=SEED, target=target)
                curves.append(curve)
    return CurveTable(
        curves=tuple(curve for curve in curves if curve.is_reliable),
        points=tuple(points),
        resamples=RESAMPLES,
        seed=SEED,
        source=SOURCE,
    )


def _signature(metric: str, language: str) -> Signature:
    bound = load(metric).bind(language)
    return bound.signature().of_run(*facts_of_run(bound, language, (1,)))
