"""Turns a test set into a batch: every distinct string once, items as positions."""

from collections.abc import Iterable, Sequence

import numpy as np

from tenbin.annotation.pipeline import annotate
from tenbin.core.arrays import Numbering, Ragged
from tenbin.core.batch import Annotation, Batch
from tenbin.core.metric import Metric
from tenbin.core.text import TestSet


def batch_for(metrics: Sequence[Metric], test_set: TestSet) -> Batch:
    """Return all systems of a test set as one batch with what some metrics read of it."""
    annotations = {annotation for metric in metrics for annotation in metric.needs.annotations}
    return build_batch(
        test_set,
        sorted(annotations),
        sources=any(metric.needs.source for metric in metrics),
        references=any(metric.needs.references for metric in metrics),
    )


def build_batch(
    test_set: TestSet,
    annotations: Iterable[Annotation],
    *,
    sources: bool = True,
    references: bool = True,
) -> Batch:
    """Return all systems of a test set as one batch, system after system.

    Args:
        test_set: The texts.
        annotations: The columns to make.
        sources: Whether source texts, where given, go into the pool and so are annotated too.
        references: The same of references.
    """
    pool = Numbering()
    alternatives = pool.rows(test_set.references if references else [()] * test_set.segment_count)
    hypotheses = [pool.numbers(texts) for texts in test_set.hypotheses.values()]
    given = test_set.source if sources else None
    source_rows = None if given is None else pool.numbers(given)
    repeats = len(hypotheses)
    strings = tuple(pool)
    lengths = np.tile(alternatives.lengths, repeats)
    return Batch(
        strings=strings,
        hypotheses=np.concatenate(hypotheses),
        references=Ragged(
            np.tile(alternatives.values, repeats), np.concatenate([[0], np.cumsum(lengths)])
        ),
        segments=np.tile(np.arange(test_set.segment_count), repeats),
        sources=None if source_rows is None else np.tile(source_rows, repeats),
        systems=np.repeat(np.arange(repeats), test_set.segment_count),
        columns=annotate(strings, annotations),
    )
