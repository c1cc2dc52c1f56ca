"""What a meta-evaluation is asked for, and what follows: measures, kinds of judgment, tests."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tenbin.core.agreement import JudgmentForm, MeasureInfo, MetricTest, SamplingUnit
from tenbin.core.errors import TenbinError, UsageError
from tenbin.evaluation.run import DEFAULT_RESAMPLES, DEFAULT_SEED
from tenbin.meta.measures.catalog import find_measure
from tenbin.meta.measures.scores import DARR
from tenbin.meta.significance.permutation import ROUNDS

AvailableForms = Mapping[str, frozenset[JudgmentForm]]
"""The forms in which each kind of judgment is known."""

# The measures of the metrics tasks of WMT23 and WMT24 (Freitag et al. 2023, 2024); their mean
# orders metrics there.
SHARED_TASKS: Mapping[str, tuple[str, ...]] = {
    "wmt23": ("system-accuracy", "system-pearson", "segment-pearson", "acc-eq"),
    "wmt24": ("spa", "acc-eq"),
}
_RELATIVE_RANKING = "rr"
# The most reliable first: crowd-sourced direct assessment is noisier than annotated errors, and
# raw scores depend on the rater.
_PREFERRED = ("mqm", "esa", "da-z", "da-raw", _RELATIVE_RANKING, DARR)
_ERROR_ANNOTATION = {"mqm", "esa"}
_PREFERENCE_MEASURES = {_RELATIVE_RANKING: "wmt14-tau", DARR: "darr-tau"}


class HumanSystems(StrEnum):
    """Whether human translations take part as systems."""

    EXCLUDE = "exclude"
    INCLUDE = "include"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaOptions:
    """How metrics are measured.

    Attributes:
        measures: Names; none takes what suits the judgments that are there.
        task: Name of a shared task, whose measures are taken and averaged.
        human: Kinds of judgment; none takes the most reliable one for each measure.
        human_systems: Whether human translations are systems.
        intervals: Whether intervals are wanted.
        resamples: Bootstrap samples, for intervals and whatever else draws some.
        unit: What they draw; None for segments, and judgments where these are relative rankings.
        compare: Whether metrics are tested against each other.
        test: By which test; None takes the one that suits the measure.
        rounds: Random rounds of a permutation test.
        rankings: Whether the ranking of systems by each metric is wanted, for a drawing.
        outliers: Systems that measures without outliers leave out; None finds them by the rule.
        epsilon: Differences of metric scores that are ties, for the measures called ``-fixed``.
        seed: Seed of every random draw.
        advance: Called with 1 after each test of two metrics.
    """

    measures: tuple[str, ...] = ()
    task: str | None = None
    human: tuple[str, ...] = ()
    human_systems: HumanSystems = HumanSystems.EXCLUDE
    intervals: bool = False
    resamples: int = DEFAULT_RESAMPLES
    unit: SamplingUnit | None = None
    compare: bool = False
    test: MetricTest | None = None
    rounds: int = ROUNDS
    rankings: bool = False
    outliers: tuple[str, ...] | None = None
    epsilon: float = 0.0
    seed: int = DEFAULT_SEED
    advance: Callable[[int], None] | None = None


@dataclass(frozen=True, slots=True)
class MetaTask:
    """One measure against one kind of judgment; None where nothing there suits the measure."""

    measure: str
    human: str | None

    @property
    def info(self) -> MeasureInfo:
        """What the measure declares about itself."""
        return find_measure(self.measure).info


def human_systems_of(task: str | None) -> HumanSystems:
    """Return whether human translations take part, by default: in shared tasks they do.

    Raises:
        UsageError: There is no such task.
    """
    if task is not None and task not in SHARED_TASKS:
        raise UsageError(f"there is no task {task!r}; there are: {', '.join(SHARED_TASKS)}.")
    return HumanSystems.EXCLUDE if task is None else HumanSystems.INCLUDE


def check_measures(names: Sequence[str]) -> None:
    """Raise `UsageError` if there is no such measure; all unknown names are listed at once."""
    problems = []
    for name in names:
        try:
            find_measure(name)
        except TenbinError as error:
            problems.append(str(error))
    if problems:
        raise UsageError("\n".join(problems))


def planned_tasks(
    forms: AvailableForms, options: MetaOptions, *, is_alone: bool = True
) -> tuple[list[MetaTask], list[str]]:
    """Return what to measure, and notes on what was chosen without being asked for.

    Args:
        forms: What is known of each kind of judgment.
        options: The measures and kinds asked for; without measures, what suits the judgments.
        is_alone: Whether there is no other language pair, which might have what is lacking here.

    Raises:
        UsageError: No judgment of a kind that was asked for.
    """
    unknown = [kind for kind in options.human if kind not in forms]
    if unknown and is_alone:
        raise UsageError(
            f"there is no human judgment {', '.join(unknown)}; there are: {_listed(forms)}."
        )
    tasks: list[MetaTask] = []
    open_choice: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for name in wanted_measures(forms, options):
        info = find_measure(name).info
        suited = suitable_kinds(info, forms)
        if options.human:
            kinds = [kind for kind in options.human if kind in suited]
        else:
            # Relative rankings have no least difference: they stand in for DARR only if asked for.
            kinds = [k for k in suited[:1] if not (info.uses_darr and k == _RELATIVE_RANKING)]
            # A measure of preferences says by its name of which kind.
            if len(suited) > 1 and info.needs is not JudgmentForm.PREFERENCES:
                open_choice.setdefault((suited[0], tuple(suited[1:])), []).append(name)
        tasks += [MetaTask(name, kind) for kind in kinds] or [MetaTask(name, None)]
    notes = [
        f"{', '.join(measures)}: against {kind}; others (`human`): {', '.join(others)}."
        for (kind, others), measures in open_choice.items()
    ]
    return tasks, notes


def wanted_measures(forms: AvailableForms, options: MetaOptions) -> list[str]:
    """Return the measures asked for by name and by task, or what suits the judgments."""
    named = [*options.measures, *(SHARED_TASKS[options.task] if options.task else ())]
    return list(dict.fromkeys(named)) or default_measures(forms, options.human)


def suitable_kinds(info: MeasureInfo, forms: AvailableForms) -> list[str]:
    """Return the kinds of judgment that a measure can use, the most reliable first."""
    wanted = {info.needs}
    if info.needs is JudgmentForm.SYSTEM_SCORES:
        wanted.add(JudgmentForm.SEGMENT_SCORES)
    kinds = sorted((kind for kind, known in forms.items() if known & wanted), key=_preference)
    if info.uses_darr:
        return sorted(kinds, key=lambda kind: (kind != DARR, kind == _RELATIVE_RANKING))
    return kinds


def default_measures(forms: AvailableForms, kinds: Sequence[str] = ()) -> list[str]:
    """Return the measures that suit the judgments, as the WMT tasks with such judgments did."""
    known = {kind: own for kind, own in forms.items() if not kinds or kind in kinds}
    measures = [
        measure
        for kind, measure in _PREFERENCE_MEASURES.items()
        if JudgmentForm.PREFERENCES in known.get(kind, frozenset())
    ]
    by_segment = [kind for kind, own in known.items() if JudgmentForm.SEGMENT_SCORES in own]
    scored = sorted(by_segment, key=_preference)
    has_systems = any(JudgmentForm.SYSTEM_SCORES in own for own in known.values())
    if scored and scored[0] in _ERROR_ANNOTATION:
        measures += ["segment-pearson", "acc-eq"]
    elif scored and not measures:
        measures += ["segment-pearson", "segment-kendall"]
    return measures + (["system-pearson", "system-accuracy"] if has_systems else [])


def chosen_test(info: MeasureInfo, asked: MetricTest | None) -> MetricTest:
    """Return the test for a measure: that asked for, or the usual one.

    Raises:
        UsageError: The test asked for is not defined for the measure.
    """
    if asked is None:
        return info.tests[0]
    if asked not in info.tests:
        raise UsageError(
            f"{info.name}: metrics cannot be compared by the test {asked}; choose "
            f"{' or '.join(info.tests)}."
        )
    return asked


def needed_resamples(task: MetaTask, options: MetaOptions) -> int:
    """Return how many bootstrap samples to draw: for intervals, a mean over samples or a test."""
    tested = options.compare and chosen_test(task.info, options.test) is MetricTest.BOOTSTRAP
    is_drawn = options.intervals or task.info.mean_of is not None or tested
    return options.resamples if is_drawn else 0


def draws_systems(tasks: Sequence[MetaTask], options: MetaOptions) -> bool:
    """Whether corpus scores of bootstrap samples are needed."""
    by_system = [task for task in tasks if task.info.needs is JudgmentForm.SYSTEM_SCORES]
    return options.rankings or any(needed_resamples(task, options) for task in by_system)


def needs_segments(tasks: Sequence[MetaTask], options: MetaOptions) -> bool:
    """Whether scores by segment are needed, which take far longer to read."""
    by_segment = any(task.info.needs is not JudgmentForm.SYSTEM_SCORES for task in tasks)
    return by_segment or draws_systems(tasks, options)


def _preference(kind: str) -> tuple[int, str]:
    place = _PREFERRED.index(kind) if kind in _PREFERRED else len(_PREFERRED)
    return place, kind


def _listed(forms: AvailableForms) -> str:
    return ", ".join(sorted(forms, key=_preference)) or "none"
