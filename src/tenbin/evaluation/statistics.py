"""Statistics of every metric for every system and segment, a chunk of segments at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.metric import Metric
from tenbin.core.text import SegmentSource, TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.evaluation.lengths import check_batch_lengths, check_lengths
from tenbin.evaluation.parallel import mapped

# Strings per chunk. Fixed, whatever the number of jobs, so that sums are formed in one order and
# scores are the same to the last bit.
_CHUNK_STRINGS = 16_000

Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True, eq=False)
class MetricStatistics:
    """What one metric knows about a test set.

    Attributes:
        totals: Summed over segments, shape (systems, K).
        rows: Per segment, shape (systems, segments, K), where they were asked for.
    """

    totals: FloatArray
    rows: FloatArray | None


def chunk_statistics(test_set: TestSet, metrics: Sequence[Metric]) -> list[FloatArray]:
    """Return the statistics of one chunk, an array (systems, segments, K) per metric.

    This is the pure function that every engine runs: in this process, in a pool, on a cluster.
    """
    check_lengths(test_set, metrics)
    annotations = {a for metric in metrics for a in metric.needs.annotations}
    sources = any(metric.needs.source for metric in metrics)
    batch = build_batch(test_set, sorted(annotations), sources=sources)
    for metric in metrics:
        check_batch_lengths(test_set, batch, metric)
    shape = (len(test_set.systems), test_set.segment_count, -1)
    return [metric.statistics(_seen_by(metric, batch)).reshape(shape) for metric in metrics]


def _seen_by(metric: Metric, batch: Batch) -> Batch:
    # Other metrics' columns are hidden, so that a score cannot depend on the company it is in.
    needs = metric.needs
    columns = {annotation: batch.column(annotation) for annotation in needs.annotations}
    return replace(batch, columns=columns, sources=batch.sources if needs.source else None)


def gather_statistics(
    source: SegmentSource,
    metrics: Sequence[Metric],
    *,
    keep_rows: bool,
    jobs: int = 1,
    advance: Advance | None = None,
) -> list[MetricStatistics]:
    """Return the statistics of a whole test set, reading it in chunks.

    Without ``keep_rows`` memory does not grow with the number of segments. Metrics that must see
    the references of the whole set (``needs.collection``) get it as one chunk.
    """
    streamed = [metric for metric in metrics if not metric.needs.collection]
    collected = [metric for metric in metrics if metric.needs.collection]
    per_segment = len(source.systems) + max(source.reference_counts)
    size = max(1, _CHUNK_STRINGS // per_segment)
    found: dict[int, MetricStatistics] = {}
    for group, chunk_size in ((streamed, size), (collected, source.segment_count)):
        if not group:
            continue
        workers = min(jobs, ceil(source.segment_count / chunk_size))
        score_chunk = partial(chunk_statistics, metrics=group)
        parts = mapped(score_chunk, source.chunks(chunk_size), jobs=workers)
        gathered = _add_up(parts, len(group), keep_rows=keep_rows, advance=advance)
        found |= {id(metric): part for metric, part in zip(group, gathered, strict=True)}
    return [found[id(metric)] for metric in metrics]


def _add_up(
    parts: Iterator[list[FloatArray]], count: int, *, keep_rows: bool, advance: Advance | None
) -> list[MetricStatistics]:
    totals: list[FloatArray] = []
    gathered: list[list[FloatArray]] = [[] for _ in range(count)]
    for arrays in parts:
        sums = [array.sum(axis=1) for array in arrays]
        totals = [a + b for a, b in zip(totals, sums, strict=True)] if totals else sums
        if keep_rows:
            for rows, array in zip(gathered, arrays, strict=True):
                rows.append(array)
        if advance is not None:
            advance(arrays[0].shape[1] * count)
    return [
        MetricStatistics(total, np.concatenate(rows, axis=1) if keep_rows else None)
        for total, rows in zip(totals, gathered, strict=True)
    ]
