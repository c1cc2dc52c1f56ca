"""Scores pairs of texts, every distinct pair once and every distinct text annotated once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tenbin.annotation.pipeline import annotate
from tenbin.core.arrays import FloatArray, IntArray, Numbering, Ragged
from tenbin.core.batch import Batch
from tenbin.core.metric import Metric
from tenbin.core.shared_statistics import shared_statistics


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedTexts:
    """The texts of one segment that are compared with each other.

    Attributes:
        hypotheses: Distinct hypotheses.
        references: Distinct references, one or more; every hypothesis is compared with each.
        source: The source, for metrics that read it.
    """

    hypotheses: tuple[str, ...]
    references: tuple[str, ...]
    source: str | None = None

    @property
    def size(self) -> int:
        """The number of pairs."""
        return len(self.hypotheses) * len(self.references)


def matrix_scores(metric: Metric, segments: Sequence[ComparedTexts]) -> list[FloatArray]:
    """Return the score of every hypothesis against every reference, a matrix for each segment.

    Pairs that several segments share (with the same source, if the metric reads it) are scored
    once.

    Args:
        metric: The metric, bound to the language.
        segments: The texts; they become one batch.
    """
    rows, places = matrix_statistics(metric, segments)
    scores = metric.segment_score(rows)[places]
    bounds = np.cumsum([segment.size for segment in segments])[:-1]
    shapes = [(len(one.hypotheses), -1) for one in segments]
    return [
        part.reshape(shape) for part, shape in zip(np.split(scores, bounds), shapes, strict=True)
    ]


def matrix_statistics(
    metric: Metric, segments: Sequence[ComparedTexts]
) -> tuple[FloatArray, IntArray]:
    """Return the statistics of all distinct pairs, and the place of each pair among them.

    Pairs are listed segment after segment, hypothesis after hypothesis.
    """
    pool = Numbering()
    left, right, sources, numbers = [], [], [], []
    for number, segment in enumerate(segments):
        own = pool.numbers(segment.hypotheses)
        other = pool.numbers(segment.references)
        left.append(np.repeat(own, len(other)))
        right.append(np.tile(other, len(own)))
        source = -1 if segment.source is None else int(pool.numbers([segment.source])[0])
        sources.append(np.full(segment.size, source))
        numbers.append(np.full(segment.size, number))
    table = np.stack([np.concatenate(part) for part in (left, right, sources)], axis=1)
    first, places = _distinct_rows(table, len(pool))
    chosen = table[first]
    strings = tuple(pool)
    batch = Batch(
        strings=strings,
        hypotheses=chosen[:, 0],
        references=Ragged(chosen[:, 1].astype(np.int32), np.arange(len(chosen) + 1)),
        segments=np.concatenate(numbers)[first],
        sources=chosen[:, 2] if chosen[0, 2] >= 0 else None,
        columns=annotate(strings, sorted(metric.needs.annotations)),
    )
    return shared_statistics(metric, batch), places


def _distinct_rows(table: IntArray, strings: int) -> tuple[IntArray, IntArray]:
    """Return where each distinct row stands first, and for every row the number of its own."""
    base = strings + 1  # a source that is not there is -1
    if base**3 >= 2**62:
        _, first, places = np.unique(table, axis=0, return_index=True, return_inverse=True)
    else:
        keys = (table[:, 0] * base + table[:, 1]) * base + table[:, 2] + 1
        _, first, places = np.unique(keys, return_index=True, return_inverse=True)
    return first.astype(np.int64), places.reshape(-1).astype(np.int64)
