"""Compiled twins of `tenbin.kernels.ngrams.matches`, each for one order of n-grams."""

import numpy as np

from tenbin.kernels.arrays import FloatArray, IdArray, IntArray
from tenbin.kernels.compiled.jit import jit


@jit
def common_ngrams(ids: IdArray, offsets: IntArray, left: IntArray, right: IntArray) -> IntArray:
    """Return the size of the multiset intersection of each pair of sorted rows."""
    common = np.zeros(left.size, dtype=np.int64)
    for pair in range(left.size):
        i, i_end = offsets[left[pair]], offsets[left[pair] + 1]
        j, j_end = offsets[right[pair]], offsets[right[pair] + 1]
        while i < i_end and j < j_end:  # no branch inside: which side is behind is unpredictable
            a, b = ids[i], ids[j]
            common[pair] += a == b
            i += a <= b
            j += b <= a
    return common


@jit
def _clipped_row(
    ids: IdArray, offsets: IntArray, hypothesis: int, reference_rows: IntArray
) -> tuple[IdArray, IntArray]:
    """Return the n-grams of a row that some reference row has, and their clipped counts."""
    place, end = offsets[hypothesis], offsets[hypothesis + 1]
    ngrams = np.empty(end - place, dtype=np.int32)
    counts = np.empty(end - place, dtype=np.int64)
    cursors = np.empty(reference_rows.size, dtype=np.int64)
    for which in range(reference_rows.size):
        cursors[which] = offsets[reference_rows[which]]
    found = 0
    while place < end:
        ngram, first = ids[place], place
        while place < end and ids[place] == ngram:
            place += 1
        most = 0  # in any one reference
        for which in range(reference_rows.size):
            cursor, row_end = cursors[which], offsets[reference_rows[which] + 1]
            while cursor < row_end and ids[cursor] < ngram:
                cursor += 1
            reached = cursor
            while cursor < row_end and ids[cursor] == ngram:
                cursor += 1
            cursors[which] = cursor
            most = max(most, cursor - reached)
        if most > 0:
            ngrams[found] = ngram
            counts[found] = min(place - first, most)
            found += 1
    return ngrams[:found], counts[:found]


@jit
def clipped_ngrams(
    ids: IdArray,
    offsets: IntArray,
    hypotheses: IntArray,
    reference_rows: IntArray,
    reference_offsets: IntArray,
) -> IntArray:
    """Return the number of clipped matches of each item."""
    matches = np.zeros(hypotheses.size, dtype=np.int64)
    for item in range(hypotheses.size):
        references = reference_rows[reference_offsets[item] : reference_offsets[item + 1]]
        for count in _clipped_row(ids, offsets, hypotheses[item], references)[1]:
            matches[item] += count
    return matches


@jit
def weighted_clipped_ngrams(
    ids: IdArray,
    offsets: IntArray,
    weights: FloatArray,
    hypotheses: IntArray,
    reference_rows: IntArray,
    reference_offsets: IntArray,
) -> FloatArray:
    """Return the weight of the clipped matches of each item, its terms added smallest first."""
    matches = np.zeros(hypotheses.size, dtype=np.float64)
    for item in range(hypotheses.size):
        references = reference_rows[reference_offsets[item] : reference_offsets[item + 1]]
        ngrams, counts = _clipped_row(ids, offsets, hypotheses[item], references)
        terms = np.empty(ngrams.size, dtype=np.float64)
        for which in range(ngrams.size):
            terms[which] = weights[ngrams[which]] * counts[which]
        _sort(terms)
        for term in terms:
            matches[item] += term
    return matches


@jit
def _sort(terms: FloatArray) -> None:
    """Sort in place, by Shell's method: `numpy.sort` takes a second longer to compile."""
    gap = 1
    while gap < terms.size:
        gap = 3 * gap + 1
    while gap > 0:
        for first in range(gap, terms.size):
            term, place = terms[first], first
            while place >= gap and terms[place - gap] > term:
                terms[place] = terms[place - gap]
                place -= gap
            terms[place] = term
        gap //= 3
