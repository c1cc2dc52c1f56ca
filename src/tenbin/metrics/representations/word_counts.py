"""Words of segments as counts: how often each distinct word stands in a row."""

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray, Ragged


def distinct_words(rows: Ragged) -> tuple[Ragged, FloatArray]:
    """Return the distinct words of each row as they first occur, and how often each stands there.

    >>> words, counts = distinct_words(Ragged.from_rows([[2, 1, 2], [], [0]]))
    >>> [words.row(number).tolist() for number in range(3)], counts.tolist()
    ([[2, 1], [], [0]], [2.0, 1.0, 1.0])
    """
    _, places, counts = np.unique(_keys(rows), return_index=True, return_counts=True)
    order = np.argsort(places)
    first = places[order]
    ends = np.searchsorted(first, rows.offsets)
    distinct = Ragged(rows.values[first], ends.astype(np.int64))
    return distinct, counts[order].astype(np.float64)


def counts_in_row(rows: Ragged) -> FloatArray:
    """Return for each word how often it stands in its own row.

    >>> counts_in_row(Ragged.from_rows([[2, 1, 2], [2]])).tolist()
    [2.0, 1.0, 2.0, 1.0]
    """
    _, place, counts = np.unique(_keys(rows), return_inverse=True, return_counts=True)
    return counts[place].astype(np.float64)


def squared_counts(rows: Ragged) -> FloatArray:
    """Return for each row the sum of squared counts of its words."""
    words, counts = distinct_words(rows)
    row_of = np.repeat(np.arange(len(words)), words.lengths)
    return np.asarray(np.bincount(row_of, counts * counts, minlength=len(rows)), dtype=np.float64)


def shared_counts(rows: Ragged, left: IntArray, right: IntArray) -> FloatArray:
    """Return for each pair of rows the sum over words of count here times count there.

    >>> rows = Ragged.from_rows([[0, 0, 1], [0, 1, 1], [2]])
    >>> shared_counts(rows, np.array([0, 0]), np.array([1, 2])).tolist()
    [4.0, 0.0]
    """
    words, counts = distinct_words(rows)
    ordered = np.argsort(_keys(words))
    keys, width = _keys(words)[ordered], _width(words)
    # The words of the left row, looked up in the right row.
    lengths = words.lengths[left]
    pair = np.repeat(np.arange(len(left)), lengths)
    first = np.repeat(words.offsets[left] - np.cumsum(lengths) + lengths, lengths)
    place = first + np.arange(len(pair))
    wanted = right[pair] * width + words.values[place]
    found = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    there = np.zeros(len(wanted))
    if len(keys):
        there = np.where(keys[found] == wanted, counts[ordered][found], 0.0)
    return np.asarray(
        np.bincount(pair, counts[place] * there, minlength=len(left)), dtype=np.float64
    )


def _keys(rows: Ragged) -> IntArray:
    """Return one number per row and word."""
    row_of = np.repeat(np.arange(len(rows)), rows.lengths)
    keys: IntArray = row_of * _width(rows) + rows.values
    return keys


def _width(rows: Ragged) -> int:
    return int(rows.values.max(initial=0)) + 1
