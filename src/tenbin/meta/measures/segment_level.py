"""Correlation of segment scores: over all items, by system, or by segment."""

from dataclasses import dataclass

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.judgments import ScoreMatrix
from tenbin.meta.measures.coefficients import CorrelationCoefficient, correlation
from tenbin.meta.measures.measurement import Averaging, Measurement, Undefined, weighted_mean
from tenbin.meta.measures.scores import aligned

_FEWEST = 2


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """The items with a human score, laid out by groups.

    Attributes:
        gold: Human score per item.
        segments: Segment of each item.
        places: Place of each item in the table of scores, flattened.
        offsets: Where groups begin and end.
        segment_count: Segments of the table, judged or not.
    """

    gold: FloatArray
    segments: IntArray
    places: IntArray
    offsets: IntArray
    segment_count: int

    def of(self, scores: FloatArray) -> FloatArray:
        """Return the items of metric scores ``(..., systems, segments)``."""
        flat: FloatArray = scores.reshape(*scores.shape[:-2], -1)[..., self.places]
        return flat


def grouped_items(gold: FloatArray, averaging: Averaging) -> Items:
    """Return the items of each group; those with fewer than two are left out."""
    systems, segments = gold.shape
    places = np.arange(gold.size).reshape(gold.shape)
    present = ~np.isnan(gold)
    if averaging is Averaging.ITEM:
        places, present = places.T, present.T
    kept = present
    if averaging is not Averaging.NONE:
        kept = present & (present.sum(axis=1, keepdims=True) >= _FEWEST)
    sizes = kept.sum(axis=1) if averaging is not Averaging.NONE else np.array([kept.sum()])
    sizes = sizes[sizes >= _FEWEST]
    chosen = places[kept] if len(sizes) else np.empty(0, dtype=np.int64)
    return Items(
        gold=gold.ravel()[chosen],
        segments=(chosen % max(segments, 1)).astype(np.int64),
        places=chosen.astype(np.int64),
        offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        segment_count=segments if systems else 0,
    )


@dataclass(frozen=True, slots=True, eq=False)
class SegmentCorrelation:
    """A coefficient on segment scores."""

    coefficient: CorrelationCoefficient
    averaging: Averaging
    undefined: Undefined
    items: Items
    scores: FloatArray

    @classmethod
    def prepare(
        cls,
        coefficient: CorrelationCoefficient,
        averaging: Averaging,
        undefined: Undefined,
        human: ScoreMatrix,
        metric: ScoreMatrix,
    ) -> "SegmentCorrelation":
        """Return the measure with the data of one metric."""
        gold, scores = aligned(human, metric)
        items = grouped_items(gold, averaging)
        return cls(coefficient, averaging, undefined, items, items.of(scores))

    @property
    def units(self) -> int:
        """Number of segments."""
        return self.items.segment_count

    def value(self) -> Measurement:
        """Return the mean over groups."""
        values = self.of_groups(self.scores)
        entered = self._entered(values, values)
        return Measurement(
            value=float(entered.mean()) if len(entered) else np.nan,
            n=len(self.items.gold),
            groups=len(entered),
        )

    def p_value(self) -> float:
        """Return the two-sided p of the coefficient, averaged over groups as its value is.

        An undefined group that counts as r = 0 has p = 0, as in mt-metrics-eval.
        """
        values = self.of_groups(self.scores)
        p_values = np.array([self._p_of_group(float(v), g) for g, v in enumerate(values)])
        entered = self._entered(p_values, values)
        return float(entered.mean()) if len(entered) else np.nan

    def _entered(self, numbers: FloatArray, values: FloatArray) -> FloatArray:
        """Return the numbers of the groups that enter a mean."""
        undefined = np.isnan(values)
        if self.undefined is Undefined.ZERO:
            return np.where(undefined, 0.0, numbers)
        return numbers[~undefined]

    def of_groups(self, scores: FloatArray) -> FloatArray:
        """Return the coefficient of each group for metric scores ``(..., items)``."""
        if len(self.items.offsets) == 1:
            return np.empty((*scores.shape[:-1], 0))
        return self.coefficient.of_groups(self.items.gold, scores, self.items.offsets)

    def of_scores(self, scores: FloatArray) -> FloatArray:
        """Return the measure for other metric scores ``(rows, items)`` of the same items."""
        values = self.of_groups(scores)
        if self.undefined is Undefined.ZERO:
            values = np.nan_to_num(values)
        ones = np.ones(values.shape[-1])
        return np.array([weighted_mean(row, ones[None, :])[0] for row in values])

    def resampled(self, counts: FloatArray) -> FloatArray:
        """Return the measure on segments drawn with replacement."""
        items, zero = self.items, self.undefined is Undefined.ZERO
        if len(items.offsets) == 1:
            return np.full(len(counts), np.nan)
        if self.averaging is Averaging.ITEM:
            values = self.of_groups(self.scores)
            segments = items.segments[items.offsets[:-1]]
            return weighted_mean(np.nan_to_num(values) if zero else values, counts[:, segments])
        rows = []
        for start, end in zip(items.offsets[:-1], items.offsets[1:], strict=True):
            weights = counts[:, items.segments[start:end]]
            gold, scores = items.gold[start:end], self.scores[start:end]
            rows.append(self.coefficient.of_samples(gold, scores, weights))
        values = np.nan_to_num(np.stack(rows)) if zero else np.stack(rows)
        ones = np.ones((1, len(rows)))
        defined = ~np.isnan(values)
        sums, totals = ones @ np.where(defined, values, 0.0), ones @ defined
        result: FloatArray = np.where(totals > 0, sums / np.maximum(totals, 1), np.nan)[0]
        return result

    def _p_of_group(self, value: float, group: int) -> float:
        part = slice(self.items.offsets[group], self.items.offsets[group + 1])
        return self.coefficient.p_value(value, self.items.gold[part], self.scores[part])


@dataclass(frozen=True, slots=True, eq=False)
class DifferenceCorrelation:
    """A coefficient over the differences of all ordered pairs of systems on each segment."""

    coefficient: CorrelationCoefficient
    gold: FloatArray
    scores: FloatArray
    segments: IntArray
    items: int
    units: int

    @classmethod
    def prepare(
        cls, coefficient: CorrelationCoefficient, human: ScoreMatrix, metric: ScoreMatrix
    ) -> "DifferenceCorrelation":
        """Return the measure with the data of one metric."""
        gold, scores = aligned(human, metric)
        first, second = np.nonzero(~np.eye(len(gold), dtype=np.bool_))
        differences = gold[first] - gold[second]
        pairs, segments = np.nonzero(~np.isnan(differences))
        return cls(
            coefficient,
            differences[pairs, segments],
            (scores[first] - scores[second])[pairs, segments],
            segments.astype(np.int64),
            int((~np.isnan(gold)).sum()),
            gold.shape[1],
        )

    def value(self) -> Measurement:
        """Return the coefficient of all differences."""
        if len(self.gold) < _FEWEST:
            return Measurement(value=np.nan, n=len(self.gold), groups=0)
        value = correlation(self.coefficient, self.gold, self.scores)
        return Measurement(value=value, n=len(self.gold))

    def p_value(self) -> float:
        """Return the two-sided p of the coefficient.

        As in mt-metrics-eval, where each item is also compared with itself: the differences of 0
        leave the coefficient as it is but count as observations.
        """
        padding = np.zeros(self.items)
        gold, scores = (np.concatenate([row, padding]) for row in (self.gold, self.scores))
        return self.coefficient.p_value(self.value().value, gold, scores)

    def resampled(self, counts: FloatArray) -> FloatArray:
        """Return the measure on segments drawn with replacement."""
        if len(self.gold) < _FEWEST:
            return np.full(len(counts), np.nan)
        return self.coefficient.of_samples(self.gold, self.scores, counts[:, self.segments])
