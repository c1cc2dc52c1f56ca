"""Scores the systems of a test set with many metrics in one pass."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tenbin.annotation.languages import parse_language
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.metric import Metric
from tenbin.core.progress import Advance, step
from tenbin.core.scores import MetricScores, ScoreTable
from tenbin.core.spec import Spec
from tenbin.core.text import SegmentSource
from tenbin.evaluation.checks import (
    check_texts,
    collection_notes,
    corpus_notes,
    empty_notes,
    few_units_notes,
    glossary_notes,
    system_weight_notes,
    unused_notes,
)
from tenbin.evaluation.readiness import ready_metrics, told_at_once
from tenbin.evaluation.statistics import MetricStatistics, gather_statistics
from tenbin.metrics.registry import ALIAS_TITLES
from tenbin.stats.resampling import bootstrap_scores, grouped, percentile_interval

DEFAULT_SEED = 12345
DEFAULT_RESAMPLES = 1_000
# References are checked on a sample: a language does not change within a test set.
SAMPLE = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a test set is scored.

    Attributes:
        segments: Whether segment scores are wanted.
        resamples: Bootstrap resamples for confidence intervals; 0 for none.
        seed: Seed of every random draw.
        by_document: Whether whole documents are drawn where documents are known.
        jobs: Worker processes.
        advance: Called with the number of segments done, times metrics.
    """

    segments: bool = False
    resamples: int = 0
    seed: int = DEFAULT_SEED
    by_document: bool = True
    jobs: int = 1
    advance: Advance | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scored:
    """Everything a run computed, statistics included, for tests of significance.

    Attributes:
        scores: The scores.
        metrics: The metrics, bound to the language.
        units: Per metric the statistics of each resampling unit, shape (systems, units, K).
        unit: What a unit is: ``segments`` or ``documents``.
    """

    scores: ScoreTable
    metrics: tuple[Metric, ...]
    units: tuple[FloatArray, ...]
    unit: str


def evaluate(
    source: SegmentSource, specs: Sequence[str], language: str, options: Options
) -> ScoreTable:
    """Return the scores of every system by every metric."""
    return evaluate_units(source, specs, language, options, draws_units=False).scores


def evaluate_units(
    source: SegmentSource,
    specs: Sequence[str],
    language: str,
    options: Options,
    *,
    draws_units: bool,
) -> Scored:
    """Return scores and, for tests that draw units, the statistics of each resampling unit."""
    target = parse_language(language)
    metrics = ready_metrics(source, specs, target.tag)
    with told_at_once(specs, target.tag):
        notes = check_texts(next(iter(source.chunks(SAMPLE))), metrics, target)
    notes += [*unused_notes(specs, target), *system_weight_notes(metrics), *glossary_notes(metrics)]
    keep_rows = draws_units or options.segments or options.resamples > 0
    found = gather_statistics(
        source, metrics, keep_rows=keep_rows, jobs=options.jobs, advance=options.advance
    )
    documents = document_numbers(source.documents) if options.by_document else None
    units = tuple(grouped(part.rows, documents) for part in found if part.rows is not None)
    unit = "segments" if documents is None else "documents"
    if units and (draws_units or options.resamples):
        notes += few_units_notes(units[0].shape[1], unit)
    intervals = confidence_intervals(metrics, units, options)
    draws: tuple[tuple[str, str], ...] = ()
    if options.resamples:
        draws = (("bs", str(options.resamples)), ("unit", unit), ("seed", str(options.seed)))
    results = tuple(
        metric_scores(
            spec,
            metric,
            (*facts_of_run(metric, target.tag, source.reference_counts), *draws),
            systems=source.systems,
            scores=metric.score(part.totals),
            segments=_segment_scores(metric, part) if options.segments else None,
            intervals=interval,
        )
        for spec, metric, part, interval in zip(specs, metrics, found, intervals, strict=True)
    )
    scores = ScoreTable(
        language=target.tag,
        segment_count=source.segment_count,
        systems=source.systems,
        results=results,
        notes=(
            *source.notes,
            *empty_notes(source, metrics),
            *notes,
            *collection_notes(source, metrics),
            *corpus_notes(metrics, [part.totals for part in found]),
        ),
    )
    return Scored(scores=scores, metrics=tuple(metrics), units=units, unit=unit)


def confidence_intervals(
    metrics: Sequence[Metric], units: Sequence[FloatArray], options: Options
) -> list[FloatArray] | list[None]:
    """Return the 95 % intervals of corpus scores by each metric, shape (systems, 2), if asked for.

    Args:
        metrics: The metrics, bound to the language.
        units: Per metric the statistics of each unit that is drawn.
        options: How many resamples are drawn, and their seed.
    """
    if not options.resamples:
        return [None] * len(metrics)
    rng = np.random.default_rng(options.seed)
    scorers = [metric.score for metric in metrics]
    with step("drawing resamples", options.resamples) as advance:
        resampled = bootstrap_scores(
            units, scorers, resamples=options.resamples, rng=rng, advance=advance
        )
    return [np.stack(percentile_interval(scores), axis=-1) for scores in resampled]


def _segment_scores(metric: Metric, part: MetricStatistics) -> FloatArray | None:
    return None if part.rows is None else metric.segment_score(part.rows)


def document_numbers(documents: Sequence[str] | None) -> IntArray | None:
    """Return the number of each segment's document; None where documents are not known."""
    if documents is None:
        return None
    return np.unique(np.array(documents), return_inverse=True)[1].astype(np.int64)


def facts_of_run(
    metric: Metric, language: str, reference_counts: Sequence[int]
) -> tuple[tuple[str, str], ...]:
    """Return what a signature says about the test set: target language, number of references.

    A metric that reads no reference has 0 of them, however many were given.

    Args:
        metric: The metric.
        language: The target language.
        reference_counts: The distinct numbers of references per segment.
    """
    counts = reference_counts if metric.needs.references else (0,)
    return ("lang", language), ("nrefs", str(counts[0]) if len(counts) == 1 else "var")


def metric_scores(
    spec: str,
    metric: Metric,
    run_fields: Iterable[tuple[str, str]],
    *,
    systems: tuple[str, ...],
    scores: FloatArray,
    segments: FloatArray | None = None,
    intervals: FloatArray | None = None,
) -> MetricScores:
    """Return scores with what a metric says about them.

    Args:
        spec: The metric as the user wrote it.
        metric: The metric, bound to the language.
        run_fields: What the signature says about the run.
        systems: Names of the systems.
        scores: Corpus scores, shape (systems,).
        segments: Segment scores, shape (systems, segments).
        intervals: Confidence intervals, shape (systems, 2).
    """
    parsed = Spec.parse(spec)
    return MetricScores(
        metric=str(parsed),
        title=title_of(spec, metric),
        signature=metric.signature().of_run(*run_fields),
        higher_is_better=metric.info.higher_is_better,
        decimals=metric.info.decimals,
        systems=systems,
        scores=scores,
        segments=segments,
        intervals=intervals,
        alias=parsed.alias,
    )


def title_of(spec: str, metric: Metric) -> str:
    """Return what a table calls the metric: its alias, its title, or a spec with parameters."""
    parsed = Spec.parse(spec)
    if parsed.alias:
        return parsed.alias
    if parsed.parameters:
        return str(parsed)
    return ALIAS_TITLES.get(parsed.name.lower(), metric.info.title)
