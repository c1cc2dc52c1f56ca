"""Compares candidates with the mean of their references: linear time instead of quadratic.

DeNero, Chiang and Knight (2009), Fast Consensus Decoding over Translation Forests, ACL: expected
counts of n-grams stand for the references. Vamvas and Sennrich (2024), Linear-time Minimum Bayes
Risk Decoding with Reference Aggregation, ACL: the same for lists of samples and other metrics.
"""

from collections.abc import Sequence

import numpy as np

from tenbin.annotation.pipeline import annotate
from tenbin.choosing.pairs import ComparedTexts
from tenbin.core.arrays import FloatArray, IntArray, Numbering, Ragged
from tenbin.core.batch import Batch
from tenbin.core.mean_references import MeanReferences
from tenbin.core.metric import AggregatingMetric


def aggregated_scores(
    metric: AggregatingMetric,
    segments: Sequence[ComparedTexts],
    counts: Sequence[IntArray],
    *,
    leaves_out: bool,
) -> list[FloatArray]:
    """Return the score of each distinct candidate against the mean of its references.

    Args:
        metric: The metric, bound to the language.
        segments: The distinct texts of each segment.
        counts: How often each distinct reference is in the pool, an array per segment.
        leaves_out: Whether a candidate is taken out of the mean that it is compared with.
    """
    pool = Numbering()
    hypotheses = [pool.numbers(segment.hypotheses) for segment in segments]
    references = pool.rows(segment.references for segment in segments)
    strings = tuple(pool)
    items = [len(own) for own in hypotheses]
    numbers = np.repeat(np.arange(len(segments)), items)
    batch = Batch(
        strings=strings,
        hypotheses=np.concatenate(hypotheses),
        references=Ragged(np.empty(0, dtype=np.int32), np.zeros(len(numbers) + 1, dtype=np.int64)),
        segments=numbers,
        columns=annotate(strings, sorted(metric.needs.annotations)),
    )
    means = MeanReferences(
        texts=references,
        counts=np.concatenate(counts).astype(np.float64),
        groups=numbers,
        left_out=np.full(len(numbers), float(leaves_out)),
    )
    scores = metric.segment_score(metric.aggregated_statistics(batch, means))
    scores = np.where(means.divisors > 0, scores, np.nan)
    return np.split(scores, np.cumsum(items)[:-1])
