"""Collections of texts of a batch, how often words stand in them, and weights row by row."""

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray, Ragged
from tenbin.core.batch import Batch
from tenbin.metrics.representations.word_counts import distinct_words

SYSTEM = "system"
"""Value of ``idf``: weights of a hypothesis are learned from the hypotheses of its system."""


def reference_collection(batch: Batch) -> IntArray:
    """Return the pool positions of the references of every segment, each segment once."""
    chosen = [batch.references.row(item) for item in batch.distinct_segments()]
    return np.concatenate(chosen).astype(np.int64)


def source_collection(batch: Batch) -> IntArray:
    """Return the pool positions of the sources of every segment."""
    sources = np.empty(0, dtype=np.int64) if batch.sources is None else batch.sources
    return sources[batch.distinct_segments()]


def system_numbers(batch: Batch) -> IntArray:
    """Return the system of each item, counted from 0."""
    return np.zeros(len(batch), dtype=np.int64) if batch.systems is None else batch.systems


def hypothesis_collections(batch: Batch) -> list[IntArray]:
    """Return for each system the pool positions of its hypotheses."""
    systems = system_numbers(batch)
    return [
        batch.hypotheses[systems == number] for number in range(int(systems.max(initial=0)) + 1)
    ]


def segment_frequencies(rows: Ragged, strings: IntArray, size: int) -> FloatArray:
    """Return for each word of a vocabulary how many of some strings have it.

    >>> rows = Ragged.from_rows([[0, 0, 1], [1], [2]])
    >>> segment_frequencies(rows, np.array([0, 1, 1]), 3).tolist()
    [1.0, 3.0, 0.0]
    """
    return occurrences(distinct_words(rows)[0], strings, size)


def occurrences(rows: Ragged, strings: IntArray, size: int) -> FloatArray:
    """Return for each word of a vocabulary how often it stands in some strings.

    >>> occurrences(Ragged.from_rows([[0, 0, 1], [1]]), np.array([0, 1, 1]), 2).tolist()
    [2.0, 3.0]
    """
    times = np.bincount(strings, minlength=len(rows)).astype(np.float64)
    return np.asarray(
        np.bincount(rows.values, np.repeat(times, rows.lengths), minlength=size), dtype=np.float64
    )


def spread(rows: Ragged, picks: IntArray) -> tuple[IntArray, IntArray]:
    """Return where the values of some rows stand, row after row, and the bounds of the rows.

    >>> places, bounds = spread(Ragged.from_rows([[5], [6, 7]]), np.array([1, 0, 1]))
    >>> places.tolist(), bounds.tolist()
    ([1, 2, 0, 1, 2], [0, 2, 3, 5])
    """
    lengths = rows.lengths[picks]
    bounds = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
    return np.repeat(rows.offsets[picks] - bounds[:-1], lengths) + np.arange(bounds[-1]), bounds


def shares(values: FloatArray, bounds: IntArray) -> FloatArray:
    """Return values divided by the sum of their row; rows of nothing stay so.

    >>> shares(np.array([1.0, 3.0, 0.0, 5.0]), np.array([0, 2, 2, 3, 4])).tolist()
    [0.25, 0.75, 0.0, 1.0]
    """
    row_of = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    totals = np.bincount(row_of, values, minlength=len(bounds) - 1)[row_of]
    return np.divide(values, totals, out=np.zeros(len(values)), where=totals > 0)
