"""Bootstrap samples of measures: how many, of what, and how exact they are."""

from collections.abc import Mapping, Sequence

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.errors import UsageError
from tenbin.meta.choice import Task
from tenbin.meta.comparing import chosen_test
from tenbin.meta.measures.judgments import system_means
from tenbin.meta.measures.measurement import Prepared
from tenbin.meta.measures.scores import MetricScores
from tenbin.meta.options import PROTOCOLS, MetaOptions, MetricTest
from tenbin.meta.significance.bootstrap import bootstrap

# Scores in files are rounded; beside the spread of systems that is nothing.
_ROUNDING = 0.01


def resamples_of(task: Task, options: MetaOptions) -> int:
    """Return how many samples to draw: for intervals, for a protocol, or for a test by them."""
    tested = options.compare and chosen_test(task.measure, options.test) is MetricTest.BOOTSTRAP
    return options.resamples if options.intervals or task.measure in PROTOCOLS or tested else 0


def drawn_samples(
    prepared: Mapping[str, Prepared],
    seed: int,
    resamples: int,
    documents: Sequence[str] | None,
) -> dict[str, FloatArray]:
    """Return bootstrap samples of each metric; the same draws for all with as many units."""
    found: dict[str, FloatArray] = {}
    for units in {one.units for one in prepared.values()}:
        names = [name for name, one in prepared.items() if one.units == units]
        values = bootstrap(
            [prepared[name] for name in names],
            rng=np.random.default_rng(seed),
            resamples=resamples,
            documents=documents if units else None,
        )
        found |= dict(zip(names, values, strict=True))
    return found


def known_documents(pair: str, documents: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the documents, or say that they are not known."""
    if documents is None:
        raise UsageError(
            f"{pair}: documents are not known, so that they cannot be drawn; "
            "leave out --by documents."
        )
    return documents


def samples_are_exact(metric: MetricScores) -> bool:
    """Whether system scores of bootstrap samples are of the same making as those of all segments.

    Of imported metrics only segment scores can be drawn, whose means may be other system scores
    than those submitted, as for BLEU.
    """
    if metric.resampler is not None or metric.segments is None or metric.systems is None:
        return True
    means = system_means(metric.segments)
    both = [name for name in means.systems if name in set(metric.systems.systems)]
    gaps = means.chosen(both).scores - metric.systems.chosen(both).scores
    spread = np.ptp(means.scores) if len(means.scores) else 0.0
    return bool(np.nanmax(np.abs(gaps), initial=0.0) <= _ROUNDING * max(spread, 1e-9))


def approximate_notes(metrics: Mapping[str, MetricScores]) -> list[str]:
    """Return a note on metrics whose intervals at system level are not exact."""
    names = [name for name, metric in metrics.items() if not samples_are_exact(metric)]
    if not names:
        return []
    found = f"{', '.join(names)}: system scores are no means of segment scores"
    return [f"{found}, but those of samples are; their intervals are approximate."]
