"""Scores of Tenbin's own metrics for a meta-evaluation."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tenbin.annotation.languages import target_language
from tenbin.core.arrays import FloatArray
from tenbin.core.caching import is_caching
from tenbin.core.judgments import ScoreMatrix, listed
from tenbin.core.metric import Metric, Property
from tenbin.core.scores import MetricScores
from tenbin.core.text import TestSet
from tenbin.evaluation.checks import empty_notes, few_units_notes
from tenbin.evaluation.run import Options, evaluate, evaluate_units
from tenbin.evaluation.score_cache import default_score_cache, evaluate_cached
from tenbin.formats.wmt_layout import open_wmt_set
from tenbin.meta.measures.measurement import Resampler
from tenbin.meta.measures.scores import MetricTables
from tenbin.metrics.registry import load_all

NO_TRANSLATION = "[No translation supplied]"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoredMetrics:
    """Metrics with their scores.

    Attributes:
        metrics: Scores by name, higher being better.
        signatures: Of those that Tenbin computed.
        notes: What a reader should know about the texts.
        reference_free: The metrics that read no reference.
        specs: The specs behind aliases.
    """

    metrics: Mapping[str, MetricTables]
    signatures: Mapping[str, str]
    notes: tuple[str, ...]
    reference_free: frozenset[str] = frozenset()
    specs: Mapping[str, str] = field(default_factory=dict)


def reading_references(specs: Sequence[str]) -> tuple[str, ...]:
    """Return those of some metrics that read references."""
    loaded = zip(specs, load_all(specs), strict=True)
    return tuple(spec for spec, metric in loaded if metric.needs.references)


def scored_by_tenbin(
    folder: str,
    pair: str,
    specs: Sequence[str],
    *,
    references: Sequence[str] | None,
    systems: Sequence[str],
    options: Options,
    resampled: bool,
) -> ScoredMetrics:
    """Score systems of a test set.

    Args:
        folder: The test set.
        pair: The language pair.
        specs: The metrics.
        references: Names of the references; None for the first, if there is one.
        systems: Names of the systems.
        options: Worker processes and progress.
        resampled: Whether corpus scores of bootstrap samples are needed. Metrics whose corpus
            score is no mean of segments are then computed anew, with the statistics of every
            segment, which the cache does not store.
    """
    texts = read_texts(folder, pair, references, systems)
    return score_texts(texts, specs, target_language(pair), options=options, resampled=resampled)


def score_texts(
    texts: TestSet, specs: Sequence[str], language: str, *, options: Options, resampled: bool
) -> ScoredMetrics:
    """Score the systems of a test set in memory.

    Args:
        texts: The texts.
        specs: The metrics.
        language: The target language.
        options: Worker processes and progress.
        resampled: Whether corpus scores of bootstrap samples are needed; see `scored_by_tenbin`.
    """
    metrics = dict(zip(specs, load_all(specs), strict=True))
    drawn = [spec for spec in specs if resampled and not _is_mean(metrics[spec])]
    plain = [spec for spec in specs if spec not in drawn]
    # The cache stores scores, not notes on the texts.
    notes = dict.fromkeys([*texts.notes, *empty_notes(texts, list(metrics.values()))])
    results: dict[str, MetricScores] = {}
    resamplers: dict[str, Resampler] = {}
    options = replace(options, segments=True, resamples=0, by_document=False)
    if drawn:
        scored = evaluate_units(texts, drawn, language, options, draws_units=True)
        notes |= dict.fromkeys(scored.scores.notes)
        for spec, metric, units, result in zip(
            drawn, scored.metrics, scored.units, scored.scores.results, strict=True
        ):
            results[spec], resamplers[spec] = result, _resampler(metric, units)
    if plain:
        if is_caching():
            score_set = evaluate_cached(texts, plain, language, options, default_score_cache())
        else:
            score_set = evaluate(texts, plain, language, options)
        notes |= dict.fromkeys(score_set.notes)
        results |= dict(zip(plain, score_set.results, strict=True))
    found = {results[spec].label: _tables(results[spec], resamplers.get(spec)) for spec in specs}
    signatures = {result.label: str(result.signature) for result in results.values()}
    kept = _without_repetition(notes, texts, list(metrics.values()))
    free = [results[spec].label for spec in specs if not metrics[spec].needs.references]
    return ScoredMetrics(
        metrics=found,
        signatures=signatures,
        notes=tuple(kept),
        reference_free=frozenset(free),
        specs={result.alias: result.metric for result in results.values() if result.alias},
    )


def read_texts(
    folder: str, pair: str, references: Sequence[str] | None, systems: Sequence[str]
) -> TestSet:
    """Return the texts in memory; a marker of a missing output becomes an empty text."""
    opened = open_wmt_set(folder, pair, references=references, systems=systems)
    whole = next(iter(opened.chunks(opened.segment_count)))
    return without_markers(replace(whole, notes=opened.notes))


def without_markers(texts: TestSet) -> TestSet:
    """Return texts in which a marker of a missing output is an empty text, with a note on it."""
    marked = {
        name: sum(text.strip() == NO_TRANSLATION for text in own)
        for name, own in texts.hypotheses.items()
    }
    if not any(marked.values()):
        return texts
    where = listed([f"{name} {count:,}" for name, count in marked.items() if count])
    note = f"missing outputs ({NO_TRANSLATION}), scored as empty: {where}."
    hypotheses = {
        name: tuple("" if text.strip() == NO_TRANSLATION else text for text in own)
        if marked[name]
        else own
        for name, own in texts.hypotheses.items()
    }
    return replace(texts, hypotheses=hypotheses, notes=(*texts.notes, note))


def _without_repetition(
    notes: Iterable[str], texts: TestSet, metrics: Sequence[Metric]
) -> list[str]:
    """Return the notes without those that repeat others."""
    marked = [note for note in texts.notes if NO_TRANSLATION in note]
    redundant = {*(empty_notes(texts, metrics) if marked else ())}
    # Notes on samples say how much there is to draw from.
    redundant |= {*few_units_notes(texts.segment_count, "segments")}
    return [note for note in notes if note not in redundant]


def _is_mean(metric: Metric) -> bool:
    return Property.MEAN_OF_SEGMENTS in metric.info.properties


def _sign(*, higher_is_better: bool) -> float:
    # Scores of error metrics are negated, so that agreement with human judgment is always positive.
    return 1.0 if higher_is_better else -1.0


def _resampler(metric: Metric, units: FloatArray) -> Resampler:
    """Return corpus scores ``(samples, systems)`` from how often each segment was drawn."""
    sign = _sign(higher_is_better=metric.info.higher_is_better)

    def resampled(counts: FloatArray) -> FloatArray:
        sums = np.stack([counts @ rows for rows in units], axis=1)
        return sign * metric.score(sums)

    return resampled


def _tables(result: MetricScores, resampler: Resampler | None) -> MetricTables:
    sign = _sign(higher_is_better=result.higher_is_better)
    segments = None
    if result.segments is not None:
        numbers = tuple(str(number + 1) for number in range(result.segments.shape[1]))
        segments = ScoreMatrix(
            name=result.label,
            systems=result.systems,
            segments=numbers,
            scores=sign * result.segments,
        )
    return MetricTables(
        name=result.label,
        segments=segments,
        systems=ScoreMatrix(
            name=result.label, systems=result.systems, segments=(), scores=sign * result.scores
        ),
        resampler=resampler,
    )
