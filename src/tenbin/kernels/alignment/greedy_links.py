"""Links between words taken greedily from left to right, for MEE.

Mukherjee, Ala, Shrivastava and Sharma (2020), "MEE: An Automatic Metric for Evaluation Using
Embeddings for Machine Translation".
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tenbin.kernels.arrays import Float32Array, IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin
from tenbin.kernels.similarity.blocks import BoolArray

# Entries of all blocks; the plain twin looks at about ten million a second.
_WORTH_COMPILING = 5_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GreedyLinks:
    """Links of a batch of pairs, by the words of the left rows of the pairs, one after the other.

    Attributes:
        counts: Shape (pairs, 3): links between equal words, near ones, less near ones.
        equal: Position in the right row of the equal word that a left word is linked to, or -1.
        near: Position in the right row of the near or less near word, or -1.
        same_root: Whether that word is a near one.
    """

    counts: IntArray
    equal: IdArray
    near: IdArray
    same_root: BoolArray


def greedy_links(  # noqa: PLR0913 - every option has a name
    blocks: Float32Array,
    starts: IntArray,
    values: IdArray,
    offsets: IntArray,
    left: IntArray,
    right: IntArray,
    *,
    root: float = 0.5,
    synonym: float = 0.4,
    every: bool = False,
) -> GreedyLinks:
    """Return the links of each pair, made in two rounds; no right word is linked twice.

    1. Each left word in turn is linked to the first equal right word that is left.
    2. Each left word in turn without a link, or in any case if ``every`` is true, is linked to the
       first right word that is left and whose similarity is at least ``root`` (a near word: in MEE
       one of the same root) or at least ``synonym`` (a less near one). It is the first such word,
       not the most similar.

    Words without a vector are linked in the first round only if their similarity, even to
    themselves, is 0: see ``equal_unknown`` of `tenbin.kernels.similarity.blocks`.

    Args:
        blocks: Similarities of all pairs, row-major, one block after the other.
        starts: Where the block of each pair starts, and the end of the last.
        values: Ids of all rows, one row after the other; equal ids mean equal words.
        offsets: Row r is ``values[offsets[r] : offsets[r + 1]]``.
        left: Row of the hypothesis, per pair.
        right: Row of the reference, per pair.
        root: Least similarity of near words.
        synonym: Least similarity of less near words.
        every: Whether a left word may be linked in both rounds, as in the released script of MEE.

    Example:
        >>> block = np.array([1, 0, 0.8, 0, 0.45, 0.9], dtype=np.float32)
        >>> words, bounds = np.array([4, 5, 4, 6, 7], dtype=np.int32), np.array([0, 2, 5])
        >>> links = greedy_links(
        ...     block, np.array([0, 6]), words, bounds, np.array([0]), np.array([1])
        ... )
        >>> links.counts, links.equal, links.near
        (array([[1, 0, 1]]), array([ 0, -1], dtype=int32), array([-1,  1], dtype=int32))
    """
    compiled = compiled_twin("alignment.greedy_links", work=blocks.size, threshold=_WORTH_COMPILING)
    twin = plain_greedy_links if compiled is None else compiled.greedy_links
    counts, equal, near, same_root = twin(
        blocks, starts, values, offsets, left, right, (root, synonym), every
    )
    return GreedyLinks(counts=counts, equal=equal, near=near, same_root=same_root)


def plain_greedy_links(
    blocks: Float32Array,
    starts: IntArray,
    values: IdArray,
    offsets: IntArray,
    left: IntArray,
    right: IntArray,
    least: tuple[float, float],
    every: bool,  # noqa: FBT001 - as in the compiled twin
) -> tuple[IntArray, IdArray, IdArray, BoolArray]:
    """Return what `greedy_links` returns, striking linked words off a list."""
    counts = np.zeros((len(left), 3), dtype=np.int64)
    equal: list[int] = []
    near: list[int] = []
    same_root: list[bool] = []
    root, synonym = least
    for pair, (one, other) in enumerate(zip(left, right, strict=True)):
        here = values[offsets[one] : offsets[one + 1]].tolist()
        there = values[offsets[other] : offsets[other + 1]].tolist()
        block = blocks[starts[pair] : starts[pair + 1]].reshape(len(here), len(there)).tolist()
        remaining = list(range(len(there)))
        links = [_taken(remaining, (there[j] == word for j in remaining)) for word in here]
        others = [-1] * len(here)
        for i, row in enumerate(block):
            if every or links[i] < 0:
                others[i] = _taken(remaining, (row[j] >= min(root, synonym) for j in remaining))
        roots = [j >= 0 and row[j] >= root for row, j in zip(block, others, strict=True)]
        found = len(here) - others.count(-1)
        counts[pair] = len(here) - links.count(-1), sum(roots), found - sum(roots)
        equal += links
        near += others
        same_root += roots
    return (
        counts,
        np.array(equal, dtype=np.int32),
        np.array(near, dtype=np.int32),
        np.array(same_root, dtype=np.bool_),
    )


def _taken(remaining: list[int], wanted: Iterable[bool]) -> int:
    """Return the first wanted position and strike it off, or return -1."""
    place = next((place for place, good in enumerate(wanted) if good), None)
    return -1 if place is None else remaining.pop(place)
