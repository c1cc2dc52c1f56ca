"""Choices of metrics that papers leave open, set beside their defaults.

A variant is measured like a metric of its own; what counts is on how many language pairs it is
better or worse than the default by more than chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.agreement.columns import Column, main_columns, measure_columns, wins
from benchmarks.agreement.measuring import PairResults
from benchmarks.agreement.page import MARKS, render_table
from benchmarks.agreement.sets import INSTALLED, Entry

# To the end of the range: some metrics are best there.
_THRESHOLDS = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
# Variants are measured on some sets only, to keep the run short.
VARIANT_SETS = ("wmt14", "wmt15.daseg", "wmt16.daseg", "wmt19.darr", "wmt22", "wmt23", "wmt24")


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Variants of one metric.

    Attributes:
        metric: Its name.
        choices: The parameters of each variant, as in a spec.
    """

    metric: str
    choices: tuple[str, ...]

    @property
    def default(self) -> str:
        """Label of the metric as it is."""
        return self.metric

    @property
    def labels(self) -> list[str]:
        """Labels of the metric as it is and of its variants."""
        return [self.default, *(f"{self.metric}({choice})" for choice in self.choices)]

    def entries(self, language: str) -> list[Entry]:
        """Return the variants with the installed vectors of a language; none if it has none."""
        table = INSTALLED.get(language)
        if table is None:
            return []
        chosen = ["", *(f", {choice}" for choice in self.choices)]
        return [
            Entry(label, f'{self.metric}(vectors="{table}"{choice})')
            for label, choice in zip(self.labels, chosen, strict=True)
        ]


def _thresholds(*others: str, default: float) -> tuple[str, ...]:
    """Return the choices of a threshold, but for the one that is the default, or like it."""
    own = [threshold for threshold in _THRESHOLDS if threshold != default]
    return tuple(", ".join([f"threshold={threshold}", *others]) for threshold in own)


_SURVIVORS = 'rejected="survivors"'
FAMILIES = (
    Family(metric="sv", choices=('oov="drop"',)),
    Family(metric="wmd", choices=('oov="drop"',)),
    Family(
        metric="we_wpi",
        choices=(
            'position="exp"',
            'alignment="hard"',
            "normalized=False",
            'tf="collection"',
            "clip=False",
            'idf="wordfreq"',
        ),
    ),
    Family(
        metric="was", choices=(*_thresholds(default=1.0), *_thresholds(_SURVIVORS, default=0.0))
    ),
    Family(
        metric="mas", choices=(*_thresholds(default=0.0), *_thresholds(_SURVIVORS, default=0.0))
    ),
    Family(
        metric="has",
        choices=(
            *_thresholds(default=0.0),
            *_thresholds(_SURVIVORS, default=0.0),
            *_thresholds('order="zero_first"', default=0.0),
        ),
    ),
)


def render_family(family: Family, results: Sequence[PairResults]) -> str:
    """Return the table of a family: means by test set, and how often a variant wins.

    Args:
        family: The variants.
        results: What was found with them.
    """
    columns = main_columns(results)
    systems = measure_columns(results, "system-pearson")
    alone = [Column(one.main, (one,)) for one in results if one.samples]
    header = [
        "variant",
        *(column.title for column in columns),
        "mean of columns",
        "system-pearson<br>mean of sets",
        f"pairs of {len(alone)}<br>better (▲) / worse (▼)",
    ]
    rows = []
    for label in family.labels:
        values = [column.value(label) for column in columns]
        cells = [
            "" if value is None else f"{value:.3f}{MARKS[column.verdict(label, family.default)]}"
            for value, column in zip(values, columns, strict=True)
        ]
        by_system = _mean([column.value(label) for column in systems])
        won = "" if label == family.default else wins(alone, label, family.default)
        rows.append([label, *cells, _mean(values), by_system, won])
    return render_table(header, rows)


def _mean(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{np.mean(known):.3f}" if known and len(known) == len(values) else ""
