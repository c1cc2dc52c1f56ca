"""Pairs of paraphrases from disk into arrays, some rows at a time."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tenbin.building.paraphrases.extraction import EXTRA
from tenbin.building.paraphrases.pivot import UNITS, part_files
from tenbin.core.arrays import IdArray, IntArray
from tenbin.formats.parquet import arrow
from tenbin.formats.vectors.stream import Float32Array

# Pairs that are read, or put in order, at a time.
_ROWS = 2**17


def pairs_of_pivot(
    folder: Path, numbers: IntArray, ranks: IntArray
) -> tuple[IntArray, IdArray, Float32Array]:
    """Return the pairs of a result of the pivot, by phrase, likeliest first.

    The rows come in any order and are read twice: to count those of each phrase, and to put each
    where it belongs. Besides what is returned, 8 bytes a pair are held for the time being, and
    what one batch of rows takes.

    Args:
        folder: The files of the pairs.
        numbers: The numbers of all phrases, sorted.
        ranks: The place of each of them in the table.

    Returns:
        Where the pairs of each phrase begin and end; paraphrases; p(paraphrase | phrase).
    """
    counts: IntArray = np.zeros(numbers.size, dtype=np.int64)
    for (phrases,) in _batches(folder, "e1"):
        np.add.at(counts, ranks[np.searchsorted(numbers, phrases)], 1)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    others: IdArray = np.empty(offsets[-1], dtype=np.int32)
    units: IntArray = np.empty(offsets[-1], dtype=np.int64)
    free = offsets[:-1].copy()
    for phrases, paraphrases, shares in _batches(folder, "e1", "e2", "units"):
        owners = ranks[np.searchsorted(numbers, phrases)]
        order = np.argsort(owners, kind="stable")
        owners, first, sizes = np.unique(owners[order], return_index=True, return_counts=True)
        places = np.arange(order.size) + np.repeat(free[owners] - first, sizes)
        others[places] = ranks[np.searchsorted(numbers, paraphrases[order])]
        units[places] = shares[order]
        free[owners] += sizes
    return offsets, others, _ordered(offsets, others, units)


def _ordered(offsets: IntArray, others: IdArray, units: IntArray) -> Float32Array:
    """Put the pairs of each phrase in order, in place; return their probabilities."""
    probabilities: Float32Array = np.empty(units.size, dtype=np.float32)
    for low, high in _blocks(offsets):
        rows = slice(offsets[low], offsets[high])
        owners = np.repeat(np.arange(low, high), np.diff(offsets[low : high + 1]))
        order = np.lexsort((others[rows], -units[rows], owners))
        others[rows] = others[rows][order]
        probabilities[rows] = units[rows][order] / UNITS
    return probabilities


def _blocks(offsets: IntArray) -> Iterator[tuple[int, int]]:
    """Yield ranges of phrases with few pairs together, or of one phrase alone."""
    low, end = 0, offsets.size - 1
    while low < end:
        within = int(np.searchsorted(offsets, offsets[low] + _ROWS, side="right")) - 1
        high = max(within, low + 1)
        yield low, high
        low = high


def _batches(folder: Path, *columns: str) -> Iterator[tuple[IntArray, ...]]:
    parquet = arrow("parquet", extra=EXTRA)
    for path in part_files(folder):
        with path.open("rb") as stream:
            file = parquet.ParquetFile(stream, buffer_size=2**20, pre_buffer=False)
            for batch in file.iter_batches(_ROWS, columns=list(columns), use_threads=False):
                yield tuple(batch.column(name).to_numpy() for name in columns)
