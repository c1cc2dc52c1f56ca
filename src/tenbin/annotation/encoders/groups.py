"""Texts of equal length together, in groups of a size that the length alone decides."""

from collections.abc import Iterator, Sequence


def equal_groups(lengths: Sequence[int], pieces: int) -> Iterator[list[int]]:
    """Yield places of texts of one length, as many as hold about so many pieces together.

    No text is padded to the length of another, which would move the last digits of its vectors. And
    every group of a length has the same size, places repeated at the end where too few are left: a
    matrix product may add up in another order when its shape is another, and then a text would have
    other vectors in other company.

    Longest texts come first: what needs too much memory shows at once.

    Args:
        lengths: Pieces of each text, at least 1.
        pieces: Pieces of a group.

    >>> list(equal_groups([2, 3, 2, 2], 4))
    [[1, 1], [0, 2], [3, 3]]
    """
    places: dict[int, list[int]] = {}
    for place, length in enumerate(lengths):
        places.setdefault(length, []).append(place)
    for length in sorted(places, reverse=True):
        size = max(-(-pieces // length), 1)
        found = places[length]
        for start in range(0, len(found), size):
            some = found[start : start + size]
            yield [*some, *[some[-1]] * (size - len(some))]
