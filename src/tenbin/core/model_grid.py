"""BERTScore by model, idf dictionary and penalty: the results of the experiment."""

from dataclasses import dataclass

from tenbin.core.agreement import Interval
from tenbin.core.rendering import Renderable
from tenbin.core.study import Difference


@dataclass(frozen=True, slots=True)
class GridColumn:
    """What a column of numbers is: a measure, on all segments (None) or on those of one domain."""

    measure: str
    domain: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GridValue:
    """A number of the grid.

    Attributes:
        value: The measure; NaN where it is undefined.
        ci: 95 % percentile interval; None if no samples were drawn.
        segments: How many segments it is of.
        difference: From the same model and dictionary without a penalty.
    """

    value: float
    ci: Interval | None
    segments: int
    difference: Difference | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRow:
    """One setting, or a metric beside the grid.

    Attributes:
        test_set: Name of the test set.
        pair: Language pair.
        human: Kinds of judgment, by measure; empty where the row is missing.
        model: What the model is called; of a metric beside the grid, its name.
        idf: What the idf dictionary is called; None beside the grid.
        penalty: What is penalized: names of one kind, or ``none``; None beside the grid.
        spec: The metric.
        signature: Of the metric; None where the row is missing.
        values: The numbers, one per column; none where the row is missing.
        missing: Why the row has no numbers; None if it has.
    """

    test_set: str
    pair: str
    human: tuple[str, ...]
    model: str
    idf: str | None
    penalty: str | None
    spec: str
    signature: str | None
    values: tuple[GridValue, ...]
    missing: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceGrid:
    """The grid of one language pair.

    Attributes:
        test_set: Name of the test set.
        pair: Language pair.
        columns: What the numbers are.
        rows: The settings, then the metrics beside the grid.
    """

    test_set: str
    pair: str
    columns: tuple[GridColumn, ...]
    rows: tuple[GridRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelGrid(Renderable):
    """BERTScore by model, idf dictionary and penalty, beside other metrics.

    Attributes:
        grids: One per language pair.
        notes: What was chosen, left out or missing.
        resamples: How many bootstrap samples were drawn.
        seed: Their seed.
    """

    grids: tuple[PlaceGrid, ...]
    notes: tuple[str, ...]
    resamples: int
    seed: int
