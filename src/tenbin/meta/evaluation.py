"""Meta-evaluation of metrics: test sets or score files in, one table out."""

from collections.abc import Sequence
from pathlib import PurePath

import numpy as np

from tenbin.annotation.languages import target_language
from tenbin.core.agreement import MetaAverage, MetaRow, MetaTable, SystemRanking
from tenbin.core.counting import counted
from tenbin.core.errors import InputError
from tenbin.core.judged_texts import JudgedTexts
from tenbin.core.judgments import listed
from tenbin.core.progress import step
from tenbin.evaluation.readiness import check_ready
from tenbin.formats.score_table import ScoreColumns
from tenbin.meta.data import JudgedPair, MetricSources, has_texts, judged_pair
from tenbin.meta.judged_texts import pair_of_texts
from tenbin.meta.judgments import (
    human_system_scores,
    judged_systems,
    known_forms,
    missing_notes,
    wanted_pairs,
    without_systems,
)
from tenbin.meta.measures.catalog import MEASURES
from tenbin.meta.measuring import PairResults, measured_pair, missing_value_notes
from tenbin.meta.planning import SHARED_TASKS, MetaOptions, check_measures, planned_tasks
from tenbin.meta.rankings import system_rankings
from tenbin.meta.score_files import (
    numbered,
    read_own_judgments,
    read_own_scores,
    scored_systems,
    with_negated,
)

_NO_METRICS = "There are no metrics: name some (`metrics`), or scores to import (`import_scores`)."


def evaluate_sets(
    folders: Sequence[str], pairs: Sequence[str], sources: MetricSources, options: MetaOptions
) -> MetaTable:
    """Measure metrics on language pairs of test sets in the mt-metrics-eval layout.

    Args:
        folders: The test sets.
        pairs: The language pairs, the same of each set; ``all`` for all that have human judgments.
        sources: The metrics.
        options: What to measure, and how.

    Raises:
        UsageError: A measure, kind of judgment, metric or pair that does not exist.
        InputError: Files that cannot be read, or nothing that could be measured.
    """
    check_measures(options.measures)
    places = [(folder, pair) for folder in folders for pair in wanted_pairs(folder, pairs)]
    found: list[PairResults] = []
    rankings: list[SystemRanking] = []
    scored = [pair for folder, pair in places if has_texts(folder, pair)]
    check_ready(sources.specs, list(dict.fromkeys(target_language(pair) for pair in scored)))
    with step("language pairs", len(places)) as advance:
        for folder, pair in places:
            judged = judged_pair(folder, pair, sources, options, is_alone=len(places) == 1)
            found.append(measured_pair(judged, options))
            if options.rankings:
                rankings += system_rankings(judged, options)
            advance(1)
    labels = [p if len(folders) == 1 else f"{PurePath(f).name} {p}" for f, p in places]
    return _table(found, labels, rankings, options)


def evaluate_files(
    scores: Sequence[str],
    human_scores: str,
    options: MetaOptions,
    *,
    columns: ScoreColumns | None = None,
    human_columns: ScoreColumns | None = None,
    negate: Sequence[str] = (),
) -> MetaTable:
    """Measure metrics whose scores are in the user's own files: TSV, CSV or JSON lines.

    Args:
        scores: One file per metric, which is named like it.
        human_scores: Human scores, or preferences (``*.rr.tsv``, ``*.darr.tsv``).
        options: What to measure, and how.
        columns: Which column of ``scores`` is which.
        human_columns: The same for ``human_scores``; by default like ``columns``.
        negate: Metrics for which lower is better.
    """
    check_measures(options.measures)
    pair = pair_of_files(
        scores,
        human_scores,
        options,
        columns=columns,
        human_columns=human_columns,
        negate=negate,
    )
    rankings = system_rankings(pair, options) if options.rankings else []
    return _table([measured_pair(pair, options)], [""], rankings, options)


def evaluate_texts(
    judged: JudgedTexts, language: str, sources: MetricSources, options: MetaOptions
) -> MetaTable:
    """Measure metrics on texts with human scores; see `pair_of_texts`."""
    check_measures(options.measures)
    pair = pair_of_texts(judged, language, sources, options)
    rankings = system_rankings(pair, options) if options.rankings else []
    return _table([measured_pair(pair, options)], [""], rankings, options)


def pair_of_files(
    scores: Sequence[str],
    human_scores: str,
    options: MetaOptions,
    *,
    columns: ScoreColumns | None = None,
    human_columns: ScoreColumns | None = None,
    negate: Sequence[str] = (),
) -> JudgedPair:
    """Return the judgments and metric scores of files; arguments as in `evaluate_files`."""
    columns = columns or ScoreColumns()
    metrics = with_negated(read_own_scores(scores, columns), negate)
    human = read_own_judgments(human_scores, human_columns or columns)
    tasks, notes = planned_tasks({human.name: known_forms(human)}, options)
    scored = scored_systems(metrics.values())
    judged = judged_systems([human])
    lacking = [name for name in judged if name not in scored]
    if lacking:
        notes.append(f"judged, but without metric scores, and left out: {listed(lacking)}.")
    if unknown := [name for name in scored if name not in judged]:
        notes.append(f"metric scores of systems without judgments: {listed(unknown)}.")
    human = without_systems(human, lacking)
    if any(MEASURES[name].info.uses_darr for name in options.measures):
        human, metrics = numbered(human, metrics)
    return JudgedPair(
        test_set="",
        pair="",
        tasks=tuple(tasks),
        human={human.name: human},
        metrics=metrics,
        signatures={},
        documents=None,
        notes=(*notes, *missing_notes(human)),
        human_ranking=human_system_scores([human]),
    )


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
            continue  # several kinds of judgment: their mean would mean nothing
        values = np.array([row.value for row in group])
        weights = np.array([row.n if MEASURES[measure].info.is_pooled else 1 for row in group])
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
        own = [row for row in rows if row.metric == metric and row.measure in SHARED_TASKS[task]]
        pooled = [row for row in own if MEASURES[row.measure].info.is_pooled]
        entries = [row.value for row in own if not MEASURES[row.measure].info.is_pooled]
        if pooled:
            pairs = sum(row.n for row in pooled)
            agreeing = sum(row.value * row.n for row in pooled)
            entries.append(agreeing / pairs if pairs else np.nan)
        value = float(np.mean(entries)) if entries else np.nan
        places = len({(row.test_set, row.pair) for row in own})
        averages.append(MetaAverage(metric=metric, measure=task, value=value, pairs=places))
    return tuple(averages)


def _table(
    found: Sequence[PairResults],
    labels: Sequence[str],
    rankings: Sequence[SystemRanking],
    options: MetaOptions,
) -> MetaTable:
    rows = tuple(row for part in found for row in part.rows)
    places: dict[str, list[str]] = {}
    for label, part in zip(labels, found, strict=True):
        for note in (*part.notes, *missing_value_notes(part.missing)):
            places.setdefault(note, []).append(label)
    notes = tuple(_placed(note, where, len(found)) for note, where in places.items())
    if not any(row.n for row in rows):
        reasons = dict.fromkeys(
            note for part in found for note in missing_value_notes(part.missing)
        )
        why = " ".join(reasons) or _NO_METRICS
        raise InputError(f"nothing could be measured. {why}")
    return MetaTable(
        rows=rows,
        comparisons=tuple(one for part in found for one in part.comparisons),
        averages=(
            *(averages_over_pairs(rows) if len(found) > 1 else ()),
            *(() if options.task is None else task_averages(rows, options.task)),
        ),
        notes=notes,
        measures={name: MEASURES[name].info for name in dict.fromkeys(r.measure for r in rows)},
        drawn=_drawn(options),
        rankings=tuple(rankings),
    )


def _placed(note: str, where: Sequence[str], places: int) -> str:
    if places == 1:
        return note
    return f"{'all pairs' if len(where) == places else ', '.join(where)}: {note}"


def _drawn(options: MetaOptions) -> str:
    unit = "" if options.unit is None else f" of {options.unit}"
    return f" over {counted(options.resamples, 'bootstrap sample')}{unit}, seed {options.seed}"
