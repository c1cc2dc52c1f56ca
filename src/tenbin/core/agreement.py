"""Agreement of metrics with human judgment: measures as they declare themselves, and results."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tenbin.core.judgments import Level
from tenbin.core.rendering import Plottable, Renderable

Interval = tuple[float, float]


class JudgmentForm(StrEnum):
    """The form in which human judgments of one kind are known."""

    SEGMENT_SCORES = "segment scores"
    SYSTEM_SCORES = "system scores"
    PREFERENCES = "preferences"


class SamplingUnit(StrEnum):
    """The unit of bootstrap samples, and of folds in cross-validation."""

    SEGMENTS = "segments"
    DOCUMENTS = "documents"
    JUDGMENTS = "judgements"  # as the option spells it


class MetricTest(StrEnum):
    """A one-sided test of the difference between two metrics."""

    PERM_BOTH = "perm-both"
    WILLIAMS = "williams"
    BOOTSTRAP = "bootstrap"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureInfo:
    """What a measure of agreement declares about itself; more is always better agreement.

    Attributes:
        name: As users write it.
        summary: One line for a listing.
        level: Whether it compares systems or segments.
        needs: The human judgments it reads.
        counts: What its n counts.
        tests: The tests that can compare two metrics by it, the usual one first.
        calibrates_ties: Whether it looks for the difference of metric scores up to which two
            translations are tied.
        uses_darr: Whether its preferences are DARR, from a file or built from direct assessment.
        without_outliers: Whether it leaves out systems whose human scores are outliers.
        same_segments: Whether it reads only segments that were judged for all systems.
        is_pooled: Whether several language pairs are one sample, not a mean over pairs.
        mean_of: The measure whose mean over bootstrap samples this one is. Documents are drawn
            where they are known, and the human scores are the same in all samples.
    """

    name: str
    summary: str
    level: Level
    needs: JudgmentForm
    counts: str
    tests: tuple[MetricTest, ...] = (MetricTest.PERM_BOTH, MetricTest.BOOTSTRAP)
    calibrates_ties: bool = False
    uses_darr: bool = False
    without_outliers: bool = False
    same_segments: bool = False
    is_pooled: bool = False
    mean_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaRow:
    """How far one metric agrees with human judgment, by one measure, on one language pair.

    Attributes:
        test_set: Name of the test set; empty for files of the user's own.
        pair: Language pair.
        metric: Spec or alias of the metric, or the name of the file its scores come from.
        measure: Name of the measure.
        human: Kind of judgment; None where there is none that the measure could use.
        value: The measure; NaN where it is undefined.
        n: Sample size.
        counted: What ``n`` counts: systems, pairs of systems, translations, judgments.
        ci: 95 % percentile interval of bootstrap samples.
        ci_mean: Interval of the mean over the samples (ParaEval); shrinks with their number.
        rank: Significance cluster, from 1, where metrics were compared.
        is_winner: Whether no other metric is significantly better, where they were compared.
        signature: Of the metric, where Tenbin computed the scores.
        spec: Spec of the metric, where ``metric`` is an alias.
    """

    test_set: str
    pair: str
    metric: str
    measure: str
    human: str | None
    value: float
    n: int
    counted: str
    ci: Interval | None = None
    ci_mean: Interval | None = None
    rank: int | None = None
    is_winner: bool | None = None
    signature: str | None = None
    spec: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaComparison:
    """A test of two metrics: is the better one better by more than chance?

    Attributes:
        better: The metric with the higher value.
        worse: The other one.
        difference: Value of the better one less that of the other.
        p_value: One-sided.
        test: Name of the test.
        ci: 95 % percentile interval of the difference, where samples were drawn.
    """

    test_set: str
    pair: str
    measure: str
    human: str | None
    better: str
    worse: str
    difference: float
    p_value: float
    test: str
    ci: Interval | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaAverage:
    """A metric over several language pairs.

    Attributes:
        value: The mean over pairs; of a pooled measure the value over all pairs together. NaN as
            soon as one pair has no value.
        pairs: How many language pairs.
    """

    metric: str
    measure: str
    value: float
    pairs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedSystem:
    """A system or human translation in a ranking.

    Attributes:
        name: Its name.
        score: Score by the metric; higher is better.
        interval: 95 % interval of the score, where it is known.
        human_score: Human score, where it is known.
        is_human: Whether it is a human translation.
    """

    name: str
    score: float
    interval: Interval | None
    human_score: float | None
    is_human: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRanking:
    """The systems of one language pair as one metric scores them."""

    title: str
    systems: tuple[RankedSystem, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetaTable(Renderable, Plottable):
    """How far metrics agree with human judgment: values, comparisons, averages and notes.

    Attributes:
        rows: One per language pair, measure and metric.
        comparisons: Every two metrics, where they were compared.
        averages: Over language pairs, where there are several.
        notes: What was chosen, left out or missing.
        measures: The measures, by name.
        drawn: How bootstrap samples were drawn, for a caption.
        rankings: How each metric ranks systems, where that was asked for.
    """

    rows: tuple[MetaRow, ...]
    comparisons: tuple[MetaComparison, ...] = ()
    averages: tuple[MetaAverage, ...] = ()
    notes: tuple[str, ...] = ()
    measures: Mapping[str, MeasureInfo] = field(default_factory=dict)
    drawn: str = ""
    rankings: tuple[SystemRanking, ...] = ()

    def __getitem__(self, key: tuple[str, str, str]) -> float:
        """Return the value of ``table[pair, metric, measure]``; NaN where it is undefined."""
        for row in self.rows:
            if (row.pair, row.metric, row.measure) == key:
                return row.value
        known = ", ".join(dict.fromkeys(f"{r.pair} {r.metric} {r.measure}" for r in self.rows))
        raise KeyError(f"no value for {key!r}; there are: {known}")


@dataclass(frozen=True, slots=True)
class MeasureList(Renderable):
    """The measures that can be asked for."""

    measures: tuple[MeasureInfo, ...]
