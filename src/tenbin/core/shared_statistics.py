"""Statistics that several metrics of a run are made of, computed once for a batch."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from tenbin.core.arrays import FloatArray, Ragged
from tenbin.core.batch import Batch
from tenbin.core.metric import Metric

_STATISTICS = "statistics of"


def seen_by(metric: Metric, batch: Batch) -> Batch:
    """Return a batch with what one metric reads, and nothing that only others do.

    So a score cannot depend on the company it is in, nor on references that it does not need.
    """
    needs = metric.needs
    references = batch.references
    if not needs.references and len(references.values):
        nothing = np.zeros(len(batch) + 1, dtype=np.int64)
        references = Ragged(np.empty(0, dtype=np.int32), nothing)
    return replace(
        batch,
        columns={annotation: batch.column(annotation) for annotation in needs.annotations},
        sources=batch.sources if needs.source else None,
        references=references,
    )


def shared_statistics(metric: Metric, batch: Batch) -> FloatArray:
    """Return the statistics of a bound metric, once for all that ask for them.

    A metric may be named in a run and be a member of a combination too.
    """
    try:
        hash(metric)
    except TypeError:  # of another package, with a list among its parameters
        return metric.statistics(seen_by(metric, batch))
    return batch.once((_STATISTICS, metric), lambda: metric.statistics(seen_by(metric, batch)))


def with_members(metrics: Iterable[Metric]) -> list[Metric]:
    """Return metrics, each followed by the members that it is combined of."""
    found: list[Metric] = []
    for metric in metrics:
        found.append(metric)
        # Not by the protocol, which would ask every metric for all that it has.
        found += getattr(metric, "members", ())
    return found
