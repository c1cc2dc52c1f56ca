"""Measures metrics on one language pair, with bootstrap samples of the main measure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from benchmarks.agreement.sets import DIFFERENT, Entry, Plan
from benchmarks.agreement.signatures import signature_digest
from tenbin.annotation.languages import target_language
from tenbin.core.arrays import FloatArray
from tenbin.core.caching import caching
from tenbin.core.judgments import HumanPairs, HumanScores
from tenbin.core.spec import Spec
from tenbin.formats.human_pairs import read_pair_agreement
from tenbin.formats.lines import TextFile
from tenbin.meta.data import JudgedPair, MetricSources, judged_pair
from tenbin.meta.judgments import reference_names
from tenbin.meta.measures.catalog import measure, prepare
from tenbin.meta.measures.measurement import Measurement, Prepared
from tenbin.meta.measures.scores import MetricTables, fully_judged, segments_of
from tenbin.meta.measuring import measured_pair
from tenbin.meta.planning import MetaOptions
from tenbin.meta.significance.bootstrap import bootstrap

RESAMPLES = 1_000
# Ties are calibrated anew for every sample, which takes a thousand times longer than a tau.
_SLOW_RESAMPLES = 200
_SEED = 12345


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairResults:
    """What was found on one language pair.

    Attributes:
        test_set: The test set.
        pair: The language pair.
        human: Kind of judgement of each measure.
        counts: What each measure was computed from.
        values: Value by metric and measure; a metric of others has the name of its file.
        own: Labels of Tenbin's metrics.
        main: The main measure.
        samples: Bootstrap samples of it by metric; none where it has no judgements.
        signatures: Digest of the signature of each of Tenbin's metrics.
    """

    test_set: str
    pair: str
    human: Mapping[str, str]
    counts: Mapping[str, int]
    values: Mapping[str, Mapping[str, float]]
    own: tuple[str, ...]
    main: str
    samples: Mapping[str, FloatArray]
    signatures: Mapping[str, str] = field(default_factory=dict)


def measure_pair(
    folder: Path,
    pair: str,
    plan: Plan,
    chosen: Sequence[Entry],
    *,
    imported: bool = True,
    sampled: bool = True,
    cached: bool = True,
) -> PairResults:
    """Score the systems of a language pair and set the scores against human judgement.

    Args:
        folder: The test set.
        pair: The language pair.
        plan: The measures.
        chosen: Tenbin's metrics.
        imported: Whether scores of others are measured beside them.
        sampled: Whether bootstrap samples of the main measure are drawn.
        cached: Whether scores are cached on disk.
    """
    label_of = {str(Spec.parse(entry.spec)): entry.label for entry in chosen}
    options = MetaOptions(measures=plan.measures)
    sources = _sources(folder, pair, chosen, imported=imported)
    with caching(enabled=cached):
        judged = judged_pair(str(folder), pair, sources, options, is_alone=False)
    values: dict[str, dict[str, float]] = {}
    human: dict[str, str] = {}
    counts: dict[str, int] = {}
    for row in measured_pair(judged, options).rows:
        if row.human is not None and np.isfinite(row.value):
            values.setdefault(label_of.get(row.metric, row.metric), {})[row.measure] = row.value
            human[row.measure] = row.human
            counts[row.measure] = row.n
    if "spa" in plan.measures and "spa" not in human:
        kind = human[plan.main]
        human["spa"] = kind
        for name, one in judged.metrics.items():
            found = _soft_accuracy(judged.human[kind], one)
            counts["spa"] = found.n
            values.setdefault(label_of.get(name, name), {})["spa"] = found.value
    main = _main_measure(judged, plan, folder)
    if plan.main == DIFFERENT and main is not None:
        human = {DIFFERENT: main.human.name, **human}
        for name, prepared in main.prepared.items():
            found = prepared.value()
            counts[DIFFERENT] = found.n
            values.setdefault(label_of.get(name, name), {})[DIFFERENT] = found.value
    if imported:
        for name, tau in _agreed(folder, pair, values).items():
            values.setdefault(name, {})["darr-tau"] = tau
    return PairResults(
        test_set=plan.name,
        pair=pair,
        human=human,
        counts=counts,
        values=values,
        own=tuple(entry.label for entry in chosen if entry.label in values),
        main=plan.main,
        samples=_samples(main, label_of) if sampled and main is not None else {},
        signatures={
            entry.label: signature_digest(entry, target_language(pair)) for entry in chosen
        },
    )


def _sources(folder: Path, pair: str, chosen: Sequence[Entry], *, imported: bool) -> MetricSources:
    specs = tuple(entry.spec for entry in chosen)
    scores = folder / "metric-scores" / pair
    if not imported or not scores.is_dir():
        return MetricSources(specs=specs)
    endings = (f"-{reference_names(str(folder), pair)[0]}", "-src")
    names = {path.name.rsplit(".", 2)[0] for path in scores.glob("*.score")}
    wanted = sorted(name for name in names if name.endswith(endings))
    # Error metrics were submitted with their sign turned, so none is negated here.
    return MetricSources(specs=specs, folder=str(folder), patterns=tuple(wanted))


@dataclass(frozen=True, slots=True, eq=False)
class _MainMeasure:
    """The main measure of a plan, joined with the scores of each metric."""

    human: HumanScores
    prepared: Mapping[str, Prepared]
    resamples: int


def _main_measure(judged: JudgedPair, plan: Plan, folder: Path) -> _MainMeasure | None:
    """Return the main measure; None where there are no judgements for it."""
    name = "darr-tau" if plan.main == DIFFERENT else plan.main
    kinds = [task.human for task in judged.tasks if task.measure == name]
    if not kinds or kinds[0] is None:
        return None
    human = judged.human[kinds[0]]
    if plan.main == DIFFERENT and human.pairs is not None:
        human = replace(human, pairs=different_texts(human.pairs, folder, judged.pair))
    scored = {name: one for name, one in judged.metrics.items() if one.segments is not None}
    prepared = {metric: prepare(name, human, one) for metric, one in scored.items()}
    return _MainMeasure(human, prepared, _SLOW_RESAMPLES if name == "acc-eq" else RESAMPLES)


def different_texts(pairs: HumanPairs, folder: Path, pair: str) -> HumanPairs:
    """Return the judgements of two texts that differ."""
    paths = [folder / "system-outputs" / pair / f"{name}.txt" for name in pairs.systems]
    texts = [list(TextFile(str(path)).lines()) for path in paths]
    judged = zip(pairs.segments, pairs.better, pairs.worse, strict=True)
    kept = np.array(
        [texts[better][place] != texts[worse][place] for place, better, worse in judged]
    )
    return replace(
        pairs, segments=pairs.segments[kept], better=pairs.better[kept], worse=pairs.worse[kept]
    )


def _samples(main: _MainMeasure, label_of: Mapping[str, str]) -> dict[str, FloatArray]:
    """Return bootstrap samples of the main measure, the same draws for every metric."""
    drawn = bootstrap(
        list(main.prepared.values()),
        rng=np.random.default_rng(_SEED),
        resamples=main.resamples,
    )
    names = [label_of.get(name, name) for name in main.prepared]
    return dict(zip(names, drawn, strict=True))


def _soft_accuracy(human: HumanScores, metric: MetricTables) -> Measurement:
    """Return SPA on the segments that were judged for all systems."""
    table = fully_judged(segments_of(human))
    scores = segments_of(metric).chosen(table.systems, table.segments)
    return measure("spa", table, scores)


def _agreed(folder: Path, pair: str, values: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Return tau of submitted metrics whose segment scores are not there, only their agreement."""
    path = folder / "pair-agreement" / f"{pair}.tsv.gz"
    if not path.is_file():
        return {}
    _, agreement = read_pair_agreement(str(path))
    found: dict[str, float] = {}
    for name, agrees in agreement.items():
        files = [known for known in values if known.rpartition("-")[0] == name]
        row = files[0] if files else f"{name}-refA"
        if "darr-tau" not in values.get(row, {}):
            found[row] = float(2 * agrees.mean() - 1)
    return found
