"""Sets that share an element joined into one, and so on until no two share any."""

from itertools import pairwise

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

# Memberships that the plain twin joins in half a second.
_WORTH_COMPILING = 400_000


def joined_sets(set_values: IdArray, set_offsets: IntArray) -> IdArray:
    """Return for each element the joined set it is in, named by its lowest set; -1 for none.

    The connected components of elements and sets, for ParaEval's paraphrase sets under transitive
    closure.

    Args:
        set_values: Sets of all elements, one element after the other.
        set_offsets: Element e is in ``set_values[set_offsets[e] : set_offsets[e + 1]]``.

    Example:
        >>> sets, offsets = np.array([0, 2, 2, 1], dtype=np.int32), np.array([0, 2, 3, 4, 4])
        >>> joined_sets(sets, offsets).tolist()
        [0, 0, 1, -1]
    """
    if compiled := compiled_twin(
        "phrases.joined_sets", work=set_values.size, threshold=_WORTH_COMPILING
    ):
        joined: IdArray = compiled.joined_sets(set_values, set_offsets)
        return joined
    return _plain_joined_sets(set_values, set_offsets)


def _plain_joined_sets(set_values: IdArray, set_offsets: IntArray) -> IdArray:
    neighbours: dict[int, set[int]] = {number: set() for number in set_values.tolist()}
    listed = set_values.tolist()
    rows = [listed[start:stop] for start, stop in pairwise(set_offsets.tolist())]
    for row in rows:
        for one, two in pairwise(row):
            neighbours[one].add(two)
            neighbours[two].add(one)
    names: dict[int, int] = {}
    for lowest in sorted(neighbours):
        reached = [] if lowest in names else [lowest]
        while reached:
            number = reached.pop()
            if number not in names:
                names[number] = lowest
                reached.extend(neighbours[number])
    return np.array([names[row[0]] if row else -1 for row in rows], dtype=np.int32)
