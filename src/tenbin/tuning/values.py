"""How far each setting of a metric agrees with people: on all data, and on folds of it."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tenbin.annotation.languages import target_language
from tenbin.core.arrays import FloatArray
from tenbin.core.errors import InputError
from tenbin.core.spec import Spec
from tenbin.evaluation.run import Options
from tenbin.formats.score_table import ScoreTable
from tenbin.meta.inputs import MetricSources, judged_pair
from tenbin.meta.judgements import find_judgements
from tenbin.meta.measures.lookup import prepare
from tenbin.meta.measures.scores import HumanScores, MetricScores, Settings, segments_of
from tenbin.meta.options import MetaOptions, Offer, needed
from tenbin.metrics.registry import load
from tenbin.tuning.parameters import Setting, in_words, spec_of
from tenbin.tuning.scores import SettingScorer, parameters_but


@dataclass(slots=True, kw_only=True, eq=False)
class TunedPlace:
    """One language pair of a test set, ready to be measured under any setting.

    Attributes:
        test_set: Name of the test set.
        measure: The measure.
        human: The judgements.
        scorer: Scores the texts.
        default: Scores of the metric as it was given.
        signature: Of the metric as it was given.
        documents: The document of each segment, where known.
        notes: What a reader should know about the data.
        counts: Which segments make up each part ``(parts, segments)``; none without folds.
    """

    test_set: str
    measure: str
    human: HumanScores
    scorer: SettingScorer
    default: MetricScores
    signature: str
    documents: tuple[str, ...] | None
    notes: tuple[str, ...]
    counts: FloatArray = field(default_factory=lambda: np.empty((0, 0)))

    @property
    def label(self) -> str:
        """What a reader calls it."""
        return f"{self.test_set} {self.scorer.pair}"

    @property
    def segments(self) -> ScoreTable:
        """Scores by segment of the metric as it was given."""
        return segments_of(self.default)

    def measured(self, metric: MetricScores) -> FloatArray:
        """Return the measure on all data, then on each part."""
        prepared = prepare(self.measure, self.human, metric, Settings(by_segment=True))
        whole = np.array([prepared.value().value])
        parts = prepared.resampled(self.counts) if len(self.counts) else np.empty(0)
        return np.concatenate([whole, parts])

    def size(self) -> int:
        """Return what the measure is computed from."""
        settings = Settings(by_segment=True)
        return prepare(self.measure, self.human, self.default, settings).value().n


def open_place(
    folder: str, pair: str, spec: Spec, sources: MetricSources, options: MetaOptions
) -> TunedPlace:
    """Read a language pair and score it with the metric as it is.

    Args:
        folder: The test set.
        pair: The language pair.
        spec: The metric.
        sources: References, cache and worker processes.
        options: The measure, and the kind of judgement.

    Raises:
        InputError: There is no judgement for the measure.
    """
    (measure,) = options.measures
    sources = replace(sources, specs=(str(spec),))
    judged = judged_pair(folder, pair, sources, options, is_alone=True)
    (task,) = judged.tasks
    if task.human is None:
        raise InputError(
            f"{folder} {pair}: there are no human {needed(measure)} that {measure} could be "
            f"computed from. There are: {_offered(folder, pair)}."
        )
    if str(spec) not in judged.metrics:
        raise InputError(f"{folder} {pair}: no system with an output was judged by {task.human}.")
    default = judged.metrics[str(spec)]
    scorer = SettingScorer(
        folder=folder,
        pair=pair,
        language=target_language(pair),
        references=sources.references,
        systems=segments_of(default).systems,
        options=Options(jobs=sources.jobs, advance=sources.advance),
        cached=sources.cached,
        resampled=needed(measure) is Offer.SYSTEMS,
    )
    return TunedPlace(
        test_set=judged.test_set,
        measure=measure,
        human=judged.human[task.human],
        scorer=scorer,
        default=default,
        signature=judged.signatures[str(spec)],
        documents=judged.documents,
        notes=judged.notes,
    )


def _offered(folder: str, pair: str) -> str:
    """Return the judgements of a language pair in words."""
    offers = find_judgements(folder, pair).offers
    return "; ".join(f"{kind} ({', '.join(sorted(known))})" for kind, known in offers.items())


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

    def of(self, settings: Sequence[Setting]) -> FloatArray:
        """Return the measure ``(settings, places, 1 + parts)``."""
        asked = {self.identity(setting): setting for setting in settings}
        new = [setting for identity, setting in asked.items() if identity not in self._known]
        if new:
            self._measure(new)
        return np.stack([self._known[self.identity(setting)] for setting in settings])

    def means(self, settings: Sequence[Setting], part: int) -> FloatArray:
        """Return the mean over language pairs on one part; NaN if one of them has no value."""
        mean: FloatArray = self.of(settings)[:, :, part].mean(axis=1)
        return mean

    def spec(self, setting: Setting) -> str | None:
        """Return the metric with a setting; None if it is not the same in all languages."""
        specs = {str(spec_of(self.base, setting, place.scorer.language)) for place in self.places}
        return specs.pop() if len(specs) == 1 else None

    def _measure(self, settings: Sequence[Setting]) -> None:
        parts = 1 + len(self.places[0].counts)
        found = np.full((len(settings), len(self.places), parts), np.nan)
        for row, place in enumerate(self.places):
            specs = [spec_of(self.base, setting, place.scorer.language) for setting in settings]
            for number, scores in place.scorer.scores(specs):
                try:
                    found[number, row] = place.measured(scores)
                except InputError as error:
                    told = f"{self.base} with {in_words(settings[number])}: {error}"
                    raise InputError(told) from error
        self._known |= dict(zip(map(self.identity, settings), found, strict=True))
