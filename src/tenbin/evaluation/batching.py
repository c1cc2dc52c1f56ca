"""Turns a test set into a batch: every distinct string once, items as positions."""

from collections.abc import Iterable

import numpy as np

from tenbin.annotation.pipeline import annotate
from tenbin.core.arrays import Ragged
from tenbin.core.batch import Annotation, Batch
from tenbin.core.text import TestSet


def build_batch(test_set: TestSet, annotations: Iterable[Annotation]) -> Batch:
    """Return all systems of a test set as one batch, system after system."""
    pool: dict[str, int] = {}

    def positions(texts: Iterable[str]) -> list[int]:
        return [pool.setdefault(text, len(pool)) for text in texts]

    references = Ragged.from_rows(positions(texts) for texts in test_set.references)
    hypotheses = [positions(texts) for texts in test_set.hypotheses.values()]
    sources = None if test_set.source is None else np.array(positions(test_set.source))
    repeats = len(hypotheses)
    strings = tuple(pool)
    lengths = np.tile(references.lengths, repeats)
    return Batch(
        strings=strings,
        hypotheses=np.concatenate([np.array(row, dtype=np.int64) for row in hypotheses]),
        references=Ragged(
            np.tile(references.values, repeats), np.concatenate([[0], np.cumsum(lengths)])
        ),
        segments=np.tile(np.arange(test_set.segment_count), repeats),
        sources=None if sources is None else np.tile(sources, repeats),
        columns=annotate(strings, annotations),
    )
