"""The experiments of papers that can be run again, and the results of those on ParaEval."""

from dataclasses import dataclass
from enum import StrEnum

from tenbin.core.agreement import Interval
from tenbin.core.rendering import Renderable


class Study(StrEnum):
    """The experiments: five on ParaEval, two on METEOR with vectors, one on WE_WPI-Attention."""

    RANKING = "ranking"
    REFERENCES = "references"
    LENGTHS = "lengths"
    HUMANS = "humans"
    DECOMPOSITION = "decomposition"
    VECTORS = "vectors"
    LEXICONS = "lexicons"
    ATTENTION = "attention"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A difference, and its 95 % percentile interval over the same bootstrap samples."""

    value: float
    ci: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Shares of the words of all translations: matched in phrases, and matched alone."""

    phrases: float
    words: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationRow:
    """How a metric ranks systems, compared with the human ranking.

    Attributes:
        test_set: Name of the test set.
        pair: Language pair.
        human: Kind of judgment.
        references: Names of the references.
        metric: What the metric is called.
        min_length: Least number of words of a paraphrase, where that is varied; 0 for none at all.
        value: Mean of Spearman's rho over bootstrap samples.
        ci: 95 % of the samples lie in it.
        ci_mean: Interval of that mean by Student's t, as the paper gives it; shrinks with the
            number of samples.
        undefined: Samples without a rho, left out.
        whole: Rho on all segments.
        systems: How many systems were ranked.
        unit: What was drawn.
        units: Of how many of them.
        difference: From what the rows are compared with.
        shares: How words were matched, where that was counted.
        signature: Of the metric.
    """

    test_set: str
    pair: str
    human: str
    references: tuple[str, ...]
    metric: str
    min_length: int | None
    value: float
    ci: Interval
    ci_mean: Interval
    undefined: int
    whole: float
    systems: int
    unit: str
    units: int
    difference: Difference | None
    shares: Shares | None
    signature: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """How far a human translation is above the machines.

    Attributes:
        best: The best machine.
        gap: Score less that of the best machine; the interval takes the best one of each sample.
        above: Share of bootstrap samples in which it is above all machines.
        below: How many machines are below it.
        machines: How many there are.
    """

    best: str
    gap: Difference
    above: float
    below: int
    machines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslationRow:
    """The score of a machine, or of a reference, against the other references.

    Attributes:
        test_set: Name of the test set.
        pair: Language pair.
        metric: What the metric is called.
        against: Names of the references in use.
        translation: Name of the system, or of the reference that was taken out.
        is_human: Whether it is that reference.
        score: Score of the whole text.
        ci: 95 % percentile interval.
        mean_ci: Interval of the mean over bootstrap samples by Student's t.
        decimals: Digits that a table shows.
        rank: Place among all that were scored against the same references, from 1.
        translations: How many these are.
        unit: What was drawn.
        units: Of how many of them.
        human: Kind of judgment, where there is one.
        human_score: The human score.
        lead: How a reference compares with the machines.
        signature: Of the metric.
    """

    test_set: str
    pair: str
    metric: str
    against: tuple[str, ...]
    translation: str
    is_human: bool
    score: float
    ci: Interval
    mean_ci: Interval
    decimals: int
    rank: int
    translations: int
    unit: str
    units: int
    human: str | None
    human_score: float | None
    lead: Lead | None
    signature: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CorrelationTable(Renderable):
    """Correlations of metrics with the human ranking of systems.

    Attributes:
        study: The experiment.
        rows: The values.
        notes: What was chosen, left out or missing.
        resamples: How many bootstrap samples were drawn.
        seed: Their seed.
    """

    study: Study
    rows: tuple[CorrelationRow, ...]
    notes: tuple[str, ...]
    resamples: int
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TranslationTable(Renderable):
    """Scores of systems, and of references against each other.

    Attributes:
        rows: The values.
        notes: What was chosen, left out or missing.
        resamples: How many bootstrap samples were drawn.
        seed: Their seed.
    """

    rows: tuple[TranslationRow, ...]
    notes: tuple[str, ...]
    resamples: int
    seed: int

    @property
    def study(self) -> Study:
        """The experiment."""
        return Study.HUMANS
