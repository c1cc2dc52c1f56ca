"""What a meta-evaluation found, as values and as plain data."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from tenbin.reports.data import Row
from tenbin.version import __version__

Interval = tuple[float, float]

META_COLUMNS = (
    "set",
    "pair",
    "metric",
    "measure",
    "human",
    "value",
    "ci_low",
    "ci_high",
    "ci_mean_low",
    "ci_mean_high",
    "n",
    "counted",
    "rank",
    "signature",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaRow:
    """How far one metric agrees with people, by one measure, on one language pair.

    Attributes:
        test_set: Name of the test set; empty for files of one's own.
        pair: Language pair.
        metric: Spec of the metric, or the name of the file its scores come from.
        measure: Name of the measure.
        human: Kind of judgement; None where there is none that the measure could use.
        value: The measure; NaN where it is undefined.
        n: What it was computed from.
        counted: What ``n`` counts: systems, pairs of systems, translations, judgements.
        ci: 95 % percentile interval of bootstrap samples.
        ci_mean: Interval of the mean over the samples (ParaEval); shrinks with their number.
        rank: Significance cluster, from 1, where metrics were compared.
        is_winner: Whether no other metric is significantly better, where they were compared.
        signature: Of the metric, where Tenbin computed the scores.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaComparison:
    """Is the better one of two metrics better by more than chance?

    Attributes:
        better: The metric with the higher value.
        worse: The other one.
        difference: Value of the better one less that of the other.
        p_value: One-sided.
        test: How it was found.
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
        value: The plain mean over pairs; of system-accuracy the share of all pairs of systems
            together. NaN as soon as one pair has no value.
        pairs: How many language pairs.
    """

    metric: str
    measure: str
    value: float
    pairs: int


def meta_payload(
    rows: Sequence[MetaRow],
    comparisons: Sequence[MetaComparison],
    averages: Sequence[MetaAverage],
    notes: Sequence[str],
) -> dict[str, Any]:
    """Return everything as plain data, ready for JSON; undefined numbers are null."""
    return {
        "tenbin": __version__,
        "rows": [_row(row) for row in rows],
        "comparisons": [
            {
                "set": one.test_set,
                "pair": one.pair,
                "measure": one.measure,
                "human": one.human,
                "better": one.better,
                "worse": one.worse,
                "difference": _number(one.difference),
                "ci": _interval(one.ci),
                "p_value": _number(one.p_value),
                "test": one.test,
            }
            for one in comparisons
        ],
        "averages": [
            {
                "metric": one.metric,
                "measure": one.measure,
                "value": _number(one.value),
                "pairs": one.pairs,
            }
            for one in averages
        ],
        "notes": list(notes),
    }


def meta_tsv_rows(rows: Sequence[MetaRow]) -> Iterator[Row]:
    """Yield the tidy row of each value."""
    for row in rows:
        low, high = row.ci or (None, None)
        mean_low, mean_high = row.ci_mean or (None, None)
        own = (row.test_set, row.pair, row.metric, row.measure, row.human, row.value)
        yield (*own, low, high, mean_low, mean_high, row.n, row.counted, row.rank, row.signature)


def _row(row: MetaRow) -> dict[str, Any]:
    return {
        "set": row.test_set,
        "pair": row.pair,
        "metric": row.metric,
        "measure": row.measure,
        "human": row.human,
        "value": _number(row.value),
        "ci": _interval(row.ci),
        "ci_percentile": _interval(row.ci),
        "ci_mean": _interval(row.ci_mean),
        "n": row.n,
        "counted": row.counted,
        "rank": row.rank,
        "winner": row.is_winner,
        "signature": row.signature,
    }


def _number(value: float) -> float | None:
    return float(value) if isfinite(value) else None


def _interval(ends: Interval | None) -> list[float] | None:
    if ends is None or not all(isfinite(end) for end in ends):
        return None
    return [float(end) for end in ends]
