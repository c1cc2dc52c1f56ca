"""Counts the n-grams that rows have in common with the mean of other rows."""

import numpy as np

from tenbin.kernels.arrays import FloatArray, IdArray, IntArray
from tenbin.kernels.ngrams.index import NgramIndex


def expected_matches(
    index: NgramIndex,
    left: IntArray,
    right: IntArray,
    right_groups: IntArray,
    counts: FloatArray,
    groups: IntArray,
    left_out: FloatArray,
    divisors: FloatArray,
) -> FloatArray:
    """Return the n-grams that each item has in common with a mean of rows, (items, orders).

    The mean of some rows has every n-gram as often as they have it on average: a count that need
    not be whole. An n-gram matches as often as the smaller of both counts says. Time is linear in
    the rows on both sides, not in their pairs.

    Args:
        index: The pool.
        left: Row number of each item.
        right: Row numbers of all rows of which a mean is taken.
        right_groups: The number of the group of each of them; a group has one mean.
        counts: How often each of them counts.
        groups: The number of the group of each item.
        left_out: How often the row of each item is taken out of its group first.
        divisors: What the sum of the group of each item is divided by; 0 for no match.

    Examples:
        >>> from tenbin.kernels.ngrams.index import ngram_index
        >>> tokens, rows = np.array([7, 5, 7, 7, 5], dtype=np.int32), np.array([0, 2, 4, 5])
        >>> index = ngram_index(tokens, rows, order=1)
        >>> mean = np.array([1, 2]), np.array([0, 0]), np.array([1.0, 1.0])
        >>> item = np.array([0]), np.array([0.0]), np.array([2.0])
        >>> expected_matches(index, np.array([0]), *mean, *item).tolist()
        [[1.5]]
    """
    matches = np.zeros((len(left), index.order))
    safe = np.where(divisors > 0, divisors, np.inf)
    for column, (ids, offsets, size) in enumerate(
        zip(index.ids, index.offsets, index.sizes, strict=True)
    ):
        if not size:
            continue
        there, place = _spelled(ids, offsets, right)
        keys, where = np.unique(right_groups[place] * size + there, return_inverse=True)
        sums = np.bincount(where.reshape(-1), weights=counts[place], minlength=len(keys))
        here, item = _spelled(ids, offsets, left)
        # The n-grams of a row are in order, so equal ones stand side by side.
        listed = item * size + here
        starts = np.flatnonzero(np.diff(listed, prepend=-1))
        owned, own_counts = listed[starts], np.diff(starts, append=len(listed))
        items, ngrams = np.divmod(owned, size)
        wanted = groups[items] * size + ngrams
        found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        known = keys[found] == wanted if len(keys) else np.zeros(len(wanted), dtype=bool)
        items, own, total = items[known], own_counts[known], sums[found[known]]
        means = (total - left_out[items] * own) / safe[items]
        common = np.minimum(own, means)
        # Ids depend on the pool; added from the smallest on, the sum of an item does not.
        order = np.lexsort((common, items))
        matches[:, column] = np.bincount(items[order], weights=common[order], minlength=len(left))
    return matches


def _spelled(ids: IdArray, offsets: IntArray, rows: IntArray) -> tuple[IntArray, IntArray]:
    """Return the n-grams of some rows one after the other, and for each the place of its row."""
    lengths = offsets[rows + 1] - offsets[rows]
    places = np.repeat(np.arange(len(rows)), lengths)
    starts = np.cumsum(lengths) - lengths
    return ids[offsets[rows][places] + np.arange(lengths.sum()) - starts[places]].astype(
        np.int64
    ), places
