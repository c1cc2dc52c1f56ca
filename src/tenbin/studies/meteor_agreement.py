"""Agreement of kinds of METEOR with human judgment: at the paper's threshold, and with one chosen.

Thresholds are chosen by cross-validation, never on the segments that they are measured on.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tenbin.core.agreement_study import (
    MEAN,
    AgreementStudy,
    MissingRow,
    SystemScore,
)
from tenbin.core.caching import caching
from tenbin.core.errors import InputError, UsageError
from tenbin.core.judgments import Level
from tenbin.core.study import Study
from tenbin.meta.data import JudgedPair, MetricSources, judged_pair
from tenbin.meta.measures.catalog import find_measure
from tenbin.meta.measures.scores import MetricTables, systems_of
from tenbin.meta.planning import MetaOptions, MetaTask
from tenbin.resources.published import (
    ENGLISH_SOURCE,
    ENGLISH_TARGET,
    Paper,
    PublishedValue,
    published_values,
)
from tenbin.studies.agreement import (
    PAPER_THRESHOLD,
    AgreementOptions,
    Lookup,
    SampledRow,
    ScoredRow,
    compared_rows,
    mean_rows,
    measured_rows,
)
from tenbin.studies.augmented_meteor import BASELINE, MeteorRow, paraphrases_of, unusable
from tenbin.studies.places import StudyPlace, study_places
from tenbin.studies.thresholds import held_out_scores

FIXED = f"{PAPER_THRESHOLD:.2f}"
CROSS_VALIDATED = "cross-validated"
PAPER = "Servan et al. (2016)"
_SET = "wmt14"
_PERCENT = 100
_TABLES = {Study.VECTORS: ("6", ""), Study.LEXICONS: ("4", "4-oracle")}


@dataclass(slots=True, eq=False)
class _Found:
    """What was found so far."""

    rows: list[SampledRow] = field(default_factory=list)
    scores: list[SystemScore] = field(default_factory=list)
    missing: list[MissingRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def meteor_study(
    study: Study,
    rows: Sequence[MeteorRow],
    folders: Sequence[str],
    pairs: Sequence[str],
    paraphrases: str | None,
    options: AgreementOptions,
) -> AgreementStudy:
    """Measure kinds of METEOR on language pairs.

    Args:
        study: The experiment, for what the paper prints.
        rows: The kinds of METEOR.
        folders: The test sets.
        pairs: The language pairs, the same of each set; ``all`` for all that have judgments.
        paraphrases: METEOR's paraphrases; None for its own where they are installed.
        options: Measure, thresholds, folds and samples.

    Raises:
        UsageError: A measure that compares systems, or data that no language pair can use.
        InputError: Files that cannot be read, or nothing that could be measured.
    """
    info = find_measure(options.measure).info
    if info.level is Level.SYSTEM:
        raise UsageError(
            f"a threshold is chosen on segments, and the measure {info.name} is about systems; "
            "take one such as wmt14-tau."
        )
    places, notes = study_places(folders, pairs, options.references, several=False, judged=True)
    usable, missing = _usable(rows, places)
    found = _Found(missing=missing, notes=notes)
    lookup = published_rows(study, places)
    with caching(enabled=options.cache):
        for number, place in enumerate(places):
            own = [row for row in rows if place in usable[row.name]]
            _measure(study, place, own, paraphrases, lookup, options, number, found)
    if not found.rows:
        raise InputError(f"nothing could be measured. {' '.join(dict.fromkeys(found.notes))}")
    means = mean_rows(found.rows, lookup)
    chosen = [one.row for one in found.rows if one.row.setting == CROSS_VALIDATED]
    return AgreementStudy(
        study=study,
        paper=PAPER,
        baseline=BASELINE,
        rows=tuple(compared_rows(found.rows, BASELINE)),
        averages=tuple(compared_rows(means, BASELINE)),
        scores=tuple(found.scores),
        missing=tuple(found.missing),
        notes=tuple(dict.fromkeys(found.notes)),
        resamples=options.resamples,
        unit=str(options.unit),
        folds=max((len(row.thresholds) for row in chosen), default=0),
        seed=options.seed,
    )


def published_rows(study: Study, places: Sequence[StudyPlace]) -> Lookup:
    """Return a way to what the paper prints; it prints nothing on other sets than WMT14's."""
    fixed, chosen = _TABLES[study]
    values = {
        (one.table, one.metric, one.pair): one
        for one in published_values(Paper.METEOR_VECTORS)
        if not one.system
    }
    pairs = {place.pair for place in places}
    theirs = all(place.test_set == _SET for place in places)

    def lookup(metric: str, setting: str, pair: str, measure: str) -> PublishedValue | None:  # noqa: ARG001 - one measure
        if not theirs:
            return None
        if pair == MEAN and all(one.endswith("-en") for one in pairs):
            pair = ENGLISH_TARGET
        elif pair == MEAN and all(one.startswith("en-") for one in pairs):
            pair = ENGLISH_SOURCE
        table = chosen if setting == CROSS_VALIDATED else fixed
        # METEOR itself is a row of table 4 alone.
        return values.get(("4" if metric == BASELINE else table, metric, pair))

    return lookup


def _usable(
    rows: Sequence[MeteorRow], places: Sequence[StudyPlace]
) -> tuple[dict[str, list[StudyPlace]], list[MissingRow]]:
    """Return the places of each row, and the rows that are missing somewhere.

    Raises:
        TenbinError: Data that were named can be used nowhere.
    """
    usable: dict[str, list[StudyPlace]] = {}
    missing: list[MissingRow] = []
    for row in rows:
        usable[row.name] = []
        if row.lacks:
            missing.append(MissingRow(metric=row.name, where="", reason=row.lacks))
            continue
        problems = unusable(row, places)
        if len(problems) == len(places):
            raise next(iter(problems.values()))
        usable[row.name] = [place for place in places if place not in problems]
        missing += [
            MissingRow(metric=row.name, where=place.label, reason=str(error))
            for place, error in problems.items()
        ]
    return usable, missing


def _measure(
    study: Study,
    place: StudyPlace,
    rows: Sequence[MeteorRow],
    paraphrases: str | None,
    lookup: Lookup,
    options: AgreementOptions,
    number: int,
    found: _Found,
) -> None:
    table, more = paraphrases_of(place, paraphrases)
    notes = list(more)
    scored: list[ScoredRow] = []
    judged: JudgedPair | None = None
    for row in rows:
        thresholds = options.grid if row.has_threshold else (None,)
        specs = [row.spec(place, table, threshold) for threshold in thresholds]
        judged = _judged(place, specs, options)
        (task,) = judged.tasks
        if task.human is None or not judged.metrics:
            notes.append(f"left out: there are no human {task.info.needs} for {task.measure}.")
            break
        tables = [judged.metrics[spec] for spec in specs]
        scored += _scored(row, judged, task, specs, tables, options, found)
        at_paper = specs[options.grid.index(PAPER_THRESHOLD)] if row.has_threshold else specs[0]
        if study is Study.LEXICONS:
            found.scores += system_scores(judged, row.name, judged.metrics[at_paper])
        notes += judged.notes
    if judged is not None and scored:
        (task,) = judged.tasks
        own, missing, told = measured_rows(
            judged, task, scored, lookup, options, options.seed + number
        )
        found.rows += own
        found.missing += missing
        notes += told
    found.notes += [f"{place.label}: {note}" for note in dict.fromkeys(notes)]


def _judged(place: StudyPlace, specs: Sequence[str], options: AgreementOptions) -> JudgedPair:
    sources = MetricSources(
        specs=tuple(specs),
        references=options.references,
        jobs=options.jobs,
        advance=options.advance,
    )
    wanted = MetaOptions(measures=(options.measure,), human=options.kinds, seed=options.seed)
    return judged_pair(place.folder, place.pair, sources, wanted, is_alone=False)


def _scored(
    row: MeteorRow,
    judged: JudgedPair,
    task: MetaTask,
    specs: Sequence[str],
    tables: Sequence[MetricTables],
    options: AgreementOptions,
    found: _Found,
) -> list[ScoredRow]:
    """Return a row at the threshold of the paper, and one with a threshold chosen on folds."""
    if not row.has_threshold:
        signature = judged.signatures[specs[0]]
        return [ScoredRow(metric=row.name, tables=tables[0], signature=signature)]
    fixed = options.grid.index(PAPER_THRESHOLD)
    scored = [
        ScoredRow(
            metric=row.name,
            tables=tables[fixed],
            setting=FIXED,
            thresholds=(PAPER_THRESHOLD,),
            signature=judged.signatures[specs[fixed]],
        )
    ]
    if options.folds == 0:
        return scored
    try:
        held_out = held_out_scores(judged, task, tables, options)
    except InputError as error:
        name = f"{row.name}, {CROSS_VALIDATED}"
        where = f"{judged.test_set} {judged.pair}"
        found.missing.append(MissingRow(metric=name, where=where, reason=str(error)))
        return scored
    ((usual, _),) = Counter(held_out.thresholds).most_common(1)
    scored.append(
        ScoredRow(
            metric=row.name,
            tables=held_out.tables,
            setting=CROSS_VALIDATED,
            thresholds=held_out.thresholds,
            signature=judged.signatures[specs[options.grid.index(usual)]],
        )
    )
    return scored


def system_scores(judged: JudgedPair, metric: str, tables: MetricTables) -> list[SystemScore]:
    """Return the scores of all systems, as percentages, beside table 3 of the paper."""
    table = systems_of(tables)
    printed = {
        one.system: one.value
        for one in published_values(Paper.METEOR_VECTORS)
        if one.system and one.metric == metric and one.pair == judged.pair
    }
    return [
        SystemScore(
            test_set=judged.test_set,
            pair=judged.pair,
            system=system,
            metric=metric,
            value=_PERCENT * float(score),
            # The files of WMT have a number after the name of a system.
            published=printed.get(system.partition(".")[0]) if judged.test_set == _SET else None,
        )
        for system, score in zip(table.systems, np.atleast_1d(table.scores), strict=True)
    ]
