"""Refuses segments that are too long for a metric, before they cost time and memory."""

from collections.abc import Iterator, Sequence

from tenbin.core.batch import Batch
from tenbin.core.errors import SegmentTooLong
from tenbin.core.limits import LengthLimit, SegmentUnit
from tenbin.core.metric import Metric
from tenbin.core.shared_statistics import with_members
from tenbin.core.text import TestSet


def check_lengths(test_set: TestSet, metrics: Sequence[Metric]) -> None:
    """Raise `SegmentTooLong` for what shows before any text is tokenized."""
    longest = max((len(text) for text in _all_texts(test_set)), default=0)
    for metric in with_members(metrics):
        limit = metric.info.longest
        if limit is None or not limit.is_within_reach(longest):
            continue
        for text, place in _texts(test_set, metric):
            for counted in (limit, limit.characters):
                length = counted.least_length(text)
                if length > counted.most:
                    raise _too_long(test_set, place, length, counted, metric)
        if limit.unit is SegmentUnit.SUBWORDS:
            _check_subwords(test_set, metric, limit)


def check_batch_lengths(test_set: TestSet, batch: Batch, metric: Metric) -> None:
    """Raise `SegmentTooLong` if a string of a batch is too long, now that it is tokenized."""
    overlong = getattr(metric, "overlong", None)
    found = None if overlong is None else overlong(batch)
    if found is None:
        return
    text = batch.strings[found.string]
    place = next(place for other, place in _texts(test_set, metric) if other == text)
    raise _too_long(test_set, place, found.length, found.limit, metric)


def _check_subwords(test_set: TestSet, metric: Metric, limit: LengthLimit) -> None:
    """Raise if a text has too many subwords; only long texts are split for that."""
    counts_of = getattr(metric, "subword_counts", None)
    long = [
        (text, place)
        for text, place in _texts(test_set, metric)
        if limit.is_within_reach(len(text))
    ]
    if counts_of is None or not long:
        return
    for (_, place), count in zip(long, counts_of([text for text, _ in long]), strict=True):
        if count > limit.most:
            raise _too_long(test_set, place, count, limit, metric)


def _all_texts(test_set: TestSet) -> Iterator[str]:
    for texts in (*test_set.hypotheses.values(), *test_set.references, test_set.source or ()):
        yield from texts


def _texts(test_set: TestSet, metric: Metric) -> Iterator[tuple[str, tuple[str, int, int]]]:
    """Yield the texts that a metric reads, each with its place for `TestSet.place`."""
    for name, texts in test_set.hypotheses.items():
        for segment, text in enumerate(texts):
            yield text, (f"system {name!r}", segment, 0)
    if metric.needs.references:
        for segment, texts in enumerate(test_set.references):
            for number, text in enumerate(texts):
                yield text, ("reference", segment, number)
    if metric.needs.source and test_set.source is not None:
        for segment, text in enumerate(test_set.source):
            yield text, ("source", segment, 0)


def _too_long(
    test_set: TestSet,
    place: tuple[str, int, int],
    length: int,
    limit: LengthLimit,
    metric: Metric,
) -> SegmentTooLong:
    return SegmentTooLong(test_set.place(*place), length, limit, metric.info.title)
