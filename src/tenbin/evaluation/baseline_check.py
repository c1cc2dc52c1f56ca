"""Compares a new system with a stored one and says whether it is significantly worse."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isclose, isfinite

import numpy as np

from tenbin.annotation.languages import parse_language
from tenbin.core.arrays import FloatArray
from tenbin.core.baseline_check import BaselineCheck, MetricCheck, TestedUnits
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, UsageError
from tenbin.core.metric import mean_of_rows
from tenbin.core.progress import step
from tenbin.core.scores import MetricScores, ScoreTable, scores_called
from tenbin.core.text import SegmentSource, TestSet
from tenbin.evaluation.comparison import compare_systems
from tenbin.evaluation.readiness import check_ready
from tenbin.evaluation.run import DEFAULT_SEED, Options, evaluate, facts_of_run
from tenbin.metrics.registry import load_all
from tenbin.stats.significance import paired_randomization

DEFAULT_LEVEL = 0.05
DEFAULT_CHECK_ROUNDS = 10_000
# What signatures say of intervals and tests, which do not change a score.
_DRAWN = ("ar", "bs", "unit", "seed")
_TOLERANCE = 1e-6
_OLD, _NEW = "baseline", "new"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """How a check is made.

    Attributes:
        max_drops: By how much the score of each metric may get worse, by spec; only these metrics
            are checked. Empty for all metrics of the baseline, none of which may get worse.
        level: At which p-value a drop is significant.
        system: The system of the baseline, where it has several.
        rescore: Whether the stored texts are scored anew where signatures differ.
        rounds: Rounds of the paired test.
        seed: Its seed.
        by_document: Whether whole documents are exchanged where they are known.
        jobs: Worker processes.
    """

    max_drops: Mapping[str, float]
    level: float = DEFAULT_LEVEL
    system: str | None = None
    rescore: bool = False
    rounds: int = DEFAULT_CHECK_ROUNDS
    seed: int = DEFAULT_SEED
    by_document: bool = True
    jobs: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise UsageError(f"`p={self.level}`: give a level of significance between 0 and 1.")
        for spec, drop in self.max_drops.items():
            if not isfinite(drop) or drop < 0:
                raise UsageError(
                    f"`max_drops`: {spec} may drop by {drop}; give a number of at least 0, in "
                    "points of the metric."
                )


def check_baseline(
    stored: ScoreTable,
    source: SegmentSource,
    options: CheckOptions,
    *,
    file: str = "the baseline",
    language: str | None = None,
) -> BaselineCheck:
    """Return how a new system stands beside a stored one.

    With the texts of the stored system both are scored and the corpus scores are tested, by
    exchanging statistics of segments. Without, its segment scores must be there, and their means
    are tested.

    Args:
        stored: The scores of the stored system, with its texts or at least its segment scores.
        source: The one new system, with the same references.
        options: How to check.
        file: Where the stored scores come from, for messages.
        language: Target language; None for that of the baseline.

    Raises:
        InputError: The baseline was made with other settings, texts or versions.
    """
    if len(source.systems) != 1:
        raise UsageError(
            f"one new system is checked at a time (`systems`); there are {len(source.systems)}."
        )
    old = _stored_system(stored, options.system, file)
    results = _checked_results(stored, options.max_drops, file)
    tag = stored.language if language is None else parse_language(language).tag
    if source.segment_count != stored.segment_count:
        raise InputError(
            f"{file} has scores of {counted(stored.segment_count, 'segment')}, and the new text "
            f"has {source.segment_count:,}. A baseline is for one test set; write a new one."
        )
    if stored.texts is None:
        return _by_scores(stored, old, results, source, tag, options, file)
    return _by_texts(stored, old, results, source, tag, options, file)


def _stored_system(stored: ScoreTable, wanted: str | None, file: str) -> int:
    if wanted is None and len(stored.systems) == 1:
        return 0
    if wanted in stored.systems:
        return stored.systems.index(str(wanted))
    listed = ", ".join(stored.systems)
    if wanted is None:
        raise UsageError(f"{file} has several systems; choose one (`baseline_system`): {listed}.")
    raise UsageError(f"{file} has no system {wanted!r} (`baseline_system`); it has {listed}.")


def _checked_results(
    stored: ScoreTable, max_drops: Mapping[str, float], file: str
) -> list[MetricScores]:
    found = {spec: scores_called(stored.results, spec) for spec in max_drops}
    missing = sorted(spec for spec, one in found.items() if one is None)
    known = sorted(result.label for result in stored.results)
    if missing:
        raise UsageError(
            f"{file} has no scores by {', '.join(missing)}; it has {', '.join(known)}. "
            "Write a baseline with the metrics that are checked."
        )
    imported = sorted(one.label for one in found.values() if one is not None and one.imported)
    own = [result for result in stored.results if not result.imported]
    if imported or not own:
        raise UsageError(
            f"{file}: the scores by {', '.join(imported) or 'all metrics'} come from another "
            "program, which Tenbin cannot run on the new text. Check metrics that it computes."
        )
    wanted = {one.metric for one in found.values() if one is not None}
    return [one for one in own if not wanted or one.metric in wanted]


def _spec(result: MetricScores) -> str:
    """Return the spec of stored scores, with the alias that they were stored under."""
    return f"{result.alias}={result.metric}" if result.alias else result.metric


def _check_signatures(
    results: Sequence[MetricScores], source: SegmentSource, tag: str, file: str, *, advice: str
) -> None:
    """Raise if metrics are not what they were; every difference of every metric is named."""
    specs = [result.metric for result in results]
    problems = []
    check_ready(specs, [tag])
    for result, metric in zip(results, load_all(specs), strict=True):
        bound = metric.bind(tag)
        now = bound.signature().of_run(*facts_of_run(bound, tag, source.reference_counts))
        found = result.signature.differences(now, ignoring=_DRAWN)
        if found:
            problems.append(f"{result.label}: {'; '.join(found)}")
    if problems:
        listed = "\n  ".join(problems)
        raise InputError(
            f"{file} was made with other settings, so that its scores do not compare:\n"
            f"  {listed}\n{advice}"
        )


def _by_texts(
    stored: ScoreTable,
    old: int,
    results: Sequence[MetricScores],
    source: SegmentSource,
    tag: str,
    options: CheckOptions,
    file: str,
) -> BaselineCheck:
    texts = _both(stored, old, source, file)
    if not options.rescore:
        advice = (
            "Write a new baseline with what is installed now, or score the stored texts anew "
            "(`rescore`)."
        )
        _check_signatures(results, texts, tag, file, advice=advice)
    comparison = compare_systems(
        texts,
        [_spec(result) for result in results],
        tag,
        Options(seed=options.seed, by_document=options.by_document, jobs=options.jobs),
        rounds=options.rounds,
        baseline=_OLD,
    )
    checks = []
    for result, part in zip(results, comparison.metrics, strict=True):
        before, now = (float(score) for score in part.scores.scores)
        if not options.rescore:
            _check_reproduced(result, float(result.scores[old]), before, file)
        signature = replace(
            part.scores.signature,
            fields=tuple(one for one in part.scores.signature.fields if one[0] not in _DRAWN),
        )
        scores = replace(part.scores, signature=signature)
        p_value = float(part.p_values[0, 1])
        checks.append(_checked(scores, before, now, p_value, options, TestedUnits.STATISTICS))
    check = _whole_check(stored.systems[old], checks, source, tag, options, file)
    notes = tuple(dict.fromkeys([*source.notes, *comparison.notes]))
    return replace(check, unit=comparison.unit, notes=notes)


def _whole_check(
    baseline: str,
    checks: Sequence[MetricCheck],
    source: SegmentSource,
    tag: str,
    options: CheckOptions,
    file: str,
) -> BaselineCheck:
    return BaselineCheck(
        file=file,
        baseline=baseline,
        system=source.systems[0],
        language=tag,
        segment_count=source.segment_count,
        metrics=tuple(checks),
        rounds=options.rounds,
        seed=options.seed,
        unit="segments",
        notes=(),
    )


def _both(stored: ScoreTable, old: int, source: SegmentSource, file: str) -> TestSet:
    """Return both systems over the same references, which must be those of the baseline."""
    texts = stored.texts
    if texts is None:
        raise UsageError(f"{file} has no texts.")
    new = next(iter(source.chunks(source.segment_count)))
    for called, mine, theirs in (
        ("reference", new.references if new.has_references else None, texts.references),
        ("source", new.source, texts.source),
    ):
        if mine is None or theirs is None:
            continue
        pairs = enumerate(zip(mine, theirs, strict=True), start=1)
        place = next((number for number, (one, other) in pairs if one != other), None)
        if place is not None:
            raise InputError(
                f"segment {place:,} has another {called} than in {file}: a baseline is for one "
                "test set. Give the same texts, or write a new baseline."
            )
    return TestSet(
        hypotheses={
            _OLD: texts.hypotheses[stored.systems[old]],
            _NEW: new.hypotheses[source.systems[0]],
        },
        references=texts.references if texts.has_references else new.references,
        source=texts.source or new.source,
        documents=texts.documents or new.documents,
    )


def _check_reproduced(result: MetricScores, written: float, found: float, file: str) -> None:
    same = isclose(written, found, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
    if not same and not (np.isnan(written) and np.isnan(found)):
        raise InputError(
            f"{file} says that {result.label} is {written!r} for its texts, and with the same "
            f"signature it is {found!r}: the file was changed. Write a new baseline."
        )


def _by_scores(
    stored: ScoreTable,
    old: int,
    results: Sequence[MetricScores],
    source: SegmentSource,
    tag: str,
    options: CheckOptions,
    file: str,
) -> BaselineCheck:
    if options.rescore:
        raise UsageError(f"{file} has no texts that could be scored anew (`rescore`).")
    lacking = [result.label for result in results if result.segments is None]
    if lacking:
        raise InputError(
            f"{file} has neither texts nor segment scores ({', '.join(lacking)}), and a paired "
            "test needs one of them. Write a new baseline (`write_baseline`)."
        )
    advice = "Write a new baseline with what is installed now."
    _check_signatures(results, source, tag, file, advice=advice)
    specs = [_spec(result) for result in results]
    run = Options(segments=True, seed=options.seed, jobs=options.jobs)
    table = evaluate(source, specs, tag, run)
    units = [
        _unit_rows(result.segments[old], own.segments[0])
        for result, own in zip(results, table.results, strict=True)
        if result.segments is not None and own.segments is not None
    ]
    rng = np.random.default_rng(options.seed)
    with step("testing differences", options.rounds) as advance:
        p_values = paired_randomization(
            units, [mean_of_rows] * len(units), rounds=options.rounds, rng=rng, advance=advance
        )
    checks = [
        _checked(
            own,
            float(result.scores[old]),
            float(own.scores[0]),
            float(matrix[0, 1]),
            options,
            TestedUnits.SCORES,
        )
        for result, own, matrix in zip(results, table.results, p_values, strict=True)
    ]
    note = (
        f"{file} has no texts: the mean of segment scores is tested in the place of the corpus "
        "score, which may be another number."
    )
    check = _whole_check(stored.systems[old], checks, source, tag, options, file)
    return replace(check, notes=(*table.notes, note))


def _unit_rows(old: FloatArray, new: FloatArray) -> FloatArray:
    """Return rows (score, 1) of both systems; a segment without both scores does not count."""
    scores = np.stack([old, new])
    defined = ~np.isnan(scores).any(axis=0)
    counts = np.broadcast_to(defined.astype(np.float64), scores.shape)
    return np.stack([np.where(defined, scores, 0.0), counts], axis=-1)


def _checked(
    scores: MetricScores,
    before: float,
    now: float,
    p_value: float,
    options: CheckOptions,
    tested: TestedUnits,
) -> MetricCheck:
    drops = [drop for spec, drop in options.max_drops.items() if scores_called([scores], spec)]
    return MetricCheck(
        metric=scores.label,
        title=scores.title,
        signature=scores.signature,
        higher_is_better=scores.higher_is_better,
        decimals=scores.decimals,
        baseline=before,
        new=now,
        max_drop=drops[0] if drops else 0.0,
        p_value=p_value,
        level=options.level,
        tested=tested,
    )
