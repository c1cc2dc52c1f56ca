"""Counts the n-grams that rows have in common, for BLEU, chrF, NIST and PER."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from tenbin.kernels.arrays import FloatArray, IntArray
from tenbin.kernels.dispatch import compiled_twin
from tenbin.kernels.ngrams.index import NgramIndex, ngram_counts

_PAYS_OFF = 700_000  # n-grams that the plain twins read in the time numba takes to start


def common_ngrams(index: NgramIndex, left: IntArray, right: IntArray) -> IntArray:
    """Return the size of the multiset intersection of each pair of rows, of shape (pairs, orders).

    The matches of chrF (Popović 2015) and, in order 1, those of the position-independent error rate
    (Tillmann et al. 1997). A row shorter than n has no n-gram and so no match.

    Args:
        index: The pool.
        left: Row number of the left side of each pair.
        right: Row number of its right side.

    Examples:
        >>> from tenbin.kernels.ngrams.index import ngram_index
        >>> tokens, rows = np.array([7, 5, 7, 5, 7], dtype=np.int32), np.array([0, 3, 5])
        >>> index = ngram_index(tokens, rows, order=2)
        >>> common_ngrams(index, left=np.array([0]), right=np.array([1])).tolist()
        [[2, 1]]
    """
    work = int(ngram_counts(index, left).sum() + ngram_counts(index, right).sum())
    if compiled := compiled_twin("ngrams.matches", work=work, threshold=_PAYS_OFF):
        columns = [
            compiled.common_ngrams(ids, offsets, left, right)
            for ids, offsets in zip(index.ids, index.offsets, strict=True)
        ]
        return np.stack(columns, axis=1)
    return _plain_common_ngrams(index, left, right)


def _plain_common_ngrams(index: NgramIndex, left: IntArray, right: IntArray) -> IntArray:
    common = np.zeros((left.size, index.order), dtype=np.int64)
    pairs = list(zip(left.tolist(), right.tolist(), strict=True))
    for column in range(index.order):
        counters = _row_counters(index, column, {*left.tolist(), *right.tolist()})
        common[:, column] = [(counters[a] & counters[b]).total() for a, b in pairs]
    return common


def clipped_ngrams(
    index: NgramIndex, hypotheses: IntArray, reference_rows: IntArray, reference_offsets: IntArray
) -> IntArray:
    """Return the clipped matches of each item with its references, of shape (items, orders).

    An n-gram counts as often as it occurs in the hypothesis, but no more often than in the one
    reference that has it most: BLEU's modified precision (Papineni et al. 2002, 2.1.1). An item
    without references has no match.

    Args:
        index: The pool.
        hypotheses: Row number of the hypothesis of each item.
        reference_rows: Row numbers of the references of all items, one item after the other.
        reference_offsets: The references of item i are
            ``reference_rows[reference_offsets[i] : reference_offsets[i + 1]]``.

    Examples:
        >>> from tenbin.kernels.ngrams.index import ngram_index
        >>> tokens, rows = np.array([7, 7, 7, 7, 5, 7, 7], dtype=np.int32), np.array([0, 3, 5, 7])
        >>> index = ngram_index(tokens, rows, order=2)
        >>> clipped_ngrams(index, np.array([0]), np.array([1, 2]), np.array([0, 2])).tolist()
        [[2, 1]]
    """
    groups = (hypotheses, reference_rows, reference_offsets)
    work = int(ngram_counts(index, hypotheses).sum() + ngram_counts(index, reference_rows).sum())
    if compiled := compiled_twin("ngrams.matches", work=work, threshold=_PAYS_OFF):
        columns = [
            compiled.clipped_ngrams(ids, offsets, *groups)
            for ids, offsets in zip(index.ids, index.offsets, strict=True)
        ]
        return np.stack(columns, axis=1)
    return _plain_clipped_ngrams(index, *groups)


def _plain_clipped_ngrams(
    index: NgramIndex, hypotheses: IntArray, reference_rows: IntArray, reference_offsets: IntArray
) -> IntArray:
    groups = (hypotheses, reference_rows, reference_offsets)
    matches = np.zeros((hypotheses.size, index.order), dtype=np.int64)
    for column in range(index.order):
        matches[:, column] = [
            clipped.total() for clipped in _clipped_counters(index, column, *groups)
        ]
    return matches


def weighted_clipped_ngrams(
    index: NgramIndex,
    weights: Sequence[FloatArray],
    hypotheses: IntArray,
    reference_rows: IntArray,
    reference_offsets: IntArray,
) -> FloatArray:
    """Return the clipped matches of each item as a sum of weights, of shape (items, orders).

    As `clipped_ngrams`, but each match counts the weight of its n-gram instead of 1: the numerators
    of NIST (Doddington 2002). Ids depend on the pool, so adding in the order of ids would let the
    last bit of a sum depend on the other rows; the terms (weight times clipped count) are added
    from the smallest to the largest instead, which needs nothing but the item itself.

    Args:
        index: The pool.
        weights: For each order, the weight of every n-gram by id. Only those of matched n-grams are
            looked at.
        hypotheses: Row number of the hypothesis of each item.
        reference_rows: Row numbers of the references of all items, one item after the other.
        reference_offsets: Where the references of each item start, as for `clipped_ngrams`.

    Examples:
        >>> from tenbin.kernels.ngrams.index import ngram_index
        >>> index = ngram_index(np.array([7, 5, 7, 5], dtype=np.int32), np.array([0, 2, 4]), 1)
        >>> pair = np.array([0]), np.array([1]), np.array([0, 1])
        >>> weighted_clipped_ngrams(index, [np.array([0.5, 2.0])], *pair).tolist()
        [[2.5]]
    """
    groups = (hypotheses, reference_rows, reference_offsets)
    work = int(ngram_counts(index, hypotheses).sum() + ngram_counts(index, reference_rows).sum())
    if compiled := compiled_twin("ngrams.matches", work=work, threshold=_PAYS_OFF):
        columns = [
            compiled.weighted_clipped_ngrams(ids, offsets, order_weights, *groups)
            for ids, offsets, order_weights in zip(index.ids, index.offsets, weights, strict=True)
        ]
        return np.stack(columns, axis=1)
    return _plain_weighted_clipped_ngrams(index, weights, *groups)


def _plain_weighted_clipped_ngrams(
    index: NgramIndex,
    weights: Sequence[FloatArray],
    hypotheses: IntArray,
    reference_rows: IntArray,
    reference_offsets: IntArray,
) -> FloatArray:
    groups = (hypotheses, reference_rows, reference_offsets)
    matches = np.zeros((hypotheses.size, index.order), dtype=np.float64)
    for column, order_weights in enumerate(weights):
        for item, clipped in enumerate(_clipped_counters(index, column, *groups)):
            terms = [float(order_weights[ngram]) * count for ngram, count in clipped.items()]
            for term in sorted(terms):  # `sum` would compensate rounding from Python 3.12 on
                matches[item, column] += term
    return matches


def _row_counters(index: NgramIndex, column: int, rows: Iterable[int]) -> dict[int, Counter[int]]:
    """Return how often each n-gram of one order occurs in each of some rows."""
    ids, offsets = index.ids[column], index.offsets[column]
    return {row: Counter(ids[offsets[row] : offsets[row + 1]].tolist()) for row in rows}


def _clipped_counters(
    index: NgramIndex,
    column: int,
    hypotheses: IntArray,
    reference_rows: IntArray,
    reference_offsets: IntArray,
) -> Iterator[Counter[int]]:
    """Yield, for each item, its matched n-grams of one order with their clipped counts."""
    references, bounds = reference_rows.tolist(), reference_offsets.tolist()
    counters = _row_counters(index, column, {*hypotheses.tolist(), *references})
    for hypothesis, (start, stop) in zip(hypotheses.tolist(), pairwise(bounds), strict=True):
        most: Counter[int] = Counter()
        for row in references[start:stop]:
            most |= counters[row]
        yield counters[hypothesis] & most
