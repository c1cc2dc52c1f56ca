"""The data of a measure: human judgments and metric scores of the same translations.

What is known of each, which scores belong together, system scores, DARR and outliers.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.counting import agreeing, counted
from tenbin.core.errors import InputError
from tenbin.core.judgments import HumanPairs, HumanScores, Level, ScoreMatrix, listed
from tenbin.formats.wmt_layout import human_translations
from tenbin.meta.measures.measurement import Resampler

DARR = "darr"
DARR_POINTS = 25.0
# Means of several annotators are rounded in files: 88.66667 - 63.66667 is a little less than 25.
_POINTS_ROUNDING = 1e-6
OUTLIER_LIMIT = 2.5
_MEAN_BITS = 40
# Makes the median deviation of normally distributed scores their standard deviation.
_MEDIAN_SCALE = 1.4826
# refA, refP, ref, Human-A.0 ...: how WMT names human translations among the systems.


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MetricTables:
    """The scores of one metric, as far as they are known.

    Attributes:
        name: The metric.
        segments: Scores by segment.
        systems: Scores of whole systems; without them, means of ``segments``.
        resampler: From how often each segment was drawn ``(samples, segments)`` the scores of the
            systems ``(samples, systems)``, for a metric whose system score is no mean, such as
            BLEU: ``metric.score(counts @ statistics)``. Systems are those of ``systems``.
    """

    name: str
    segments: ScoreMatrix | None = None
    systems: ScoreMatrix | None = None
    resampler: Resampler | None = None


def human_scores(human: HumanScores | ScoreMatrix | HumanPairs) -> HumanScores:
    """Return a single table or list of preferences as human judgments."""
    if isinstance(human, HumanScores):
        return human
    if isinstance(human, HumanPairs):
        return HumanScores(name=human.name, pairs=human)
    if human.level is Level.SEGMENT:
        return HumanScores(name=human.name, segments=human)
    return HumanScores(name=human.name, systems=human)


def metric_tables(metric: MetricTables | ScoreMatrix) -> MetricTables:
    """Return a single table as the scores of a metric."""
    if isinstance(metric, MetricTables):
        return metric
    if metric.level is Level.SEGMENT:
        return MetricTables(name=metric.name, segments=metric)
    return MetricTables(name=metric.name, systems=metric)


def segments_of(scores: HumanScores | MetricTables) -> ScoreMatrix:
    """Return the scores by segment, or say that there are none."""
    if scores.segments is None:
        raise InputError(f"{scores.name}: there are no scores by segment, which are needed here.")
    return scores.segments


def systems_of(scores: HumanScores | MetricTables) -> ScoreMatrix:
    """Return the scores of systems; those by segment where there are no others."""
    table = scores.systems or scores.segments
    if table is None:
        raise InputError(f"{scores.name}: there are no scores of systems, nor of segments.")
    return table


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Which systems and segments human judgments and a metric share, for a report.

    Attributes:
        unscored: Judged systems that the metric has no scores for.
        unjudged: Systems with metric scores and no judgments.
        without_judgment: Judged systems all of whose human scores are missing.
        missing: Human scores that are missing.
        judged: Human scores that are there.
    """

    unscored: tuple[str, ...]
    unjudged: tuple[str, ...]
    without_judgment: tuple[str, ...]
    missing: int
    judged: int


def coverage(human: ScoreMatrix, metric: ScoreMatrix) -> Coverage:
    """Return what is there on one side only."""
    missing = np.isnan(human.scores)
    by_system = missing if human.level is Level.SYSTEM else missing.all(axis=1)
    return Coverage(
        unscored=tuple(name for name in human.systems if name not in set(metric.systems)),
        unjudged=tuple(name for name in metric.systems if name not in set(human.systems)),
        without_judgment=tuple(np.array(human.systems)[by_system].tolist()),
        missing=int(missing.sum()),
        judged=int((~missing).sum()),
    )


def aligned(human: ScoreMatrix, metric: ScoreMatrix) -> tuple[FloatArray, FloatArray]:
    """Return gold and metric scores ``(systems, segments)`` in the order of the human table.

    Raises:
        InputError: The metric lacks a judged system or segment, or has no score where there is a
            human one; a table has no segment scores.
    """
    for table in (human, metric):
        if table.level is not Level.SEGMENT:
            raise InputError(
                f"{table.name}: these are scores of whole systems; a measure of segments needs a "
                "score for every segment."
            )
    scores = metric.chosen(human.systems, human.segments).scores
    holes = np.argwhere(np.isnan(scores) & ~np.isnan(human.scores))
    if len(holes):
        where = [f"{human.systems[s]} segment {human.segments[i]}" for s, i in holes]
        raise InputError(
            f"{metric.name}: {counted(len(holes), 'score')} {agreeing(len(holes), 'is')} missing "
            f"where there is a human score ({human.name}): {listed(where)}. A metric must "
            "score every judged translation."
        )
    return human.scores, scores


def fully_judged(human: ScoreMatrix) -> ScoreMatrix:
    """Return the segments that were judged for every system, as soft pairwise accuracy needs them.

    Raises:
        InputError: There is none.
    """
    places = np.flatnonzero(~np.any(np.isnan(human.scores), axis=0))
    if human.level is Level.SYSTEM or not len(places):
        raise InputError(f"{human.name}: no segment was judged for all of its systems.")
    segments = [human.segments[place] for place in places]
    return human.chosen(human.systems, segments)


def system_means(table: ScoreMatrix) -> ScoreMatrix:
    """Return system scores: the mean of the scores that are there (MQM, DA, ESA, metrics).

    >>> system_means(ScoreMatrix.by_segment("esa", {"A": [80, None, 90], "B": [None] * 3})).scores
    array([85., nan])
    """
    if table.level is Level.SYSTEM:
        return table
    means = drawn_means(table.scores, np.ones((1, len(table.segments))))[0]
    return ScoreMatrix(name=table.name, systems=table.systems, segments=(), scores=means)


def drawn_means(scores: FloatArray, counts: FloatArray) -> FloatArray:
    """Return the mean of the scores that are there, ``(samples, systems)``.

    Systems with the same scores in another order must tie, and sums differ in their last bits: a
    mean is rounded to about twelve digits of the largest score.

    Args:
        scores: ``(systems, segments)``.
        counts: ``(samples, segments)``, how often each segment was drawn.
    """
    there = ~np.isnan(scores)
    totals = counts @ there.T.astype(np.float64)
    sums = counts @ np.where(there, scores, 0.0).T
    means = np.where(totals > 0, sums / np.maximum(totals, 1), np.nan)
    largest = float(np.max(np.abs(scores), initial=0.0, where=there))
    step = np.ldexp(1.0, int(np.frexp(largest)[1]) - _MEAN_BITS)
    rounded: FloatArray = np.round(means / step) * step
    return rounded


def build_darr(
    direct: ScoreMatrix, *, points: float = DARR_POINTS, excluded: Iterable[str] | None = None
) -> HumanPairs:
    """Return relative rankings from direct assessment: pairs at least some points apart.

    Ma, Bojar, Graham (2018, 2019), WMT metrics tasks: of every two machine systems judged on the
    same segment the higher one is better if raw scores (0-100) differ by 25 points or more.

    Args:
        direct: Raw scores by segment.
        points: The least difference.
        excluded: Systems to leave out; by default human translations.
    """
    names = human_translations(direct.systems) if excluded is None else excluded
    table = direct.without(names)
    first, second = np.triu_indices(len(table.systems), k=1)
    differences = table.scores[first] - table.scores[second]
    # Segment by segment, as judgments are listed; NaN is never far enough.
    segments, pairs = np.nonzero(np.abs(differences.T) >= points - _POINTS_ROUNDING)
    upper = differences.T[segments, pairs] > 0
    return HumanPairs(
        name="darr",
        systems=table.systems,
        segments=segments.astype(np.int64),
        better=np.where(upper, first[pairs], second[pairs]).astype(np.int64),
        worse=np.where(upper, second[pairs], first[pairs]).astype(np.int64),
        segment_names=table.segments,
    )


def outliers(human: ScoreMatrix) -> list[str]:
    """Return systems whose human score is far from the others'.

    Mathur, Baldwin, Cohn (2020): |h - median| / (1.4826 * median(|h - median|)) > 2.5, over the
    machine systems. Where more than half of the scores are equal, none is an outlier.
    """
    means = system_means(human)
    table = means.without(human_translations(means.systems))
    values = outlier_values(table.scores)
    return [name for name, far in zip(table.systems, values > OUTLIER_LIMIT, strict=True) if far]


def outlier_values(scores: FloatArray) -> FloatArray:
    """Return how many scaled median deviations each score lies from the median."""
    known = scores[~np.isnan(scores)]
    if len(known) == 0:
        return np.full(len(scores), np.nan)
    deviations = np.abs(scores - np.median(known))
    scale = _MEDIAN_SCALE * float(np.median(deviations[~np.isnan(deviations)]))
    if scale == 0:
        return np.zeros(len(scores))
    return deviations / scale


def win_shares(pairs: HumanPairs) -> ScoreMatrix:
    """Return system scores from relative rankings: the share of its judgments a system wins."""
    wins = np.bincount(pairs.better, minlength=len(pairs.systems))
    losses = np.bincount(pairs.worse, minlength=len(pairs.systems))
    judged = wins + losses
    shares = np.where(judged > 0, wins / np.maximum(judged, 1), np.nan)
    return ScoreMatrix(name=pairs.name, systems=pairs.systems, segments=(), scores=shares)
