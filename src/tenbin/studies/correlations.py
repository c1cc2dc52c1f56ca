"""Correlation of metrics with the human ranking of systems, over samples of documents.

The protocol of Zhou, Lin and Hovy (2006, section 4.1); the measure is ``paraeval-spearman`` of
`tenbin.meta`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tenbin.core.agreement import SamplingUnit
from tenbin.core.arrays import FloatArray
from tenbin.core.caching import caching
from tenbin.core.counting import counted
from tenbin.core.errors import InputError
from tenbin.core.study import CorrelationRow, Difference, Shares
from tenbin.evaluation.checks import few_units_notes
from tenbin.formats.wmt_layout import CHOICE_OF_REFERENCES
from tenbin.meta.data import JudgedPair, MetricSources, judged_pair
from tenbin.meta.measures.catalog import prepare
from tenbin.meta.measures.scores import system_means, systems_of
from tenbin.meta.measuring import drawn_samples
from tenbin.meta.planning import MetaOptions
from tenbin.meta.significance.bootstrap import uncertainty
from tenbin.studies.places import StudyPlace
from tenbin.studies.planning import StudyMetric, StudyOptions

MEASURE = "paraeval-spearman"
_FEWEST_SYSTEMS = 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Correlation:
    """How one metric ranks the systems of a place, against one group of references.

    Attributes:
        place: The language pair.
        metric: The metric.
        references: Names of the references.
        human: Kind of judgment.
        value: Spearman's rho on all segments.
        ranked: How many systems were ranked.
        systems: Names of the systems that were scored.
        samples: Rho of each bootstrap sample; the same draws for all metrics and references.
        unit: What was drawn.
        units: Of how many of them.
        signature: Of the metric.
    """

    place: StudyPlace
    metric: StudyMetric
    references: tuple[str, ...]
    human: str
    value: float
    ranked: int
    systems: tuple[str, ...]
    samples: FloatArray
    unit: SamplingUnit
    units: int
    signature: str


def correlations(
    place: StudyPlace,
    metrics: Sequence[StudyMetric],
    references: Sequence[str],
    options: StudyOptions,
    *,
    is_alone: bool,
) -> tuple[list[Correlation], list[str]]:
    """Return the correlation of each metric with each kind of judgment, and notes on the data.

    Args:
        place: The language pair.
        metrics: The metrics.
        references: Names of the references they score against.
        options: Kinds of judgment, what is drawn and how often.
        is_alone: Whether there is no other place: what this one lacks is an error, else a note.

    Raises:
        InputError: Too few systems were judged.
    """
    sources = MetricSources(
        specs=tuple(metric.spec for metric in metrics),
        references=tuple(references),
        jobs=options.jobs,
        advance=options.advance,
    )
    wanted = MetaOptions(
        measures=(MEASURE,), human=options.human, resamples=options.resamples, seed=options.seed
    )
    with caching(enabled=options.cache):
        judged = judged_pair(place.folder, place.pair, sources, wanted, is_alone=is_alone)
    notes = list(judged.notes)
    kinds = [task.human for task in judged.tasks if task.human is not None]
    lack = _lack(judged, kinds)
    if lack is not None and is_alone:
        raise InputError(f"{place.label}: {lack} Choose another language pair or kind of judgment.")
    if lack is not None:
        return [], [f"left out: {lack}"]
    found: list[Correlation] = []
    for kind in kinds:
        parts, more = _measured(place, judged, kind, metrics, tuple(references), options)
        found += parts
        notes += more
    return found, list(dict.fromkeys(notes))


def without_choice(notes: Sequence[str]) -> list[str]:
    """Return the notes without those on the references in use, which the rows themselves name."""
    return [note for note in notes if not note.startswith(CHOICE_OF_REFERENCES)]


def correlation_row(
    found: Correlation, *, baseline: Correlation | None = None, shares: Shares | None = None
) -> CorrelationRow:
    """Return a correlation as a row; with a baseline also the difference from it."""
    spread = uncertainty(found.samples)
    difference = None
    if baseline is not None and baseline is not found:
        gap = uncertainty(found.samples - baseline.samples)
        difference = Difference(value=gap.mean, ci=gap.percentile)
    return CorrelationRow(
        test_set=found.place.test_set,
        pair=found.place.pair,
        human=found.human,
        references=found.references,
        metric=found.metric.label,
        min_length=found.metric.min_length,
        value=spread.mean,
        ci=spread.percentile,
        ci_mean=spread.of_mean,
        undefined=spread.undefined,
        whole=found.value,
        systems=found.ranked,
        unit=str(found.unit),
        units=found.units,
        difference=difference,
        shares=shares,
        signature=found.signature,
    )


def _lack(judged: JudgedPair, kinds: Sequence[str]) -> str | None:
    """Return what is lacking for a ranking, if something is."""
    if not kinds:
        return "there are no human scores to rank systems by."
    for kind in kinds:
        ranked = int(np.sum(~np.isnan(system_means(systems_of(judged.human[kind])).scores)))
        if ranked < _FEWEST_SYSTEMS or not judged.metrics:
            return f"fewer than two systems have an output and a human score ({kind})."
    return None


def _measured(
    place: StudyPlace,
    judged: JudgedPair,
    kind: str,
    metrics: Sequence[StudyMetric],
    references: tuple[str, ...],
    options: StudyOptions,
) -> tuple[list[Correlation], list[str]]:
    prepared = {
        metric.spec: prepare(MEASURE, judged.human[kind], judged.metrics[metric.spec])
        for metric in metrics
    }
    values = {spec: one.value() for spec, one in prepared.items()}
    unit, notes = drawn_unit(judged.documents, options.unit)
    documents = judged.documents if unit is SamplingUnit.DOCUMENTS else None
    samples = drawn_samples(prepared, options.seed, options.resamples, documents)
    units = next(iter(prepared.values())).units if documents is None else len(set(documents))
    # Every metric scored the same ones.
    systems = systems_of(judged.metrics[metrics[0].spec]).systems
    found = [
        Correlation(
            place=place,
            metric=metric,
            references=references,
            human=kind,
            value=values[metric.spec].value,
            ranked=values[metric.spec].n,
            systems=systems,
            samples=samples[metric.spec],
            unit=unit,
            units=units,
            signature=judged.signatures[metric.spec],
        )
        for metric in metrics
    ]
    notes += few_units_notes(units, unit)
    for one in found:
        if lost := int(np.isnan(one.samples).sum()):
            ranks = (
                f"{one.metric.label}, {'+'.join(references)}: the ranks of "
                f"{counted(lost, 'sample')}"
            )
            notes.append(f"{ranks} have no correlation and are left out.")
    return found, notes


def drawn_unit(
    documents: Sequence[str] | None, unit: SamplingUnit
) -> tuple[SamplingUnit, list[str]]:
    """Return what a bootstrap draws: documents where there are several, and a note if not.

    Args:
        documents: The document of each segment, where known.
        unit: What was asked for.
    """
    if unit is SamplingUnit.SEGMENTS:
        return SamplingUnit.SEGMENTS, []
    if documents is None:
        return SamplingUnit.SEGMENTS, ["documents are not known: segments are drawn instead."]
    if len(set(documents)) == 1:
        # Every sample would be the whole text, and every interval a point.
        return SamplingUnit.SEGMENTS, ["all is one document: segments are drawn instead."]
    return SamplingUnit.DOCUMENTS, []
