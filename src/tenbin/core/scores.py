"""Scores as values: what evaluation hands to reports and to meta-evaluation."""

from dataclasses import dataclass

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.signature import Signature


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetricScores:
    """The scores of one metric: systems x segments, with names and signature. Missing is NaN.

    Attributes:
        metric: The spec as the user wrote it.
        title: The name a table prints.
        scores: Corpus scores, shape (systems,).
        segments: Segment scores, shape (systems, segments), where asked for.
        intervals: Confidence intervals, shape (systems, 2), where asked for.
    """

    metric: str
    title: str
    signature: Signature
    higher_is_better: bool
    decimals: int
    systems: tuple[str, ...]
    scores: FloatArray
    segments: FloatArray | None = None
    intervals: FloatArray | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreSet:
    """The scores of many metrics over one test set."""

    language: str
    segment_count: int
    systems: tuple[str, ...]
    results: tuple[MetricScores, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetricComparison:
    """How sure one metric is about the order of systems.

    Attributes:
        differences: score of a minus score of b, shape (systems, systems).
        p_values: Two-sided, shape (systems, systems), NaN where a pair was not tested.
        adjusted: The same after Holm's correction over the tested pairs of this metric.
        ranks: Significance cluster of each system, 1 is best; None with a baseline alone.
    """

    scores: MetricScores
    differences: FloatArray
    p_values: FloatArray
    adjusted: FloatArray
    ranks: IntArray | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison:
    """Systems compared with each other, or with a baseline, by many metrics."""

    score_set: ScoreSet
    metrics: tuple[MetricComparison, ...]
    test: str
    rounds: int
    seed: int
    unit: str
    baseline: str | None
