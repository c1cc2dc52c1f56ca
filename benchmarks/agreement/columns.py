"""Columns of the tables: one measure on the language pairs of a test set with one target language.

A column is the mean over its pairs. Whether two metrics differ by more than chance is told by their
bootstrap samples, which draw the same segments for both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from benchmarks.agreement.measuring import PairResults
from tenbin.core.arrays import FloatArray


class Verdict(StrEnum):
    """How a metric stands beside another one."""

    BETTER = "better"
    WORSE = "worse"
    ALIKE = "alike"


@dataclass(frozen=True, slots=True)
class Column:
    """A measure on some language pairs.

    Attributes:
        measure: The measure.
        pairs: What was found on each of them.
    """

    measure: str
    pairs: tuple[PairResults, ...]

    @property
    def title(self) -> str:
        """Test set, language pairs and measure."""
        names = ", ".join(one.pair for one in self.pairs)
        if len(self.pairs) > 2:
            names = f"{len(self.pairs)} pairs into {target(self.pairs[0].pair)}"
        return f"{self.pairs[0].test_set}<br>{names}<br>{self.measure}"

    def value(self, metric: str) -> float | None:
        """Return the mean over pairs; None unless the metric was measured on all of them."""
        found = [one.values.get(metric, {}).get(self.measure) for one in self.pairs]
        known = [value for value in found if value is not None]
        return float(np.mean(known)) if len(known) == len(found) else None

    def interval(self, metric: str) -> tuple[float, float] | None:
        """Return the 95 % interval of the mean."""
        samples = self._samples(metric)
        return None if samples is None else _interval(samples)

    def difference(self, metric: str, base: str) -> tuple[float, float] | None:
        """Return the 95 % interval of how much a metric is above another one."""
        own, other = self._samples(metric), self._samples(base)
        if own is None or other is None or metric == base:
            return None
        return _interval(own - other)

    def verdict(self, metric: str, base: str) -> Verdict | None:
        """Return whether the interval of the difference is above, below or around 0."""
        interval = self.difference(metric, base)
        if interval is None:
            return None
        if interval[0] > 0:
            return Verdict.BETTER
        return Verdict.WORSE if interval[1] < 0 else Verdict.ALIKE

    def _samples(self, metric: str) -> FloatArray | None:
        if any(one.main != self.measure or metric not in one.samples for one in self.pairs):
            return None
        mean: FloatArray = np.mean([one.samples[metric] for one in self.pairs], axis=0)
        # A metric that gives everything the same score has no correlation on any sample.
        return None if np.isnan(mean).all() else mean


def target(pair: str) -> str:
    """Return the target language of a pair.

    >>> target("en-zh")
    'zh'
    """
    return pair.partition("-")[2]


def main_columns(results: Sequence[PairResults]) -> list[Column]:
    """Return the main measure of each test set, a column for each target language."""
    return _by_target([(one.main, one) for one in results if one.samples])


def measure_columns(results: Sequence[PairResults], measure: str) -> list[Column]:
    """Return one measure of each test set that has it, a column for each target language."""
    return _by_target([(measure, one) for one in results if measure in one.human])


def _by_target(found: Sequence[tuple[str, PairResults]]) -> list[Column]:
    groups: dict[tuple[str, str, str], list[PairResults]] = {}
    for measure, one in found:
        groups.setdefault((one.test_set, target(one.pair), measure), []).append(one)
    return [Column(measure, tuple(group)) for (_, _, measure), group in groups.items()]


def wins(columns: Sequence[Column], metric: str, base: str) -> str:
    """Return in how many columns a metric is above and below another, and beyond chance."""
    higher = lower = 0
    verdicts = [column.verdict(metric, base) for column in columns]
    for column in columns:
        own, other = column.value(metric), column.value(base)
        if own is not None and other is not None:
            higher += own > other
            lower += own < other
    better, worse = verdicts.count(Verdict.BETTER), verdicts.count(Verdict.WORSE)
    return f"{higher} ({better}) / {lower} ({worse})"


def _interval(samples: FloatArray) -> tuple[float, float]:
    low, high = np.percentile(samples[~np.isnan(samples)], [2.5, 97.5])
    return float(low), float(high)
