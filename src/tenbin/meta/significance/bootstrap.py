"""How sure a measure is: bootstrap samples of segments, documents or judgments.

Every sample draws as many units as there are, with replacement, for all metrics alike, so that
differences between metrics are paired.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.counting import counted
from tenbin.core.errors import InputError
from tenbin.core.progress import step
from tenbin.meta.measures.measurement import Prepared
from tenbin.meta.measures.p_values import t_quantile
from tenbin.stats.resampling import bootstrap_counts, percentile_interval

RESAMPLES = 1_000
# Samples at a time, and the most numbers in a block of counts: what is computed from them is some
# twenty times as large.
_BLOCK_ROWS = 200
_BLOCK_COUNTS = 2**21


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncertainty:
    """What the bootstrap says about a measure, or about a difference.

    Attributes:
        mean: Mean over samples.
        percentile: Between these lie 95 % of the samples: the interval to report.
        of_mean: Interval of the mean itself by Student's t (Zhou et al. 2006, ParaEval); it
            shrinks with the number of samples and says nothing about the data.
        undefined: Samples whose measure is undefined; they are left out.
    """

    mean: float
    percentile: tuple[float, float]
    of_mean: tuple[float, float]
    undefined: int


def bootstrap(
    prepared: Sequence[Prepared],
    *,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    documents: Sequence[str] | None = None,
) -> FloatArray:
    """Return a measure of each metric on each bootstrap sample, ``(metrics, resamples)``.

    Args:
        prepared: The measure, joined with the scores of each metric (`measures.prepare`).
        rng: Where the draws come from.
        resamples: How many samples.
        documents: The document of each segment, to draw whole documents.

    Raises:
        InputError: Metrics differ in their number of units, or ``documents`` in that of segments.
    """
    units = {one.units for one in prepared}
    if len(units) != 1:
        raise InputError(f"metrics differ in what can be drawn: {sorted(units)} units.")
    (count,) = units
    values = np.full((len(prepared), resamples), np.nan)
    if count == 0:
        return values
    places = np.arange(count)
    if documents is not None:
        if len(documents) != count:
            raise InputError(
                f"found the documents of {counted(len(documents), 'line')}, expected those of "
                f"{counted(count, 'segment')}; to draw documents, each segment needs one."
            )
        places = np.unique(np.array(documents), return_inverse=True)[1]
    drawn = int(places.max()) + 1
    rows = max(1, min(_BLOCK_ROWS, _BLOCK_COUNTS // count))
    done = 0
    with step("drawing samples", resamples * len(prepared)) as advance:
        for counts in bootstrap_counts(drawn, resamples=resamples, rng=rng, rows=rows):
            block = slice(done, done + len(counts))
            weights = counts if documents is None else counts[:, places]
            for row, one in enumerate(prepared):
                values[row, block] = one.resampled(weights)
                advance(len(counts))
            done += len(counts)
    return values


def uncertainty(samples: FloatArray, *, level: float = 0.95) -> Uncertainty:
    """Return mean and intervals of the measure of one metric, or of a difference of two.

    >>> found = uncertainty(np.array([0.70, 0.72, 0.68, 0.71]))
    >>> round(found.mean, 4), tuple(round(end, 6) for end in found.of_mean)
    (0.7025, (0.675325, 0.729675))
    """
    known = samples[~np.isnan(samples)]
    undefined = len(samples) - len(known)
    low, high = percentile_interval(samples, level=level)
    mean = float(known.mean()) if len(known) else np.nan
    half = np.nan
    if len(known) > 1:
        spread = float(known.std(ddof=1))
        half = t_quantile((1 + level) / 2, len(known) - 1) * spread / len(known) ** 0.5
    return Uncertainty(
        mean=mean,
        percentile=(float(low), float(high)),
        of_mean=(mean - half, mean + half),
        undefined=undefined,
    )


def difference(samples: FloatArray, first: int, second: int, *, level: float = 0.95) -> Uncertainty:
    """Return the uncertainty of measure(second) - measure(first), from the same samples."""
    return uncertainty(samples[second] - samples[first], level=level)
