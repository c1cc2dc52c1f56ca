"""Whether a new system is significantly worse than a stored one."""

from dataclasses import dataclass
from enum import StrEnum
from math import isnan

from tenbin.core.rendering import Renderable
from tenbin.core.signature import Signature


class CheckOutcome(StrEnum):
    """What a check found about one metric.

    PASSED: the score did not drop. ALLOWED: it dropped by no more than is allowed. UNPROVEN: it
    dropped by more, which may be chance. FAILED: it dropped by more, and that is significant.
    UNDEFINED: a score is not defined.
    """

    PASSED = "passed"
    ALLOWED = "allowed"
    UNPROVEN = "not significant"
    FAILED = "failed"
    UNDEFINED = "undefined"


class TestedUnits(StrEnum):
    """What the paired test exchanged between both systems.

    STATISTICS: those of the metric, so that the corpus score itself is tested. SCORES: scores of
    segments, so that their mean is.
    """

    __test__ = False  # not a pytest class

    STATISTICS = "statistics of segments"
    SCORES = "segment scores"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricCheck:
    """The check of one metric.

    Attributes:
        metric: The spec, or the alias that it was stored under.
        title: What tables call it.
        signature: What the scores mean.
        higher_is_better: The direction of the scores.
        decimals: How many decimals tables print.
        baseline: Corpus score of the stored system.
        new: Corpus score of the new one.
        max_drop: By how much the score may get worse.
        p_value: Two-sided, of the difference.
        level: At which p a difference is significant.
        tested: What the test exchanged.
    """

    metric: str
    title: str
    signature: Signature
    higher_is_better: bool
    decimals: int
    baseline: float
    new: float
    max_drop: float
    p_value: float
    level: float
    tested: TestedUnits

    @property
    def drop(self) -> float:
        """By how much the new system is worse; below 0 where it is better."""
        difference = self.baseline - self.new
        return difference if self.higher_is_better else -difference

    @property
    def outcome(self) -> CheckOutcome:
        """What was found."""
        if isnan(self.drop):
            return CheckOutcome.UNDEFINED
        if self.drop <= 0:
            return CheckOutcome.PASSED
        if self.drop <= self.max_drop:
            return CheckOutcome.ALLOWED
        if isnan(self.p_value):
            return CheckOutcome.UNDEFINED
        return CheckOutcome.FAILED if self.p_value <= self.level else CheckOutcome.UNPROVEN


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineCheck(Renderable):
    """A new system beside a stored one, by several metrics.

    Attributes:
        file: The file of the stored scores.
        baseline: Name of the stored system.
        system: Name of the new one.
        language: Target language.
        segment_count: How many segments were compared.
        metrics: What was found by each metric.
        rounds: Rounds of the test, which is approximate randomization.
        seed: Seed of its random numbers.
        unit: What was exchanged: ``segments`` or ``documents``.
        notes: What a reader should know.
    """

    file: str
    baseline: str
    system: str
    language: str
    segment_count: int
    metrics: tuple[MetricCheck, ...]
    rounds: int
    seed: int
    unit: str
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether no metric shows a significant drop; an undefined score does not pass."""
        return not any(
            one.outcome in {CheckOutcome.FAILED, CheckOutcome.UNDEFINED} for one in self.metrics
        )
