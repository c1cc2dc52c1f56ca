"""Phrase pairs that agree with the links between the words of two segments.

Och and Ney (2004), "The Alignment Template Approach to Statistical Machine Translation", section 3.
"""

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

# Words of the target language that the plain twin takes half a second for.
_WORTH_COMPILING = 5_000


def consistent_phrases(
    links: tuple[IdArray, IdArray, IntArray],
    lengths: tuple[IntArray, IntArray],
    longest: int,
) -> IdArray:
    """Return every pair of spans with a link inside and none from the inside to the outside.

    Words without a link at the edges of a span may belong to it or not: both pairs are returned.

    Args:
        links: Pivot positions, target positions, and where the links of each segment begin and
            end. Positions are inside the segment.
        lengths: Words of each segment in the pivot and in the target language.
        longest: Most words of a span, on either side.

    Returns:
        Shape (5, pairs): segment, first target word, end of the target span (behind its last word),
        first pivot word, end of the pivot span; in this order ascending.

    Example:
        ``a b`` and ``x y`` with the links a-x, b-y.

        >>> positions = np.array([0, 1], dtype=np.int32)
        >>> consistent_phrases(
        ...     (positions, positions, np.array([0, 2])), (np.array([2]), np.array([2])), 7
        ... )[1:].T.tolist()
        [[0, 1, 0, 1], [0, 2, 0, 2], [1, 2, 1, 2]]
    """
    work = int(lengths[1].sum())
    compiled = compiled_twin("phrases.consistent", work=work, threshold=_WORTH_COMPILING)
    if compiled is None:
        return _plain_consistent_phrases(links, lengths, longest)
    spans: IdArray = compiled.consistent_phrases(*links, *lengths, longest)
    return spans


def _plain_consistent_phrases(
    links: tuple[IdArray, IdArray, IntArray],
    lengths: tuple[IntArray, IntArray],
    longest: int,
) -> IdArray:
    found: list[tuple[int, int, int, int, int]] = []
    for segment in range(len(lengths[0])):
        bounds = slice(links[2][segment], links[2][segment + 1])
        pairs = list(zip(links[0][bounds].tolist(), links[1][bounds].tolist(), strict=True))
        sizes = int(lengths[0][segment]), int(lengths[1][segment])
        for start, end in _spans(sizes[1], longest):
            inside = [f for f, e in pairs if start <= e < end]
            if not inside:
                continue
            low, high = min(inside), max(inside)
            if any(low <= f <= high and not start <= e < end for f, e in pairs):
                continue
            # Wider pivot spans agree as well, as long as they take in no word with a link.
            taken = {f for f, _ in pairs if not low <= f <= high}
            found += [
                (segment, start, end, first, last)
                for first, last in _spans(sizes[0], longest)
                if first <= low and high < last and not taken & set(range(first, last))
            ]
    return np.array(found, dtype=np.int32).reshape(-1, 5).T.copy()


def _spans(size: int, longest: int) -> list[tuple[int, int]]:
    return [
        (start, end)
        for start in range(size)
        for end in range(start + 1, min(start + longest, size) + 1)
    ]
