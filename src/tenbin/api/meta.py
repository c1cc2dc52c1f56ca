"""Meta-evaluation as one call with every option by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tenbin.api.files import set_folder
from tenbin.api.meta_sources import check_sources
from tenbin.core.agreement import MeasureList, MetaTable, MetricTest, SamplingUnit
from tenbin.core.caching import caching
from tenbin.core.difference_curve import CurveTable
from tenbin.core.errors import UsageError
from tenbin.core.judged_texts import JudgedTestSet
from tenbin.core.parameters import one_of
from tenbin.core.spec import spec_list
from tenbin.evaluation.run import DEFAULT_RESAMPLES, DEFAULT_SEED
from tenbin.formats.difference_curves import write_curves
from tenbin.formats.output import check_target
from tenbin.formats.score_table import ScoreColumns
from tenbin.meta.curves import MEASURE as CURVE_MEASURE
from tenbin.meta.curves import curve_table, curves_of_sets
from tenbin.meta.data import MetricSources
from tenbin.meta.evaluation import (
    evaluate_files,
    evaluate_sets,
    evaluate_texts,
    pair_of_files,
)
from tenbin.meta.judged_texts import pair_of_texts
from tenbin.meta.judgments import ALL_PAIRS
from tenbin.meta.measures.catalog import MEASURES
from tenbin.meta.planning import SHARED_TASKS, HumanSystems, MetaOptions, human_systems_of
from tenbin.meta.significance.permutation import ROUNDS

__all__ = [
    "DEFAULT_RESAMPLES",
    "ROUNDS",
    "SHARED_TASKS",
    "HumanSystems",
    "MetricTest",
    "SamplingUnit",
    "fit_curves",
    "list_measures",
    "meta_evaluate",
]


def list_measures() -> MeasureList:
    """Return every measure of agreement, with what it declares about itself."""
    return MeasureList(tuple(one.info for one in MEASURES.values()))


def meta_evaluate(  # noqa: PLR0913 - every option has a name
    folder: str | Sequence[str] = (),
    pairs: str | Sequence[str] = ALL_PAIRS,
    *,
    judged: JudgedTestSet | None = None,
    language: str | None = None,
    scores: str | Sequence[str] = (),
    human_scores: str | None = None,
    columns: Mapping[str, str | None] | None = None,
    human_columns: Mapping[str, str | None] | None = None,
    metrics: str | Sequence[str] | Mapping[str, str] = (),
    references: str | Sequence[str] | None = None,
    import_scores: str | None = None,
    imported: str | Sequence[str] = (),
    negate: str | Sequence[str] = (),
    export_scores: str | None = None,
    measures: str | Sequence[str] = (),
    task: str | None = None,
    human: str | Sequence[str] = (),
    human_systems: str | None = None,
    ci: bool = False,
    resamples: int = DEFAULT_RESAMPLES,
    by: str | None = None,
    compare: bool = False,
    test: str | None = None,
    rounds: int = ROUNDS,
    outliers: Sequence[str] | None = None,
    epsilon: float = 0.0,
    rankings: bool = False,
    seed: int = DEFAULT_SEED,
    jobs: int = 1,
    cache: bool = True,
    advance: Callable[[int], None] | None = None,
) -> MetaTable:
    """Measure how far metrics agree with human judgment.

    Either on a test set in the mt-metrics-eval layout, on texts and human scores in tables of your
    own, or by files of scores.

    Args:
        folder: The test set, or several.
        pairs: Language pairs such as ``"en-de"``; ``"all"`` for all that have human judgments.
        judged: Without a test set: texts with human scores, of `read_judged_texts`.
        language: Their target language.
        scores: Without a test set: files of metric scores (TSV, CSV, JSON lines), one per metric.
        human_scores: The human scores that go with them, in the same form.
        columns: Which column of ``scores`` is ``"system"``, ``"segment"`` and ``"score"``, where it
            is not called so; a segment of None means scores of whole systems.
        human_columns: The same for ``human_scores``; by default like ``columns``.
        metrics: Specs of metrics to compute from the texts, or a mapping from names of your own to
            specs. Scores of metrics for which lower is better are negated.
        references: Names of the references they score against; by default the first.
        import_scores: A folder with scores of others, such as the test set itself; also its name.
        imported: Which of them, with ``*`` for anything; by default all.
        negate: Names of imported metrics for which lower is better.
        export_scores: A folder to write the computed scores into, as ``import_scores`` reads them.
        measures: Names such as ``"segment-pearson"``; by default what suits the judgments.
        task: ``"wmt23"`` or ``"wmt24"``: the measures of that task, and their mean.
        human: Kinds of judgment such as ``"mqm"``; by default the most reliable for each measure.
        human_systems: ``"include"`` lets human translations take part as systems, where there
            are several references, ``"exclude"`` never; by default as the task does, or exclude.
        ci: Whether to give 95 % bootstrap intervals.
        resamples: How many samples they take.
        by: What they draw: ``"segments"``, ``"documents"`` or, of preferences, ``"judgements"``.
        compare: Whether to test metrics against each other and rank them.
        test: ``"perm-both"``, ``"williams"`` or ``"bootstrap"``; by default what suits a measure.
        rounds: Random rounds of a permutation test.
        outliers: Systems that measures without outliers leave out; by default found by the rule.
        epsilon: Differences of metric scores that are ties, for the measures called ``-fixed``.
        rankings: Whether to keep how each metric ranks systems, for `render_rankings`.
        seed: Seed of every random draw.
        jobs: Worker processes.
        cache: Whether scores and encodings are read from the caches on disk and written there.
        advance: Called with the number of segments scored, and of tests done.
    """
    check_sources(
        {
            "folder": folder,
            "pairs": pairs,
            "judged": judged,
            "language": language,
            "scores": scores,
            "human_scores": human_scores,
            "columns": columns,
            "human_columns": human_columns,
            "metrics": metrics,
            "references": references,
            "import_scores": import_scores,
            "imported": imported,
            "negate": negate,
            "export_scores": export_scores,
        }
    )
    options = MetaOptions(
        measures=_names(measures),
        task=task,
        human=_names(human),
        human_systems=one_of(
            HumanSystems, human_systems or human_systems_of(task), "human_systems"
        ),
        intervals=ci,
        resamples=resamples,
        unit=None if by is None else one_of(SamplingUnit, by, "by"),
        compare=compare,
        test=None if test is None else one_of(MetricTest, test, "test"),
        rounds=rounds,
        outliers=None if outliers is None else tuple(outliers),
        epsilon=epsilon,
        rankings=rankings,
        seed=seed,
        advance=advance,
    )
    if human_scores is not None:
        return evaluate_files(
            _names(scores),
            human_scores,
            options,
            columns=_columns(columns),
            human_columns=_columns(human_columns),
            negate=_names(negate),
        )
    sources = MetricSources(
        specs=tuple(spec_list(metrics)),
        references=None if references is None else _names(references),
        folder=None if import_scores is None else set_folder(import_scores),
        patterns=_names(imported),
        negate=_names(negate),
        export=export_scores,
        jobs=jobs,
        advance=advance,
    )
    with caching(enabled=cache):
        if judged is not None:
            return evaluate_texts(judged, _language(language), sources, options)
        return evaluate_sets(_folders(folder), _names(pairs), sources, options)


def fit_curves(  # noqa: PLR0913 - every option has a name
    folder: str | Sequence[str] = (),
    pairs: str | Sequence[str] = ALL_PAIRS,
    *,
    judged: JudgedTestSet | None = None,
    language: str | None = None,
    scores: str | Sequence[str] = (),
    human_scores: str | None = None,
    columns: Mapping[str, str | None] | None = None,
    human_columns: Mapping[str, str | None] | None = None,
    metrics: str | Sequence[str] | Mapping[str, str] = (),
    references: str | Sequence[str] | None = None,
    import_scores: str | None = None,
    imported: str | Sequence[str] = (),
    negate: str | Sequence[str] = (),
    human: str | Sequence[str] = (),
    human_systems: str | None = None,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    jobs: int = 1,
    cache: bool = True,
    output: str | None = None,
    advance: Callable[[int], None] | None = None,
) -> CurveTable:
    """Fit how often people prefer the same system as a metric, by the difference of its scores.

    The data are pairs of systems of the same test set and language pair, as in `meta_evaluate`,
    whose arguments these are. Intervals draw language pairs of test sets; with only one of them,
    its systems.

    Args:
        folder: The test set, or several.
        pairs: Language pairs; ``"all"`` for all that have human judgments.
        judged: Texts with human scores instead of a test set.
        language: Their target language.
        scores: Files of metric scores instead of a test set.
        human_scores: The human scores that go with them.
        columns: Columns of ``scores``.
        human_columns: Columns of ``human_scores``.
        metrics: Specs of metrics to compute.
        references: Names of the references they score against; by default the first.
        import_scores: A folder with scores of others.
        imported: Which of them.
        negate: Names of imported metrics for which lower is better.
        human: Kinds of judgment; by default the most reliable one.
        human_systems: Whether human translations take part as systems.
        resamples: Bootstrap samples of the intervals.
        seed: Their seed.
        jobs: Worker processes.
        cache: Whether scores and encodings are read from the caches on disk and written there.
        output: A file to write the curves into, for `tenbin.compare` (``curves=``).
        advance: Called with the number of segments scored.
    """
    check_sources(
        {
            "folder": folder,
            "pairs": pairs,
            "judged": judged,
            "language": language,
            "scores": scores,
            "human_scores": human_scores,
            "columns": columns,
            "human_columns": human_columns,
            "metrics": metrics,
            "references": references,
            "import_scores": import_scores,
            "imported": imported,
            "negate": negate,
        }
    )
    options = MetaOptions(
        human=_names(human),
        human_systems=one_of(
            HumanSystems, human_systems or human_systems_of(None), "human_systems"
        ),
        resamples=resamples,
        seed=seed,
        advance=advance,
    )
    if output is not None:
        check_target(output)
    if human_scores is not None:
        pair = pair_of_files(
            _names(scores),
            human_scores,
            replace(options, measures=(CURVE_MEASURE,)),
            columns=_columns(columns),
            human_columns=_columns(human_columns),
            negate=_names(negate),
        )
        table = curve_table([pair], resamples=resamples, seed=seed)
    else:
        sources = MetricSources(
            specs=tuple(spec_list(metrics)),
            references=None if references is None else _names(references),
            folder=None if import_scores is None else set_folder(import_scores),
            patterns=_names(imported),
            negate=_names(negate),
            jobs=jobs,
            advance=advance,
        )
        with caching(enabled=cache):
            if judged is None:
                table = curves_of_sets(_folders(folder), _names(pairs), sources, options)
            else:
                measured = replace(options, measures=(CURVE_MEASURE,))
                pair = pair_of_texts(judged, _language(language), sources, measured)
                table = curve_table([pair], resamples=resamples, seed=seed)
    if output is not None:
        write_curves(output, table)
    return table


def _folders(names: str | Sequence[str]) -> tuple[str, ...]:
    """Return the folders of test sets, which may be named as `tenbin.api.sets` lists them."""
    return tuple(set_folder(name) for name in _names(names))


def _language(language: str | None) -> str:
    if language is None:
        raise UsageError("the target language of the texts is missing (`language`).")
    return language


def _names(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _columns(names: Mapping[str, str | None] | None) -> ScoreColumns | None:
    if names is None:
        return None
    usual: dict[str, str | None] = {name: name for name in ("system", "segment", "score")}
    found = {**usual, **names}
    system, score = found["system"], found["score"]
    if set(names) - set(usual) or system is None or score is None:
        raise UsageError(f"columns {dict(names)}: expected names of system, segment and score.")
    return ScoreColumns(system=system, segment=found["segment"], score=score)
