"""Agreement on whole systems: correlation of system scores, and pairwise accuracy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.errors import InputError
from tenbin.formats.score_table import Level, ScoreTable, listed
from tenbin.kernels.ranking.order_counts import CONCORDANT, LEFT_VALUES, TIED_BOTH
from tenbin.meta.measures.coefficients import counts_of_groups
from tenbin.meta.measures.judgments import drawn_means, system_means
from tenbin.meta.measures.measurement import Measurement, Resampler

_FEWEST = 2

SystemMeasure = Callable[[FloatArray, FloatArray, IntArray], FloatArray]
"""From gold ``(items,)``, metric ``(..., items)`` and offsets the values ``(..., groups)``; see
`coefficients.Coefficient.of_groups`. A group holds the systems of one sample."""


def system_accuracy(gold: FloatArray, metric: FloatArray, offsets: IntArray) -> FloatArray:
    """Return the share of pairs of systems that gold and metric order alike.

    Kocmi et al. (2021). A tie on both sides is an agreement, a tie on one side is none.
    """
    counts = counts_of_groups(gold, metric, offsets)
    agree = counts[..., CONCORDANT] + counts[..., TIED_BOTH]
    shares: FloatArray = agree / np.maximum(counts[..., :LEFT_VALUES].sum(axis=-1), 1)
    return shares


@dataclass(frozen=True, slots=True, eq=False)
class SystemLevel:
    """A measure of system scores.

    A bootstrap draws segments: human system scores are then means of the human segment scores, or
    stay as they are where there are none (or ``human_fixed``); metric system scores are means of
    segment scores, or what ``resampler`` makes of the draws (BLEU of the drawn segments). Without
    either the measure of a sample is undefined. ``units`` is the number of segments.
    """

    measured: SystemMeasure
    gold: FloatArray
    scores: FloatArray
    gold_segments: FloatArray | None
    resampler: Resampler | None
    units: int

    @classmethod
    def prepare(
        cls,
        measured: SystemMeasure,
        human: ScoreTable,
        metric: ScoreTable,
        *,
        human_segments: ScoreTable | None = None,
        metric_segments: ScoreTable | None = None,
        resampler: Resampler | None = None,
    ) -> "SystemLevel":
        """Return the measure with the data of one metric.

        Args:
            measured: The measure.
            human: Human scores of systems, or of segments, whose means are then taken.
            metric: Scores of the metric, likewise.
            human_segments: Human scores by segment for the bootstrap; None leaves ``human`` as it
                is in every sample, unless it is by segment itself.
            metric_segments: Metric scores by segment for the bootstrap.
            resampler: Metric scores ``(samples, systems of metric)`` of drawn segments.
        """
        systems = judged_systems(human, metric)
        by_segment = human if human.level is Level.SEGMENT else human_segments
        drawn = metric if metric.level is Level.SEGMENT else metric_segments
        rows_of = metric
        if resampler is None and drawn is not None:
            rows_of, resampler = drawn, _mean_of(drawn)
        rows = [rows_of.systems.index(name) for name in systems if name in rows_of.systems]
        return cls(
            measured=measured,
            gold=system_means(human).chosen(systems).scores,
            scores=system_means(metric).chosen(systems).scores,
            gold_segments=None if by_segment is None else by_segment.chosen(systems).scores,
            # Without the segments of some system no sample has a score for it.
            resampler=_rows_of(resampler, rows)
            if resampler and len(rows) == len(systems)
            else None,
            units=next((len(table.segments) for table in (by_segment, drawn) if table), 0),
        )

    def value(self) -> Measurement:
        """Return the measure on the systems; pairwise accuracy counts pairs of them."""
        systems = len(self.gold)
        if systems < _FEWEST:
            return Measurement(value=np.nan, n=systems, groups=0)
        value = float(self.of_scores(self.scores[None])[0])
        if self.measured is not system_accuracy:
            return Measurement(value=value, n=systems)
        pairs = systems * (systems - 1) // 2
        agree = round(value * pairs)
        return Measurement(value=value, n=pairs, counts=(agree, pairs - agree, 0))

    def of_scores(self, scores: FloatArray) -> FloatArray:
        """Return the measure for other metric scores ``(rows, systems)`` of the same systems."""
        return self.measured(self.gold, scores, np.array([0, len(self.gold)]))[..., 0]

    def with_fixed_human(self) -> "SystemLevel":
        """Return the measure whose human scores stay as they are in every sample (ParaEval)."""
        return replace(self, gold_segments=None)

    def resampled(self, counts: FloatArray) -> FloatArray:
        """Return the measure on segments drawn with replacement; NaN without segment scores."""
        if self.resampler is None:
            return np.full(len(counts), np.nan)
        scores = self.resampler(counts)
        if self.gold_segments is None:
            gold = np.broadcast_to(self.gold, scores.shape)
        else:
            gold = drawn_means(self.gold_segments, counts)
        known = ~np.isnan(gold) & ~np.isnan(scores)
        enough = known.sum(axis=1) >= _FEWEST
        values = np.full(len(counts), np.nan)
        if enough.any():
            kept = known[enough]
            offsets = np.concatenate([[0], np.cumsum(kept.sum(axis=1))])
            values[enough] = self.measured(gold[enough][kept], scores[enough][kept], offsets)
        return values


def judged_systems(human: ScoreTable, metric: ScoreTable) -> Sequence[str]:
    """Return the systems with a human score, for all of which the metric must have one.

    Raises:
        InputError: The metric has no score for some of them.
    """
    table = system_means(human)
    systems = [s for s, v in zip(table.systems, table.scores, strict=True) if not np.isnan(v)]
    scores = system_means(metric).chosen(systems).scores
    missing = [name for name, score in zip(systems, scores, strict=True) if np.isnan(score)]
    if missing:
        raise InputError(
            f"{metric.name}: no score for the judged system {listed(missing)} ({human.name}). "
            "A metric must score every judged system."
        )
    return systems


def _mean_of(table: ScoreTable) -> Resampler:
    scores = table.scores
    return lambda counts: drawn_means(scores, counts)


def _rows_of(resampler: Resampler, rows: Sequence[int]) -> Resampler:
    return lambda counts: resampler(counts)[:, rows]
