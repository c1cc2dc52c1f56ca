"""Scores a test set, taking from the cache what an earlier run has computed."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tenbin.annotation.languages import parse_language
from tenbin.core.scores import MetricScores, ScoreSet
from tenbin.core.spec import Spec
from tenbin.core.text import SegmentSource
from tenbin.evaluation.checks import check_request
from tenbin.evaluation.run import Options, evaluate, facts_of_run, title_of
from tenbin.evaluation.score_cache import KeptScores, ScoreCache, score_key, texts_digest
from tenbin.metrics.registry import load_all


def evaluate_kept(
    source: SegmentSource,
    specs: Sequence[str],
    language: str,
    options: Options,
    cache: ScoreCache,
) -> ScoreSet:
    """Return corpus and segment scores as `evaluate` does; only what is new is computed.

    Texts are read into memory. Notes are those of the systems that had to be scored.
    """
    tongue = parse_language(language)
    metrics = [metric.bind(tongue.tag) for metric in load_all(specs)]
    check_request(source, metrics, specs)
    texts = next(iter(source.chunks(source.segment_count)))
    shared = texts_digest(texts.references)
    source_digest = texts_digest([texts.source or ()])
    own = {name: texts_digest([lines]) for name, lines in texts.hypotheses.items()}
    keys = {
        (spec, system): score_key(
            f"{tongue.tag} {metric.signature()}",
            shared,
            source_digest if metric.needs.source else b"",
            own[system],
        )
        for spec, metric in zip(specs, metrics, strict=True)
        for system in texts.systems
    }
    found = {place: cache.find(key) for place, key in keys.items()}
    fresh: dict[tuple[str, str], KeptScores] = {
        place: kept
        for place, kept in found.items()
        if kept is not None and len(kept.segments) == texts.segment_count
    }
    notes: dict[str, None] = dict.fromkeys(source.notes)
    for systems, group in _missing(specs, texts.systems, fresh).items():
        part = replace(texts, hypotheses={name: texts.hypotheses[name] for name in systems})
        scored = evaluate(part, group, language, replace(options, segments=True, resamples=0))
        notes |= dict.fromkeys(scored.notes)
        for spec, result in zip(group, scored.results, strict=True):
            for place, system in enumerate(systems):
                fresh[spec, system] = _kept(result, place)
                cache.keep(keys[spec, system], fresh[spec, system])
    facts = facts_of_run(tongue.tag, source)
    results = tuple(
        MetricScores(
            metric=str(Spec.parse(spec)),
            title=title_of(spec, metric),
            signature=metric.signature().of_run(*facts),
            higher_is_better=metric.info.higher_is_better,
            decimals=metric.info.decimals,
            systems=texts.systems,
            scores=np.array([fresh[spec, system].score for system in texts.systems]),
            segments=np.stack([fresh[spec, system].segments for system in texts.systems]),
        )
        for spec, metric in zip(specs, metrics, strict=True)
    )
    return ScoreSet(
        language=tongue.tag,
        segment_count=texts.segment_count,
        systems=texts.systems,
        results=results,
        notes=tuple(notes),
    )


def _missing(
    specs: Sequence[str], systems: tuple[str, ...], fresh: dict[tuple[str, str], KeptScores]
) -> dict[tuple[str, ...], list[str]]:
    """Return the metrics to run, by the systems they have to run on, so that texts are shared."""
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for spec in specs:
        lacking = tuple(system for system in systems if (spec, system) not in fresh)
        if lacking:
            groups[lacking].append(spec)
    return groups


def _kept(result: MetricScores, place: int) -> KeptScores:
    if result.segments is None:
        raise ValueError(f"{result.metric} was scored without its segments")
    return KeptScores(float(result.scores[place]), result.segments[place])
