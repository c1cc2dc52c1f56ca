"""Scores at every threshold of a grid, from one pass over the similarities."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tenbin.annotation.languages import parse_language
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.errors import UsageError
from tenbin.core.limits import Overlong
from tenbin.core.metric import Metric, MetricInfo, Needs, SweepableMetric
from tenbin.core.signature import Signature
from tenbin.core.text import SegmentSource
from tenbin.evaluation.checks import check_request, check_texts
from tenbin.evaluation.run import Options
from tenbin.evaluation.statistics import gather_statistics
from tenbin.metrics import registry

_SAMPLE = 2_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sweep:
    """The scores of one metric at many thresholds.

    Attributes:
        metric: The spec as the user wrote it.
        signature: Of the metric at its own threshold, which the scores below do not use.
        higher_is_better: The direction of the scores.
        thresholds: The grid.
        systems: Names of the systems.
        scores: Corpus scores, shape (systems, thresholds).
        segments: Segment scores, shape (systems, segments, thresholds).
        notes: What a reader of the scores should know.
    """

    metric: str
    signature: Signature
    higher_is_better: bool
    thresholds: FloatArray
    systems: tuple[str, ...]
    scores: FloatArray
    segments: FloatArray
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _AllThresholds:
    """Stands in for a metric while statistics are gathered: the rows of all thresholds as one."""

    metric: SweepableMetric
    thresholds: tuple[float, ...]

    @property
    def needs(self) -> Needs:
        return self.metric.needs

    @property
    def info(self) -> MetricInfo:
        return self.metric.info

    def overlong(self, batch: Batch) -> Overlong | None:
        found: Overlong | None = getattr(self.metric, "overlong", lambda _: None)(batch)
        return found

    def statistics(self, batch: Batch) -> FloatArray:
        swept = self.metric.sweep_statistics(batch, np.array(self.thresholds))
        return swept.reshape(len(batch), -1)


def sweep(
    source: SegmentSource,
    spec: str,
    language: str,
    thresholds: Sequence[float],
    options: Options | None = None,
) -> Sweep:
    """Return what a metric scores at each threshold; equal to scoring with one after the other.

    Args:
        source: The texts.
        spec: A metric with a threshold: ``was``, ``mas``, ``has``.
        language: The target language.
        thresholds: The grid, ascending.
        options: How to score; only its jobs and its progress count here.

    Raises:
        UsageError: The metric has no threshold, or the grid is empty or not ascending.
    """
    grid = np.array(thresholds, dtype=np.float64)
    if not len(grid) or np.any(np.diff(grid) <= 0) or np.any(np.abs(grid) > 1):
        raise UsageError("thresholds must ascend from -1 to 1, and there must be at least one.")
    target = parse_language(language)
    metric = _sweepable(spec).bind(target.tag)
    check_request(source, [metric], [spec])
    notes = check_texts(next(iter(source.chunks(_SAMPLE))), [metric], target)
    chosen = options or Options()
    stand_in: Metric = _AllThresholds(metric, tuple(grid.tolist()))  # type: ignore[assignment]
    (found,) = gather_statistics(
        source, [stand_in], keep_rows=True, jobs=chosen.jobs, advance=chosen.advance
    )
    totals = found.totals.reshape(len(source.systems), len(grid), -1)
    rows = np.empty(0) if found.rows is None else found.rows
    by_segment = rows.reshape(len(source.systems), source.segment_count, len(grid), -1)
    return Sweep(
        metric=spec,
        signature=metric.signature(),
        higher_is_better=metric.info.higher_is_better,
        thresholds=grid,
        systems=source.systems,
        scores=metric.score(totals),
        segments=metric.segment_score(by_segment),
        notes=(*source.notes, *notes),
    )


def _sweepable(spec: str) -> SweepableMetric:
    metric = registry.load(spec)
    if isinstance(metric, SweepableMetric):
        return metric
    able = [
        name
        for name in registry.metric_names()
        if hasattr(registry.metric_class(name), "sweep_statistics")
    ]
    raise UsageError(f"{spec} has no threshold to sweep. Metrics that have: {', '.join(able)}.")
