"""Word links of two directions of alignment made into one set.

Och and Ney (2003), "A Systematic Comparison of Various Statistical Alignment Models", and Koehn,
Och and Marcu (2003), "Statistical Phrase-Based Translation", whose order of scanning this is.
"""

from collections.abc import Iterable
from enum import StrEnum
from itertools import product

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

Link = tuple[int, int]

# Links of both directions that the plain twin goes through in half a second.
_WORTH_COMPILING = 100_000
# The neighbors of a link, in the order of Koehn's program; (pivot, target).
NEIGHBORS = ((0, -1), (-1, 0), (0, 1), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))


class Symmetrization(StrEnum):
    """How two sets of links become one.

    INTERSECT and UNION are what they say. GROW_DIAG starts from the intersection and adds links of
    the union beside it that reach a word without a link. GROW_DIAG_FINAL then adds every link with
    a word that has none, GROW_DIAG_FINAL_AND only those where both words have none.
    """

    INTERSECT = "intersect"
    UNION = "union"
    GROW_DIAG = "grow-diag"
    GROW_DIAG_FINAL = "grow-diag-final"
    GROW_DIAG_FINAL_AND = "grow-diag-final-and"


def symmetrized_links(
    forward: tuple[IdArray, IdArray, IntArray],
    backward: tuple[IdArray, IdArray, IntArray],
    lengths: tuple[IntArray, IntArray],
    method: Symmetrization,
) -> tuple[IdArray, IdArray, IntArray]:
    """Return one set of links per segment, by target and then by pivot position.

    Growing scans the links that are there by target and then pivot position, links added on the
    way among them, again and again until nothing changes. The last step adds links of ``forward``
    and then of ``backward``, in the same order of positions.

    Args:
        forward: Links of the direction pivot to target: pivot positions, target positions, and
            where the links of each segment begin and end.
        backward: Links of the direction target to pivot, in the same form.
        lengths: Words of each segment in the pivot and in the target language.
        method: How they become one.

    Example:
        >>> def links(*pairs):
        ...     rows = np.array(pairs, dtype=np.int32).T
        ...     return rows[0], rows[1], np.array([0, len(pairs)])
        >>> sizes = np.array([3]), np.array([2])
        >>> method = Symmetrization.GROW_DIAG
        >>> pivot, target, _ = symmetrized_links(
        ...     links((0, 0), (1, 1)), links((0, 0), (2, 1)), sizes, method
        ... )
        >>> list(zip(pivot.tolist(), target.tolist()))
        [(0, 0), (1, 1), (2, 1)]
    """
    work = forward[0].size + backward[0].size
    compiled = compiled_twin("alignment.symmetrization", work=work, threshold=_WORTH_COMPILING)
    if compiled is None:
        return _plain_symmetrized_links(forward, backward, lengths, method)
    number = list(Symmetrization).index(method)
    pivot, target, offsets = compiled.symmetrized_links(
        *forward, *backward, *lengths, np.array(NEIGHBORS, dtype=np.int64), number
    )
    return pivot, target, offsets


def _plain_symmetrized_links(
    forward: tuple[IdArray, IdArray, IntArray],
    backward: tuple[IdArray, IdArray, IntArray],
    lengths: tuple[IntArray, IntArray],
    method: Symmetrization,
) -> tuple[IdArray, IdArray, IntArray]:
    pivot: list[int] = []
    target: list[int] = []
    offsets = [0]
    for segment in range(len(lengths[0])):
        sizes = int(lengths[0][segment]), int(lengths[1][segment])
        found = _links(_row(forward, segment), _row(backward, segment), sizes, method)
        ordered = sorted(found, key=_by_target)
        pivot += [link[0] for link in ordered]
        target += [link[1] for link in ordered]
        offsets.append(len(pivot))
    return (
        np.array(pivot, dtype=np.int32),
        np.array(target, dtype=np.int32),
        np.array(offsets, dtype=np.int64),
    )


def _row(links: tuple[IdArray, IdArray, IntArray], segment: int) -> set[Link]:
    bounds = slice(links[2][segment], links[2][segment + 1])
    return set(zip(links[0][bounds].tolist(), links[1][bounds].tolist(), strict=True))


def _by_target(link: Link) -> Link:
    return link[1], link[0]


def _links(
    forward: set[Link], backward: set[Link], sizes: tuple[int, int], method: Symmetrization
) -> set[Link]:
    if method is Symmetrization.UNION:
        return forward | backward
    links = forward & backward
    if method is not Symmetrization.INTERSECT:
        _grow(links, forward | backward, sizes)
    if method in {Symmetrization.GROW_DIAG_FINAL, Symmetrization.GROW_DIAG_FINAL_AND}:
        for direction in (forward, backward):
            for link in sorted(direction, key=_by_target):
                free = [all(link[side] != other[side] for other in links) for side in (0, 1)]
                if all(free) or (method is Symmetrization.GROW_DIAG_FINAL and any(free)):
                    links.add(link)
    return links


def _grow(links: set[Link], union: set[Link], sizes: tuple[int, int]) -> None:
    before = -1
    while len(links) > before:
        before = len(links)
        for target, pivot in product(range(sizes[1]), range(sizes[0])):
            if (pivot, target) in links:
                for new in _near(pivot, target, union):
                    if any(all(new[side] != link[side] for link in links) for side in (0, 1)):
                        links.add(new)


def _near(pivot: int, target: int, union: set[Link]) -> Iterable[Link]:
    beside = ((pivot + right, target + up) for right, up in NEIGHBORS)
    return (link for link in beside if link in union)
