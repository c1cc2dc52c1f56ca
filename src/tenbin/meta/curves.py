"""Fits, per metric, how often people prefer the same system, by the difference of its scores."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.counting import counted
from tenbin.core.difference_curve import (
    FEWEST_PAIRS,
    FEWEST_PLACES,
    BandPoint,
    CurvePoint,
    CurveTable,
    DifferenceCurve,
    TargetGroup,
    settings_digest,
)
from tenbin.core.errors import InputError
from tenbin.core.signature import Signature
from tenbin.meta.data import JudgedPair, MetricSources, judged_pair
from tenbin.meta.judgments import wanted_pairs
from tenbin.meta.measures.scores import system_means, systems_of
from tenbin.meta.planning import MetaOptions
from tenbin.stats.preference_curve import agreement_chance, fitted_curve, fitted_on_grid

MEASURE = "system-accuracy"
"""The measure that reads the same data: system scores of metrics and of people."""

_DIGEST_LENGTH = 12
_PERCENTILES = (2.5, 97.5)
_BAND_POINTS = 40


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedSystems:
    """The systems of one language pair of a test set, as a metric and as people score them.

    Attributes:
        place: Test set and language pair, such as ``wmt20 en-de``.
        human: Kind of judgment.
        scores: Of the metric; higher is better.
        judgments: Of people; higher is better.
        settings: Digest of the settings of the metric; empty where it has no signature.
    """

    place: str
    human: str
    scores: FloatArray
    judgments: FloatArray
    settings: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class _Observations:
    """Every two systems that people do not tie.

    Attributes:
        differences: By the metric, at least 0.
        agreements: 1 where people prefer the same one, else 0; one half where the metric ties.
        first: Number of the first system among all systems of the data.
        second: Number of the second.
        offsets: Where the systems of each place begin, and the number of all.
    """

    differences: FloatArray
    agreements: FloatArray
    first: IntArray
    second: IntArray
    offsets: tuple[int, ...]


def fit_curve(
    metric: str,
    places: Sequence[JudgedSystems],
    *,
    resamples: int,
    seed: int,
    target: TargetGroup = TargetGroup.ANY,
) -> DifferenceCurve:
    """Return the curve of a metric; its slope is NaN where there is nothing to fit.

    Samples draw places, and where there is only one, its systems: pairs that share systems and
    judges are dependent, and single pairs would give intervals that are far too narrow. Pairs that
    people tie exactly are left out; all others count alike, however sure people are, because the
    share that is asked for is one of all pairs.

    Args:
        metric: What it is called.
        places: The data.
        resamples: Bootstrap samples of the interval.
        seed: Their seed.
        target: The target languages that the curve is for.
    """
    found = _observations(places)
    slope, ceiling = fitted_curve(found.differences, found.agreements)
    pairs = len(found.differences)
    is_fitted = not np.isnan(slope)
    return DifferenceCurve(
        metric=metric,
        target=target,
        slope=slope,
        ceiling=ceiling,
        band=_band(found, resamples, np.random.default_rng(seed)) if is_fitted else (),
        pairs=pairs,
        places=tuple(one.place for one in places),
        agreement=float(found.agreements.mean()) if pairs else np.nan,
        largest=float(found.differences.max()) if pairs else np.nan,
        settings=tuple(sorted({one.settings for one in places if one.settings})),
        data=_digest(places),
    )


def curve_points(metric: str, places: Sequence[JudgedSystems]) -> Iterator[CurvePoint]:
    """Yield what each place adds to the data of a curve."""
    for one in places:
        found = _observations([one])
        yield CurvePoint(
            metric=metric,
            place=one.place,
            human=one.human,
            systems=len(one.scores),
            pairs=len(found.differences),
            agreement=float(found.agreements.mean()) if len(found.differences) else np.nan,
        )


def system_pairs(places: Sequence[JudgedSystems]) -> tuple[FloatArray, FloatArray]:
    """Return the differences of all pairs of systems that people do not tie, and who agrees.

    Returns:
        Differences by the metric, at least 0; 1 where people prefer the same one, else 0, and one
        half where the metric ties.
    """
    found = _observations(places)
    return found.differences, found.agreements


def curves_of_sets(
    folders: Sequence[str], pairs: Sequence[str], sources: MetricSources, options: MetaOptions
) -> CurveTable:
    """Return the curves of metrics on language pairs of test sets in the mt-metrics-eval layout.

    Language pairs without texts, or without human scores of several systems, are left out.

    Args:
        folders: The test sets.
        pairs: The language pairs, the same of each set; ``all`` for all with human judgments.
        sources: The metrics.
        options: Kinds of judgment, samples and seed.

    Raises:
        UsageError: A kind of judgment, metric or pair that does not exist.
        InputError: Files that cannot be read, or nothing to fit a curve on.
    """
    places = [(folder, pair) for folder in folders for pair in wanted_pairs(folder, pairs)]
    is_alone = len(places) == 1
    options = replace(options, measures=(MEASURE,))
    judged = [judged_pair(*place, sources, options, is_alone=is_alone) for place in places]
    return curve_table(judged, resamples=options.resamples, seed=options.seed)


def curve_table(pairs: Sequence[JudgedPair], *, resamples: int, seed: int) -> CurveTable:
    """Return the curve of every metric that has scores of judged systems.

    Raises:
        InputError: There is none.
    """
    by_metric: dict[str, list[JudgedSystems]] = {}
    for pair in pairs:
        for metric, one in _judged_systems(pair):
            by_metric.setdefault(metric, []).append(one)
    curves = tuple(
        fit_curve(metric, places, resamples=resamples, seed=seed)
        for metric, places in by_metric.items()
    )
    if not any(curve.pairs for curve in curves):
        raise InputError(
            "no curve can be fitted: it takes metric scores and human scores of at least two "
            "systems of a test set (human-scores/PAIR.KIND.sys.score, or judged segments)."
        )
    return CurveTable(
        curves=curves,
        points=tuple(
            point for metric, places in by_metric.items() for point in curve_points(metric, places)
        ),
        notes=(*_distinct_notes(pairs), *_few_notes(curves)),
        resamples=resamples,
        seed=seed,
        source=_source(pairs),
    )


def _judged_systems(pair: JudgedPair) -> Iterator[tuple[str, JudgedSystems]]:
    kinds = [task.human for task in pair.tasks if task.measure == MEASURE and task.human]
    if not kinds:
        return
    kind = kinds[0]
    human = system_means(systems_of(pair.human[kind]))
    for metric, tables in pair.metrics.items():
        table = tables.systems or tables.segments
        if table is None:
            continue
        own = system_means(table)
        names = [name for name in human.systems if name in set(own.systems)]
        signature = pair.signatures.get(metric)
        scores, judgments = own.chosen(names).scores, human.chosen(names).scores
        known = ~(np.isnan(scores) | np.isnan(judgments))
        yield (
            metric,
            JudgedSystems(
                place=f"{pair.test_set} {pair.pair}".strip() or "files",
                human=kind,
                scores=scores[known],
                judgments=judgments[known],
                settings="" if signature is None else settings_digest(Signature.parse(signature)),
            ),
        )


def _observations(places: Sequence[JudgedSystems]) -> _Observations:
    differences, agreements, first, second = [], [], [], []
    offsets = [0]
    for one in places:
        a, b = np.triu_indices(len(one.scores), k=1)
        by_metric = one.scores[a] - one.scores[b]
        by_people = one.judgments[a] - one.judgments[b]
        is_told = by_people != 0
        agrees = np.where(by_metric == 0, 0.5, (by_metric > 0) == (by_people > 0))
        differences.append(np.abs(by_metric)[is_told])
        agreements.append(agrees[is_told].astype(np.float64))
        first.append((offsets[-1] + a)[is_told])
        second.append((offsets[-1] + b)[is_told])
        offsets.append(offsets[-1] + len(one.scores))
    return _Observations(
        np.concatenate(differences),
        np.concatenate(agreements),
        np.concatenate(first),
        np.concatenate(second),
        tuple(offsets),
    )


def _band(found: _Observations, resamples: int, rng: np.random.Generator) -> tuple[BandPoint, ...]:
    """Return the 95 % percentile interval of the share, closer together at small differences."""
    drawn = [_drawn_weights(found, rng) for _ in range(resamples)]
    weights = np.array(drawn).reshape(resamples, len(found.differences))
    weights = weights[weights.sum(axis=1) > 0]
    if not len(weights):
        return ()
    slopes, ceilings = fitted_on_grid(found.differences, found.agreements, weights)
    at = found.differences.max() * (np.arange(_BAND_POINTS + 1) / _BAND_POINTS) ** 2
    chances = agreement_chance(at[None, :], slopes[:, None], ceilings[:, None])
    low, high = np.percentile(chances, _PERCENTILES, axis=0)
    return tuple(
        BandPoint(*point) for point in zip(at.tolist(), low.tolist(), high.tolist(), strict=True)
    )


def _drawn_weights(found: _Observations, rng: np.random.Generator) -> FloatArray:
    """Return how often each pair of systems is in a sample of places, or of systems of only one."""
    starts, stops = found.offsets[:-1], found.offsets[1:]
    units = len(starts) if len(starts) > 1 else stops[0]
    drawn = np.bincount(rng.integers(units, size=units), minlength=units).astype(np.float64)
    if len(starts) == 1:
        of_systems: FloatArray = drawn[found.first] * drawn[found.second]
        return of_systems
    of_places: FloatArray = np.repeat(drawn, np.subtract(stops, starts))[found.first]
    return of_places


def _digest(places: Sequence[JudgedSystems]) -> str:
    digest = hashlib.sha256()
    for one in places:
        digest.update(f"{one.place}\t{one.human}\n".encode())
        for score, judgment in zip(one.scores.tolist(), one.judgments.tolist(), strict=True):
            digest.update(f"{score:.8g}\t{judgment:.8g}\n".encode())
    return digest.hexdigest()[:_DIGEST_LENGTH]


def _few_notes(curves: Sequence[DifferenceCurve]) -> list[str]:
    few = [curve.metric for curve in curves if not curve.is_reliable]
    if not few:
        return []
    least = f"{counted(FEWEST_PAIRS, 'system pair')} from {FEWEST_PLACES} language pairs"
    note = (
        f"{', '.join(few)}: fewer than {least} of test sets, or no pair on which people disagree; "
        "'tenbin compare' shows no share from such a curve."
    )
    return [note]


def _distinct_notes(pairs: Sequence[JudgedPair]) -> list[str]:
    """Return the notes of all language pairs, with the place where there are several."""
    if len(pairs) == 1:
        return list(pairs[0].notes)
    return [f"{pair.test_set} {pair.pair}: {note}" for pair in pairs for note in pair.notes]


def _source(pairs: Sequence[JudgedPair]) -> str:
    return ", ".join(dict.fromkeys(pair.test_set for pair in pairs if pair.test_set))
