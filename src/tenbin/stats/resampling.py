"""Bootstrap resamples of segments or documents, and the intervals computed from them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from tenbin.stats.arrays import FloatArray, Scorer

_DIMENSIONS = 3  # systems, units, K

# Size of a block of weights and what is computed from it: small for any machine, yet a few rows
# even of a million units, so that the product is not limited by memory bandwidth.
BLOCK_BYTES = 64 * 2**20


@dataclass(frozen=True, slots=True)
class StackedStatistics:
    """One matrix ``(units, columns)`` with the columns of every system of every metric.

    Attributes:
        columns: The matrix.
        shapes: ``(systems, K)`` of each metric, in the order of the columns.
    """

    columns: FloatArray
    shapes: tuple[tuple[int, int], ...]

    @classmethod
    def stack(cls, statistics: Sequence[FloatArray]) -> Self:
        """Return the stack of arrays ``(systems, units, K)``, one per metric.

        Raises:
            ValueError: If an array has another number of dimensions, the metrics differ in the
                number of units, or there is no unit to draw.
        """
        for array in statistics:
            if array.ndim != _DIMENSIONS:
                message = f"statistics must have shape (systems, units, K), not {array.shape}"
                raise ValueError(message)
        unit_counts = {array.shape[1] for array in statistics}
        if len(unit_counts) != 1 or 0 in unit_counts:
            message = f"metrics must share one or more units to draw, found {sorted(unit_counts)}"
            raise ValueError(message)
        (units,) = unit_counts
        flat = [np.swapaxes(array, 0, 1).reshape(units, -1) for array in statistics]
        columns = np.concatenate(flat, axis=1, dtype=np.float64)
        return cls(columns, tuple((array.shape[0], array.shape[2]) for array in statistics))

    @property
    def unit_count(self) -> int:
        """Number of units (segments or documents) that are drawn from."""
        return len(self.columns)

    def sums(self, weights: FloatArray) -> list[FloatArray]:
        """Return ``(systems, rows, K)`` for each metric: statistics summed under each weighting.

        Args:
            weights: ``(rows, units)``, how often each unit counts in each row.
        """
        product = weights @ self.columns
        ends = np.cumsum([systems * width for systems, width in self.shapes])
        return [
            np.swapaxes(part.reshape(len(weights), *shape), 0, 1)
            for part, shape in zip(np.split(product, ends[:-1], axis=1), self.shapes, strict=True)
        ]

    def totals(self) -> list[FloatArray]:
        """Return ``(systems, K)`` for each metric: the statistics of the whole corpus."""
        return [part[:, 0] for part in self.sums(np.ones((1, self.unit_count)))]

    def rows_per_block(self, block_bytes: int) -> int:
        """Return the number of weightings per block within about ``block_bytes``."""
        # Indices, counts and weights take a number per unit each; a product takes one per column,
        # and scoring it a few more.
        numbers: int = 3 * self.unit_count + 4 * self.columns.shape[1]
        return max(1, block_bytes // (8 * numbers))


def grouped(statistics: FloatArray, groups: npt.ArrayLike | None) -> FloatArray:
    """Return statistics ``(systems, units, K)`` of the units that are drawn: documents if known.

    Segments of one document share topic, translator and difficulty; drawing them one by one treats
    them as independent and makes intervals too narrow, so whole documents are drawn instead. The
    number of documents, not of segments, then limits what a test can show; a single document shows
    nothing.

    Args:
        statistics: ``(systems, segments, K)``.
        groups: The document number of each segment, in any order; None if documents are unknown,
            which returns the statistics as they are. Units come in ascending document number.

    Raises:
        ValueError: If ``groups`` does not name one document per segment.

    >>> grouped(np.array([[[1.0], [2.0], [4.0]]]), [7, 3, 7]).tolist()
    [[[2.0], [5.0]]]
    """
    if groups is None:
        return statistics
    labels = np.asarray(groups)
    segments = statistics.shape[1]
    if labels.shape != (segments,):
        message = f"expected one group for each of {segments} segments, found shape {labels.shape}"
        raise ValueError(message)
    order = np.argsort(labels, kind="stable")
    _, starts = np.unique(labels[order], return_index=True)
    sums: FloatArray = np.add.reduceat(statistics[:, order], starts, axis=1)
    return sums


def bootstrap_counts(
    units: int, *, resamples: int, rng: np.random.Generator, rows: int
) -> Iterator[FloatArray]:
    """Yield blocks ``(at most rows, units)``: how often each unit occurs in each resample.

    The draws of all blocks together are those of one ``rng.choice(units, (resamples, units))``,
    whatever ``rows``: sacrebleu's, so the same seed gives the same resamples as there.
    """
    for start in range(0, resamples, rows):
        size = min(rows, resamples - start)
        draws = rng.integers(units, size=(size, units))
        draws += np.arange(size)[:, np.newaxis] * units  # one bincount for all rows of the block
        counts = np.bincount(draws.ravel(), minlength=size * units)
        yield counts.reshape(size, units).astype(np.float64)


def bootstrap_scores(
    statistics: Sequence[FloatArray],
    scorers: Sequence[Scorer],
    *,
    resamples: int,
    rng: np.random.Generator,
    block_bytes: int = BLOCK_BYTES,
    advance: Callable[[int], None] | None = None,
) -> list[FloatArray]:
    """Return the scores ``(systems, resamples)`` of bootstrap samples, one array per metric.

    Efron (1979): each resample draws as many units as there are, with replacement. Metrics and
    systems share the draws, so scores of one resample can be compared (see `paired_bootstrap`).

    Args:
        statistics: ``(systems, units, K)`` of each metric, over the same units.
        scorers: The scoring function of each metric.
        resamples: Number of resamples, commonly 1,000 (Koehn 2004).
        rng: The random generator.
        block_bytes: Approximate memory to work in; does not change the draws.
        advance: Called with the number of resamples, block after block.

    Raises:
        ValueError: If shapes disagree or ``resamples`` is not positive.

    >>> sum_and_count = np.array([[[1.0, 1.0], [3.0, 1.0]]])
    >>> mean = lambda sums: sums[..., 0] / sums[..., 1]
    >>> rng = np.random.default_rng(1)
    >>> bootstrap_scores([sum_and_count], [mean], resamples=4, rng=rng)[0].tolist()
    [[2.0, 3.0, 1.0, 3.0]]
    """
    if resamples < 1:
        message = f"resamples must be positive, not {resamples}"
        raise ValueError(message)
    stacked = StackedStatistics.stack(statistics)
    rows = stacked.rows_per_block(block_bytes)
    results = [np.empty((systems, resamples)) for systems, _ in stacked.shapes]
    done = 0
    for counts in bootstrap_counts(stacked.unit_count, resamples=resamples, rng=rng, rows=rows):
        block = slice(done, done + len(counts))
        for result, sums, scorer in zip(results, stacked.sums(counts), scorers, strict=True):
            result[:, block] = scorer(sums)
        done += len(counts)
        if advance is not None:
            advance(len(counts))
    return results


def percentile_interval(
    scores: FloatArray, *, level: float = 0.95
) -> tuple[FloatArray, FloatArray]:
    """Return the percentile interval ``(low, high)`` of resampled scores along the last axis.

    Efron (1979): the share ``(1 - level) / 2`` of the scores is cut off at either end. Both ends
    are observed scores without interpolation, as in sacrebleu. Resamples whose score is
    undefined (NaN) are left out; where all are, both ends are NaN.

    Raises:
        ValueError: If ``level`` is not between 0 and 1.

    >>> low, high = percentile_interval(np.arange(1000.0))
    >>> float(low), float(high)
    (25.0, 974.0)
    """
    if not 0 < level < 1:
        message = f"level must lie between 0 and 1, not {level}"
        raise ValueError(message)
    ordered = np.sort(scores, axis=-1)  # NaN comes last
    defined = np.count_nonzero(~np.isnan(ordered), axis=-1, keepdims=True)
    # The small term corrects rounding: (1 - 0.9) / 2 * 100 is 4.999... in binary.
    cut = np.floor(defined * (1 - level) / 2 + 1e-9).astype(np.int64)
    # Without a defined score the index of the high end is -1, where NaN stands, as it does at 0.
    low = np.take_along_axis(ordered, cut, axis=-1)[..., 0]
    high = np.take_along_axis(ordered, defined - 1 - cut, axis=-1)[..., 0]
    return low, high
