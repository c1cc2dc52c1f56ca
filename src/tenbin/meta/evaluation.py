"""The call that says how far metrics agree with people."""

from collections.abc import Sequence
from pathlib import PurePath

from tenbin.core.errors import InputError
from tenbin.formats.score_table import Columns, listed
from tenbin.meta.averages import averages_over_pairs, task_averages
from tenbin.meta.choice import chosen_tasks
from tenbin.meta.imports import (
    numbered,
    read_own_judgements,
    read_own_scores,
    scored_systems,
    turned_over,
)
from tenbin.meta.inputs import MetricSources, judged_pair
from tenbin.meta.judgements import (
    judged_systems,
    missing_notes,
    wanted_pairs,
    without_systems,
)
from tenbin.meta.measures.scores import HumanScores
from tenbin.meta.measuring import measured_pair
from tenbin.meta.options import (
    MetaOptions,
    Offer,
    check_measures,
    listed_measures,
)
from tenbin.meta.pair import JudgedPair, Measured, told_lacks
from tenbin.meta.rankings import ranked_by_people, system_rankings
from tenbin.reports.meta_table import MetaTable
from tenbin.reports.ranking_plot import SystemRanking

_FEWEST_SYSTEMS = 3
_NO_METRICS = "There are no metrics: name some with -m, or --import-scores (and --imported)."


def evaluate_sets(
    folders: Sequence[str], pairs: Sequence[str], sources: MetricSources, options: MetaOptions
) -> MetaTable:
    """Measure metrics on language pairs of test sets in the mt-metrics-eval layout.

    Args:
        folders: The test sets.
        pairs: The language pairs, the same of each set; ``all`` for all that people judged.
        sources: The metrics.
        options: What to measure, and how.

    Raises:
        UsageError: A measure, kind of judgement, metric or pair that does not exist.
        InputError: Files that cannot be read, or nothing that could be measured.
    """
    check_measures(options.measures)
    places = [(folder, pair) for folder in folders for pair in wanted_pairs(folder, pairs)]
    found: list[Measured] = []
    rankings: list[SystemRanking] = []
    for folder, pair in places:
        judged = judged_pair(folder, pair, sources, options, is_alone=len(places) == 1)
        found.append(measured_pair(judged, options))
        if options.rankings:
            rankings += system_rankings(judged, options)
    labels = [p if len(folders) == 1 else f"{PurePath(f).name} {p}" for f, p in places]
    return _table(found, labels, rankings, options)


def evaluate_files(
    scores: Sequence[str],
    human_scores: str,
    options: MetaOptions,
    *,
    columns: Columns | None = None,
    human_columns: Columns | None = None,
    negate: Sequence[str] = (),
) -> MetaTable:
    """Measure metrics whose scores stand in files of one's own: TSV, CSV or JSON lines.

    Args:
        scores: One file per metric, which is named like it.
        human_scores: Human scores, or preferences (``*.rr.tsv``, ``*.darr.tsv``).
        options: What to measure, and how.
        columns: Which column of ``scores`` is which.
        human_columns: The same for ``human_scores``; by default like ``columns``.
        negate: Metrics for which lower is better.
    """
    check_measures(options.measures)
    columns = columns or Columns()
    metrics = turned_over(read_own_scores(scores, columns), negate)
    human = read_own_judgements(human_scores, human_columns or columns)
    tasks, notes = chosen_tasks({human.name: _offers(human)}, options)
    scored = scored_systems(metrics.values())
    judged = judged_systems([human])
    lacking = [name for name in judged if name not in scored]
    if lacking:
        notes.append(f"judged, but without metric scores, and left out: {listed(lacking)}.")
    if unknown := [name for name in scored if name not in judged]:
        notes.append(f"metric scores of systems that nobody judged: {listed(unknown)}.")
    human = without_systems(human, lacking)
    if "darr-tau" in options.measures:
        human, metrics = numbered(human, metrics)
    pair = JudgedPair(
        test_set="",
        pair="",
        tasks=tuple(tasks),
        human={human.name: human},
        metrics=metrics,
        signatures={},
        documents=None,
        notes=(*notes, *missing_notes(human)),
        ranked_by_people=ranked_by_people([human]),
    )
    rankings = system_rankings(pair, options) if options.rankings else []
    return _table([measured_pair(pair, options)], [""], rankings, options)


def _offers(human: HumanScores) -> frozenset[Offer]:
    if human.pairs is not None:
        return frozenset({Offer.PAIRS})
    if human.segments is None:
        return frozenset({Offer.SYSTEMS})
    # DARR can be made of them, if somebody asks for it.
    known = {Offer.SEGMENTS, Offer.PAIRS}
    several = len(human.segments.systems) >= _FEWEST_SYSTEMS
    return frozenset(known | {Offer.SYSTEMS} if several else known)


def _table(
    found: Sequence[Measured],
    labels: Sequence[str],
    rankings: Sequence[SystemRanking],
    options: MetaOptions,
) -> MetaTable:
    rows = tuple(row for part in found for row in part.rows)
    places: dict[str, list[str]] = {}
    for label, part in zip(labels, found, strict=True):
        for note in (*part.notes, *told_lacks(part.lacks)):
            places.setdefault(note, []).append(label)
    notes = tuple(_told(note, where, len(found)) for note, where in places.items())
    if not any(row.n for row in rows):
        reasons = dict.fromkeys(told for part in found for told in told_lacks(part.lacks))
        told = " ".join(reasons) or _NO_METRICS
        raise InputError(f"nothing could be measured. {told}")
    return MetaTable(
        rows=rows,
        comparisons=tuple(one for part in found for one in part.comparisons),
        averages=(
            *(averages_over_pairs(rows) if len(found) > 1 else ()),
            *(() if options.task is None else task_averages(rows, options.task)),
        ),
        notes=notes,
        summaries=dict(listed_measures()),
        drawn=_drawn(options),
        rankings=tuple(rankings),
    )


def _told(note: str, where: Sequence[str], places: int) -> str:
    if places == 1:
        return note
    return f"{'all pairs' if len(where) == places else ', '.join(where)}: {note}"


def _drawn(options: MetaOptions) -> str:
    unit = "" if options.unit is None else f" of {options.unit}"
    return f" over {options.resamples:,} bootstrap samples{unit}, seed {options.seed}"
