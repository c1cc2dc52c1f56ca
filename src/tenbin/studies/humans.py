"""Do human translations come out above machines? Each reference against the others.

Table 4 and figure 5 of Zhou, Lin and Hovy (2006): one reference after the other is taken out and
scored as if it were a system, and the systems are scored against the same remaining references.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tenbin.annotation.languages import target_language
from tenbin.core.agreement import SamplingUnit
from tenbin.core.arrays import FloatArray
from tenbin.core.caching import caching
from tenbin.core.errors import InputError
from tenbin.core.scores import MetricScores
from tenbin.core.study import Difference, Lead, TranslationRow
from tenbin.core.text import TestSet
from tenbin.evaluation.run import Options, Scored, evaluate_units
from tenbin.formats.mt_metrics_eval import human_score_files
from tenbin.formats.wmt_layout import human_translations
from tenbin.meta.judgments import find_judgments, human_system_scores
from tenbin.meta.measures.catalog import find_measure
from tenbin.meta.planning import suitable_kinds
from tenbin.meta.scoring import read_texts
from tenbin.meta.significance.bootstrap import uncertainty
from tenbin.stats.resampling import bootstrap_scores, percentile_interval
from tenbin.studies.correlations import MEASURE, drawn_unit, without_choice
from tenbin.studies.places import StudyPlace
from tenbin.studies.planning import StudyMetric, StudyOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class _HumanRanking:
    """Human scores of whole translations: the kind of judgment, and a score by name."""

    kind: str
    scores: Mapping[str, float]


def scored_translations(
    place: StudyPlace, metrics: Sequence[StudyMetric], options: StudyOptions
) -> tuple[list[TranslationRow], list[str]]:
    """Return the scores of machines and of each reference against the others, and notes.

    Args:
        place: The language pair, with two references or more.
        metrics: The metrics.
        options: What is drawn, and how often.

    Raises:
        InputError: There is no output of a machine.
    """
    machines = [name for name in place.outputs if name not in place.references]
    machines = [name for name in machines if name not in set(human_translations(machines))]
    if not machines:
        raise InputError(f"{place.label}: there is no output of a system beside the references.")
    texts = read_texts(place.folder, place.pair, place.references, machines)
    notes = without_choice(texts.notes)
    if others := [n for n in place.outputs if n not in {*machines, *place.references}]:
        notes.append(f"human translations that are no references, left out: {', '.join(others)}.")
    unit, drawn = drawn_unit(texts.documents, options.unit)
    ranking, judged = _judged(place, options)
    notes += [*drawn, *judged]
    rows: list[TranslationRow] = []
    for number, name in enumerate(place.references):
        against = tuple(other for other in place.references if other != name)
        with caching(enabled=options.cache):
            scored = evaluate_units(
                _with_reference_as_system(texts, number, name),
                [metric.spec for metric in metrics],
                target_language(place.pair),
                Options(
                    seed=options.seed,
                    by_document=unit is SamplingUnit.DOCUMENTS,
                    jobs=options.jobs,
                    advance=options.advance,
                ),
                draws_units=True,
            )
        notes += without_choice(scored.scores.notes)
        rows += _rows(place, scored, metrics, (name, against), ranking, options)
    return rows, list(dict.fromkeys(notes))


def _with_reference_as_system(texts: TestSet, number: int, name: str) -> TestSet:
    own = tuple(references[number] for references in texts.references)
    rest = tuple(row[:number] + row[number + 1 :] for row in texts.references)
    return replace(texts, hypotheses={**texts.hypotheses, name: own}, references=rest, notes=())


def _judged(place: StudyPlace, options: StudyOptions) -> tuple[_HumanRanking, list[str]]:
    """Return human scores of systems by the best kind of judgment, or by the one asked for."""
    none = _HumanRanking(kind="", scores={})
    has_pairs = any((Path(place.folder) / "human-pairs").glob(f"{place.pair}.*"))
    if not has_pairs and not human_score_files(place.folder, place.pair):
        return none, ["there are no human scores to compare with those of the metrics."]
    files = find_judgments(place.folder, place.pair)
    kinds = [
        k
        for k in suitable_kinds(find_measure(MEASURE).info, files.forms)
        if not options.human or k in options.human
    ]
    for kind in kinds:
        scores = human_system_scores([files.read(kind, segments=False)])
        if scores:
            return _HumanRanking(kind=kind, scores=scores), []
    return none, ["there are no human scores of systems to compare with those of the metrics."]


def _rows(
    place: StudyPlace,
    scored: Scored,
    metrics: Sequence[StudyMetric],
    roles: tuple[str, tuple[str, ...]],
    ranking: _HumanRanking,
    options: StudyOptions,
) -> list[TranslationRow]:
    name, against = roles
    drawn = bootstrap_scores(
        scored.units,
        [metric.score for metric in scored.metrics],
        resamples=options.resamples,
        rng=np.random.default_rng(options.seed),
    )
    rows: list[TranslationRow] = []
    for metric, result, samples in zip(metrics, scored.scores.results, drawn, strict=True):
        sign = 1.0 if result.higher_is_better else -1.0
        low, high = percentile_interval(samples)
        lead = _lead(result, samples, name)
        for place_in_list, system in enumerate(result.systems):
            is_human = system == name
            score = float(result.scores[place_in_list])
            rows.append(
                TranslationRow(
                    test_set=place.test_set,
                    pair=place.pair,
                    metric=metric.label,
                    against=against,
                    translation=system,
                    is_human=is_human,
                    score=score,
                    ci=(float(low[place_in_list]), float(high[place_in_list])),
                    mean_ci=uncertainty(samples[place_in_list]).of_mean,
                    decimals=result.decimals,
                    rank=1 + int(np.sum(sign * result.scores > sign * score)),
                    translations=len(result.systems),
                    unit=scored.unit,
                    units=scored.units[0].shape[1],
                    human=ranking.kind or None,
                    human_score=ranking.scores.get(system),
                    lead=lead if is_human else None,
                    signature=str(result.signature),
                )
            )
    return rows


def _lead(result: MetricScores, samples: FloatArray, name: str) -> Lead:
    """Return how far a reference is above the best machine, on all segments and on samples."""
    sign = 1.0 if result.higher_is_better else -1.0
    own = result.systems.index(name)
    machines = [place for place in range(len(result.systems)) if place != own]
    values = sign * result.scores
    best = max(machines, key=lambda place: float(values[place]))
    # In each sample the machine that is best there, so that none is chosen after looking.
    gaps = sign * samples[own] - (sign * samples[machines]).max(axis=0)
    return Lead(
        best=result.systems[best],
        gap=Difference(value=float(values[own] - values[best]), ci=uncertainty(gaps).percentile),
        above=float(np.mean(gaps > 0)),
        below=int(np.sum(values[machines] < values[own])),
        machines=len(machines),
    )
