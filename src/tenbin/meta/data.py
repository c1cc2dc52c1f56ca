"""One language pair of a test set: human judgments and metric scores, ready to be measured."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tenbin.core.errors import InputError, UnreadableFile, UsageError
from tenbin.core.judgments import HumanScores, listed
from tenbin.evaluation.checks import check_needs
from tenbin.evaluation.run import Options
from tenbin.formats.mt_metrics_eval import metric_and_reference
from tenbin.formats.wmt_layout import human_translations, read_documents
from tenbin.meta.judgments import (
    JudgmentFiles,
    find_judgments,
    human_system_scores,
    judged_systems,
    left_out_translations,
    lost_notes,
    missing_notes,
    reference_names,
    without_systems,
)
from tenbin.meta.measures.scores import MetricTables
from tenbin.meta.planning import (
    MetaOptions,
    MetaTask,
    draws_systems,
    needs_segments,
    planned_tasks,
)
from tenbin.meta.score_files import export_scores, imported_scores, scored_systems, with_negated
from tenbin.meta.scoring import ScoredMetrics, reading_references, scored_by_tenbin
from tenbin.metrics.registry import load_all


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSources:
    """Where the scores of metrics come from.

    Attributes:
        specs: Tenbin's own metrics, computed from the texts of the test set.
        references: Names of the references they score against; None for the first.
        folder: Scores of others; see `imported_scores`.
        patterns: Which of them; none takes all.
        negate: Names of imported metrics for which lower is better.
        export: Folder to write own scores into, in the layout of mt-metrics-eval.
        jobs: Worker processes.
        advance: Called with the number of segments done, times metrics.
    """

    specs: tuple[str, ...] = ()
    references: tuple[str, ...] | None = None
    folder: str | None = None
    patterns: tuple[str, ...] = ()
    negate: tuple[str, ...] = ()
    export: str | None = None
    jobs: int = 1
    advance: Callable[[int], None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedPair:
    """Everything about one language pair, ready to be measured.

    Attributes:
        test_set: Name of the test set.
        pair: The language pair.
        tasks: What to measure.
        human: Judgments by kind.
        metrics: Scores by name, higher being better.
        signatures: Of metrics that Tenbin computed.
        documents: Document of each segment, where known.
        notes: What a reader should know about them.
        human_ranking: Human system scores for a drawing, of those too that take no part.
        specs: The specs behind aliases of metrics.
    """

    test_set: str
    pair: str
    tasks: tuple[MetaTask, ...]
    human: Mapping[str, HumanScores]
    metrics: Mapping[str, MetricTables]
    signatures: Mapping[str, str]
    documents: tuple[str, ...] | None
    notes: tuple[str, ...]
    human_ranking: Mapping[str, float] = field(default_factory=dict)
    specs: Mapping[str, str] = field(default_factory=dict)


def judged_pair(
    folder: str, pair: str, sources: MetricSources, options: MetaOptions, *, is_alone: bool
) -> JudgedPair:
    """Return the judgments of a language pair and the scores of all metrics on it.

    Systems that were not judged, have no output or are human translations are left out of both; the
    notes name them.

    Args:
        folder: The test set.
        pair: The language pair.
        sources: The metrics.
        options: What to measure.
        is_alone: Whether this is the only language pair: what it lacks is then an error.
    """
    files = find_judgments(folder, pair)
    tasks, notes = planned_tasks(files.forms, options, is_alone=is_alone)
    human = _read_judgments(files, tasks, options)
    texts = _find_texts(folder, pair)
    specs = sources.specs
    if specs and not texts.outputs:
        _refuse_without_texts(folder, pair, is_alone=is_alone)
        notes.append(f"no text, so that {', '.join(specs)} cannot be computed.")
        specs = ()
    compares = reading_references(specs)
    if compares and not texts.references:
        if is_alone:
            check_needs(load_all(specs), specs, has_references=False, has_source=True)
        notes.append(f"no reference, so that {', '.join(compares)} cannot be computed.")
        specs, compares = tuple(spec for spec in specs if spec not in compares), ()
    imported = _imported(pair, sources, tasks, options, is_alone=is_alone)
    if sources.folder is not None and not imported:
        notes.append("no metric scores to import.")
    references = list(sources.references or (texts.references[:1] if compares else ()))
    used = {*(metric_and_reference(name)[1] or "" for name in imported)}
    used |= {*references} if compares else set()
    if not specs:
        texts = replace(texts, outputs=())
    systems, more = _compared_systems(human, imported, texts, used, options)
    notes += more
    judged = {kind: without_systems(one, systems.left_out) for kind, one in human.items()}
    for kind, one in judged.items():
        notes += missing_notes(one) + lost_notes(human[kind], one)
    own = ScoredMetrics(metrics={}, signatures={}, notes=())
    if specs and systems.compared:
        own = scored_by_tenbin(
            folder,
            pair,
            specs,
            references=references,
            systems=list(dict.fromkeys([*systems.compared, *systems.only_ranked])),
            options=Options(jobs=sources.jobs, advance=sources.advance),
            resampled=draws_systems(tasks, options),
        )
        if sources.export is not None:
            export_scores(own.metrics, sources.export, pair, references, own.reference_free)
    metrics = _together(own.metrics, imported)
    _check_lengths(judged.values(), metrics.values())
    documents = Path(folder) / "documents" / f"{pair}.docs"
    return JudgedPair(
        test_set=Path(folder).resolve().name,
        pair=pair,
        tasks=tuple(tasks),
        human=judged,
        metrics=metrics,
        signatures=own.signatures,
        documents=tuple(read_documents(str(documents))) if documents.is_file() else None,
        notes=(*own.notes, *notes),
        human_ranking=human_system_scores(human.values()) if options.rankings else {},
        specs=own.specs,
    )


@dataclass(frozen=True, slots=True)
class _Texts:
    """Names of the texts of a language pair that can be scored."""

    references: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Systems:
    """Who takes part.

    Attributes:
        compared: Judged systems with scores.
        left_out: Judged systems that do not take part.
        only_ranked: Human translations that a ranking shows and no measure compares.
    """

    compared: tuple[str, ...]
    left_out: tuple[str, ...]
    only_ranked: tuple[str, ...]


def _read_judgments(
    files: JudgmentFiles, tasks: Sequence[MetaTask], options: MetaOptions
) -> dict[str, HumanScores]:
    """Return the judgments of each kind that a task needs."""
    by_kind: dict[str, list[MetaTask]] = {}
    for task in tasks:
        if task.human is not None:
            by_kind.setdefault(task.human, []).append(task)
    return {
        kind: files.read(kind, segments=needs_segments(own, options))
        for kind, own in by_kind.items()
    }


def has_texts(folder: str, pair: str) -> bool:
    """Return whether a language pair has texts that can be scored."""
    return bool(_find_texts(folder, pair).outputs)


def _find_texts(folder: str, pair: str) -> _Texts:
    outputs = (Path(folder) / "system-outputs" / pair).glob("*.txt")
    return _Texts(tuple(reference_names(folder, pair)), tuple(sorted(p.stem for p in outputs)))


def _compared_systems(
    human: Mapping[str, HumanScores],
    imported: Mapping[str, MetricTables],
    texts: _Texts,
    used: set[str],
    options: MetaOptions,
) -> tuple[_Systems, list[str]]:
    """Return the systems that take part, and notes on the others.

    Args:
        human: Judgments by kind.
        imported: Imported metric scores by name.
        texts: References, and the outputs that Tenbin's metrics score, if there are such metrics.
        used: References that some metric was scored against.
        options: Whether human translations take part, and whether rankings are wanted.
    """
    systems = judged_systems(human.values())
    left_out, notes = left_out_translations(systems, texts.references, used, options.human_systems)
    scored = texts.outputs or scored_systems(imported.values())
    without = [name for name in systems if name not in {*scored, *left_out}]
    if without and scored:
        what = "output" if texts.outputs else "metric scores"
        notes.append(f"judged, but without {what}, and left out: {listed(without)}.")
        left_out += without
    translations = {*texts.references, *human_translations([*systems, *texts.outputs])}
    if systems:
        notes += _unjudged_notes({*systems, *translations}, texts.outputs, imported)
    ranked = [name for name in texts.outputs if name in translations and name not in used]
    found = _Systems(
        compared=tuple(name for name in systems if name not in left_out),
        left_out=tuple(left_out),
        only_ranked=tuple(ranked) if options.rankings else (),
    )
    return found, notes


def _together(
    own: Mapping[str, MetricTables], imported: Mapping[str, MetricTables]
) -> dict[str, MetricTables]:
    twice = [name for name in own if name in imported]
    if twice:
        raise UsageError(
            f"{', '.join(twice)}: the name of a metric and of an imported file; import others, or "
            "leave the metric out."
        )
    return {**own, **imported}


def _imported(
    pair: str,
    sources: MetricSources,
    tasks: Sequence[MetaTask],
    options: MetaOptions,
    *,
    is_alone: bool,
) -> dict[str, MetricTables]:
    if sources.folder is None:
        return {}
    found = imported_scores(
        sources.folder,
        pair,
        patterns=sources.patterns,
        segments=needs_segments(tasks, options),
        is_alone=is_alone,
    )
    return with_negated(found, sources.negate, is_alone=is_alone)


def _refuse_without_texts(folder: str, pair: str, *, is_alone: bool) -> None:
    if is_alone:
        problem = f"there is no text of {pair} (references/, system-outputs/) to score"
        advice = "Import scores that others computed, instead of metrics to compute."
        raise UnreadableFile(folder, problem, advice)


def _unjudged_notes(
    known: set[str], outputs: Sequence[str], imported: Mapping[str, MetricTables]
) -> list[str]:
    """Return notes on systems with scores or outputs and no judgments, misspelled ones too."""
    notes = []
    without = [name for name in outputs if name not in known]
    if without:
        notes.append(f"outputs without judgments, left out: {listed(without)}.")
    names = scored_systems(imported.values())
    known = known | {*without, *human_translations(names)}
    if unknown := [name for name in names if name not in known]:
        notes.append(f"imported scores of systems without judgments: {listed(unknown)}.")
    return notes


def _check_lengths(human: Iterable[HumanScores], metrics: Iterable[MetricTables]) -> None:
    """Raise if files by segment, whose lines must correspond, differ in their number."""
    tables = [*(one.segments for one in human), *(one.segments for one in metrics)]
    lengths = {table.name: len(table.segments) for table in tables if table is not None}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name}: {count:,}" for name, count in lengths.items())
        raise InputError(
            f"scores by segment differ in their number of segments ({found}). Every file needs a "
            "line per segment and system, None where a score is missing."
        )
