"""One language pair of a test set, read and made ready to be measured."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tenbin.core.errors import InputError, UnreadableFile, UsageError
from tenbin.evaluation.run import Options
from tenbin.formats.mt_metrics_eval import metric_and_reference
from tenbin.formats.score_table import listed
from tenbin.formats.wmt_layout import read_documents
from tenbin.meta.choice import Task, chosen_tasks
from tenbin.meta.exports import export_scores
from tenbin.meta.imports import imported_scores, scored_systems, turned_over
from tenbin.meta.judgements import (
    find_judgements,
    judged_systems,
    left_out_translations,
    lost_notes,
    missing_notes,
    reference_names,
    without_systems,
)
from tenbin.meta.measures.judgments import human_translations
from tenbin.meta.measures.scores import HumanScores, MetricScores
from tenbin.meta.options import MetaOptions, Offer, needed
from tenbin.meta.pair import JudgedPair
from tenbin.meta.rankings import ranked_by_people
from tenbin.meta.sampling import resamples_of
from tenbin.meta.scoring import ScoredMetrics, scored_by_tenbin


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
        cached: Whether own scores are kept on disk and taken from there.
        jobs: Worker processes.
        advance: Called with the number of segments done, times metrics.
    """

    specs: tuple[str, ...] = ()
    references: tuple[str, ...] | None = None
    folder: str | None = None
    patterns: tuple[str, ...] = ()
    negate: tuple[str, ...] = ()
    export: str | None = None
    cached: bool = True
    jobs: int = 1
    advance: Callable[[int], None] | None = None


def judged_pair(
    folder: str, pair: str, sources: MetricSources, options: MetaOptions, *, is_alone: bool
) -> JudgedPair:
    """Return the judgements of a language pair and the scores of all metrics on it.

    Systems that were not judged, have no output or are translations by people are left out of both,
    and told in the notes.

    Args:
        folder: The test set.
        pair: The language pair.
        sources: The metrics.
        options: What to measure.
        is_alone: Whether this is the only language pair: what it lacks is then an error.
    """
    files = find_judgements(folder, pair)
    tasks, notes = chosen_tasks(files.offers, options, is_alone=is_alone)
    kinds = [kind for kind in dict.fromkeys(task.human for task in tasks) if kind]
    human = {
        kind: files.read(
            kind, segments=needs_segments([t for t in tasks if t.human == kind], options)
        )
        for kind in kinds
    }
    references = reference_names(folder, pair)
    outputs = sorted(path.stem for path in (Path(folder) / "system-outputs" / pair).glob("*.txt"))
    specs = sources.specs
    if specs and not (references and outputs):
        _refuse_without_texts(folder, pair, is_alone=is_alone)
        notes.append(f"no text, so that {', '.join(specs)} cannot be computed.")
        specs = ()
    imported = _imported(pair, sources, tasks, options, is_alone=is_alone)
    if sources.folder is not None and not imported:
        notes.append("no metric scores to import.")
    own_references = list(sources.references or references[:1]) if specs else []
    used = {*own_references, *(metric_and_reference(name)[1] or "" for name in imported)}
    systems = judged_systems(human.values())
    dropped, more = left_out_translations(systems, references, used, options.human_systems)
    notes += more
    scored = outputs if specs else scored_systems(imported.values())
    lacking = [name for name in systems if name not in {*scored, *dropped}]
    if lacking and scored:
        what = "output" if specs else "metric scores"
        notes.append(f"judged, but without {what}, and left out: {listed(lacking)}.")
        dropped += lacking
    kept = [name for name in systems if name not in dropped]
    people = {*references, *human_translations([*systems, *outputs])}
    if systems:
        notes += _unjudged_notes({*systems, *people}, outputs if specs else (), imported)
    everyone = ranked_by_people(human.values()) if options.rankings else {}
    judged = {kind: without_systems(one, dropped) for kind, one in human.items()}
    for kind, one in judged.items():
        notes += missing_notes(one) + lost_notes(human[kind], one)
    own = ScoredMetrics(metrics={}, signatures={}, notes=())
    if specs and kept:
        drawn = [n for n in outputs if n in people and n not in used] if options.rankings else []
        own = scored_by_tenbin(
            folder,
            pair,
            specs,
            references=own_references,
            systems=list(dict.fromkeys([*kept, *drawn])),
            options=Options(jobs=sources.jobs, advance=sources.advance),
            cached=sources.cached,
            resampled=draws_systems(tasks, options),
        )
        if sources.export is not None:
            export_scores(own.metrics, sources.export, pair, own_references)
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
        ranked_by_people=everyone,
    )


def _together(
    own: Mapping[str, MetricScores], imported: Mapping[str, MetricScores]
) -> dict[str, MetricScores]:
    twice = [name for name in own if name in imported]
    if twice:
        raise UsageError(
            f"{', '.join(twice)}: the name of a metric and of an imported file; choose others with "
            "--imported."
        )
    return {**own, **imported}


def draws_systems(tasks: Sequence[Task], options: MetaOptions) -> bool:
    """Whether corpus scores of bootstrap samples are needed."""
    by_system = [task for task in tasks if needed(task.measure) is Offer.SYSTEMS]
    return options.rankings or any(resamples_of(task, options) for task in by_system)


def needs_segments(tasks: Sequence[Task], options: MetaOptions) -> bool:
    """Whether scores by segment are needed, which take far longer to read."""
    by_segment = any(needed(task.measure) is not Offer.SYSTEMS for task in tasks)
    return by_segment or draws_systems(tasks, options)


def _imported(
    pair: str,
    sources: MetricSources,
    tasks: Sequence[Task],
    options: MetaOptions,
    *,
    is_alone: bool,
) -> dict[str, MetricScores]:
    if sources.folder is None:
        return {}
    found = imported_scores(
        sources.folder,
        pair,
        patterns=sources.patterns,
        segments=needs_segments(tasks, options),
        is_alone=is_alone,
    )
    return turned_over(found, sources.negate, is_alone=is_alone)


def _refuse_without_texts(folder: str, pair: str, *, is_alone: bool) -> None:
    if is_alone:
        problem = f"there is no text of {pair} (references/, system-outputs/) to score"
        advice = "Leave out -m and take scores of others: --import-scores."
        raise UnreadableFile(folder, problem, advice)


def _unjudged_notes(
    known: set[str], outputs: Sequence[str], imported: Mapping[str, MetricScores]
) -> list[str]:
    """Return notes on systems with scores or outputs that nobody judged, misspelt ones too."""
    notes = []
    without = [name for name in outputs if name not in known]
    if without:
        notes.append(f"outputs that nobody judged, left out: {listed(without)}.")
    names = scored_systems(imported.values())
    known = known | {*without, *human_translations(names)}
    if unknown := [name for name in names if name not in known]:
        notes.append(f"imported scores of systems that nobody judged: {listed(unknown)}.")
    return notes


def _check_lengths(human: Iterable[HumanScores], metrics: Iterable[MetricScores]) -> None:
    """Raise if files by segment, whose lines must correspond, differ in their number."""
    tables = [*(one.segments for one in human), *(one.segments for one in metrics)]
    lengths = {table.name: len(table.segments) for table in tables if table is not None}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name}: {count:,}" for name, count in lengths.items())
        raise InputError(
            f"scores by segment differ in their number of segments ({found}). Every file needs a "
            "line per segment and system, None where a score is missing."
        )
