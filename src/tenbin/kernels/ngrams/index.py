"""Numbers the n-grams of a pool of rows, the first step of BLEU, chrF, NIST and PER.

Every distinct n-gram gets one number, once; after that, comparing two rows is walking through two
sorted lists of numbers (`tenbin.kernels.ngrams.matches`).
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

_PAYS_OFF = 700_000  # n-grams that the plain twins read in the time numba takes to start


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NgramIndex:
    """The n-grams of a pool of rows as numbers; each field has one array per order 1..N.

    Ids count from 0 within each order, by first occurrence in the pool. They are exact: equal ids
    mean equal n-grams. They say nothing outside their pool.

    Attributes:
        ids: Ids of all rows, in increasing order within a row.
        offsets: Row r of order n is ``ids[n - 1][offsets[n - 1][r] : offsets[n - 1][r + 1]]``; it
            is empty where the row has fewer than n tokens.
        prefixes: By id, the id that the n-gram without its last token has in the order below. In
            order 1 that is the empty n-gram, numbered 0.
    """

    ids: tuple[IdArray, ...]
    offsets: tuple[IntArray, ...]
    prefixes: tuple[IdArray, ...]

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return len(self.ids)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of distinct n-grams of each order."""
        return tuple(prefixes.size for prefixes in self.prefixes)


def ngram_index(values: IdArray, offsets: IntArray, order: int) -> NgramIndex:
    """Return the n-grams of order 1..``order`` of every row of a pool.

    Args:
        values: Tokens of all rows, one after the other.
        offsets: Row r has the tokens ``values[offsets[r] : offsets[r + 1]]``.
        order: Length of the longest n-grams, at least 1.

    Examples:
        >>> tokens, rows = np.array([7, 5, 7, 5, 7], dtype=np.int32), np.array([0, 3, 5])
        >>> index = ngram_index(tokens, rows, order=2)
        >>> index.sizes
        (2, 2)
        >>> index.ids[1].tolist(), index.offsets[1].tolist()
        ([0, 1, 1], [0, 2, 3])
    """
    work = order * values.size
    if compiled := compiled_twin("ngrams.index", work=work, threshold=_PAYS_OFF):
        ids, id_offsets, prefixes = compiled.ngram_index(values, offsets, order)
        return NgramIndex(ids=tuple(ids), offsets=tuple(id_offsets), prefixes=tuple(prefixes))
    return _plain_ngram_index(values, offsets, order)


def _plain_ngram_index(values: IdArray, offsets: IntArray, order: int) -> NgramIndex:
    tokens, bounds = values.tolist(), offsets.tolist()
    rows = [tuple(tokens[a:b]) for a, b in pairwise(bounds)]
    all_ids: list[IdArray] = []
    all_offsets: list[IntArray] = []
    all_prefixes: list[IdArray] = []
    shorter: dict[tuple[int, ...], int] = {(): 0}
    for n in range(1, order + 1):
        numbers: dict[tuple[int, ...], int] = {}
        row_ids = [
            sorted(
                numbers.setdefault(row[start : start + n], len(numbers))
                for start in range(len(row) - n + 1)
            )
            for row in rows
        ]
        all_ids.append(np.array([i for ids in row_ids for i in ids], dtype=np.int32))
        all_offsets.append(np.cumsum([0, *map(len, row_ids)], dtype=np.int64))
        all_prefixes.append(np.array([shorter[ngram[:-1]] for ngram in numbers], dtype=np.int32))
        shorter = numbers
    return NgramIndex(ids=tuple(all_ids), offsets=tuple(all_offsets), prefixes=tuple(all_prefixes))


def ngram_counts(index: NgramIndex, rows: IntArray) -> IntArray:
    """Return how many n-grams each of some rows has, of shape (rows, orders)."""
    return np.stack([offsets[rows + 1] - offsets[rows] for offsets in index.offsets], axis=1)


def ngram_totals(index: NgramIndex, rows: IntArray) -> tuple[IntArray, ...]:
    """Return, for each order, how often each n-gram occurs in some rows together.

    A row that is listed twice counts twice. NIST's information weights (Doddington 2002) are the
    log2 of ``totals[n - 2][index.prefixes[n - 1]] / totals[n - 1]``; for n = 1, where the prefix is
    the empty n-gram, the dividend is the number of all tokens, ``totals[0].sum()``.

    Args:
        index: The pool.
        rows: Row numbers, such as those of all references of a test set.
    """
    times = np.bincount(rows, minlength=index.offsets[0].size - 1)
    totals = [
        np.bincount(ids, weights=np.repeat(times, np.diff(offsets)), minlength=size)
        for ids, offsets, size in zip(index.ids, index.offsets, index.sizes, strict=True)
    ]
    return tuple(total.astype(np.int64) for total in totals)
