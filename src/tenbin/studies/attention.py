"""WE_WPI-Attention beside WE_WPI, IMPACT and others: the tables of Echizen'ya's paper on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import nan
from pathlib import Path

from tenbin.annotation.languages import target_language
from tenbin.core.agreement_study import AgreementRow, AgreementStudy, MissingRow, ScoreOrigin
from tenbin.core.caching import caching
from tenbin.core.errors import InputError, TenbinError, UsageError
from tenbin.core.spec import Spec, SpecValue
from tenbin.core.study import Study
from tenbin.evaluation.run import title_of
from tenbin.formats.mt_metrics_eval import metric_and_reference
from tenbin.meta.data import JudgedPair, MetricSources, judged_pair
from tenbin.meta.judgments import find_judgments
from tenbin.meta.measures.scores import DARR
from tenbin.meta.planning import MetaOptions, check_measures
from tenbin.metrics.registry import ALIASES, load
from tenbin.resources.published import Paper, PublishedValue, published_values
from tenbin.studies.agreement import (
    AgreementOptions,
    Lookup,
    SampledRow,
    ScoredRow,
    compared_rows,
    mean_rows,
    measured_rows,
)
from tenbin.studies.augmented_meteor import placed
from tenbin.studies.places import StudyPlace, study_places

PAPER = "Echizen'ya, WE_WPI-Attention"
BASELINE = "WE_WPI"
ATTENTION = "we_wpi_attention"
METRICS = (
    *(ATTENTION, "we_wpi", "impact"),
    *("bertscore", "character", "chrf", "chrf++", "eed", "mee", "sentbleu", "ter"),
    *("yisi0", "yisi1", "yisi2"),
)
SYSTEM_MEASURE = "system-pearson"
_SET = "wmt20"
_OTHERWISE = "acc-eq"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionData:
    """What the metrics read beside the texts; ``{pair}`` and ``{language}`` stand for a place's.

    Attributes:
        vectors: Word vectors of the target language; None for those of Tenbin.
        source_vectors: Those of the source language in the same space, for YiSi-2.
        context: Folder of ``tenbin build context``; None trains on the texts of each pair.
        metrics: Specs of the metrics; None for those of the paper that Tenbin has.
        measures: None for DARR tau, or acc-eq where there is no DARR, and system-level Pearson.
        import_scores: Folder with scores of other metrics, in the layout of mt-metrics-eval.
        imported: Which of them; none takes those against the reference in use, or none at all.
    """

    vectors: str | None = None
    source_vectors: str | None = None
    context: str | None = None
    metrics: tuple[str, ...] | None = None
    measures: tuple[str, ...] | None = None
    import_scores: str | None = None
    imported: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class _Found:
    """What was found so far."""

    rows: list[SampledRow] = field(default_factory=list)
    missing: list[MissingRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def attention_study(
    folders: Sequence[str], pairs: Sequence[str], data: AttentionData, options: AgreementOptions
) -> AgreementStudy:
    """Measure WE_WPI-Attention and others on language pairs.

    Args:
        folders: The test sets.
        pairs: The language pairs, the same of each set; ``all`` for all that have judgments.
        data: The metrics, and what they read beside the texts.
        options: Judgments and samples.

    Raises:
        UsageError: A metric, measure, reference or judgment that does not exist.
        InputError: Files that cannot be read, or nothing that could be measured.
    """
    check_measures(data.measures or ())
    for spec in data.metrics or ():
        load(spec)
    places, notes = study_places(folders, pairs, options.references, several=False, judged=True)
    found = _Found(notes=notes)
    with caching(enabled=options.cache):
        for number, place in enumerate(places):
            _measure(place, data, options, number, found)
    if not found.rows:
        lacks = [f"{one.metric}: {one.reason}" for one in found.missing]
        raise InputError(f"nothing could be measured. {' '.join([*found.notes, *lacks])}")
    means = mean_rows(found.rows, _unprinted)
    rows = compared_rows(found.rows, BASELINE)
    return AgreementStudy(
        study=Study.ATTENTION,
        paper=PAPER,
        baseline=BASELINE,
        rows=(*rows, *_printed_alone(rows)),
        averages=tuple(compared_rows(means, BASELINE)),
        scores=(),
        missing=tuple(found.missing),
        notes=tuple(dict.fromkeys(found.notes)),
        resamples=options.resamples,
        unit=str(options.unit),
        folds=0,
        seed=options.seed,
    )


def place_specs(place: StudyPlace, data: AttentionData) -> tuple[dict[str, str], list[MissingRow]]:
    """Return the spec of each metric that can run on a language pair, by the name of its row.

    The others are listed with what they lack.
    """
    found: dict[str, str] = {}
    missing: list[MissingRow] = []
    language = target_language(place.pair)
    for given in data.metrics or METRICS:
        try:
            metric = load(given)
            spec = _with_data(Spec.parse(given), place, data)
            bound = load(spec).bind(language)
            bound.signature()
            _check_source(place, needed=bound.needs.source)
        except TenbinError as error:
            if data.metrics is not None and isinstance(error, UsageError):
                raise
            reason = str(error)
            missing.append(MissingRow(metric=given, where=place.label, reason=reason))
        else:
            found[title_of(given, metric)] = str(spec)
    return found, missing


def measures_of(place: StudyPlace, data: AttentionData) -> tuple[str, ...]:
    """Return what to measure: as WMT20 where there is DARR, else as the newer tasks."""
    if data.measures is not None:
        return data.measures
    forms = find_judgments(place.folder, place.pair).forms
    return ("darr-tau" if DARR in forms else _OTHERWISE, SYSTEM_MEASURE)


def printed_values(test_set: str) -> Lookup:
    """Return a way to what the paper prints, which it does for WMT20 alone."""
    values = {
        (_folded(one.metric), one.pair, one.measure): one
        for one in published_values(Paper.WE_WPI_ATTENTION)
    }

    def lookup(metric: str, setting: str, pair: str, measure: str) -> PublishedValue | None:  # noqa: ARG001 - no settings
        return values.get((_folded(metric), pair, measure)) if test_set == _SET else None

    return lookup


def _measure(
    place: StudyPlace, data: AttentionData, options: AgreementOptions, number: int, found: _Found
) -> None:
    specs, missing = place_specs(place, data)
    found.missing += missing
    references = options.references or place.references[:1]
    patterns = data.imported or tuple(f"*-{name}" for name in (*references, "src"))
    sources = MetricSources(
        specs=tuple(specs.values()),
        references=references,
        folder=data.import_scores,
        patterns=patterns if data.import_scores else (),
        jobs=options.jobs,
        advance=options.advance,
    )
    wanted = MetaOptions(
        measures=measures_of(place, data),
        human=options.kinds,
        intervals=True,
        resamples=options.resamples,
        seed=options.seed,
    )
    judged = judged_pair(place.folder, place.pair, sources, wanted, is_alone=False)
    scored = _scored(judged, specs)
    notes = list(judged.notes)
    for task in judged.tasks:
        if task.human is None:
            notes.append(f"no {task.measure}: there are no human {task.info.needs}.")
        rows, missing, told = measured_rows(
            judged, task, scored, printed_values(place.test_set), options, options.seed + number
        )
        found.rows += rows
        # Most submitted metrics have no scores by segment, and the table shows as much.
        imported = {one.metric for one in scored if one.origin is ScoreOrigin.IMPORTED}
        found.missing += [one for one in missing if one.metric not in imported]
        notes += told
    found.notes += [f"{place.label}: {note}" for note in dict.fromkeys(notes)]


def _scored(judged: JudgedPair, specs: Mapping[str, str]) -> list[ScoredRow]:
    """Return the rows: Tenbin's metrics, then those whose scores were imported."""
    own = [
        ScoredRow(metric=title, tables=judged.metrics[spec], signature=judged.signatures[spec])
        for title, spec in specs.items()
        if spec in judged.metrics
    ]
    others = [
        ScoredRow(metric=metric_and_reference(name)[0], tables=tables, origin=ScoreOrigin.IMPORTED)
        for name, tables in judged.metrics.items()
        if name not in judged.signatures
    ]
    return [*own, *others]


def _with_data(spec: Spec, place: StudyPlace, data: AttentionData) -> Spec:
    """Return a metric with the files of a language pair, where it reads such files."""
    given = {
        "vectors": data.vectors,
        "source_vectors": data.source_vectors,
        "context": data.context,
    }
    alias = ALIASES.get(spec.name.lower())
    own = {*dict(spec.parameters), *(dict(alias.parameters) if alias else ())}
    known = {one.name for one in fields(load(spec))}  # type: ignore[arg-type]
    more: dict[str, SpecValue] = {
        name: placed(file, place)
        for name, file in given.items()
        if file is not None and name in known and name not in own
    }
    return Spec(spec.name, (*spec.parameters, *more.items()))


def _check_source(place: StudyPlace, *, needed: bool) -> None:
    """Raise `InputError` if a metric reads a source text that the test set does not have."""
    path = Path(place.folder) / "sources" / f"{place.pair}.txt"
    if needed and not path.is_file():
        raise InputError(f"it reads the source text, and there is no {path}.")


def _printed_alone(rows: Sequence[AgreementRow]) -> list[AgreementRow]:
    """Return rows of the paper for which there are no scores here."""
    there = {(row.test_set, row.pair, row.measure, _folded(row.metric)) for row in rows}
    found = []
    for test_set, pair, measure in dict.fromkeys((r.test_set, r.pair, r.measure) for r in rows):
        if test_set != _SET:
            continue
        for one in published_values(Paper.WE_WPI_ATTENTION):
            key = (test_set, pair, measure, _folded(one.metric))
            if (one.pair, one.measure) == (pair, measure) and key not in there:
                found.append(
                    AgreementRow(
                        test_set=test_set,
                        pair=pair,
                        measure=measure,
                        human="",
                        metric=one.metric,
                        setting="",
                        origin=ScoreOrigin.PUBLISHED,
                        value=nan,
                        ci=(nan, nan),
                        difference=None,
                        thresholds=(),
                        published=one.value,
                        published_threshold=None,
                        n=0,
                        counted="",
                        signature=None,
                    )
                )
    return found


def _unprinted(metric: str, setting: str, pair: str, measure: str) -> PublishedValue | None:  # noqa: ARG001 - the paper prints no means
    return None


def _folded(name: str) -> str:
    """Return a name as the paper and the submissions would both write it."""
    return name.casefold().replace("_", "-")
