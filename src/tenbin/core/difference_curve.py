"""What a difference of system scores means: the share of system pairs that people order alike."""

import hashlib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import atanh, inf, isnan, nan, tanh

from tenbin.core.rendering import Renderable
from tenbin.core.signature import Signature

FEWEST_PAIRS = 100
"""System pairs below which a curve is not shown."""

FEWEST_PLACES = 5
"""Language pairs of test sets below which a curve is not shown: pairs of one set are dependent."""

_DIGEST_LENGTH = 12
# Facts of a run and of a machine, which change neither the metric nor its scale. The number of
# references is not among them: with more references scores are higher and differ by more.
_NO_SETTINGS = {"ar", "bs", "device", "lang", "language", "seed", "unit"}


class TargetGroup(StrEnum):
    """The target languages that a curve is for."""

    ANY = "any"
    SPACED = "spaced"

    def covers(self, *, spaced: bool) -> bool:
        """Return whether a language is among them, by whether spaces separate its words."""
        return spaced or self is TargetGroup.ANY


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval.

    Attributes:
        value: The number; NaN where it is not known.
        low: The lower end.
        high: The upper end.
        is_beyond: Whether the difference behind it is larger than any that the curve was fitted on.
    """

    value: float
    low: float
    high: float
    is_beyond: bool = False


@dataclass(frozen=True, slots=True)
class BandPoint:
    """The 95 % interval of the share at one difference."""

    difference: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceCurve:
    """The chance that people prefer the system that a metric prefers, by the difference.

    One half at a difference of 0, and more with a larger one, up to a ceiling:
    ``1/2 + (ceiling - 1/2) * tanh(slope * difference / 2)``, fitted on pairs of systems of the same
    test set and language pair.

    Attributes:
        metric: Spec of the metric, or the name of the file its scores come from.
        target: The target languages it is for.
        slope: Per point of the metric; NaN where nothing could be fitted.
        ceiling: The share that the largest differences come near to.
        band: Intervals of the share, from difference 0 to the largest one.
        pairs: How many system pairs it was fitted on.
        places: The test sets and language pairs they are from, such as ``wmt20 en-de``.
        agreement: Share of all these pairs that people order as the metric does.
        largest: The largest difference among them.
        settings: Digests of the signatures that the metric had on them; see `settings_digest`.
        data: Digest of the scores that it was fitted on.
    """

    metric: str
    target: TargetGroup
    slope: float
    ceiling: float
    band: tuple[BandPoint, ...]
    pairs: int
    places: tuple[str, ...]
    agreement: float
    largest: float
    settings: tuple[str, ...] = ()
    data: str = ""

    @property
    def is_reliable(self) -> bool:
        """Whether there were enough pairs, from enough places, for a share to be shown."""
        enough = self.pairs >= FEWEST_PAIRS and len(self.places) >= FEWEST_PLACES
        return enough and not isnan(self.slope)

    def share(self, difference: float) -> Estimate:
        """Return the share of system pairs with a difference that people order as the metric does.

        Beyond the largest difference that was seen the interval is that of the largest.

        >>> curve = DifferenceCurve(
        ...     metric="m", target=TargetGroup.ANY, slope=1.0, ceiling=1.0, pairs=200,
        ...     band=(BandPoint(0.0, 0.5, 0.5), BandPoint(3.0, 0.9, 0.98)), places=("a",) * 5,
        ...     agreement=0.8, largest=3.0)
        >>> round(curve.share(-2.0).value, 4), curve.share(4.0).is_beyond
        (0.8808, True)
        """
        size = abs(difference)
        if isnan(size) or isnan(self.slope):
            return Estimate(nan, nan, nan)
        value = 0.5 + (self.ceiling - 0.5) * tanh(0.5 * self.slope * size)
        at = [point.difference for point in self.band]
        low = _interpolated(size, at, [point.low for point in self.band])
        high = _interpolated(size, at, [point.high for point in self.band])
        return Estimate(value, low, high, is_beyond=size > self.largest)

    def needed(self, share: float) -> Estimate:
        """Return the difference that a share takes, with its interval.

        Infinite where no difference is enough. The interval goes as far as differences were seen.
        """
        if isnan(self.slope):
            return Estimate(nan, nan, nan)
        value = inf
        if self.slope > 0 and share < self.ceiling:
            value = 2.0 * atanh((share - 0.5) / (self.ceiling - 0.5)) / self.slope
        return Estimate(
            value,
            _first_reaching(share, [(point.high, point.difference) for point in self.band]),
            _first_reaching(share, [(point.low, point.difference) for point in self.band]),
            is_beyond=value > self.largest,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """One language pair of a test set in a fit.

    Attributes:
        metric: The metric.
        place: Test set and language pair.
        human: Kind of human judgment.
        systems: How many systems were judged and scored.
        pairs: How many pairs of them people do not tie.
        agreement: Share of these that the metric orders alike.
    """

    metric: str
    place: str
    human: str
    systems: int
    pairs: int
    agreement: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CurveTable(Renderable):
    """Curves of several metrics.

    Attributes:
        curves: One per metric.
        points: What they were fitted on.
        notes: What was chosen, left out or missing.
        resamples: Bootstrap samples of the intervals.
        seed: Their seed.
        source: What the data are called in a caption.
    """

    curves: tuple[DifferenceCurve, ...]
    points: tuple[CurvePoint, ...] = ()
    notes: tuple[str, ...] = ()
    resamples: int = 0
    seed: int = 0
    source: str = ""


def settings_digest(signature: Signature) -> str:
    """Return a digest of the settings behind a signature: the same for the same scale of scores.

    Versions, the machine, the language and what a run drew at random are left out; parameters,
    tokenizer, resources and the number of references are not.
    """
    fields = [f"{key}:{value}" for key, value in signature.fields if key not in _NO_SETTINGS]
    resources = [f"{name}={fingerprint}" for name, fingerprint in signature.resources]
    text = "\n".join([signature.metric, *sorted(fields), *sorted(resources)])
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_LENGTH]


def fitting_curve(
    curves: Sequence[DifferenceCurve], signature: Signature, *, spaced: bool
) -> DifferenceCurve | None:
    """Return the curve of a metric with exactly these settings, or None if there is none.

    Args:
        curves: Those that are known.
        signature: Of the metric, bound to the target language.
        spaced: Whether spaces separate the words of that language.
    """
    digest = settings_digest(signature)
    for curve in curves:
        if digest in curve.settings and curve.target.covers(spaced=spaced) and curve.is_reliable:
            return curve
    return None


def _interpolated(place: float, at: Sequence[float], values: Sequence[float]) -> float:
    """Return the value on the straight line between the two nearest points; NaN without points."""
    if not at:
        return nan
    right = bisect_left(at, place)
    if right == 0:
        return values[0]
    if right == len(at):
        return values[-1]
    part = (place - at[right - 1]) / (at[right] - at[right - 1])
    return values[right - 1] + part * (values[right] - values[right - 1])


def _first_reaching(share: float, points: Sequence[tuple[float, float]]) -> float:
    """Return the difference at which a line of shares first reaches one; infinite if it never does.

    Args:
        share: The share to be reached.
        points: Shares and their differences, by difference.
    """
    for (low, left), (high, right) in pairwise(points):
        if high >= share:
            return left + (right - left) * max(0.0, share - low) / (high - low or 1.0)
    return inf
