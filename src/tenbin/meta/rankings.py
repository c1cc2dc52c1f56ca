"""Systems and human translations as each metric ranks them, for a drawing."""

from collections.abc import Sequence

import numpy as np

from tenbin.core.agreement import RankedSystem, SamplingUnit, SystemRanking
from tenbin.core.arrays import FloatArray
from tenbin.formats.wmt_layout import human_translations
from tenbin.meta.data import JudgedPair
from tenbin.meta.measures.scores import MetricTables, system_means, systems_of
from tenbin.meta.measuring import samples_are_exact
from tenbin.meta.planning import MetaOptions
from tenbin.stats.resampling import bootstrap_counts, percentile_interval

_ROWS = 200


def system_rankings(judged: JudgedPair, options: MetaOptions) -> list[SystemRanking]:
    """Return the ranking of one language pair by each metric.

    Documents are drawn where they are known, as Zhou, Lin and Hovy (2006) do, else segments.
    """
    by_human = judged.human_ranking
    rankings = []
    for name, metric in judged.metrics.items():
        table = system_means(systems_of(metric))
        known = {
            system: float(score)
            for system, score in zip(table.systems, table.scores, strict=True)
            if not np.isnan(score)
        }
        ends = _intervals(metric, judged.documents, options)
        translators = set(human_translations(known))
        rankings.append(
            SystemRanking(
                title=" ".join(part for part in (judged.test_set, judged.pair, name) if part),
                systems=tuple(
                    RankedSystem(
                        name=system,
                        score=score,
                        interval=ends.get(system),
                        human_score=by_human.get(system),
                        is_human=system in translators,
                    )
                    for system, score in known.items()
                    if system in translators or not by_human or system in by_human
                ),
            )
        )
    return rankings


def _intervals(
    metric: MetricTables, documents: Sequence[str] | None, options: MetaOptions
) -> dict[str, tuple[float, float]]:
    segments = metric.segments
    if segments is None or not samples_are_exact(metric):
        return {}
    count = len(segments.segments)
    places = np.arange(count)
    if (
        documents is not None
        and len(documents) == count
        and options.unit is not SamplingUnit.SEGMENTS
    ):
        places = np.unique(np.array(documents), return_inverse=True)[1]
    blocks = bootstrap_counts(
        int(places.max()) + 1,
        resamples=options.resamples,
        rng=np.random.default_rng(options.seed),
        rows=_ROWS,
    )
    drawn = [_drawn_scores(metric, counts[:, places]) for counts in blocks]
    low, high = percentile_interval(np.concatenate(drawn).T)
    drawn_by = metric.systems if metric.resampler is not None else None
    systems = segments.systems if drawn_by is None else drawn_by.systems
    ends = zip(low.tolist(), high.tolist(), strict=True)
    return dict(zip(systems, ends, strict=True))


def _drawn_scores(metric: MetricTables, counts: FloatArray) -> FloatArray:
    """Return system scores ``(samples, systems)`` on drawn segments."""
    if metric.resampler is not None:
        return metric.resampler(counts)
    table = metric.segments
    if table is None:
        raise ValueError(f"{metric.name} has no scores by segment")
    there = ~np.isnan(table.scores)
    sums = counts @ np.where(there, table.scores, 0.0).T
    means: FloatArray = sums / np.maximum(counts @ there.T.astype(np.float64), 1)
    return means
