"""Means over language pairs, and those by which shared tasks order metrics."""

from collections.abc import Sequence

import numpy as np

from tenbin.meta.options import TASKS
from tenbin.reports.meta_rows import MetaAverage, MetaRow

_POOLED = "system-accuracy"


def averages_over_pairs(rows: Sequence[MetaRow]) -> tuple[MetaAverage, ...]:
    """Return the means over the language pairs on which the measure has a value at all."""
    rows = [row for row in rows if not np.isnan(row.value)]
    places: dict[str, set[tuple[str, str]]] = {}
    for row in rows:
        places.setdefault(row.measure, set()).add((row.test_set, row.pair))
    groups: dict[tuple[str, str], list[MetaRow]] = {}
    for row in rows:
        groups.setdefault((row.metric, row.measure), []).append(row)
    averages = []
    for (metric, measure), group in groups.items():
        if len({(row.test_set, row.pair) for row in group}) < len(group):
            continue  # several kinds of judgement: their mean would be one of nothing
        values = np.array([row.value for row in group])
        weights = np.array([row.n if measure.startswith(_POOLED) else 1 for row in group])
        value = np.nan
        if len(group) == len(places[measure]):
            value = float((values * weights).sum() / weights.sum())
        averages.append(MetaAverage(metric=metric, measure=measure, value=value, pairs=len(group)))
    return tuple(averages)


def task_averages(rows: Sequence[MetaRow], task: str) -> tuple[MetaAverage, ...]:
    """Return the mean by which a shared task orders metrics.

    Freitag et al. (2023, 2024): one entry per language pair and measure, but for the pairwise
    accuracy of WMT23, which is one entry with the pairs of systems of all language pairs; equal
    weights. NaN as soon as one entry is.
    """
    averages = []
    for metric in dict.fromkeys(row.metric for row in rows):
        own = [row for row in rows if row.metric == metric and row.measure in TASKS[task]]
        entries = [row.value for row in own if row.measure != _POOLED]
        pooled = [row for row in own if row.measure == _POOLED]
        if pooled:
            pairs = sum(row.n for row in pooled)
            agreeing = sum(row.value * row.n for row in pooled)
            entries.append(agreeing / pairs if pairs else np.nan)
        value = float(np.mean(entries)) if entries else np.nan
        places = len({(row.test_set, row.pair) for row in own})
        averages.append(MetaAverage(metric=metric, measure=task, value=value, pairs=places))
    return tuple(averages)
