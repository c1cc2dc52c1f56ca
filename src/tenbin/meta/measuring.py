"""Measures every metric on one language pair: values, bootstrap samples, intervals, ranks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tenbin.core.agreement import JudgmentForm, MetaComparison, MetaRow, SamplingUnit
from tenbin.core.arrays import FloatArray
from tenbin.core.errors import InputError, UsageError
from tenbin.core.judgments import HumanScores, ScoreMatrix
from tenbin.core.progress import step
from tenbin.evaluation.checks import few_units_notes
from tenbin.meta.comparing import compared_metrics
from tenbin.meta.data import JudgedPair
from tenbin.meta.judgments import RAW, commonly_judged, outlier_notes
from tenbin.meta.measures.catalog import prepare
from tenbin.meta.measures.measurement import Prepared, Settings
from tenbin.meta.measures.scores import DARR, MetricTables, system_means
from tenbin.meta.planning import MetaOptions, MetaTask, needed_resamples
from tenbin.meta.significance.bootstrap import bootstrap, uncertainty

# Scores in files are rounded; beside the spread of systems that is nothing.
_ROUNDING = 0.01


@dataclass(frozen=True, slots=True)
class MissingValue:
    """A value or interval that is missing, and why.

    Attributes:
        metric: Of which metric; empty where it is of all.
        what: A measure, or the interval of one.
        reason: A sentence without its capital.
    """

    metric: str
    what: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PairResults:
    """The results of one language pair.

    Attributes:
        rows: One per task and metric.
        comparisons: Every two metrics, where they were compared.
        notes: What a reader should know about the data.
        missing: Values and intervals that are missing.
    """

    rows: tuple[MetaRow, ...]
    comparisons: tuple[MetaComparison, ...]
    notes: tuple[str, ...]
    missing: tuple[MissingValue, ...]


def measured_pair(judged: JudgedPair, options: MetaOptions) -> PairResults:
    """Return a row for every task and metric; what is undefined is explained."""
    parts = []
    with step("measuring", len(judged.tasks)) as advance:
        for task in judged.tasks:
            parts.append(_measured(judged, task, options))
            advance(1)
    return PairResults(
        rows=tuple(row for part in parts for row in part.rows),
        comparisons=tuple(one for part in parts for one in part.comparisons),
        notes=tuple(dict.fromkeys([*judged.notes, *(n for part in parts for n in part.notes)])),
        missing=tuple(one for part in parts for one in part.missing),
    )


def _measured(judged: JudgedPair, task: MetaTask, options: MetaOptions) -> PairResults:
    if task.human is None:
        empty = tuple(_empty_row(judged, task, name) for name in judged.metrics)
        return PairResults(rows=empty, comparisons=(), notes=(), missing=(_unsuited(task),))
    human, notes = _used_judgments(judged.human[task.human], task, options)
    is_mean = task.info.mean_of is not None
    unit = options.unit
    if unit is None and is_mean and judged.documents:
        unit = SamplingUnit.DOCUMENTS
    settings = Settings(
        by_segment=None if unit is None else unit is not SamplingUnit.JUDGMENTS,
        outliers=options.outliers,
        epsilon=options.epsilon,
    )
    prepared: dict[str, Prepared] = {}
    missing: list[MissingValue] = []
    for name, metric in judged.metrics.items():
        try:
            prepared[name] = prepare(task.measure, human, metric, settings)
        except InputError as error:
            missing.append(MissingValue(name, task.measure, str(error).removeprefix(f"{name}: ")))
    samples, drawn_notes = _samples(judged, task, prepared, unit, options)
    rows: list[MetaRow] = []
    for name in judged.metrics:
        row, gap = _empty_row(judged, task, name), None
        if name in prepared:
            row, gap = _row(row, task, judged.metrics[name], prepared[name], samples.get(name))
        shown = options.intervals or is_mean
        rows.append(row if shown else replace(row, ci=None, ci_mean=None))
        missing += [] if gap is None else [gap]
    comparisons: tuple[MetaComparison, ...] = ()
    if options.compare:
        rows, comparisons = compared_metrics(rows, task, prepared, samples, options)
    return PairResults(
        rows=tuple(rows),
        comparisons=comparisons,
        notes=(*notes, *drawn_notes),
        missing=tuple(missing),
    )


def _used_judgments(
    human: HumanScores, task: MetaTask, options: MetaOptions
) -> tuple[HumanScores, list[str]]:
    """Return the judgments that a measure uses, and notes on what it leaves out."""
    if task.info.same_segments:
        return commonly_judged(human, task.measure)
    if task.info.without_outliers:
        return human, outlier_notes(human, options.outliers)
    return human, []


def _samples(
    judged: JudgedPair,
    task: MetaTask,
    prepared: Mapping[str, Prepared],
    unit: SamplingUnit | None,
    options: MetaOptions,
) -> tuple[dict[str, FloatArray], list[str]]:
    """Return bootstrap samples by metric, where some are needed, and notes on them."""
    resamples = needed_resamples(task, options)
    if not resamples:
        return {}, []
    by_document = unit is SamplingUnit.DOCUMENTS
    documents = known_documents(judged.pair, judged.documents) if by_document else None
    notes = _few_notes(prepared, documents, unit)
    if task.info.needs is JudgmentForm.SYSTEM_SCORES:
        notes += approximate_notes(judged.metrics)
    return drawn_samples(prepared, options.seed, resamples, documents), notes


def _row(
    row: MetaRow,
    task: MetaTask,
    metric: MetricTables,
    prepared: Prepared,
    samples: FloatArray | None,
) -> tuple[MetaRow, MissingValue | None]:
    """Return the row of one metric, and what is missing, if something is."""
    is_mean = task.info.mean_of is not None
    measurement = prepared.value()
    row = replace(row, value=measurement.value, n=measurement.n)
    if samples is not None:
        spread = uncertainty(samples)
        row = replace(row, ci=spread.percentile, ci_mean=spread.of_mean)
        if is_mean:
            row = replace(row, value=spread.mean)
        if np.isnan(samples).all() and not np.isnan(measurement.value):
            row = replace(row, ci=None, ci_mean=None)
            what = row.measure if is_mean else f"interval of {row.measure}"
            return row, MissingValue(
                row.metric, what, "there are no scores by segment to draw from."
            )
    if not np.isnan(row.value):
        return row, None
    why = f"it is undefined on {measurement.n} {row.counted}."
    if task.info.needs is not JudgmentForm.PREFERENCES and _is_constant(metric):
        why = "the metric gives everything the same score."
    return row, MissingValue(row.metric, row.measure, why)


def _empty_row(judged: JudgedPair, task: MetaTask, name: str) -> MetaRow:
    return MetaRow(
        test_set=judged.test_set,
        pair=judged.pair,
        metric=name,
        measure=task.measure,
        human=task.human,
        value=np.nan,
        n=0,
        counted=task.info.counts,
        signature=judged.signatures.get(name),
        spec=judged.specs.get(name),
    )


def _few_notes(
    prepared: Mapping[str, Prepared], documents: Sequence[str] | None, unit: SamplingUnit | None
) -> list[str]:
    if documents is not None:
        return few_units_notes(len(set(documents)), SamplingUnit.DOCUMENTS)
    units = max((one.units for one in prepared.values()), default=0)
    return few_units_notes(units, str(unit or SamplingUnit.SEGMENTS)) if units else []


def _is_constant(metric: MetricTables) -> bool:
    tables: list[ScoreMatrix] = [t for t in (metric.segments, metric.systems) if t is not None]
    return all(len(np.unique(t.scores[~np.isnan(t.scores)])) <= 1 for t in tables)


def _unsuited(task: MetaTask) -> MissingValue:
    hint = f" ({DARR}, or {RAW} to build it from)" if task.info.uses_darr else ""
    return MissingValue(
        "", task.measure, f"there are no human {task.info.needs}{hint} to compare with."
    )


def missing_value_notes(missing: Sequence[MissingValue]) -> list[str]:
    """Return a sentence for each reason, metrics and measures with the same one together."""
    measures: dict[tuple[str, str], list[str]] = {}
    for one in missing:
        measures.setdefault((one.metric, one.reason), []).append(one.what)
    metrics: dict[tuple[str, str], list[str]] = {}
    for (metric, reason), names in measures.items():
        metrics.setdefault((", ".join(names), reason), []).append(metric)
    return [
        f"{', '.join(names)}: no {what}: {reason}".removeprefix(": ")
        for (what, reason), names in metrics.items()
    ]


def drawn_samples(
    prepared: Mapping[str, Prepared],
    seed: int,
    resamples: int,
    documents: Sequence[str] | None,
) -> dict[str, FloatArray]:
    """Return bootstrap samples of each metric; the same draws for all with as many units."""
    found: dict[str, FloatArray] = {}
    for units in {one.units for one in prepared.values()}:
        names = [name for name, one in prepared.items() if one.units == units]
        values = bootstrap(
            [prepared[name] for name in names],
            rng=np.random.default_rng(seed),
            resamples=resamples,
            documents=documents if units else None,
        )
        found |= dict(zip(names, values, strict=True))
    return found


def known_documents(pair: str, documents: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the documents, or say that they are not known."""
    if documents is None:
        raise UsageError(
            f"{pair}: documents are not known, so that they cannot be drawn; draw segments instead."
        )
    return documents


def samples_are_exact(metric: MetricTables) -> bool:
    """Whether system scores of bootstrap samples are computed like those of all segments.

    Of imported metrics only segment scores can be drawn, whose means may be other system scores
    than those submitted, as for BLEU.
    """
    if metric.resampler is not None or metric.segments is None or metric.systems is None:
        return True
    means = system_means(metric.segments)
    both = [name for name in means.systems if name in set(metric.systems.systems)]
    gaps = means.chosen(both).scores - metric.systems.chosen(both).scores
    spread = np.ptp(means.scores) if len(means.scores) else 0.0
    return bool(np.nanmax(np.abs(gaps), initial=0.0) <= _ROUNDING * max(spread, 1e-9))


def approximate_notes(metrics: Mapping[str, MetricTables]) -> list[str]:
    """Return a note on metrics whose intervals at system level are not exact."""
    names = [name for name, metric in metrics.items() if not samples_are_exact(metric)]
    if not names:
        return []
    found = f"{', '.join(names)}: system scores are no means of segment scores"
    return [f"{found}, but those of samples are; their intervals are approximate."]
