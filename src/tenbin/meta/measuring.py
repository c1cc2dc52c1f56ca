"""Measures every metric on one language pair: values, intervals, ranks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.errors import InputError
from tenbin.evaluation.checks import few_units_notes
from tenbin.formats.score_table import ScoreTable
from tenbin.meta.choice import Task
from tenbin.meta.comparing import compared_metrics
from tenbin.meta.judgements import commonly_judged, outlier_notes
from tenbin.meta.measures.lookup import prepare
from tenbin.meta.measures.measurement import Prepared
from tenbin.meta.measures.scores import HumanScores, MetricScores, Settings
from tenbin.meta.options import (
    PROTOCOLS,
    MetaOptions,
    Offer,
    Unit,
    counted,
    needed,
    underlying,
)
from tenbin.meta.pair import JudgedPair, Lack, Measured
from tenbin.meta.sampling import (
    approximate_notes,
    drawn_samples,
    known_documents,
    resamples_of,
)
from tenbin.meta.significance.bootstrap import uncertainty
from tenbin.reports.meta_rows import MetaComparison, MetaRow


def measured_pair(judged: JudgedPair, options: MetaOptions) -> Measured:
    """Return a row for every task and metric; what is undefined is told in the notes."""
    parts = [_measured(judged, task, options) for task in judged.tasks]
    return Measured(
        rows=tuple(row for part in parts for row in part.rows),
        comparisons=tuple(one for part in parts for one in part.comparisons),
        notes=tuple(dict.fromkeys([*judged.notes, *(n for part in parts for n in part.notes)])),
        lacks=tuple(lack for part in parts for lack in part.lacks),
    )


def _measured(judged: JudgedPair, task: Task, options: MetaOptions) -> Measured:
    if task.human is None:
        empty = tuple(_empty_row(judged, task, name) for name in judged.metrics)
        return Measured(rows=empty, comparisons=(), notes=(), lacks=(_unsuited(task),))
    human, notes = _judgements(judged.human[task.human], task, options)
    is_protocol = task.measure in PROTOCOLS
    unit = options.unit or (Unit.DOCUMENTS if is_protocol and judged.documents else None)
    settings = Settings(
        by_segment=None if unit is None else unit is not Unit.JUDGEMENTS,
        outliers=options.outliers,
        epsilon=options.epsilon,
        human_fixed=is_protocol,
    )
    prepared: dict[str, Prepared] = {}
    lacks: list[Lack] = []
    for name, metric in judged.metrics.items():
        try:
            prepared[name] = prepare(underlying(task.measure), human, metric, settings)
        except InputError as error:
            lacks.append(Lack(name, task.measure, str(error).removeprefix(f"{name}: ")))
    samples, drawn_notes = _samples(judged, task, prepared, unit, options)
    rows: list[MetaRow] = []
    for name in judged.metrics:
        row, lack = _empty_row(judged, task, name), None
        if name in prepared:
            row, lack = _row(row, judged.metrics[name], prepared[name], samples.get(name))
        shown = options.intervals or is_protocol
        rows.append(row if shown else replace(row, ci=None, ci_mean=None))
        lacks += [] if lack is None else [lack]
    comparisons: tuple[MetaComparison, ...] = ()
    if options.compare:
        rows, comparisons = compared_metrics(rows, prepared, samples, options)
    return Measured(
        rows=tuple(rows),
        comparisons=comparisons,
        notes=(*notes, *drawn_notes),
        lacks=tuple(lacks),
    )


def _judgements(
    human: HumanScores, task: Task, options: MetaOptions
) -> tuple[HumanScores, list[str]]:
    """Return what of the judgements a measure uses, and notes on what it leaves out."""
    if task.measure == "spa":
        return commonly_judged(human)
    if task.measure.endswith("-without-outliers"):
        return human, outlier_notes(human, options.outliers)
    return human, []


def _samples(
    judged: JudgedPair,
    task: Task,
    prepared: Mapping[str, Prepared],
    unit: Unit | None,
    options: MetaOptions,
) -> tuple[dict[str, FloatArray], list[str]]:
    """Return bootstrap samples by metric, where some are needed, and notes on them."""
    resamples = resamples_of(task, options)
    if not resamples:
        return {}, []
    by_document = unit is Unit.DOCUMENTS
    documents = known_documents(judged.pair, judged.documents) if by_document else None
    notes = _few_notes(prepared, documents, unit)
    if needed(task.measure) is Offer.SYSTEMS:
        notes += approximate_notes(judged.metrics)
    return drawn_samples(prepared, options.seed, resamples, documents), notes


def _row(
    row: MetaRow, metric: MetricScores, prepared: Prepared, samples: FloatArray | None
) -> tuple[MetaRow, Lack | None]:
    """Return the row of one metric, and what it lacks and why, if it lacks something."""
    measurement = prepared.value()
    row = replace(row, value=measurement.value, n=measurement.n)
    if samples is not None:
        spread = uncertainty(samples)
        row = replace(row, ci=spread.percentile, ci_mean=spread.of_mean)
        if row.measure in PROTOCOLS:
            row = replace(row, value=spread.mean)
        if np.isnan(samples).all() and not np.isnan(measurement.value):
            row = replace(row, ci=None, ci_mean=None)
            what = row.measure if row.measure in PROTOCOLS else f"interval of {row.measure}"
            return row, Lack(row.metric, what, "there are no scores by segment to draw from.")
    if not np.isnan(row.value):
        return row, None
    why = f"it is undefined on {measurement.n} {row.counted}."
    if needed(row.measure) is not Offer.PAIRS and _is_constant(metric):
        why = "the metric gives everything the same score."
    return row, Lack(row.metric, row.measure, why)


def _empty_row(judged: JudgedPair, task: Task, name: str) -> MetaRow:
    return MetaRow(
        test_set=judged.test_set,
        pair=judged.pair,
        metric=name,
        measure=task.measure,
        human=task.human,
        value=np.nan,
        n=0,
        counted=counted(task.measure),
        signature=judged.signatures.get(name),
    )


def _few_notes(
    prepared: Mapping[str, Prepared], documents: Sequence[str] | None, unit: Unit | None
) -> list[str]:
    if documents is not None:
        return few_units_notes(len(set(documents)), Unit.DOCUMENTS)
    units = max((one.units for one in prepared.values()), default=0)
    return few_units_notes(units, str(unit or Unit.SEGMENTS)) if units else []


def _is_constant(metric: MetricScores) -> bool:
    tables: list[ScoreTable] = [t for t in (metric.segments, metric.systems) if t is not None]
    return all(len(np.unique(t.scores[~np.isnan(t.scores)])) <= 1 for t in tables)


def _unsuited(task: Task) -> Lack:
    need = needed(task.measure)
    hint = " (darr, or da-raw to make it of)" if task.measure == "darr-tau" else ""
    return Lack("", task.measure, f"there are no human {need}{hint} to set it against.")
