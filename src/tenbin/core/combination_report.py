"""What a combination is worth: its agreement with people on judgments that it had not learned."""

from dataclasses import dataclass
from enum import StrEnum

from tenbin.core.agreement import Interval
from tenbin.core.combination import CombinationModel
from tenbin.core.rendering import Renderable

COMBINATION = "combination"
"""What a report calls the combination, beside the specs of its members."""


class HeldOutUnit(StrEnum):
    """What is left out in turn: what a combination is measured on, it was not learned from."""

    SETS = "sets"
    PAIRS = "pairs"
    DOCUMENTS = "documents"
    SEGMENTS = "segments"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldAgreement:
    """How far each metric agrees with people on one language pair of what was left out.

    Attributes:
        fold: What was left out: the name of a test set or pair, or the number of a part.
        test_set: The test set.
        pair: The language pair.
        measure: The measure of agreement.
        human: The kind of judgment.
        n: Sample size.
        values: The measure of each metric: the members, then the combination.
        ci: 95 % interval of the combination less its best member in the whole report.
        own_scale: Whether the judged translations of this pair, without their judgments, gave the
            means and deviations, as there was no other pair with this target language.
    """

    fold: str
    test_set: str
    pair: str
    measure: str
    human: str
    n: int
    values: tuple[float, ...]
    ci: Interval | None = None
    own_scale: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CombinationGain:
    """What a combination gains over its best member by one measure, as a mean over folds.

    Attributes:
        measure: The measure.
        best: The member that agrees best, chosen on the same data: the hardest to beat.
        best_value: Its mean.
        value: The mean of the combination.
        ci: 95 % interval of the difference, over bootstrap samples of segments.
        folds: How many language pairs and folds the means are of.
    """

    measure: str
    best: str
    best_value: float
    value: float
    ci: Interval
    folds: int

    @property
    def difference(self) -> float:
        """How much the combination is above its best member."""
        return self.value - self.best_value

    @property
    def is_sure(self) -> bool:
        """Whether the whole interval is above 0."""
        return self.ci[0] > 0

    def __str__(self) -> str:
        interval = f"95 % interval {self.ci[0]:+.4f} to {self.ci[1]:+.4f}"
        if self.is_sure:
            return (
                f"In {self.measure} it gains {self.difference:.4f} over its best member "
                f"{self.best} ({interval})."
            )
        more = " by more than chance" if self.difference > 0 else ""
        return (
            f"In {self.measure} it does not gain{more} over its best member {self.best}: "
            f"{self.difference:+.4f} ({interval})."
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BuiltCombination(Renderable):
    """A combination that was built, and what it is worth.

    Attributes:
        file: Where it was written.
        model: What was learned from all judgments.
        held_out: What was left out in turn.
        folds: The agreement of each metric on each part that was left out.
        gains: What the combination gains over its best member, by measure.
        notes: What was chosen, left out or missing.
    """

    file: str
    model: CombinationModel
    held_out: HeldOutUnit
    folds: tuple[FoldAgreement, ...]
    gains: tuple[CombinationGain, ...]
    notes: tuple[str, ...] = ()
