"""Tuning as one call with every option by name."""

from collections.abc import Callable, Mapping, Sequence

from tenbin.annotation.languages import target_language
from tenbin.api.files import set_folder
from tenbin.core.caching import caching
from tenbin.core.counting import counted
from tenbin.core.errors import UsageError
from tenbin.core.parameters import one_of
from tenbin.core.spec import spec_list
from tenbin.core.tuning import FoldUnit, TuningTable
from tenbin.evaluation.readiness import check_ready
from tenbin.evaluation.run import DEFAULT_SEED
from tenbin.meta.data import MetricSources
from tenbin.meta.judgments import wanted_pairs
from tenbin.meta.planning import HumanSystems
from tenbin.metrics.registry import check_labels
from tenbin.tuning.folds import DEFAULT_FOLDS
from tenbin.tuning.run import TuningOptions, tuned_metric
from tenbin.tuning.settings import DEFAULT_TRIALS, Search, parse_parameters

__all__ = ["DEFAULT_FOLDS", "DEFAULT_TRIALS", "FOLD_UNITS", "HumanSystems", "Search", "tune"]

FOLD_UNITS = tuple(FoldUnit)


def tune(  # noqa: PLR0913 - every option has a name
    metrics: str | Sequence[str] | Mapping[str, str],
    parameters: str | Sequence[str],
    *,
    folder: str | Sequence[str],
    pairs: str | Sequence[str],
    measure: str,
    report: str | None = None,
    human: str | None = None,
    human_systems: str = HumanSystems.EXCLUDE,
    references: str | Sequence[str] | None = None,
    folds: int | None = None,
    by: str | None = None,
    search: str = Search.GRID,
    trials: int = DEFAULT_TRIALS,
    seed: int = DEFAULT_SEED,
    jobs: int = 1,
    cache: bool = True,
    advance: Callable[[int], None] | None = None,
) -> TuningTable:
    """Find the parameters of a metric that agree best with human judgment, and what they gain.

    The best setting on all data is an oracle: it was tuned on the test data. Cross-validation
    chooses the setting on other folds than the one it is measured on. A best value at an edge of
    the grid is told (`Tuning.edges`): beyond it there may be a better one.

    Args:
        metrics: Spec of the metric, or several with the same parameters, or a mapping from names of
            your own to specs.
        parameters: ``"threshold=0:1:0.05"`` (start, stop, step), ``"rejected=zero,survivors"``
            (values) or ``"weights[2]=0:1:0.1"`` (the second entry of a list); one or several.
        folder: A test set in the mt-metrics-eval layout, or several.
        pairs: Language pairs such as ``"de-en"``; ``"all"`` for all that have human
            judgments. The mean over language pairs is tuned.
        measure: A measure of `tenbin.api.meta.list_measures`; ``"kendall"``, ``"pearson"`` and
            ``"spearman"`` are those of segments.
        report: Another measure, shown for the same settings: tune by that of systems, for example,
            and report that of segments. It has no part in the choice.
        human: Kind of judgment such as ``"mqm"``; by default the most reliable one.
        human_systems: ``"include"`` lets human translations take part as systems, where there
            are several references.
        references: Names of the references; by default the first.
        folds: Folds of cross-validation; 0 for none, by default 10 or as many as there can be.
        by: What folds are made of, ``"documents"``, ``"segments"`` or ``"sets"`` (each test set is
            a fold); by default documents where there are enough of them.
        search: ``"grid"`` (every setting), ``"coordinate"`` (one parameter at a time, again and
            again) or ``"random"``.
        trials: How many settings a random search draws.
        seed: Seed of folds and random search.
        jobs: Worker processes.
        cache: Whether scores and encodings are read from the caches on disk and written there.
        advance: Called with the number of segments done.

    Raises:
        UsageError: A parameter, value, measure or number of folds that is not possible.
        InputError: Files that cannot be read, or no judgment for the measure.
    """
    chosen_search = one_of(Search, search, "search")
    chosen_systems = one_of(HumanSystems, human_systems, "human_systems")
    unit = None if by is None else one_of(FoldUnit, by, "by")
    if trials < 1:
        raise UsageError(
            f"{counted(trials, 'trial')} are not possible; give a number of at least 1."
        )
    tuned = parse_parameters(_names(parameters))
    sources = MetricSources(
        references=None if references is None else _names(references),
        jobs=jobs,
        advance=advance,
    )
    options = TuningOptions(
        measure=measure,
        report=report,
        human=human,
        human_systems=chosen_systems,
        search=chosen_search,
        trials=trials,
        folds=folds,
        unit=unit,
        seed=seed,
    )
    folders = tuple(set_folder(name) for name in _names(folder))
    specs = list(dict.fromkeys(spec_list(metrics)))
    check_labels(specs)
    every = [pair for place in folders for pair in wanted_pairs(place, _names(pairs))]
    check_ready(specs, list(dict.fromkeys(target_language(pair) for pair in every)))
    with caching(enabled=cache):
        found = [
            tuned_metric(metric, tuned, folders, _names(pairs), sources, options)
            for metric in specs
        ]
    if not found:
        raise UsageError("there is no metric to tune; name one, such as was.")
    notes = dict.fromkeys(note for _, own in found for note in own)
    return TuningTable(tunings=tuple(tuning for tuning, _ in found), notes=tuple(notes))


def _names(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)
