"""Every measure, under the name that users write."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from tenbin.core.errors import InputError
from tenbin.formats.score_table import Level
from tenbin.meta.measures.coefficients import KENDALL_B, KENDALL_C, PEARSON, SPEARMAN, Coefficient
from tenbin.meta.measures.judgments import build_darr, outliers
from tenbin.meta.measures.measurement import Averaging, Prepared
from tenbin.meta.measures.pair_tau import PairTau, TauRule, wmt12_tau, wmt13_tau, wmt14_tau
from tenbin.meta.measures.scores import HumanScores, MetricScores, Settings, segments_of, systems_of
from tenbin.meta.measures.segment_level import DifferenceCorrelation, SegmentCorrelation
from tenbin.meta.measures.soft_accuracy import SoftAccuracy
from tenbin.meta.measures.system_level import SystemLevel, SystemMeasure, system_accuracy
from tenbin.meta.measures.tie_calibration import TieAccuracy

Preparer = Callable[[HumanScores, MetricScores, Settings], Prepared]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A measure that can be asked for by name.

    Attributes:
        name: As users write it.
        level: Whether it looks at systems or segments.
        summary: One line for a listing.
        prepare: Joins it with the scores of one metric.
    """

    name: str
    level: Level
    summary: str
    prepare: Preparer


def _system_level(
    measured: SystemMeasure,
    human: HumanScores,
    metric: MetricScores,
    settings: Settings,
    *,
    without_outliers: bool,
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
    )
    return prepared.with_fixed_human() if settings.human_fixed else prepared


def _segment_level(
    coefficient: Coefficient,
    averaging: Averaging,
    human: HumanScores,
    metric: MetricScores,
    settings: Settings,
) -> Prepared:
    return SegmentCorrelation.prepare(
        coefficient, averaging, settings.undefined, segments_of(human), segments_of(metric)
    )


def _differences(human: HumanScores, metric: MetricScores, settings: Settings) -> Prepared:  # noqa: ARG001
    return DifferenceCorrelation.prepare(PEARSON, segments_of(human), segments_of(metric))


def _ties(
    averaging: Averaging,
    human: HumanScores,
    metric: MetricScores,
    settings: Settings,
    *,
    as_tau: bool,
    calibrated: bool,
) -> Prepared:
    epsilon = None if calibrated else settings.epsilon
    return TieAccuracy.prepare(
        averaging, segments_of(human), segments_of(metric), epsilon=epsilon, as_tau=as_tau
    )


def _soft(human: HumanScores, metric: MetricScores, settings: Settings) -> Prepared:
    return SoftAccuracy.prepare(
        segments_of(human),
        segments_of(metric),
        permutations=settings.permutations,
        seed=settings.seed,
    )


def _pair_tau(
    rule: TauRule, human: HumanScores, metric: MetricScores, settings: Settings, *, is_darr: bool
) -> Prepared:
    pairs = human.pairs
    if pairs is None and is_darr:
        pairs = build_darr(segments_of(human))
    if pairs is None:
        raise InputError(f"{human.name}: there are no preferences between systems (rr).")
    if len(pairs) == 0:
        raise InputError(
            f"{human.name}: no two systems are 25 points apart on any segment; DARR needs raw "
            "scores of direct assessment from 0 to 100."
        )
    by_segment = is_darr if settings.by_segment is None else settings.by_segment
    return PairTau.prepare(rule, pairs, segments_of(metric), by_segment=by_segment)


def _listed() -> Iterable[Measure]:
    coefficients = {
        "pearson": (PEARSON, "Pearson's r"),
        "spearman": (SPEARMAN, "Spearman's rho"),
        "kendall": (KENDALL_B, "Kendall's tau-b"),
        "kendall-c": (KENDALL_C, "Kendall's tau-c"),
    }
    systems: dict[str, tuple[SystemMeasure, str]] = {
        key: (one.of_groups, text) for key, (one, text) in coefficients.items()
    }
    systems["accuracy"] = (system_accuracy, "share of pairs ordered alike")
    for key, (measured, text) in systems.items():
        for suffix, without in (("", False), ("-without-outliers", True)):
            yield Measure(
                name=f"system-{key}{suffix}",
                level=Level.SYSTEM,
                summary=f"{text} of system scores{', outliers left out' if without else ''}",
                prepare=partial(_system_level, measured, without_outliers=without),
            )
    yield Measure(
        name="spa", level=Level.SYSTEM, summary="soft pairwise accuracy (WMT24)", prepare=_soft
    )
    for key, (coefficient, text) in coefficients.items():
        for averaging, over in _AVERAGINGS.items():
            yield Measure(
                name=f"segment-{key}{'' if averaging is Averaging.NONE else f'-{averaging}'}",
                level=Level.SEGMENT,
                summary=f"{text} of segment scores, {over}",
                prepare=partial(_segment_level, coefficient, averaging),
            )
    yield Measure(
        name="segment-pearson-differences",
        level=Level.SEGMENT,
        summary="Pearson's r of differences between systems on the same segment",
        prepare=_differences,
    )
    yield from _tie_measures()
    for name, rule, text in (
        ("darr-tau", wmt12_tau, "tau on DARR, ties of the metric discordant (WMT17-20)"),
        ("wmt12-tau", wmt12_tau, "tau on relative rankings, (C - D - T) / (C + D + T)"),
        ("wmt13-tau", wmt13_tau, "tau on relative rankings, (C - D) / (C + D)"),
        ("wmt14-tau", wmt14_tau, "tau on relative rankings, (C - D) / (C + D + T)"),
    ):
        yield Measure(
            name=name,
            level=Level.SEGMENT,
            summary=text,
            prepare=partial(_pair_tau, rule, is_darr=name == "darr-tau"),
        )


def _tie_measures() -> Iterable[Measure]:
    for key, as_tau, text in (
        ("acc-eq", False, "pairwise accuracy with ties"),
        ("tau-eq", True, "pairwise tau with ties (tau23)"),
    ):
        for ending, calibrated in (("", True), ("-fixed", False)):
            for averaging, over in _AVERAGINGS.items():
                how = "epsilon calibrated" if calibrated else "epsilon given"
                suffix = "" if averaging is Averaging.ITEM else f"-{averaging}"
                yield Measure(
                    name=f"{key}{ending}{suffix}",
                    level=Level.SEGMENT,
                    summary=f"{text}, {how}, {over}",
                    prepare=partial(_ties, averaging, as_tau=as_tau, calibrated=calibrated),
                )


_AVERAGINGS = {
    Averaging.NONE: "over all translations",
    Averaging.SYSTEM: "mean over systems",
    Averaging.ITEM: "mean over segments",
}

MEASURES = {one.name: one for one in _listed()}
