"""Tuning of metric parameters against human judgment: the results."""

from dataclasses import dataclass
from enum import StrEnum

from tenbin.core.rendering import Plottable, Renderable
from tenbin.core.spec import SpecValue

_ROLES = ("default", "oracle")


class FoldUnit(StrEnum):
    """What folds of cross-validation are made of; a test set is a fold as a whole."""

    DOCUMENTS = "documents"
    SEGMENTS = "segments"
    SETS = "sets"


class GridSide(StrEnum):
    """An end of the values of a parameter."""

    LOWER = "lower"
    UPPER = "upper"


@dataclass(frozen=True, slots=True, kw_only=True)
class GridEdge:
    """The least or the largest value that was tried of a parameter, where it was found best.

    A best value at an edge says little: a better one may lie beyond it, unless nothing does.

    Attributes:
        parameter: The parameter.
        side: Which end of its values.
        value: The value.
        ends_range: Whether the parameter can have no value beyond it.
        is_oracle: Whether it is that of the best setting on all data.
        folds: How many folds it was chosen for.
    """

    parameter: str
    side: GridSide
    value: SpecValue
    ends_range: bool
    is_oracle: bool
    folds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedValue:
    """Another measure of a setting, which had no part in the choice.

    Attributes:
        value: The measure on all data, the mean over language pairs; NaN where it is undefined.
        by_pair: The measure on each language pair.
        by_fold: The measure on each held-out fold; empty without cross-validation.
    """

    value: float
    by_pair: tuple[float, ...]
    by_fold: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedSetting:
    """A setting of a metric and how far it agrees with human judgment.

    Attributes:
        values: The value of each tuned parameter, in their order.
        spec: The metric with this setting, as it can be written anywhere; None where it differs
            between languages.
        value: The measure on all data, the mean over language pairs; NaN where it is undefined.
        by_pair: The measure on each language pair.
        by_fold: The measure on each held-out fold; empty without cross-validation.
        reported: Another measure, where one was asked for.
    """

    values: tuple[SpecValue, ...]
    spec: str | None
    value: float
    by_pair: tuple[float, ...]
    by_fold: tuple[float, ...] = ()
    reported: ReportedValue | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossValidation:
    """What tuning gives on data that it has not seen.

    Attributes:
        folds: How many.
        unit: What they are made of.
        names: The test set of each fold; empty unless folds are test sets.
        chosen: For each fold, the setting that is best on all others.
        by_fold: The measure of that setting on the fold; NaN where it is undefined.
        left_out: Folds on which one of the following is undefined, which all means leave out.
        value: Mean of ``by_fold``.
        default: Mean over folds of the metric as it is.
        oracle: Mean over folds of the setting that is best on all data.
        difference: Mean over folds of ``by_fold`` less the metric as it is.
        interval: 95 % interval of that difference by Student's t over folds; None for fewer than 3.
    """

    folds: int
    unit: FoldUnit
    names: tuple[str, ...] = ()
    chosen: tuple[tuple[SpecValue, ...], ...]
    by_fold: tuple[float, ...]
    left_out: int
    value: float
    default: float
    oracle: float
    difference: float
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOutMeans:
    """Means over held-out folds, of those folds on which all three are defined.

    Attributes:
        value: Of the settings that were chosen on the other folds.
        default: Of the metric as it was given.
        oracle: Of the setting that is best on all data.
    """

    value: float
    default: float
    oracle: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedMeasure:
    """What is measured beside the measure that a metric is tuned by.

    Attributes:
        measure: Its name.
        human: Kind of judgment by language pair.
        n: Sample size, by language pair.
        counted: What ``n`` counts.
        held_out: Its means over held-out folds, where there is cross-validation.
    """

    measure: str
    human: tuple[str, ...]
    n: tuple[int, ...]
    counted: str
    held_out: HeldOutMeans | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """The tuning of one metric.

    Attributes:
        metric: Spec of the metric as it was given.
        signature: Of the metric as it was given.
        parameters: Names of the tuned parameters.
        measure: Name of the measure.
        human: Kind of judgment by language pair.
        places: The test set and language pair of each place; the mean is over places.
        n: Sample size, by language pair.
        counted: What ``n`` counts.
        settings: All that were tried, in the order of the grid.
        default: The metric as it was given.
        oracle: The best setting on all data: tuned on the test data.
        validation: Cross-validation, where it was asked for.
        edges: Values at an edge of what was tried that were found best.
        reported: What else was measured, where that was asked for.
    """

    metric: str
    signature: str
    parameters: tuple[str, ...]
    measure: str
    human: tuple[str, ...]
    places: tuple[tuple[str, str], ...]
    n: tuple[int, ...]
    counted: str
    settings: tuple[TriedSetting, ...]
    default: TriedSetting
    oracle: TriedSetting
    validation: CrossValidation | None
    edges: tuple[GridEdge, ...] = ()
    reported: ReportedMeasure | None = None

    @property
    def pairs(self) -> tuple[str, ...]:
        """What each place is called: its language pair, after the test set if there are several."""
        several = len({test_set for test_set, _ in self.places}) > 1
        return tuple(f"{test_set} {pair}" if several else pair for test_set, pair in self.places)

    @property
    def where(self) -> str:
        """All places as one text."""
        sets: dict[str, list[str]] = {}
        for test_set, pair in self.places:
            sets.setdefault(test_set, []).append(pair)
        return "; ".join(f"{test_set} {', '.join(pairs)}" for test_set, pairs in sets.items())

    def role(self, setting: TriedSetting) -> str:
        """Return what a setting is: ``default``, ``oracle``, both, or nothing in particular."""
        places = zip(_ROLES, (self.default, self.oracle), strict=True)
        return ", ".join(role for role, one in places if one is setting)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TuningTable(Renderable, Plottable):
    """How a measure of agreement depends on the parameters of metrics.

    Attributes:
        tunings: One per metric.
        notes: What was chosen, left out or missing.
    """

    tunings: tuple[Tuning, ...]
    notes: tuple[str, ...] = ()
