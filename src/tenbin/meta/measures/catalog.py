"""Every measure of agreement, under the name that users write.

>>> human = ScoreMatrix.by_segment("da", {"A": [90, 40, 70, 10], "B": [60, 45, 70, 35]})
>>> metric = ScoreMatrix.by_segment("m", {"A": [0.9, 0.4, 0.5, 0.3], "B": [0.7, 0.35, 0.56, 0.3]})
>>> measure("acc-eq", human, metric).value
0.5
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial

from tenbin.core.agreement import JudgmentForm, MeasureInfo, MetricTest
from tenbin.core.errors import InputError, UsageError
from tenbin.core.judgments import HumanPairs, HumanScores, Level, ScoreMatrix
from tenbin.meta.measures.coefficients import (
    KENDALL_B,
    KENDALL_C,
    PEARSON,
    SPEARMAN,
    CorrelationCoefficient,
)
from tenbin.meta.measures.measurement import Averaging, Measurement, Prepared, Settings
from tenbin.meta.measures.pair_tau import PairTau, TauRule, wmt12_tau, wmt13_tau, wmt14_tau
from tenbin.meta.measures.scores import (
    MetricTables,
    build_darr,
    human_scores,
    metric_tables,
    outliers,
    segments_of,
    systems_of,
)
from tenbin.meta.measures.segment_level import DifferenceCorrelation, SegmentCorrelation
from tenbin.meta.measures.soft_accuracy import SoftAccuracy
from tenbin.meta.measures.system_level import SystemLevel, SystemMeasure, system_accuracy
from tenbin.meta.measures.tie_calibration import TieAccuracy

Preparer = Callable[[HumanScores, MetricTables, Settings], Prepared]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementMeasure:
    """A measure that can be asked for by name.

    Attributes:
        info: What it declares about itself.
        prepare: Joins it with the human judgments and the scores of one metric.
    """

    info: MeasureInfo
    prepare: Preparer


def measure(
    name: str,
    human: HumanScores | ScoreMatrix | HumanPairs,
    metric: MetricTables | ScoreMatrix,
    settings: Settings | None = None,
) -> Measurement:
    """Return how far a metric agrees with human judgment.

    Args:
        name: A name of `MEASURES`, such as ``segment-pearson-item``.
        human: Human scores, or preferences; a single table is taken for its level.
        metric: Scores of the metric, higher being better.
        settings: See `Settings`.

    Raises:
        UsageError: There is no measure of that name.
        InputError: Scores that the measure needs are missing.
    """
    return prepare(name, human, metric, settings).value()


def prepare(
    name: str,
    human: HumanScores | ScoreMatrix | HumanPairs,
    metric: MetricTables | ScoreMatrix,
    settings: Settings | None = None,
) -> Prepared:
    """Return a measure joined with its data, which can be resampled; arguments as in `measure`."""
    return find_measure(name).prepare(
        human_scores(human), metric_tables(metric), settings or Settings()
    )


def find_measure(name: str) -> AgreementMeasure:
    """Return the measure of a name.

    Raises:
        UsageError: There is none; near names are listed.
    """
    if name in MEASURES:
        return MEASURES[name]
    near = get_close_matches(name.lower(), MEASURES, n=3, cutoff=0.5)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    raise UsageError(f"unknown measure {name!r}.{hint} `list_measures()` lists all.")


def _system_level(
    measured: SystemMeasure,
    human: HumanScores,
    metric: MetricTables,
    settings: Settings,
    *,
    without_outliers: bool = False,
    human_fixed: bool = False,
    counts_pairs: bool = False,
) -> Prepared:
    table = systems_of(human)
    far = settings.outliers if settings.outliers is not None else outliers(table)
    prepared = SystemLevel.prepare(
        measured,
        table.without(far) if without_outliers else table,
        systems_of(metric),
        human_segments=human.segments,
        metric_segments=metric.segments,
        resampler=metric.resampler,
        counts_pairs=counts_pairs,
    )
    return prepared.with_fixed_human() if human_fixed else prepared


def _segment_level(
    coefficient: CorrelationCoefficient,
    averaging: Averaging,
    human: HumanScores,
    metric: MetricTables,
    settings: Settings,
) -> Prepared:
    return SegmentCorrelation.prepare(
        coefficient, averaging, settings.undefined, segments_of(human), segments_of(metric)
    )


def _differences(human: HumanScores, metric: MetricTables, settings: Settings) -> Prepared:  # noqa: ARG001
    return DifferenceCorrelation.prepare(PEARSON, segments_of(human), segments_of(metric))


def _ties(
    averaging: Averaging,
    human: HumanScores,
    metric: MetricTables,
    settings: Settings,
    *,
    as_tau: bool,
    calibrated: bool,
) -> Prepared:
    epsilon = None if calibrated else settings.epsilon
    return TieAccuracy.prepare(
        averaging, segments_of(human), segments_of(metric), epsilon=epsilon, as_tau=as_tau
    )


def _soft(human: HumanScores, metric: MetricTables, settings: Settings) -> Prepared:
    return SoftAccuracy.prepare(
        segments_of(human),
        segments_of(metric),
        permutations=settings.permutations,
        seed=settings.seed,
    )


def _pair_tau(
    rule: TauRule, human: HumanScores, metric: MetricTables, settings: Settings, *, uses_darr: bool
) -> Prepared:
    pairs = human.pairs
    if pairs is None and uses_darr:
        pairs = build_darr(segments_of(human))
    if pairs is None:
        raise InputError(f"{human.name}: there are no preferences between systems (rr).")
    if len(pairs) == 0:
        raise InputError(
            f"{human.name}: no two systems are 25 points apart on any segment; DARR needs raw "
            "scores of direct assessment from 0 to 100."
        )
    by_segment = uses_darr if settings.by_segment is None else settings.by_segment
    return PairTau.prepare(rule, pairs, segments_of(metric), by_segment=by_segment)


_COEFFICIENTS = {
    "pearson": (PEARSON, "Pearson's r"),
    "spearman": (SPEARMAN, "Spearman's rho"),
    "kendall": (KENDALL_B, "Kendall's tau-b"),
    "kendall-c": (KENDALL_C, "Kendall's tau-c"),
}
_AVERAGINGS = {
    Averaging.NONE: "over all translations",
    Averaging.SYSTEM: "mean over systems",
    Averaging.ITEM: "mean over segments",
}
# Measures whose two metrics cannot exchange scores one by one.
_BOOTSTRAP_ONLY = (MetricTest.BOOTSTRAP,)


def _system_measures() -> Iterable[AgreementMeasure]:
    for key, (coefficient, text) in _COEFFICIENTS.items():
        own = MeasureInfo(
            name=f"system-{key}",
            summary=f"{text} of system scores",
            level=Level.SYSTEM,
            needs=JudgmentForm.SYSTEM_SCORES,
            counts="systems",
        )
        if coefficient is PEARSON:
            own = replace(own, tests=(MetricTest.WILLIAMS, *own.tests))
        yield from _with_and_without_outliers(own, coefficient.of_groups)
    accuracy = MeasureInfo(
        name="system-accuracy",
        summary="share of pairs ordered alike of system scores",
        level=Level.SYSTEM,
        needs=JudgmentForm.SYSTEM_SCORES,
        counts="pairs of systems",
        is_pooled=True,
    )
    yield from _with_and_without_outliers(accuracy, system_accuracy)
    soft = MeasureInfo(
        name="spa",
        summary="soft pairwise accuracy (WMT24)",
        level=Level.SYSTEM,
        needs=JudgmentForm.SEGMENT_SCORES,
        counts="pairs of systems",
        tests=_BOOTSTRAP_ONLY,
        same_segments=True,
    )
    yield AgreementMeasure(info=soft, prepare=_soft)


def _with_and_without_outliers(
    info: MeasureInfo, measured: SystemMeasure
) -> Iterable[AgreementMeasure]:
    prepared = partial(_system_level, measured, counts_pairs=info.is_pooled)
    yield AgreementMeasure(info=info, prepare=prepared)
    yield AgreementMeasure(
        info=replace(
            info,
            name=f"{info.name}-without-outliers",
            summary=f"{info.summary}, outliers left out",
            without_outliers=True,
        ),
        prepare=partial(prepared, without_outliers=True),
    )


def _segment_measures() -> Iterable[AgreementMeasure]:
    for key, (coefficient, text) in _COEFFICIENTS.items():
        for averaging, over in _AVERAGINGS.items():
            info = MeasureInfo(
                name=f"segment-{key}{'' if averaging is Averaging.NONE else f'-{averaging}'}",
                summary=f"{text} of segment scores, {over}",
                level=Level.SEGMENT,
                needs=JudgmentForm.SEGMENT_SCORES,
                counts="translations",
            )
            prepared = partial(_segment_level, coefficient, averaging)
            yield AgreementMeasure(info=info, prepare=prepared)
    differences = MeasureInfo(
        name="segment-pearson-differences",
        summary="Pearson's r of differences between systems on the same segment",
        level=Level.SEGMENT,
        needs=JudgmentForm.SEGMENT_SCORES,
        counts="pairs of translations",
        tests=_BOOTSTRAP_ONLY,
    )
    yield AgreementMeasure(info=differences, prepare=_differences)


def _tie_measures() -> Iterable[AgreementMeasure]:
    for key, as_tau, text in (
        ("acc-eq", False, "pairwise accuracy with ties"),
        ("tau-eq", True, "pairwise tau with ties (tau23)"),
    ):
        for ending, calibrated in (("", True), ("-fixed", False)):
            for averaging, over in _AVERAGINGS.items():
                how = "epsilon calibrated" if calibrated else "epsilon given"
                suffix = "" if averaging is Averaging.ITEM else f"-{averaging}"
                info = MeasureInfo(
                    name=f"{key}{ending}{suffix}",
                    summary=f"{text}, {how}, {over}",
                    level=Level.SEGMENT,
                    needs=JudgmentForm.SEGMENT_SCORES,
                    counts="pairs of translations",
                    calibrates_ties=calibrated,
                )
                prepared = partial(_ties, averaging, as_tau=as_tau, calibrated=calibrated)
                yield AgreementMeasure(info=info, prepare=prepared)


def _preference_measures() -> Iterable[AgreementMeasure]:
    for name, rule, uses_darr, text in (
        ("darr-tau", wmt12_tau, True, "tau on DARR, ties of the metric discordant (WMT17-20)"),
        ("wmt12-tau", wmt12_tau, False, "tau on relative rankings, (C - D - T) / (C + D + T)"),
        ("wmt13-tau", wmt13_tau, False, "tau on relative rankings, (C - D) / (C + D)"),
        ("wmt14-tau", wmt14_tau, False, "tau on relative rankings, (C - D) / (C + D + T)"),
    ):
        info = MeasureInfo(
            name=name,
            summary=text,
            level=Level.SEGMENT,
            needs=JudgmentForm.PREFERENCES,
            counts="judgements",  # as result files spell it
            uses_darr=uses_darr,
        )
        prepared = partial(_pair_tau, rule, uses_darr=uses_darr)
        yield AgreementMeasure(info=info, prepare=prepared)


def _sampled_measures() -> Iterable[AgreementMeasure]:
    # ParaEval is by Zhou, Lin and Hovy (2006); the protocol is in their section 5.
    info = MeasureInfo(
        name="paraeval-spearman",
        summary="mean of Spearman's rho over samples of documents, human ranking fixed (ParaEval)",
        level=Level.SYSTEM,
        needs=JudgmentForm.SYSTEM_SCORES,
        counts="systems",
        tests=_BOOTSTRAP_ONLY,
        mean_of="system-spearman",
    )
    prepared = partial(_system_level, SPEARMAN.of_groups, human_fixed=True)
    yield AgreementMeasure(info=info, prepare=prepared)


MEASURES: Mapping[str, AgreementMeasure] = {
    one.info.name: one
    for listed in (
        _system_measures(),
        _segment_measures(),
        _tie_measures(),
        _preference_measures(),
        _sampled_measures(),
    )
    for one in listed
}
