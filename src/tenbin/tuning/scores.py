"""Scores of one metric under many settings, each computed as cheaply as the metric allows."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, fields

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.metric import Metric, SweepableMetric, formula_parameters, statistics_key
from tenbin.core.spec import Spec
from tenbin.core.text import TestSet
from tenbin.evaluation.run import Options
from tenbin.evaluation.statistics import MetricStatistics, gather_statistics
from tenbin.evaluation.sweeps import sweep
from tenbin.formats.score_table import ScoreTable
from tenbin.meta.measures.scores import MetricScores
from tenbin.meta.scoring import read_texts, scored_by_tenbin
from tenbin.metrics.registry import load_all

# Settings scored together share tokens and vectors; all of a large grid would not fit in memory.
_AT_ONCE = 8
_NUMBERS_AT_ONCE = 2**23  # scores of one pass over all thresholds; a pass has four times as many
_MOST_KEPT = 4
_FEWEST = 2
_THRESHOLD = "threshold"


@dataclass(slots=True, kw_only=True, eq=False)
class SettingScorer:
    """The texts of one language pair, and the ways to score them.

    - Settings that differ in the threshold of a `SweepableMetric` alone: one pass for all.
    - Settings that differ in parameters of the formula alone (`IN_FORMULA`), one reference per
      segment: statistics are computed once and kept.
    - All others: scored one by one; scores are kept on disk.

    Attributes:
        folder: The test set.
        pair: The language pair.
        language: The target language.
        references: Names of the references.
        systems: The systems to score.
        options: Worker processes and progress.
        cached: Whether scores are kept on disk.
        resampled: Whether corpus scores of some of the segments are needed.
    """

    folder: str
    pair: str
    language: str
    references: tuple[str, ...] | None
    systems: tuple[str, ...]
    options: Options
    cached: bool
    resampled: bool
    _read: TestSet | None = field(default=None, init=False)
    _kept: dict[Hashable, MetricStatistics] = field(default_factory=dict, init=False)

    def scores(self, specs: Sequence[Spec]) -> Iterator[tuple[int, MetricScores]]:
        """Yield the place of each spec and its scores, in any order."""
        metrics = [metric.bind(self.language) for metric in load_all(map(str, specs))]
        groups: dict[Hashable, list[int]] = {}
        for place, metric in enumerate(metrics):
            groups.setdefault(self._group(metric), []).append(place)
        single: list[int] = []
        for key, places in groups.items():
            first = metrics[places[0]]
            if key in self._kept or (len(places) >= _FEWEST and formula_parameters(type(first))):
                yield from self._from_statistics(key, places, metrics)
            elif len(places) >= _FEWEST:
                yield from self._swept(places, metrics, specs)
            else:
                single += places
        for start in range(0, len(single), _AT_ONCE):
            yield from self._one_by_one(single[start : start + _AT_ONCE], specs)

    @property
    def _texts(self) -> TestSet:
        if self._read is None:
            self._read = read_texts(self.folder, self.pair, self.references, self.systems)
        return self._read

    def _group(self, metric: Metric) -> Hashable:
        """Return what metrics share that need the same work."""
        if isinstance(metric, SweepableMetric):
            return parameters_but(metric, _THRESHOLD)
        # With several references the formula decides which one counts.
        alone = self._texts.reference_counts == (1,)
        return statistics_key(metric) if alone else parameters_but(metric)

    def _from_statistics(
        self, key: Hashable, places: Sequence[int], metrics: Sequence[Metric]
    ) -> Iterator[tuple[int, MetricScores]]:
        if key not in self._kept:
            (found,) = gather_statistics(
                self._texts,
                [metrics[places[0]]],
                keep_rows=True,
                jobs=self.options.jobs,
                advance=self.options.advance,
            )
            if len(self._kept) >= _MOST_KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = found
        found = self._kept[key]
        rows = np.empty(0) if found.rows is None else found.rows
        for place in places:
            metric = metrics[place]
            scores, segments = metric.score(found.totals), metric.segment_score(rows)
            units = rows if self.resampled else None
            yield place, _scores(metric, self._texts.systems, scores, segments, units)

    def _swept(
        self, places: Sequence[int], metrics: Sequence[Metric], specs: Sequence[Spec]
    ) -> Iterator[tuple[int, MetricScores]]:
        by_threshold: dict[float, list[int]] = {}
        for place in places:
            metric = metrics[place]
            if isinstance(metric, SweepableMetric):
                by_threshold.setdefault(float(metric.threshold), []).append(place)
        thresholds = sorted(by_threshold)
        scores_each = len(self._texts.systems) * self._texts.segment_count
        size = max(1, _NUMBERS_AT_ONCE // scores_each)
        for start in range(0, len(thresholds), size):
            part = thresholds[start : start + size]
            spec = str(specs[places[0]])
            found = sweep(self._texts, spec, self.language, part, self.options)
            for column, threshold in enumerate(part):
                scores, segments = found.scores[:, column], found.segments[:, :, column]
                for place in by_threshold[threshold]:
                    yield place, _scores(metrics[place], found.systems, scores, segments)

    def _one_by_one(
        self, places: Sequence[int], specs: Sequence[Spec]
    ) -> Iterator[tuple[int, MetricScores]]:
        names = list(dict.fromkeys(str(specs[place]) for place in places))
        found = scored_by_tenbin(
            self.folder,
            self.pair,
            names,
            references=self.references,
            systems=self.systems,
            options=self.options,
            cached=self.cached,
            resampled=self.resampled,
        )
        for place in places:
            yield place, found.metrics[str(specs[place])]


def parameters_but(metric: Metric, *names: str) -> Hashable:
    """Return all parameters of a metric but some; equal ones are the same metric but for these."""
    kept = [one.name for one in fields(metric) if one.name not in names]  # type: ignore[arg-type]
    return (type(metric), *((name, getattr(metric, name)) for name in kept))


def _scores(
    metric: Metric,
    systems: tuple[str, ...],
    scores: FloatArray,
    segments: FloatArray,
    rows: FloatArray | None = None,
) -> MetricScores:
    """Return scores of which higher is better, and a way to those of some segments alone."""
    sign = 1.0 if metric.info.higher_is_better else -1.0
    name = type(metric).__name__
    numbers = tuple(str(number + 1) for number in range(segments.shape[1]))

    def resampled(counts: FloatArray) -> FloatArray:
        units = np.empty(0) if rows is None else rows
        return sign * metric.score(np.stack([counts @ one for one in units], axis=1))

    return MetricScores(
        name=name,
        segments=ScoreTable(name=name, systems=systems, segments=numbers, scores=sign * segments),
        systems=ScoreTable(name=name, systems=systems, segments=(), scores=sign * scores),
        resampler=None if rows is None else resampled,
    )
