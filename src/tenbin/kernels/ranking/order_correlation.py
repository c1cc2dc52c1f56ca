"""How far two rows of ids agree in order, for RIBES.

Isozaki, Hirao, Duh, Sudoh, Tsukada (2010), "Automatic Evaluation of Translation Quality for Distant
Language Pairs", with the word correspondence of RIBES 1.03: a repeated id is disambiguated by
the shortest n-gram around it.
"""

from collections.abc import Sequence

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

# Comparisons of two ids; the plain twin makes about twelve million a second.
_WORTH_COMPILING = 20_000_000


def order_correlation(
    values: IdArray, offsets: IntArray, left: IntArray, right: IntArray
) -> IntArray:
    """Return, per pair of rows, how many positions are linked and how many pairs of links ascend.

    A position ``i`` of the left row is linked to a position of the right row if its id is there and

    - occurs once in each row, or
    - the shortest n-gram that ends at ``i`` or, at the same size, that starts at ``i`` and occurs
      once in each row (overlapping occurrences counted) exists; the link is to the same place
      inside that n-gram.

    Two positions may be linked to the same one; such a pair does not ascend. With ``n`` links of
    which ``a`` pairs ascend, the normalized Kendall tau is ``a / (n (n - 1) / 2)`` and the
    precision ``n / length of the left row``. An empty row links nothing.

    Args:
        values: Ids of all rows, one row after the other.
        offsets: Row ``r`` is ``values[offsets[r] : offsets[r + 1]]``.
        left: Row of the hypothesis, per pair.
        right: Row of the reference, per pair.

    Returns:
        Shape (pairs, 2): linked positions, ascending pairs of links.

    >>> values = np.array([7, 8, 7, 9, 7, 8, 9, 7], dtype=np.int32)
    >>> rows = np.array([0, 4, 8])
    >>> order_correlation(values, rows, np.array([0, 1]), np.array([1, 1]))
    array([[3, 3],
           [4, 6]])
    """
    lengths = np.diff(offsets)
    work = int(np.sum(lengths[left] * (lengths[left] + lengths[right])))
    compiled = compiled_twin("ranking.order_correlation", work=work, threshold=_WORTH_COMPILING)
    twin = plain_order_correlation if compiled is None else compiled.order_correlation
    counts: IntArray = twin(values, offsets, left, right)
    return counts


def plain_order_correlation(
    values: IdArray, offsets: IntArray, left: IntArray, right: IntArray
) -> IntArray:
    """Return what `order_correlation` returns, by widening the window around each position."""
    counts = np.zeros((len(left), 2), dtype=np.int64)
    for pair, (one, other) in enumerate(zip(left, right, strict=True)):
        hypothesis = values[offsets[one] : offsets[one + 1]].tolist()
        reference = values[offsets[other] : offsets[other + 1]].tolist()
        found = (_link(position, hypothesis, reference) for position in range(len(hypothesis)))
        links = [link for link in found if link is not None]
        ascending = sum(
            first < second for place, first in enumerate(links) for second in links[place + 1 :]
        )
        counts[pair] = len(links), ascending
    return counts


def _link(position: int, hypothesis: Sequence[int], reference: Sequence[int]) -> int | None:
    """Return the position of the reference that a position of the hypothesis stands for."""
    here = _places(hypothesis, hypothesis[position])
    there = _places(reference, hypothesis[position])
    if len(here) == len(there) == 1:
        return there[0]
    # Places in either row around which the ids equal those around `position`, so far to the left
    # (-1) and so far to the right (1): the occurrences of the two n-grams.
    alike = {-1: (here, there), 1: (here, there)}
    for width in range(1, max(position + 1, len(hypothesis) - position + 1)):
        for side, (here, there) in alike.items():
            step = side * width
            if not there or not 0 <= position + step < len(hypothesis):
                continue
            wanted = hypothesis[position + step]
            here = _followed(here, hypothesis, step, wanted)  # noqa: PLW2901 - narrowed
            there = _followed(there, reference, step, wanted)  # noqa: PLW2901
            if len(here) == len(there) == 1:
                return there[0]
            alike[side] = here, there
    return None


def _places(row: Sequence[int], wanted: int) -> list[int]:
    return [place for place, value in enumerate(row) if value == wanted]


def _followed(places: list[int], row: Sequence[int], step: int, wanted: int) -> list[int]:
    """Return the places that have the wanted id so many steps away."""
    return [
        place for place in places if 0 <= place + step < len(row) and row[place + step] == wanted
    ]
