"""Statistics of every metric for every system and segment, a chunk of segments at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.metric import Metric
from tenbin.core.progress import Advance, step_unless
from tenbin.core.shared_statistics import shared_statistics, with_members
from tenbin.core.text import SegmentSource, TestSet
from tenbin.evaluation.batching import batch_for
from tenbin.evaluation.lengths import check_batch_lengths, check_lengths
from tenbin.evaluation.parallel import advance_in_worker, mapped

# Strings per chunk. Fixed, whatever the number of jobs, so that sums are formed in one order and
# scores are the same to the last bit.
_CHUNK_STRINGS = 16_000


@dataclass(frozen=True, slots=True, eq=False)
class MetricStatistics:
    """What one metric knows about a test set.

    Attributes:
        totals: Summed over segments, shape (systems, K).
        rows: Per segment, shape (systems, segments, K), where they were asked for.
    """

    totals: FloatArray
    rows: FloatArray | None


def chunk_statistics(
    test_set: TestSet, metrics: Sequence[Metric], advance: Advance | None = None
) -> list[FloatArray]:
    """Return the statistics of one chunk, an array (systems, segments, K) per metric.

    This is the pure function that every engine runs: in this process, in a pool, on a cluster.

    Args:
        test_set: The texts of the chunk.
        metrics: The metrics, bound to the language.
        advance: Called with the number of segments after each metric.
    """
    check_lengths(test_set, metrics)
    batch = batch_for(metrics, test_set)
    for metric in with_members(metrics):
        check_batch_lengths(test_set, batch, metric)
    shape = (len(test_set.systems), test_set.segment_count, -1)
    found = []
    for metric in metrics:
        found.append(shared_statistics(metric, batch).reshape(shape))
        if advance is not None:
            advance(test_set.segment_count)
    return found


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
    all texts of the set (``needs.collection``) get it as one chunk.
    """
    groups: dict[tuple[bool, int], list[Metric]] = {}
    for metric in metrics:
        place = metric.needs.collection, _chunk_size(metric, source)
        groups.setdefault(place, []).append(metric)
    found: dict[int, MetricStatistics] = {}
    with step_unless(advance, "scoring", source.segment_count * len(metrics)) as done:
        for (_, chunk_size), group in groups.items():
            workers = min(jobs, ceil(source.segment_count / chunk_size))
            # Workers count for themselves, and `mapped` hands on what they have counted.
            counting = advance_in_worker if workers > 1 else done
            score_chunk = partial(chunk_statistics, metrics=group, advance=counting)
            parts = mapped(score_chunk, source.chunks(chunk_size), jobs=workers, advance=done)
            gathered = _add_up(parts, len(group), keep_rows=keep_rows)
            found |= {id(metric): part for metric, part in zip(group, gathered, strict=True)}
    return [found[id(metric)] for metric in metrics]


def _chunk_size(metric: Metric, source: SegmentSource) -> int:
    """Return how many segments a metric gets at a time; references that it ignores do not count."""
    if metric.needs.collection:
        return source.segment_count
    references = max(source.reference_counts) if metric.needs.references else 1
    return max(1, _CHUNK_STRINGS // (len(source.systems) + references))


def _add_up(
    parts: Iterator[list[FloatArray]], count: int, *, keep_rows: bool
) -> list[MetricStatistics]:
    totals: list[FloatArray] = []
    gathered: list[list[FloatArray]] = [[] for _ in range(count)]
    for arrays in parts:
        sums = [array.sum(axis=1) for array in arrays]
        totals = [a + b for a, b in zip(totals, sums, strict=True)] if totals else sums
        if keep_rows:
            for rows, array in zip(gathered, arrays, strict=True):
                rows.append(array)
    return [
        MetricStatistics(total, np.concatenate(rows, axis=1) if keep_rows else None)
        for total, rows in zip(totals, gathered, strict=True)
    ]
