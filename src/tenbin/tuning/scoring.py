"""Agreement with human judgment under every setting, each scored as cheaply as possible."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace

import numpy as np

from tenbin.annotation.languages import target_language
from tenbin.core.agreement import JudgmentForm
from tenbin.core.arrays import FloatArray
from tenbin.core.errors import InputError
from tenbin.core.judgments import HumanScores, ScoreMatrix
from tenbin.core.metric import Metric, SweepableMetric, formula_parameters, statistics_key
from tenbin.core.progress import step
from tenbin.core.spec import Spec
from tenbin.core.text import TestSet
from tenbin.evaluation.run import Options
from tenbin.evaluation.statistics import MetricStatistics, gather_statistics
from tenbin.evaluation.sweeps import sweep
from tenbin.meta.data import MetricSources, judged_pair
from tenbin.meta.judgments import find_judgments
from tenbin.meta.measures.catalog import prepare
from tenbin.meta.measures.measurement import Prepared, Settings
from tenbin.meta.measures.scores import MetricTables, segments_of
from tenbin.meta.planning import MetaOptions, MetaTask
from tenbin.meta.scoring import read_texts, scored_by_tenbin
from tenbin.metrics.registry import load, load_all
from tenbin.stats.arrays import BoolArray
from tenbin.tuning.settings import Setting, setting_text, spec_of

# Settings scored together share tokens and vectors; all of a large grid would not fit in memory.
_AT_ONCE = 8
_NUMBERS_AT_ONCE = 2**23  # scores of one pass over all thresholds; a pass has four times as many
_MOST_CACHED = 4
_FEWEST = 2
_THRESHOLD = "threshold"


@dataclass(slots=True, kw_only=True, eq=False)
class SettingScorer:
    """The texts of one language pair, and the ways to score them.

    - Settings that differ in the threshold of a `SweepableMetric` alone: one pass for all.
    - Settings that differ in parameters of the formula alone (`IN_FORMULA`), one reference per
      segment: statistics are computed once and cached.
    - All others: scored one by one; scores are cached on disk.

    Attributes:
        folder: The test set.
        pair: The language pair.
        language: The target language.
        references: Names of the references.
        systems: The systems to score.
        options: Worker processes and progress.
        resampled: Whether corpus scores of some of the segments are needed.
    """

    folder: str
    pair: str
    language: str
    references: tuple[str, ...] | None
    systems: tuple[str, ...]
    options: Options
    resampled: bool
    _read: TestSet | None = field(default=None, init=False)
    _statistics: dict[Hashable, MetricStatistics] = field(default_factory=dict, init=False)

    def scores(self, specs: Sequence[Spec]) -> Iterator[tuple[int, MetricTables]]:
        """Yield the place of each spec and its scores, in any order."""
        metrics = [metric.bind(self.language) for metric in load_all(map(str, specs))]
        groups: dict[Hashable, list[int]] = {}
        for place, metric in enumerate(metrics):
            groups.setdefault(self._group(metric), []).append(place)
        single: list[int] = []
        for key, places in groups.items():
            first = metrics[places[0]]
            if key in self._statistics or (
                len(places) >= _FEWEST and formula_parameters(type(first))
            ):
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
        alone = not metric.needs.references or self._texts.reference_counts == (1,)
        return statistics_key(metric) if alone else parameters_but(metric)

    def _from_statistics(
        self, key: Hashable, places: Sequence[int], metrics: Sequence[Metric]
    ) -> Iterator[tuple[int, MetricTables]]:
        if key not in self._statistics:
            (found,) = gather_statistics(
                self._texts,
                [metrics[places[0]]],
                keep_rows=True,
                jobs=self.options.jobs,
                advance=self.options.advance,
            )
            if len(self._statistics) >= _MOST_CACHED:
                self._statistics.pop(next(iter(self._statistics)))
            self._statistics[key] = found
        found = self._statistics[key]
        rows = np.empty(0) if found.rows is None else found.rows
        for place in places:
            metric = metrics[place]
            scores, segments = metric.score(found.totals), metric.segment_score(rows)
            units = rows if self.resampled else None
            yield place, _scores(metric, self._texts.systems, scores, segments, units)

    def _swept(
        self, places: Sequence[int], metrics: Sequence[Metric], specs: Sequence[Spec]
    ) -> Iterator[tuple[int, MetricTables]]:
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
    ) -> Iterator[tuple[int, MetricTables]]:
        names = list(dict.fromkeys(str(specs[place]) for place in places))
        found = scored_by_tenbin(
            self.folder,
            self.pair,
            names,
            references=self.references,
            systems=self.systems,
            options=self.options,
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
) -> MetricTables:
    """Return scores of which higher is better, and a way to those of some segments alone."""
    sign = 1.0 if metric.info.higher_is_better else -1.0
    name = type(metric).__name__
    numbers = tuple(str(number + 1) for number in range(segments.shape[1]))

    def resampled(counts: FloatArray) -> FloatArray:
        units = np.empty(0) if rows is None else rows
        return sign * metric.score(np.stack([counts @ one for one in units], axis=1))

    return MetricTables(
        name=name,
        segments=ScoreMatrix(name=name, systems=systems, segments=numbers, scores=sign * segments),
        systems=ScoreMatrix(name=name, systems=systems, segments=(), scores=sign * scores),
        resampler=None if rows is None else resampled,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlaceMeasure:
    """A measure of agreement on one language pair.

    Attributes:
        task: The measure, and the kind of judgment.
        human: The judgments.
    """

    task: MetaTask
    human: HumanScores

    def prepared(self, metric: MetricTables) -> Prepared:
        """Return the measure of a metric, ready to be computed on any segments."""
        return prepare(self.task.measure, self.human, metric, Settings(by_segment=True))

    @property
    def of_systems(self) -> bool:
        """Whether whole systems are scored."""
        return self.task.info.needs is JudgmentForm.SYSTEM_SCORES


@dataclass(slots=True, kw_only=True, eq=False)
class TunedPlace:
    """One language pair of a test set, ready to be measured under any setting.

    Attributes:
        test_set: Name of the test set.
        measures: The measure that is to be high, and another one if it is to be reported.
        scorer: Scores the texts.
        default: Scores of the metric as it was given.
        signature: Of the metric as it was given.
        documents: The document of each segment, where known.
        notes: What a reader should know about the data.
        counts: Which segments make up each part ``(parts, segments)``; none without folds, and
            where folds are test sets.
        takes_part: Which parts the language pair counts in, the whole first; all unless folds are
            test sets.
    """

    test_set: str
    measures: tuple[PlaceMeasure, ...]
    scorer: SettingScorer
    default: MetricTables
    signature: str
    documents: tuple[str, ...] | None
    notes: tuple[str, ...]
    counts: FloatArray = field(default_factory=lambda: np.empty((0, 0)))
    takes_part: BoolArray = field(default_factory=lambda: np.ones(1, dtype=np.bool_))

    @property
    def label(self) -> str:
        """Test set and language pair."""
        return f"{self.test_set} {self.scorer.pair}"

    @property
    def human(self) -> HumanScores:
        """The judgments that the metric is tuned by."""
        return self.measures[0].human

    @property
    def segments(self) -> ScoreMatrix:
        """Scores by segment of the metric as it was given."""
        return segments_of(self.default)

    def measured(self, metric: MetricTables) -> FloatArray:
        """Return each measure on all data, then on each part, of shape (measures, 1 + parts).

        NaN where the language pair does not take part.
        """
        return np.stack([self._measured(one.prepared(metric)) for one in self.measures])

    def _measured(self, prepared: Prepared) -> FloatArray:
        whole = np.array([prepared.value().value])
        if len(self.counts):
            return np.concatenate([whole, prepared.resampled(self.counts)])
        return np.where(self.takes_part, whole, np.nan)

    def size(self, measure: int) -> int:
        """Return the sample size of a measure."""
        return self.measures[measure].prepared(self.default).value().n


def open_place(
    folder: str, pair: str, spec: Spec, sources: MetricSources, options: MetaOptions
) -> TunedPlace:
    """Read a language pair and score it with the metric as it is.

    Args:
        folder: The test set.
        pair: The language pair.
        spec: The metric.
        sources: References, cache and worker processes.
        options: The measures, and the kind of judgment.

    Raises:
        InputError: There is no judgment for a measure.
    """
    sources = replace(sources, specs=(str(spec),))
    judged = judged_pair(folder, pair, sources, options, is_alone=True)
    measures = []
    for name in options.measures:
        (task,) = (one for one in judged.tasks if one.measure == name)
        if task.human is None:
            raise InputError(
                f"{folder} {pair}: there are no human {task.info.needs} that {task.measure} could "
                f"be computed from. There are: {_known_judgments(folder, pair)}."
            )
        measures.append(PlaceMeasure(task=task, human=judged.human[task.human]))
    if str(spec) not in judged.metrics:
        kinds = " or ".join(dict.fromkeys(one.human.name for one in measures))
        raise InputError(f"{folder} {pair}: no system with an output was judged by {kinds}.")
    default = judged.metrics[str(spec)]
    scorer = SettingScorer(
        folder=folder,
        pair=pair,
        language=target_language(pair),
        references=sources.references,
        systems=segments_of(default).systems,
        options=Options(jobs=sources.jobs, advance=sources.advance),
        resampled=any(one.of_systems for one in measures),
    )
    return TunedPlace(
        test_set=judged.test_set,
        measures=tuple(measures),
        scorer=scorer,
        default=default,
        signature=judged.signatures[str(spec)],
        documents=judged.documents,
        notes=judged.notes,
    )


def _known_judgments(folder: str, pair: str) -> str:
    """Return the kinds of judgment of a language pair, and the form of each, as text."""
    forms = find_judgments(folder, pair).forms
    return "; ".join(f"{kind} ({', '.join(sorted(known))})" for kind, known in forms.items())


@dataclass(slots=True, eq=False)
class TriedSettings:
    """The measure of every setting that was asked for, computed once.

    Attributes:
        base: The metric as it was given.
        places: The language pairs.
    """

    base: Spec
    places: Sequence[TunedPlace]
    _identities: dict[Setting, Hashable] = field(default_factory=dict)
    _known: dict[Hashable, FloatArray] = field(default_factory=dict)

    @property
    def settings(self) -> list[Setting]:
        """All that were asked for, in that order; of those that are the same the first."""
        first: dict[Hashable, Setting] = {}
        for setting, identity in self._identities.items():
            first.setdefault(identity, setting)
        return list(first.values())

    def identity(self, setting: Setting) -> Hashable:
        """Return what two settings share that make the same metric, as alpha=0.85 and the default.

        Raises:
            UsageError: The metric cannot have such a setting.
        """
        if setting not in self._identities:
            languages = dict.fromkeys(place.scorer.language for place in self.places)
            self._identities[setting] = tuple(
                parameters_but(load(spec_of(self.base, setting, language)).bind(language))
                for language in languages
            )
        return self._identities[setting]

    def of(self, settings: Sequence[Setting], measure: int = 0) -> FloatArray:
        """Return a measure ``(settings, places, 1 + parts)``; the first is the tuned one."""
        asked = {self.identity(setting): setting for setting in settings}
        new = [setting for identity, setting in asked.items() if identity not in self._known]
        if new:
            self._measure(new)
        return np.stack([self._known[self.identity(one)][:, measure] for one in settings])

    def means(self, settings: Sequence[Setting], part: int) -> FloatArray:
        """Return the mean over language pairs on one part; NaN if one of them has no value."""
        return self.parts(settings)[:, part]

    def parts(self, settings: Sequence[Setting], measure: int = 0) -> FloatArray:
        """Return the mean over the language pairs that take part ``(settings, 1 + parts)``."""
        there = np.stack([place.takes_part for place in self.places])
        values = np.where(there, self.of(settings, measure), 0.0)
        mean: FloatArray = values.sum(axis=1) / there.sum(axis=0)
        return mean

    def spec(self, setting: Setting) -> str | None:
        """Return the metric with a setting; None if it is not the same in all languages."""
        specs = {str(spec_of(self.base, setting, place.scorer.language)) for place in self.places}
        return specs.pop() if len(specs) == 1 else None

    def _measure(self, settings: Sequence[Setting]) -> None:
        first = self.places[0]
        shape = (len(self.places), len(first.measures), len(first.takes_part))
        found = np.full((len(settings), *shape), np.nan)
        with step("trying settings", len(settings) * len(self.places)) as advance:
            for row, place in enumerate(self.places):
                specs = [spec_of(self.base, setting, place.scorer.language) for setting in settings]
                for number, scores in place.scorer.scores(specs):
                    try:
                        found[number, row] = place.measured(scores)
                    except InputError as error:
                        problem = f"{self.base} with {setting_text(settings[number])}: {error}"
                        raise InputError(problem) from error
                    advance(1)
        self._known |= dict(zip(map(self.identity, settings), found, strict=True))
