"""Tunes the parameters of a metric: the curve, the oracle, and the cross-validated value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from tenbin.annotation.languages import target_language
from tenbin.core.agreement import MeasureInfo
from tenbin.core.arrays import FloatArray
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, UsageError
from tenbin.core.progress import step
from tenbin.core.spec import Spec, SpecValue
from tenbin.core.tuning import (
    CrossValidation,
    FoldUnit,
    HeldOutMeans,
    ReportedMeasure,
    ReportedValue,
    TriedSetting,
    Tuning,
)
from tenbin.meta.data import MetricSources
from tenbin.meta.judgments import wanted_pairs
from tenbin.meta.measures.catalog import find_measure
from tenbin.meta.measures.p_values import t_quantile
from tenbin.meta.measuring import approximate_notes, known_documents
from tenbin.meta.planning import HumanSystems, MetaOptions
from tenbin.metrics.registry import load
from tenbin.stats.arrays import BoolArray
from tenbin.tuning.edges import edges_of
from tenbin.tuning.folds import (
    DEFAULT_FOLDS,
    assigned_folds,
    chosen_unit,
    fold_counts,
    judged_segments,
    set_folds,
)
from tenbin.tuning.scoring import TriedSettings, TunedPlace, open_place
from tenbin.tuning.settings import (
    Search,
    Setting,
    TunedParameter,
    ascent,
    best_place,
    check_values,
    listed_settings,
    setting_text,
    spec_of,
    value_of,
)

SHORT_NAMES = {name: f"segment-{name}" for name in ("kendall", "pearson", "spearman")}
_FEWEST_FOLDS = 3
_REPORTED = 1  # the place of the other measure


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningOptions:
    """How a metric is tuned.

    Attributes:
        measure: What is to be high: a measure of ``tenbin meta``.
        report: Another measure of the same settings, which has no part in the choice; None for
            none.
        human: The kind of judgment; None takes the most reliable one.
        human_systems: Whether human translations are systems.
        search: How settings are searched.
        trials: How many settings a random search draws.
        folds: Folds of cross-validation; 0 for none, None for ten or as many as there can be.
        unit: What folds are made of; None for documents where they are known.
        seed: Seed of folds and random search.
    """

    measure: str
    report: str | None
    human: str | None
    human_systems: HumanSystems
    search: Search
    trials: int
    folds: int | None
    unit: FoldUnit | None
    seed: int


def tuned_metric(
    metric: str,
    parameters: Sequence[TunedParameter],
    folders: Sequence[str],
    pairs: Sequence[str],
    sources: MetricSources,
    options: TuningOptions,
) -> tuple[Tuning, list[str]]:
    """Tune one metric; return the tuning, and notes.

    Args:
        metric: Spec of the metric.
        parameters: What to tune.
        folders: The test sets.
        pairs: The language pairs, the same of each set.
        sources: References, cache and worker processes.
        options: How to tune.

    Raises:
        UsageError: A measure, parameter, value or number of folds that is not possible.
        InputError: No judgment for the measure, or no setting with a defined value.
    """
    infos = _measures(options)
    info = infos[0]
    base = Spec.parse(metric)
    rng = np.random.default_rng(options.seed)
    settings = listed_settings(parameters, options.search, options.trials, rng)
    where = [(folder, pair) for folder in folders for pair in wanted_pairs(folder, pairs)]
    asked = MetaOptions(
        measures=tuple(one.name for one in infos),
        human=(options.human,) if options.human else (),
        human_systems=options.human_systems,
        # Folds need what intervals need: human scores by segment at the level of systems too.
        intervals=options.folds != 0,
        seed=options.seed,
    )
    check_values(base, parameters, list(dict.fromkeys(target_language(pair) for _, pair in where)))
    places = []
    with step("scoring the default", len(where)) as advance:
        for folder, pair in where:
            places.append(open_place(folder, pair, base, sources, asked))
            advance(1)
    notes = [note for place in places for note in _notes(place, several=len(places) > 1)]
    folds, unit = _fold_places(places, options)
    tried = TriedSettings(base, places)
    whole = partial(tried.means, part=0)
    if options.search is Search.COORDINATE:
        ascent(parameters, whole)
    elif tried.identity(()) not in map(tried.identity, settings):
        settings = [(), *settings]
    chosen = _chosen_on_folds(tried, parameters, settings, folds, options.search)
    # A search on some folds may pass by a setting that is better on all than the one found there.
    listed = settings or tried.settings
    best = best_place(whole(listed))
    if best is None:
        raise InputError(
            f"{info.name} of {base} is undefined under every setting; does the metric give "
            "everything the same score?"
        )
    view = _View(tried, parameters, folds, reports=len(infos) > 1)
    shown = {tried.identity(setting): view.of(setting) for setting in listed}
    default, oracle = (shown[tried.identity(setting)] for setting in ((), listed[best]))
    validation = _validation(view, chosen, default, oracle, unit)
    tuning = Tuning(
        metric=base.label,
        signature=places[0].signature,
        parameters=tuple(parameter.name for parameter in parameters),
        measure=info.name,
        human=tuple(place.human.name for place in places),
        places=tuple((place.test_set, place.scorer.pair) for place in places),
        n=tuple(place.size(0) for place in places),
        counted=info.counts,
        settings=tuple(shown.values()),
        default=default,
        oracle=oracle,
        validation=validation,
        edges=edges_of(base, parameters, view.language, shown.values(), oracle, validation),
        reported=_reported(view, infos[1], chosen, default, oracle) if view.reports else None,
    )
    return tuning, [*notes, *_undefined_notes(tuning)]


def _measures(options: TuningOptions) -> list[MeasureInfo]:
    """Return the measure to tune by, and the one to report, if there is one."""
    named = [options.measure, *([options.report] if options.report else [])]
    infos = [find_measure(SHORT_NAMES.get(name, name)).info for name in named]
    for info, verb in zip(infos, ("tune by", "report"), strict=False):
        if info.mean_of is not None:
            raise UsageError(f"{info.name} is a mean over samples; {verb} {info.mean_of} instead.")
    if len({info.name for info in infos}) < len(infos):
        raise UsageError(
            f"{infos[0].name} is what is tuned, and its values are shown; report another measure, "
            "or none."
        )
    return infos


@dataclass(frozen=True, slots=True)
class _View:
    """Tried settings as values of the result."""

    tried: TriedSettings
    parameters: Sequence[TunedParameter]
    folds: int
    reports: bool

    @property
    def language(self) -> str:
        """The target language of the first language pair, as an example of all."""
        return self.tried.places[0].scorer.language

    def of(self, setting: Setting) -> TriedSetting:
        values, parts = self.tried.of([setting])[0], self.tried.parts([setting])[0]
        return TriedSetting(
            values=self.values(setting),
            spec=self.tried.spec(setting),
            value=float(parts[0]),
            by_pair=tuple(values[:, 0].tolist()),
            by_fold=tuple(parts[1 + self.folds :].tolist()),
            reported=self._reported(setting) if self.reports else None,
        )

    def _reported(self, setting: Setting) -> ReportedValue:
        values = self.tried.of([setting], _REPORTED)[0]
        parts = self.tried.parts([setting], _REPORTED)[0]
        return ReportedValue(
            value=float(parts[0]),
            by_pair=tuple(values[:, 0].tolist()),
            by_fold=tuple(parts[1 + self.folds :].tolist()),
        )

    def values(self, setting: Setting) -> tuple[SpecValue, ...]:
        """Return the value of each parameter, those too that stay as the language settles them."""
        metric = load(spec_of(self.tried.base, setting, self.language))
        bound = metric.bind(self.language)
        given = dict(setting)
        return tuple(given.get(one.name, value_of(bound, one.name)) for one in self.parameters)


def _notes(place: TunedPlace, *, several: bool) -> list[str]:
    notes = [*place.notes]
    if any(one.of_systems for one in place.measures):
        notes += approximate_notes({str(place.default.name): place.default})
    return [f"{place.label}: {note}" for note in notes] if several else notes


def _undefined_notes(tuning: Tuning) -> list[str]:
    """Return notes on settings and folds without a value, which no choice and no mean counts."""
    about, notes = f"{tuning.metric}: no {tuning.measure}", []
    without = [one for one in tuning.settings if np.isnan(one.value)]
    if without:
        named = zip(tuning.parameters, without[0].values, strict=True)
        count = f"{len(without)} of {counted(len(tuning.settings), 'setting')}"
        notes.append(f"{about} under {count}, such as {setting_text(tuple(named))}.")
    found = tuning.validation
    if found is not None and found.left_out:
        count = f"{found.left_out} of {counted(found.folds, 'held-out fold')}"
        notes.append(f"{about} of some row on {count}, which all means leave out.")
    return notes


def _fold_places(places: Sequence[TunedPlace], options: TuningOptions) -> tuple[int, FoldUnit]:
    """Divide the segments of each language pair into folds; return how many, and of what."""
    if options.folds == 0:
        return 0, FoldUnit.SEGMENTS
    if options.unit is FoldUnit.SETS:
        return _fold_sets(places, options), FoldUnit.SETS
    judged = [judged_segments(p.human, len(p.segments.segments)) for p in places]
    unit = options.unit
    if unit is FoldUnit.DOCUMENTS:
        for place in places:
            known_documents(place.label, place.documents)
    if unit is None:
        # The same for all language pairs, so that the table can say what it was.
        found = {
            chosen_unit(place.documents, mask, options.folds, None, place.label)[0]
            for place, mask in zip(places, judged, strict=True)
        }
        unit = FoldUnit.DOCUMENTS if found == {FoldUnit.DOCUMENTS} else FoldUnit.SEGMENTS
    least = min(
        chosen_unit(place.documents, mask, options.folds, unit, place.label)[1]
        for place, mask in zip(places, judged, strict=True)
    )
    folds = options.folds or min(DEFAULT_FOLDS, least)
    if folds < 2:  # noqa: PLR2004 - one part to choose on, one to measure
        return 0, unit
    for place, mask in zip(places, judged, strict=True):
        documents = place.documents if unit is FoldUnit.DOCUMENTS else None
        rng = np.random.default_rng(options.seed)
        place.counts = fold_counts(assigned_folds(mask, folds, rng, documents), folds)
        place.takes_part = np.ones(1 + 2 * folds, dtype=np.bool_)
    return folds, unit


def _fold_sets(places: Sequence[TunedPlace], options: TuningOptions) -> int:
    """Make a fold of each test set; return how many there are."""
    names = set_folds([place.test_set for place in places], options.folds)
    for place in places:
        own = np.array([name == place.test_set for name in names])
        place.takes_part = np.concatenate([[True], ~own, own])
    return len(names)


def _chosen_on_folds(
    tried: TriedSettings,
    parameters: Sequence[TunedParameter],
    settings: Sequence[Setting],
    folds: int,
    search: Search,
) -> list[Setting]:
    """Return, for each fold, the setting that is best on all the others."""
    chosen = []
    with step("choosing on folds", folds) as advance:
        for fold in range(folds):
            objective: Callable[[Sequence[Setting]], FloatArray] = partial(
                tried.means, part=1 + fold
            )
            if search is Search.COORDINATE:
                chosen.append(ascent(parameters, objective))
            else:
                best = best_place(objective(settings))
                chosen.append(() if best is None else settings[best])
            advance(1)
    return chosen


def _validation(
    view: _View,
    chosen: Sequence[Setting],
    default: TriedSetting,
    oracle: TriedSetting,
    unit: FoldUnit,
) -> CrossValidation | None:
    if not chosen:
        return None
    own = np.array([view.of(setting).by_fold[fold] for fold, setting in enumerate(chosen)])
    rows, defined = _comparable(own, default.by_fold, oracle.by_fold)
    gaps = rows[0] - rows[1]
    interval = None
    if len(gaps) >= _FEWEST_FOLDS and not np.isnan(gaps).any():
        half = t_quantile(0.975, len(gaps) - 1) * float(gaps.std(ddof=1)) / len(gaps) ** 0.5
        interval = (float(gaps.mean()) - half, float(gaps.mean()) + half)
    return CrossValidation(
        folds=len(chosen),
        unit=unit,
        names=tuple(dict.fromkeys(place.test_set for place in view.tried.places))
        if unit is FoldUnit.SETS
        else (),
        chosen=tuple(view.values(setting) for setting in chosen),
        by_fold=tuple(own.tolist()),
        left_out=int((~defined).sum()),
        value=_mean(rows[0]),
        default=_mean(rows[1]),
        oracle=_mean(rows[2]),
        difference=_mean(gaps),
        interval=interval,
    )


def _comparable(*by_fold: Sequence[float] | FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return rows of values on the same folds, or their means would not be comparable, and which.

    A row that is undefined everywhere takes no fold from the others.
    """
    rows = np.stack([np.asarray(row) for row in by_fold])
    anywhere = rows[~np.all(np.isnan(rows), axis=1)]
    defined: BoolArray = ~np.any(np.isnan(anywhere), axis=0)
    return rows[:, defined], defined


def _reported(
    view: _View,
    info: MeasureInfo,
    chosen: Sequence[Setting],
    default: TriedSetting,
    oracle: TriedSetting,
) -> ReportedMeasure:
    """Return what the other measure is, and its means over the folds that were held out."""
    places = view.tried.places
    held_out = None
    if chosen:
        found = [view.of(setting).reported for setting in chosen]
        own = [one.by_fold[fold] for fold, one in enumerate(found) if one is not None]
        others = [one.reported.by_fold for one in (default, oracle) if one.reported is not None]
        rows, _ = _comparable(own, *others)
        value, as_it_is, best = (_mean(row) for row in rows)
        held_out = HeldOutMeans(value=value, default=as_it_is, oracle=best)
    return ReportedMeasure(
        measure=info.name,
        human=tuple(place.measures[_REPORTED].human.name for place in places),
        n=tuple(place.size(_REPORTED) for place in places),
        counted=info.counts,
        held_out=held_out,
    )


def _mean(values: FloatArray) -> float:
    return float(values.mean()) if len(values) else float("nan")
