"""The averages by which the WMT23 and WMT24 metrics tasks order metrics.

Freitag et al. (2023, 2024). One entry per language pair and measure, but for the pairwise accuracy
of WMT23, which is one entry with the system pairs of all language pairs together; equal weights.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tenbin.formats.score_table import ScoreTable
from tenbin.meta.measures.judgments import human_translations
from tenbin.meta.measures.lookup import measure
from tenbin.meta.measures.measurement import Measurement
from tenbin.meta.measures.scores import HumanScores, MetricScores

Judged = tuple[HumanScores | ScoreTable, MetricScores | ScoreTable]

WMT23_MEASURES = ("system-pearson", "segment-pearson", "acc-eq")
WMT24_MEASURES = ("spa", "acc-eq")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskAverage:
    """A metric's average over the entries of a task.

    Attributes:
        value: The mean; undefined (NaN) as soon as one entry is.
        entries: Value of each, by language pairs and measure.
    """

    value: float
    entries: Mapping[tuple[str, str], float]


def wmt23_average(pairs: Mapping[str, Judged]) -> TaskAverage:
    """Return the average of WMT23 for one metric: its data by language pair."""
    pooled = pooled_accuracy(measure("system-accuracy", *judged) for judged in pairs.values())
    entries = {(",".join(pairs), "system-accuracy"): pooled.value}
    return _average(entries | _entries(pairs, WMT23_MEASURES))


def wmt24_average(pairs: Mapping[str, Judged]) -> TaskAverage:
    """Return the average of WMT24 for one metric: its data by language pair."""
    return _average(_entries(pairs, WMT24_MEASURES))


def pooled_accuracy(accuracies: Iterable[Measurement]) -> Measurement:
    """Return the pairwise accuracy over several language pairs, each system pair counting once."""
    counted = [one.counts or (0, 0, 0) for one in accuracies]
    agree = sum(counts[0] for counts in counted)
    total = sum(sum(counts) for counts in counted)
    value = agree / total if total else np.nan
    return Measurement(value=value, n=total, groups=len(counted), counts=(agree, total - agree, 0))


def task_systems(
    systems: Sequence[str], references: Sequence[str], scored_with: str | None
) -> list[str]:
    """Return the systems that a task compares.

    Translations by people take part only where there are several references, and never the one that
    the metric was scored against.

    >>> task_systems(["A", "refA", "refB"], ["refA", "refB"], "refA")
    ['A', 'refB']
    """
    people = set(human_translations(systems)) | set(references)
    several = len(references) > 1
    return [name for name in systems if name not in people or (several and name != scored_with)]


def _entries(pairs: Mapping[str, Judged], names: Sequence[str]) -> dict[tuple[str, str], float]:
    return {
        (pair, name): measure(name, *judged).value
        for pair, judged in pairs.items()
        for name in names
    }


def _average(entries: Mapping[tuple[str, str], float]) -> TaskAverage:
    return TaskAverage(value=float(np.mean(list(entries.values()))), entries=entries)
