"""What the experiments on ParaEval found, as values and as plain data."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import Any

from tenbin.reports.data import Row

Interval = tuple[float, float]

CORRELATION_COLUMNS = (
    "set",
    "pair",
    "human",
    "references",
    "metric",
    "min_length",
    "spearman",
    "ci_percentile_low",
    "ci_percentile_high",
    "ci_mean_low",
    "ci_mean_high",
    "spearman_whole",
    "difference",
    "difference_low",
    "difference_high",
    "phrase_share",
    "word_share",
    "systems",
    "unit",
    "units",
    "signature",
)
TRANSLATION_COLUMNS = (
    "set",
    "pair",
    "metric",
    "against",
    "translation",
    "kind",
    "score",
    "ci_percentile_low",
    "ci_percentile_high",
    "ci_mean_low",
    "ci_mean_high",
    "rank",
    "translations",
    "human",
    "human_score",
    "best_machine",
    "lead",
    "lead_low",
    "lead_high",
    "share_above",
    "unit",
    "units",
    "signature",
)


class Study(StrEnum):
    """The experiments."""

    RANKING = "ranking"
    REFERENCES = "references"
    LENGTHS = "lengths"
    HUMANS = "humans"
    DECOMPOSITION = "decomposition"


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
    """How a metric ranks systems, compared with people.

    Attributes:
        test_set: Name of the test set.
        pair: Language pair.
        human: Kind of judgement.
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
        human: Kind of judgement, where there is one.
        human_score: What people said.
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


def joined(references: Sequence[str]) -> str:
    """Return what a group of references is called."""
    return "+".join(references)


def correlation_fields(row: CorrelationRow) -> Row:
    """Return a row in the order of `CORRELATION_COLUMNS`."""
    gap = row.difference
    return (
        *(row.test_set, row.pair, row.human, joined(row.references), row.metric, row.min_length),
        *(row.value, *row.ci, *row.ci_mean, row.whole),
        *((None, None, None) if gap is None else (gap.value, *gap.ci)),
        *((None, None) if row.shares is None else (row.shares.phrases, row.shares.words)),
        *(row.systems, row.unit, row.units, row.signature),
    )


def translation_fields(row: TranslationRow) -> Row:
    """Return a row in the order of `TRANSLATION_COLUMNS`."""
    kind = "human" if row.is_human else "machine"
    lead: Row = (None,) * 5
    if row.lead is not None:
        lead = (row.lead.best, row.lead.gap.value, *row.lead.gap.ci, row.lead.above)
    return (
        *(row.test_set, row.pair, row.metric, joined(row.against), row.translation, kind),
        *(row.score, *row.ci, *row.mean_ci, row.rank, row.translations),
        *(row.human, row.human_score, *lead, row.unit, row.units, row.signature),
    )


def as_records(columns: Sequence[str], rows: Iterator[Row]) -> list[dict[str, Any]]:
    """Return rows as plain data, ready for JSON; undefined numbers are null."""
    return [{name: _plain(value) for name, value in zip(columns, row, strict=True)} for row in rows]


def _plain(value: str | float | None) -> str | float | None:
    return None if isinstance(value, float) and not isfinite(value) else value
