"""One language pair: what is known of it before measuring, and what was found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tenbin.meta.choice import Task
from tenbin.meta.measures.scores import HumanScores, MetricScores
from tenbin.reports.meta_rows import MetaComparison, MetaRow


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedPair:
    """Everything about one language pair, ready to be measured.

    Attributes:
        test_set: Name of the test set.
        pair: The language pair.
        tasks: What to measure.
        human: Judgements by kind.
        metrics: Scores by name, higher being better.
        signatures: Of metrics that Tenbin computed.
        documents: Document of each segment, where known.
        notes: What a reader should know about them.
        ranked_by_people: Human system scores for a drawing, of those too that take no part.
    """

    test_set: str
    pair: str
    tasks: tuple[Task, ...]
    human: Mapping[str, HumanScores]
    metrics: Mapping[str, MetricScores]
    signatures: Mapping[str, str]
    documents: tuple[str, ...] | None
    notes: tuple[str, ...]
    ranked_by_people: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lack:
    """What could not be had, and why.

    Attributes:
        metric: Of which metric; empty where it is of all.
        what: A measure, or the interval of one.
        why: The reason, as a sentence without its capital.
    """

    metric: str
    what: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What was found on one language pair.

    Attributes:
        rows: One per task and metric.
        comparisons: Every two metrics, where they were compared.
        notes: What a reader should know about the data.
        lacks: Which values or intervals are missing, and why.
    """

    rows: tuple[MetaRow, ...]
    comparisons: tuple[MetaComparison, ...]
    notes: tuple[str, ...]
    lacks: tuple[Lack, ...]


def told_lacks(lacks: Sequence[Lack]) -> list[str]:
    """Return a sentence for each reason, metrics and measures with the same one together."""
    measures: dict[tuple[str, str], list[str]] = {}
    for lack in lacks:
        measures.setdefault((lack.metric, lack.why), []).append(lack.what)
    metrics: dict[tuple[str, str], list[str]] = {}
    for (metric, why), names in measures.items():
        metrics.setdefault((", ".join(names), why), []).append(metric)
    return [
        f"{', '.join(names)}: no {what}: {why}".removeprefix(": ")
        for (what, why), names in metrics.items()
    ]
