"""Agreement with human preferences between two systems: the Kendall-like tau of WMT12 to WMT20."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.counting import counted
from tenbin.core.errors import InputError
from tenbin.core.judgments import HumanPairs, Level, ScoreMatrix, listed
from tenbin.meta.measures.measurement import Measurement

TauRule = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]


def _ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    safe = np.where(denominator > 0, denominator, 1)
    return np.where(denominator > 0, numerator / safe, np.nan)


def wmt12_tau(agree: FloatArray, disagree: FloatArray, tied: FloatArray) -> FloatArray:
    """(C - D - T) / (C + D + T); also the tau of DARR, where a tie of the metric is discordant."""
    return _ratio(agree - disagree - tied, agree + disagree + tied)


def wmt13_tau(agree: FloatArray, disagree: FloatArray, tied: FloatArray) -> FloatArray:  # noqa: ARG001
    """(C - D) / (C + D): ties of the metric are left out."""
    return _ratio(agree - disagree, agree + disagree)


def wmt14_tau(agree: FloatArray, disagree: FloatArray, tied: FloatArray) -> FloatArray:
    """(C - D) / (C + D + T): ties of the metric count in the denominator alone."""
    return _ratio(agree - disagree, agree + disagree + tied)


@dataclass(frozen=True, slots=True, eq=False)
class PairTau:
    """Tau of a metric on human preferences.

    A bootstrap draws judgments, or segments with all their judgments (``by_segment``).

    Attributes:
        rule: From the numbers of agreeing, disagreeing and tied judgments to tau.
        signs: What the metric says on each judgment (`pair_signs`).
        outcomes: Those three numbers for every unit that can be drawn.
    """

    rule: TauRule
    signs: FloatArray
    outcomes: FloatArray

    @classmethod
    def prepare(
        cls, rule: TauRule, pairs: HumanPairs, metric: ScoreMatrix, *, by_segment: bool
    ) -> "PairTau":
        """Return the measure with the data of one metric."""
        signs = pair_signs(pairs, metric)
        if not by_segment:
            return cls.of_signs(rule, signs)
        places = segment_places(pairs, metric)
        columns = [
            np.bincount(places, weights=column, minlength=len(metric.segments))
            for column in _outcomes(signs).T
        ]
        return cls(rule, signs, np.stack(columns, axis=1))

    @classmethod
    def of_signs(cls, rule: TauRule, signs: FloatArray) -> "PairTau":
        """Return the measure from what a metric says on each judgment: 1, -1 or 0."""
        return cls(rule, signs, _outcomes(signs))

    @property
    def units(self) -> int:
        """Number of judgments, or of segments."""
        return len(self.outcomes)

    def value(self) -> Measurement:
        """Return tau over all judgments; each counts, repeated or not."""
        agree, disagree, tied = self.outcomes.sum(axis=0)
        value = float(self.rule(*(np.array([count]) for count in (agree, disagree, tied)))[0])
        counts = (int(agree), int(disagree), int(tied))
        return Measurement(value=value, n=sum(counts), counts=counts)

    def resampled(self, counts: FloatArray) -> FloatArray:
        """Return tau on units drawn with replacement."""
        agree, disagree, tied = np.moveaxis(counts @ self.outcomes, -1, 0)
        return self.rule(agree, disagree, tied)


def _outcomes(signs: FloatArray) -> FloatArray:
    """Return three columns per judgment: agrees, disagrees, cannot tell."""
    return np.stack([signs > 0, signs < 0, signs == 0], axis=1).astype(np.float64)


def pair_signs(pairs: HumanPairs, metric: ScoreMatrix) -> FloatArray:
    """Return 1, -1 or 0 per judgment: the metric agrees, disagrees, or cannot tell.

    Raises:
        InputError: The metric lacks a judged system, a segment is out of range, or a score that a
            judgment needs is missing.
    """
    if metric.level is not Level.SEGMENT:
        raise InputError(
            f"{metric.name}: these are scores of whole systems; judgments of pairs ({pairs.name}) "
            "need a score for every segment."
        )
    places = segment_places(pairs, metric)
    used = np.unique(np.concatenate([pairs.better, pairs.worse]))
    names = [pairs.systems[number] for number in used]
    scores = np.full((len(pairs.systems), len(metric.segments)), np.nan)
    scores[used] = metric.chosen(names).scores
    better = scores[pairs.better, places]
    worse = scores[pairs.worse, places]
    missing = np.flatnonzero(np.isnan(better) | np.isnan(worse))
    if len(missing):
        where = [f"segment {pairs.segments[place] + 1}" for place in missing]
        raise InputError(
            f"{metric.name}: scores are missing for {counted(len(missing), 'judged pair')} "
            f"({pairs.name}): {listed(list(dict.fromkeys(where)))}. A metric must score every "
            "judged translation."
        )
    signs: FloatArray = np.sign(better - worse)
    return signs


def segment_places(pairs: HumanPairs, metric: ScoreMatrix) -> IntArray:
    """Return where the segment of each judgment stands in the table of a metric.

    Judgments built from a table know the names of its segments. Others number segments from 1: if
    the names of the metric's segments are numbers, these are meant, otherwise their order.

    Raises:
        InputError: There are judgments on segments that the metric does not have.
    """
    names = metric.segments
    called = pairs.segment_names
    if called is not None:
        place_of = {name: place for place, name in enumerate(names)}
        known = {k: place_of[name] for k, name in enumerate(called) if name in place_of}
    elif all(name.isdecimal() for name in names):
        known = {int(name) - 1: place for place, name in enumerate(names)}
    else:
        known = {place: place for place in range(len(names))}
    numbers, inverse = np.unique(pairs.segments, return_inverse=True)
    beyond = [
        str(number + 1) if called is None else called[number]
        for number in numbers.tolist()
        if number not in known
    ]
    if beyond:
        raise InputError(
            f"{pairs.name}: judgments on segment {listed(beyond)}, but {metric.name} has "
            f"{counted(len(names), 'segment')} without it."
        )
    places = np.array([known[number] for number in numbers.tolist()], dtype=np.int64)
    return places[inverse]
