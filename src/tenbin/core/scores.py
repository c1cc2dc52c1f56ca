"""Scores as values: the results of scoring and of comparing systems."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.difference_curve import DifferenceCurve, Estimate
from tenbin.core.rendering import Plottable, Renderable
from tenbin.core.segment_differences import SegmentDifferences
from tenbin.core.signature import Signature
from tenbin.core.spec import Spec
from tenbin.core.text import TestSet
from tenbin.core.worst_segments import WorstSegments

_SMALL, _FEW_DECIMALS, _MANY_DECIMALS = 2.0, 2, 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetricScores:
    """The scores of one metric: systems x segments, with names and signature. Missing is NaN.

    Attributes:
        metric: The spec as the user wrote it.
        title: The name a table prints.
        signature: What the scores mean.
        higher_is_better: The direction of the scores.
        decimals: How many decimals a table prints.
        systems: Names of the systems.
        scores: Corpus scores, shape (systems,).
        segments: Segment scores, shape (systems, segments), where asked for.
        intervals: Confidence intervals, shape (systems, 2), where asked for.
        alias: What the user calls the metric; empty for nothing of their own.
        imported: Whether another program computed the scores; ``metric`` is then their name.
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
    alias: str = ""
    imported: bool = False

    @property
    def label(self) -> str:
        """What columns of data are called: the alias, or the spec."""
        return self.alias or self.metric

    def is_called(self, text: str) -> bool:
        """Return whether a spec, with or without alias, or an alias alone means this metric."""
        return (bool(text) and text == self.alias) or str(Spec.parse(text)) == self.metric


def shown_decimals(scores: Sequence[float]) -> int:
    """Return how many decimals tables print of corpus scores of another program.

    >>> shown_decimals([34.5, 0.3]), shown_decimals([0.345])
    (2, 4)
    """
    return _MANY_DECIMALS if all(abs(score) <= _SMALL for score in scores) else _FEW_DECIMALS


def scores_called(results: Sequence[MetricScores], text: str) -> MetricScores | None:
    """Return the scores of the metric that an alias or a spec means; aliases come first."""
    aliased = [one for one in results if one.alias == text]
    return next(iter(aliased or [one for one in results if one.is_called(text)]), None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreTable(Renderable, Plottable):
    """Scores of systems (rows) by metrics (columns) on one test set.

    Attributes:
        language: The target language.
        segment_count: How many segments were scored.
        systems: Names of the systems.
        results: The scores of each metric.
        notes: What a reader of the scores should know.
        worst: The segments with the worst scores, with texts, where asked for.
        texts: What was scored, where it is to be written with the scores.
    """

    language: str
    segment_count: int
    systems: tuple[str, ...]
    results: tuple[MetricScores, ...]
    notes: tuple[str, ...] = ()
    worst: WorstSegments | None = None
    texts: TestSet | None = None

    def __getitem__(self, key: tuple[str, str]) -> float:
        """Return the corpus score of ``table[system, metric]``; an alias will do."""
        match key:
            case (system, metric):
                scores = scores_called(self.results, metric)
                if scores is not None and system in scores.systems:
                    return float(scores.scores[scores.systems.index(system)])
        systems = ", ".join(self.systems)
        metrics = ", ".join(scores.label for scores in self.results)
        raise KeyError(
            f"no score for {key!r}; give [system, metric] of systems: {systems}; metrics: {metrics}"
        )

    def without_segments(self) -> "ScoreTable":
        """Return the table without segment scores."""
        return replace(
            self, results=tuple(replace(scores, segments=None) for scores in self.results)
        )

    def with_decimals(self, decimals: int) -> "ScoreTable":
        """Return the table with another number of decimals to print."""
        return replace(
            self, results=tuple(replace(scores, decimals=decimals) for scores in self.results)
        )

    @property
    def score_set(self) -> "ScoreTable":
        """The table itself, for code that reads its arrays by this older name."""
        return self


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetricComparison:
    """How sure one metric is about the order of systems.

    Attributes:
        scores: The scores that are compared.
        differences: score of a minus score of b, shape (systems, systems).
        p_values: Two-sided, shape (systems, systems), NaN where a pair was not tested.
        adjusted: The same after Holm's correction over the tested pairs of this metric.
        ranks: Significance cluster of each system, 1 is best; None with a baseline alone.
        curve: How often people agree with such differences; None where that is not known for the
            metric with these settings.
    """

    scores: MetricScores
    differences: FloatArray
    p_values: FloatArray
    adjusted: FloatArray
    ranks: IntArray | None
    curve: DifferenceCurve | None = None

    def share(self, a: int, b: int) -> Estimate | None:
        """Return the share of system pairs with the difference of two that people order alike."""
        return None if self.curve is None else self.curve.share(float(self.differences[a, b]))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison(Renderable, Plottable):
    """Systems compared with each other, or with a baseline, by many metrics.

    Attributes:
        scores: The scores of all systems.
        metrics: The differences, one metric after the other.
        test: The test of significance: ``ar`` or ``bootstrap``.
        rounds: Its random rounds.
        seed: The seed of its random numbers.
        unit: What was drawn: ``segments`` or ``documents``.
        baseline: The system that the others were compared with; None for all pairs.
        curve_source: What the system pairs are called that the curves were fitted on.
        differences: The segments on which systems differ most, with texts, where asked for.
        resamples: Resamples of the confidence intervals of the scores; 0 for none.
    """

    scores: ScoreTable
    metrics: tuple[MetricComparison, ...]
    test: str
    rounds: int
    seed: int
    unit: str
    baseline: str | None
    curve_source: str = ""
    differences: SegmentDifferences | None = None
    resamples: int = 0

    def without_segments(self) -> "Comparison":
        """Return the comparison without segment scores."""
        parts = tuple(
            replace(part, scores=replace(part.scores, segments=None)) for part in self.metrics
        )
        return replace(self, scores=self.scores.without_segments(), metrics=parts)

    def without_intervals(self) -> "Comparison":
        """Return the comparison without the confidence intervals of its scores."""
        results = tuple(replace(scores, intervals=None) for scores in self.scores.results)
        parts = tuple(
            replace(part, scores=replace(part.scores, intervals=None)) for part in self.metrics
        )
        return replace(self, scores=replace(self.scores, results=results), metrics=parts)

    def with_decimals(self, decimals: int) -> "Comparison":
        """Return the comparison with another number of decimals to print."""
        parts = tuple(
            replace(part, scores=replace(part.scores, decimals=decimals)) for part in self.metrics
        )
        return replace(self, scores=self.scores.with_decimals(decimals), metrics=parts)

    @property
    def score_set(self) -> ScoreTable:
        """The scores, for code that reads them by this older name."""
        return self.scores

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the scores should know."""
        return self.scores.notes

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The positions of the two systems of each tested pair."""
        return tested_pairs(self.scores.systems, self.baseline)


def tested_pairs(systems: Sequence[str], baseline: str | None) -> list[tuple[int, int]]:
    """Return the positions of each tested pair: all pairs, or the baseline with each other one."""
    count = len(systems)
    if baseline is not None:
        base = list(systems).index(baseline)
        return [(base, other) for other in range(count) if other != base]
    return [(a, b) for a in range(count) for b in range(a + 1, count)]
