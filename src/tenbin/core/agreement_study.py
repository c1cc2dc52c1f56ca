"""Agreement with human judgment, set beside the tables of a paper: the results."""

from dataclasses import dataclass
from enum import StrEnum

from tenbin.core.agreement import Interval
from tenbin.core.rendering import Renderable
from tenbin.core.study import Difference, Study

MEAN = "mean"
"""What stands in place of a language pair where a row is a mean over pairs."""


class ScoreOrigin(StrEnum):
    """Where the scores behind a value come from; a value of the paper alone has no scores here."""

    COMPUTED = "computed"
    IMPORTED = "imported"
    PUBLISHED = "published"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementRow:
    """How far one metric agrees with human judgment, and what the paper prints for it.

    Attributes:
        test_set: Name of the test set; empty for a mean.
        pair: Language pair; `MEAN` for a mean over them.
        measure: Name of the measure.
        human: Kind of judgment; empty where nothing was measured.
        metric: What the row is called.
        setting: How its threshold was chosen: a number, ``cross-validated``; empty without one.
        origin: Where the scores come from.
        value: The measure; NaN where only the paper has a value.
        ci: 95 % percentile interval of bootstrap samples.
        difference: From the baseline of the study, on the same samples.
        thresholds: The threshold in use; one for each fold where they were chosen on folds.
        published: What the paper prints.
        published_threshold: The threshold behind that.
        n: Sample size.
        counted: What ``n`` counts.
        signature: Of the metric, where Tenbin computed the scores.
    """

    test_set: str
    pair: str
    measure: str
    human: str
    metric: str
    setting: str
    origin: ScoreOrigin
    value: float
    ci: Interval
    difference: Difference | None
    thresholds: tuple[float, ...]
    published: float | None
    published_threshold: float | None
    n: int
    counted: str
    signature: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingRow:
    """A row of the paper that could not be computed, and why.

    Attributes:
        metric: What the row is called.
        where: Test set and language pair; empty where it is missing everywhere.
        reason: A sentence without its capital.
    """

    metric: str
    where: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemScore:
    """The score of one system by one metric, and what the paper prints, both as percentages.

    Attributes:
        test_set: Name of the test set.
        pair: Language pair.
        system: Name of the system.
        metric: What the row is called.
        value: The score.
        published: What the paper prints.
    """

    test_set: str
    pair: str
    system: str
    metric: str
    value: float
    published: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AgreementStudy(Renderable):
    """An experiment on agreement with human judgment.

    Attributes:
        study: The experiment.
        paper: The paper and its tables.
        baseline: What differences are from.
        rows: The values on each language pair.
        averages: Their means over language pairs.
        scores: Scores of systems, where the paper prints some.
        missing: Rows that could not be computed.
        notes: What was chosen, left out or missing.
        resamples: How many bootstrap samples were drawn.
        unit: What they drew.
        folds: How many folds thresholds were chosen on; 0 for none.
        seed: Seed of samples and folds.
    """

    study: Study
    paper: str
    baseline: str
    rows: tuple[AgreementRow, ...]
    averages: tuple[AgreementRow, ...]
    scores: tuple[SystemScore, ...]
    missing: tuple[MissingRow, ...]
    notes: tuple[str, ...]
    resamples: int
    unit: str
    folds: int
    seed: int
