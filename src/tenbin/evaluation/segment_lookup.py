"""Finds single segments of a test set by their numbers."""

from collections.abc import Iterable, Iterator

from tenbin.core.segment_texts import SegmentTexts
from tenbin.core.text import SegmentSource, TestSet

# Segments read at a time while looking for those that are asked for.
CHUNK = 2_000


def single_segments(source: SegmentSource, numbers: Iterable[int]) -> dict[int, TestSet]:
    """Return a test set of one segment for each number, reading no further than the last.

    Args:
        source: The texts.
        numbers: Numbers of segments, counted from 1.
    """
    return dict(_found(source, set(numbers)))


def texts_of(single: TestSet, number: int) -> SegmentTexts:
    """Return the texts of a test set of one segment.

    Args:
        single: The segment.
        number: Its number in the whole test set.
    """
    return SegmentTexts(
        number=number,
        document=None if single.documents is None else single.documents[0],
        source=None if single.source is None else single.source[0],
        references=single.references[0],
    )


def _found(source: SegmentSource, numbers: set[int]) -> Iterator[tuple[int, TestSet]]:
    last = max(numbers, default=0)
    start = 0
    for chunk in source.chunks(CHUNK) if numbers else ():
        here = range(start + 1, start + chunk.segment_count + 1)
        for number in sorted(numbers.intersection(here)):
            yield number, chunk.part(number - 1 - start, number - start)
        start = here.stop - 1
        if start >= last:
            return
