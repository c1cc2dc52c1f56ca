"""What can be chosen about a meta-evaluation, and the measures that can be named."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tenbin.core.errors import TenbinError, UsageError
from tenbin.evaluation.run import DEFAULT_RESAMPLES, DEFAULT_SEED
from tenbin.meta.measures.catalogue import MEASURES
from tenbin.meta.measures.lookup import find_measure
from tenbin.meta.measures.tasks import WMT23_MEASURES, WMT24_MEASURES
from tenbin.meta.significance.permutation import ROUNDS


class HumanSystems(StrEnum):
    """Whether translations by people take part as systems."""

    EXCLUDE = "exclude"
    INCLUDE = "include"


class MetricTest(StrEnum):
    """A one-sided test of the difference between two metrics."""

    PERM_BOTH = "perm-both"
    WILLIAMS = "williams"
    BOOTSTRAP = "bootstrap"


class Unit(StrEnum):
    """What a bootstrap draws."""

    SEGMENTS = "segments"
    DOCUMENTS = "documents"
    JUDGEMENTS = "judgements"


class Offer(StrEnum):
    """What is known of one kind of judgement."""

    SEGMENTS = "segment scores"
    SYSTEMS = "system scores"
    PAIRS = "preferences"


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """A measure under a name of its own, with settings that belong to it.

    Attributes:
        measure: The measure it takes of every bootstrap sample; the mean is reported.
        summary: One line for a listing.
    """

    measure: str
    summary: str


# ParaEval is by Zhou, Lin and Hovy (2006); the protocol is in their section 5.
PROTOCOLS: Mapping[str, Protocol] = {
    "paraeval-spearman": Protocol(
        measure="system-spearman",
        summary="mean of Spearman's rho over samples of documents, human ranking fixed (ParaEval)",
    )
}

# The measures of the metrics tasks of WMT23 and WMT24; their mean orders metrics there.
TASKS: Mapping[str, tuple[str, ...]] = {
    "wmt23": ("system-accuracy", *WMT23_MEASURES),
    "wmt24": WMT24_MEASURES,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaOptions:
    """How metrics are measured.

    Attributes:
        measures: Names; none takes what suits the judgements that are there.
        task: Name of a shared task, whose measures are taken and averaged.
        human: Kinds of judgement; none takes the best one there is for each measure.
        human_systems: Whether translations by people are systems.
        intervals: Whether intervals are wanted.
        resamples: Bootstrap samples, for intervals and whatever else draws some.
        unit: What they draw; None for segments, and judgements where these are relative rankings.
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
    unit: Unit | None = None
    compare: bool = False
    test: MetricTest | None = None
    rounds: int = ROUNDS
    rankings: bool = False
    outliers: tuple[str, ...] | None = None
    epsilon: float = 0.0
    seed: int = DEFAULT_SEED
    advance: Callable[[int], None] | None = None


def human_systems_of(task: str | None) -> HumanSystems:
    """Return whether human translations take part, where nobody says so: in tasks they do.

    Raises:
        UsageError: There is no such task.
    """
    if task is not None and task not in TASKS:
        raise UsageError(f"there is no task {task!r}; there are: {', '.join(TASKS)}.")
    return HumanSystems.EXCLUDE if task is None else HumanSystems.INCLUDE


def check_measures(names: Sequence[str]) -> None:
    """Raise `UsageError` if there is no such measure; all unknown names are told at once."""
    problems = []
    for name in names:
        if name in PROTOCOLS:
            continue
        try:
            find_measure(name)
        except TenbinError as error:
            problems.append(str(error))
    if problems:
        raise UsageError("\n".join(problems))


def listed_measures() -> list[tuple[str, str]]:
    """Return every measure with one line on it."""
    listed = [(name, one.summary) for name, one in MEASURES.items()]
    return listed + [(name, one.summary) for name, one in PROTOCOLS.items()]


def underlying(name: str) -> str:
    """Return the measure that a name stands for: itself, but for protocols."""
    return PROTOCOLS[name].measure if name in PROTOCOLS else name


def needed(name: str) -> Offer:
    """Return what of human judgements a measure reads."""
    measure = underlying(name)
    if measure == "darr-tau" or measure.startswith("wmt"):
        return Offer.PAIRS
    return Offer.SYSTEMS if measure.startswith("system-") else Offer.SEGMENTS


def counted(name: str) -> str:
    """Return what the n of a measure counts."""
    measure = underlying(name)
    if needed(measure) is Offer.PAIRS:
        return "judgements"
    if measure == "spa" or measure.startswith("system-accuracy"):
        return "pairs of systems"
    if measure.startswith("system-"):
        return "systems"
    if measure.startswith(("acc-eq", "tau-eq")) or measure.endswith("-differences"):
        return "pairs of translations"
    return "translations"
