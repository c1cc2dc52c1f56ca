"""Scores that another program computed, as columns beside those of Tenbin's metrics.

The corpus score of such a column is the mean of its segment scores, unless scores of systems are
given. Intervals and tests draw segment scores, and use the same draws as those of the metrics.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import fsum

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.metric import mean_of_rows
from tenbin.core.scores import (
    Comparison,
    MetricComparison,
    MetricScores,
    ScoreTable,
    shown_decimals,
)
from tenbin.core.signature import Signature
from tenbin.evaluation.comparison import Test, compared
from tenbin.evaluation.run import document_numbers
from tenbin.stats.resampling import bootstrap_scores, grouped, percentile_interval
from tenbin.stats.significance import paired_bootstrap, paired_randomization


def imported_column(
    name: str,
    signature: Signature,
    *,
    higher_is_better: bool,
    systems: tuple[str, ...],
    segments: FloatArray | None,
    scores: FloatArray | None = None,
) -> MetricScores:
    """Return a column of scores.

    Args:
        name: What it is called.
        signature: Where the scores come from.
        higher_is_better: Their direction.
        systems: Names of the systems.
        segments: Segment scores, shape (systems, segments), where known.
        scores: Corpus scores, shape (systems,); None for means of the segments.

    Raises:
        ValueError: There are no scores at all.
    """
    if scores is None:
        if segments is None:
            raise ValueError(f"there are no scores of {name}")
        scores = np.array([fsum(own) / len(own) for own in segments])
    return MetricScores(
        metric=name,
        title=name,
        signature=signature,
        higher_is_better=higher_is_better,
        decimals=shown_decimals(scores.tolist()),
        systems=systems,
        scores=scores,
        segments=segments,
        imported=True,
    )


def with_imported(
    table: ScoreTable,
    columns: Sequence[MetricScores],
    documents: Sequence[str] | None,
    *,
    segments: bool,
    resamples: int = 0,
    seed: int,
) -> ScoreTable:
    """Return scores with imported columns after those of the metrics.

    Args:
        table: The scores.
        columns: Those of `imported_column`, of the same systems.
        documents: The document of each segment, where whole documents are drawn.
        segments: Whether segment scores are wanted.
        resamples: Bootstrap resamples for confidence intervals; 0 for none.
        seed: Seed of the draws.
    """
    unit = "segments" if documents is None else "documents"
    draws = (("bs", str(resamples)), ("unit", unit), ("seed", str(seed)))
    added = []
    for column in columns:
        shown = column if segments else replace(column, segments=None)
        if resamples and column.segments is not None:
            shown = replace(
                shown,
                intervals=_intervals(_units(column.segments, documents), resamples, seed),
                signature=column.signature.of_run(*draws),
            )
        added.append(shown)
    return replace(
        table,
        results=(*table.results, *added),
        notes=(*table.notes, *_notes(columns)),
    )


def compared_with_imported(
    comparison: Comparison,
    columns: Sequence[MetricScores],
    documents: Sequence[str] | None,
    *,
    segments: bool,
) -> Comparison:
    """Return a comparison with imported columns, tested as the metrics are.

    Scores of systems alone have differences, and neither p-values nor ranks.

    Args:
        comparison: The systems, compared by metrics.
        columns: Those of `imported_column`, of the same systems.
        documents: The document of each segment, where whole documents are drawn.
        segments: Whether segment scores are wanted.
    """
    test = Test(comparison.test)
    key = "ar" if test is Test.RANDOMIZATION else "bs"
    seed = comparison.seed
    drawn = ((key, str(comparison.rounds)), ("unit", comparison.unit), ("seed", str(seed)))
    parts: list[MetricComparison] = []
    for column in columns:
        intervals = None
        count = len(column.systems)
        p_values = np.full((count, count), np.nan)
        if column.segments is not None:
            units = _units(column.segments, documents)
            p_values = _p_values(units, test, comparison.rounds, seed)
            if comparison.resamples:
                intervals = _intervals(units, comparison.resamples, seed)
        scores = replace(
            column,
            signature=column.signature.of_run(*drawn)
            if column.segments is not None
            else column.signature,
            intervals=intervals,
            segments=column.segments if segments else None,
        )
        part = compared(scores, p_values, comparison.scores.systems, comparison.baseline, None)
        parts.append(part if column.segments is not None else replace(part, ranks=None))
    table = comparison.scores
    return replace(
        comparison,
        scores=replace(
            table,
            results=(*table.results, *(part.scores for part in parts)),
            notes=(*table.notes, *_notes(columns)),
        ),
        metrics=(*comparison.metrics, *parts),
    )


def _notes(columns: Sequence[MetricScores]) -> list[str]:
    """Return what cannot be said about columns of system scores."""
    lacking = [column.label for column in columns if column.segments is None]
    if not lacking:
        return []
    without = "no segment scores, intervals or p-values"
    return [f"{', '.join(lacking)}: these are scores of whole systems, which have {without}."]


def _units(segments: FloatArray, documents: Sequence[str] | None) -> FloatArray:
    """Return rows (score, 1) of the segments, summed over documents where they are drawn."""
    rows = np.stack([segments, np.ones_like(segments)], axis=-1)
    numbers: IntArray | None = document_numbers(documents)
    return grouped(rows, numbers)


def _intervals(units: FloatArray, resamples: int, seed: int) -> FloatArray:
    rng = np.random.default_rng(seed)
    (drawn,) = bootstrap_scores([units], [mean_of_rows], resamples=resamples, rng=rng)
    return np.stack(percentile_interval(drawn), axis=-1)


def _p_values(units: FloatArray, test: Test, rounds: int, seed: int) -> FloatArray:
    rng = np.random.default_rng(seed)
    if test is Test.RANDOMIZATION:
        return paired_randomization([units], [mean_of_rows], rounds=rounds, rng=rng)[0]
    (drawn,) = bootstrap_scores([units], [mean_of_rows], resamples=rounds, rng=rng)
    return paired_bootstrap(mean_of_rows(units.sum(axis=1)), drawn)
