"""Agreement of many rows of scores with human judgment on a language pair, with intervals.

Every row is measured on the same bootstrap samples, so that differences between rows are paired.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tenbin.core.agreement import SamplingUnit
from tenbin.core.agreement_study import MEAN, AgreementRow, MissingRow, ScoreOrigin
from tenbin.core.arrays import FloatArray
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, UsageError
from tenbin.core.study import Difference
from tenbin.evaluation.checks import few_units_notes
from tenbin.evaluation.run import DEFAULT_RESAMPLES, DEFAULT_SEED
from tenbin.meta.data import JudgedPair
from tenbin.meta.measures.catalog import prepare
from tenbin.meta.measures.measurement import Prepared, Settings
from tenbin.meta.measures.scores import MetricTables
from tenbin.meta.measuring import approximate_notes, drawn_samples
from tenbin.meta.planning import MetaTask
from tenbin.meta.significance.bootstrap import uncertainty
from tenbin.resources.published import PublishedValue
from tenbin.studies.correlations import drawn_unit

RANKING_TAU = "wmt14-tau"
PAPER_THRESHOLD = 0.80
THRESHOLDS = (0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 1.00)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementOptions:
    """How an experiment on agreement is run.

    Attributes:
        measure: The measure at segment level, for the experiments on METEOR.
        thresholds: Those that cross-validation chooses from; that of the paper is always there.
        folds: Folds of cross-validation; 0 for none, None for ten or as many as there can be.
        human: The kind of judgment; None takes the most reliable one.
        references: Names of references; None for the first.
        unit: What bootstrap and folds are made of: documents where they are known, or segments.
        resamples: Bootstrap samples.
        seed: Seed of samples and folds.
        cache: Whether scores and encodings are read from the caches on disk and written there.
        jobs: Worker processes.
        advance: Called with the number of segments done, times metrics.
    """

    measure: str = RANKING_TAU
    thresholds: tuple[float, ...] = THRESHOLDS
    folds: int | None = None
    human: str | None = None
    references: tuple[str, ...] | None = None
    unit: SamplingUnit = SamplingUnit.DOCUMENTS
    resamples: int = DEFAULT_RESAMPLES
    seed: int = DEFAULT_SEED
    cache: bool = True
    jobs: int = 1
    advance: Callable[[int], None] | None = None

    def __post_init__(self) -> None:
        if self.unit is SamplingUnit.JUDGMENTS:
            raise UsageError("a study draws documents or segments, not judgments.")
        if self.resamples < 1:
            raise UsageError(f"{counted(self.resamples, 'sample')}: give a number of at least 1.")
        if any(not 0 <= threshold <= 1 for threshold in self.thresholds):
            raise UsageError("a threshold is a number from 0 to 1.")

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of judgment asked for."""
        return () if self.human is None else (self.human,)

    @property
    def grid(self) -> tuple[float, ...]:
        """The thresholds in ascending order, that of the paper among them."""
        return tuple(sorted({*self.thresholds, PAPER_THRESHOLD}))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoredRow:
    """The scores of one row on one language pair.

    Attributes:
        metric: What the row is called.
        tables: Its scores.
        setting: How its threshold was chosen; empty without one.
        thresholds: The threshold in use, or those of the folds.
        origin: Where the scores come from.
        signature: Of the metric, where Tenbin computed the scores.
    """

    metric: str
    tables: MetricTables
    setting: str = ""
    thresholds: tuple[float, ...] = ()
    origin: ScoreOrigin = ScoreOrigin.COMPUTED
    signature: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SampledRow:
    """A row, and its measure on every bootstrap sample."""

    row: AgreementRow
    samples: FloatArray

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What makes rows of several language pairs the same row."""
        row = self.row
        return row.metric, row.setting, row.measure, row.origin


Lookup = Callable[[str, str, str, str], PublishedValue | None]
"""What the paper prints for a metric and a setting on a language pair, by a measure."""


def measured_rows(
    judged: JudgedPair,
    task: MetaTask,
    scored: Sequence[ScoredRow],
    published: Lookup,
    options: AgreementOptions,
    seed: int,
) -> tuple[list[SampledRow], list[MissingRow], list[str]]:
    """Return the rows with their samples, those that could not be measured, and notes.

    Args:
        judged: The language pair with its judgments.
        task: The measure and the kind of judgment.
        scored: The rows.
        published: What the paper prints.
        options: What is drawn, and how often.
        seed: Seed of the samples.
    """
    if task.human is None:
        return [], [], []
    where = f"{judged.test_set} {judged.pair}"
    prepared: dict[str, Prepared] = {}
    missing: list[MissingRow] = []
    for place, one in enumerate(scored):
        try:
            joined = prepare(
                task.measure, judged.human[task.human], one.tables, Settings(by_segment=True)
            )
        except InputError as error:
            reason = str(error).removeprefix(f"{one.tables.name}: ")
            told = f"no {task.measure}: {reason}"
            missing.append(MissingRow(metric=one.metric, where=where, reason=told))
        else:
            prepared[str(place)] = joined
    unit, notes = drawn_unit(judged.documents, options.unit)
    documents = judged.documents if unit is SamplingUnit.DOCUMENTS else None
    samples = drawn_samples(prepared, seed, options.resamples, documents)
    units = max((one.units for one in prepared.values()), default=0)
    notes += few_units_notes(units if documents is None else len(set(documents)), unit)
    if task.info.level == "sys":
        notes += approximate_notes({one.metric: one.tables for one in scored})
    rows = []
    for number, joined in prepared.items():
        one, found = scored[int(number)], joined.value()
        printed = published(one.metric, one.setting, judged.pair, task.measure)
        row = AgreementRow(
            test_set=judged.test_set,
            pair=judged.pair,
            measure=task.measure,
            human=task.human,
            metric=one.metric,
            setting=one.setting,
            origin=one.origin,
            value=found.value,
            ci=uncertainty(samples[number]).percentile,
            difference=None,
            thresholds=one.thresholds,
            published=None if printed is None else printed.value,
            published_threshold=None if printed is None else printed.threshold,
            n=found.n,
            counted=task.info.counts,
            signature=one.signature,
        )
        rows.append(SampledRow(row, samples[number]))
    return rows, missing, notes


def compared_rows(rows: Sequence[SampledRow], baseline: str) -> list[AgreementRow]:
    """Return the rows with their differences from the baseline of the same place and measure."""
    computed = [one for one in rows if one.row.origin is ScoreOrigin.COMPUTED]
    bases = {_place(one.row): one for one in computed if one.row.metric == baseline}
    return [_compared(one, bases.get(_place(one.row))) for one in rows]


def mean_rows(rows: Sequence[SampledRow], published: Lookup) -> list[SampledRow]:
    """Return the means over language pairs of the rows that all of them have.

    Args:
        rows: Those of all language pairs; samples of different pairs are independent draws.
        published: What the paper prints for `MEAN`.
    """
    places: dict[str, set[tuple[str, str]]] = {}
    groups: dict[tuple[str, str, str, str], list[SampledRow]] = {}
    for one in rows:
        places.setdefault(one.row.measure, set()).add((one.row.test_set, one.row.pair))
        groups.setdefault(one.key, []).append(one)
    means = []
    for (metric, setting, measure, _), group in groups.items():
        if len(places[measure]) == 1 or len(group) < len(places[measure]):
            continue
        samples = np.mean([one.samples for one in group], axis=0)
        printed = published(metric, setting, MEAN, measure)
        row = replace(
            group[0].row,
            test_set="",
            pair=MEAN,
            value=float(np.mean([one.row.value for one in group])),
            ci=uncertainty(samples).percentile,
            thresholds=tuple(t for one in group for t in one.row.thresholds),
            published=None if printed is None else printed.value,
            published_threshold=None if printed is None else printed.threshold,
            n=len(group),
            counted="language pairs",
        )
        means.append(SampledRow(row, samples))
    return means


def _place(row: AgreementRow) -> tuple[str, str, str]:
    return row.test_set, row.pair, row.measure


def _compared(one: SampledRow, base: SampledRow | None) -> AgreementRow:
    if base is None or base.row is one.row:
        return one.row
    gap = Difference(
        value=one.row.value - base.row.value, ci=uncertainty(one.samples - base.samples).percentile
    )
    return replace(one.row, difference=gap)
