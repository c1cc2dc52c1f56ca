"""The translations of a test set that people judged, and how far scores agree with them.

A search tries thousands of settings, so that agreement is computed for many rows of scores at once,
from places that are looked up once; the values are those of `tenbin.meta`.
"""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from benchmarks.agreement.measuring import different_texts
from benchmarks.agreement.sets import DIFFERENT, Plan
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.judgments import HumanScores, ScoreMatrix
from tenbin.meta.data import MetricSources, judged_pair
from tenbin.meta.judgments import reference_names
from tenbin.meta.measures.catalog import prepare
from tenbin.meta.measures.measurement import Averaging, Prepared
from tenbin.meta.measures.pair_tau import TauRule, wmt12_tau, wmt14_tau
from tenbin.meta.measures.scores import segments_of
from tenbin.meta.measures.segment_level import grouped_items
from tenbin.meta.measures.tie_calibration import ItemPairs, TieAccuracy, item_pairs
from tenbin.meta.planning import MetaOptions
from tenbin.meta.scoring import read_texts
from tenbin.stats.arrays import BoolArray

_SEED = 12345
_TAUS = {"wmt14-tau": wmt14_tau, "darr-tau": wmt12_tau}


class SetName(NamedTuple):
    """One language pair of a test set."""

    test_set: str
    pair: str

    @property
    def year(self) -> str:
        """The campaign: ``wmt15`` of ``wmt15.daseg``."""
        return self.test_set.partition(".")[0]

    def __str__(self) -> str:
        return f"{self.test_set} {self.pair}"


class Agreement(Protocol):
    """How far scores of the pairs of texts of a set agree with people."""

    def values(self, rows: FloatArray) -> FloatArray:
        """Return the measure of each row of scores ``(rows, pairs of texts)``."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Preferences:
    """Tau over preferences; what was judged several times counts as often."""

    rule: TauRule
    better: IntArray
    worse: IntArray
    times: FloatArray

    @classmethod
    def of(cls, rule: TauRule, better: IntArray, worse: IntArray) -> "Preferences":
        """Return preferences between pairs of texts, equal ones together."""
        rows = np.stack([better, worse], axis=1)
        distinct, times = np.unique(rows, axis=0, return_counts=True)
        return cls(rule, distinct[:, 0], distinct[:, 1], times.astype(np.float64))

    def values(self, rows: FloatArray) -> FloatArray:
        """Return tau of each row."""
        signs = np.sign(rows[:, self.better] - rows[:, self.worse])
        # Agreeing less disagreeing, and both together: one product each.
        less, both = signs @ self.times, np.abs(signs) @ self.times
        return self.rule((both + less) / 2, (both - less) / 2, self.times.sum() - both)


@dataclass(frozen=True, slots=True, eq=False)
class Correlation:
    """Pearson's correlation with human scores."""

    items: IntArray
    gold: FloatArray

    def values(self, rows: FloatArray) -> FloatArray:
        """Return the correlation of each row."""
        scores = rows[:, self.items]
        scores = scores - scores.mean(axis=1, keepdims=True)
        gold = self.gold - self.gold.mean()
        lengths = np.sqrt(np.square(scores).sum(axis=1) * np.square(gold).sum())
        found: FloatArray = (scores @ gold) / lengths
        return found


@dataclass(frozen=True, slots=True, eq=False)
class TiedAccuracy:
    """Pairwise accuracy with calibrated ties."""

    items: IntArray
    pairs: ItemPairs

    def values(self, rows: FloatArray) -> FloatArray:
        """Return the accuracy of each row at its best epsilon."""
        scores = rows[:, self.items]
        differences = scores[:, self.pairs.first] - scores[:, self.pairs.second]
        measured = [
            TieAccuracy(replace(self.pairs, metric=row), None, as_tau=False) for row in differences
        ]
        return np.array([one.value().value for one in measured])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JudgedSet:
    """What people judged of one language pair.

    Attributes:
        name: Test set and language pair.
        measure: The measure; the name of the plan.
        count: Judgements, or judged translations.
        hypotheses: The translation of each distinct pair of texts.
        references: The reference of each.
        places: The pair of texts of each system and segment; -1 where nobody judged.
        human: The judgements.
        agreement: What measures rows of scores.
    """

    name: SetName
    measure: str
    count: int
    hypotheses: tuple[str, ...]
    references: tuple[str, ...]
    places: IntArray
    human: HumanScores
    agreement: Agreement

    def prepared(self, scores: FloatArray) -> Prepared:
        """Return the measure on the scores of the pairs of texts, ready for resampling."""
        human = self.human.pairs or segments_of(self.human)
        table = ScoreMatrix(
            name="scores",
            systems=human.systems,
            segments=tuple(str(number + 1) for number in range(self.places.shape[1])),
            scores=np.where(self.places < 0, np.nan, scores[self.places]),
        )
        return prepare(_library_name(self.measure), self.human, table)


def _library_name(measure: str) -> str:
    return "darr-tau" if measure == DIFFERENT else measure


def judged_set(folder: Path, pair: str, plan: Plan, most: int | None = None) -> JudgedSet | None:
    """Return what people judged of a language pair; None where the measure has no judgements.

    Args:
        folder: The test set.
        pair: The language pair.
        plan: The measure.
        most: How many judged translations are enough: those of some segments, drawn with a fixed
            seed; None: all.
    """
    measure = _library_name(plan.main)
    options = MetaOptions(measures=(measure,))
    judged = judged_pair(str(folder), pair, MetricSources(), options, is_alone=False)
    kinds = [task.human for task in judged.tasks if task.human is not None]
    if not kinds:
        return None
    human = judged.human[kinds[0]]
    if plan.main == DIFFERENT and human.pairs is not None:
        human = replace(human, pairs=different_texts(human.pairs, folder, pair))
    systems = (human.pairs or segments_of(human)).systems
    texts = read_texts(str(folder), pair, reference_names(str(folder), pair)[:1], systems)
    used = _judged_places(human, (len(systems), texts.segment_count))
    if most is not None:
        human = of_segments(human, drawn_segments(used, most))
        used = _judged_places(human, used.shape)
    # Segment after segment, so that translations of one reference stand together.
    both = [
        (texts.hypotheses[systems[system]][segment].strip(), texts.references[segment][0].strip())
        for segment, system in np.argwhere(used.T).tolist()
    ]
    number_of = {one: number for number, one in enumerate(dict.fromkeys(both))}
    places = np.full(used.shape, -1, dtype=np.int64)
    places.T[used.T] = [number_of[one] for one in both]
    hypotheses, references = zip(*number_of, strict=True)
    return JudgedSet(
        name=SetName(plan.name, pair),
        measure=plan.main,
        count=int(used.sum()) if human.pairs is None else len(human.pairs),
        hypotheses=hypotheses,
        references=references,
        places=places,
        human=human,
        agreement=_agreement(measure, human, places),
    )


def drawn_segments(used: BoolArray, most: int) -> BoolArray:
    """Return which segments are drawn, so that about ``most`` of their translations are judged.

    >>> drawn_segments(np.ones((2, 4), dtype=np.bool_), 4).sum()
    np.int64(2)
    """
    order = np.random.default_rng(_SEED).permutation(used.shape[1])
    kept = np.zeros(used.shape[1], dtype=np.bool_)
    kept[order[np.cumsum(used.sum(axis=0)[order]) <= most]] = True
    return kept


def of_segments(human: HumanScores, kept: BoolArray) -> HumanScores:
    """Return the judgements of some segments alone."""
    if human.pairs is not None:
        pairs, own = human.pairs, kept[human.pairs.segments]
        fewer = replace(
            pairs, segments=pairs.segments[own], better=pairs.better[own], worse=pairs.worse[own]
        )
        return replace(human, pairs=fewer)
    table = segments_of(human)
    return replace(human, segments=replace(table, scores=np.where(kept, table.scores, np.nan)))


def _judged_places(human: HumanScores, shape: tuple[int, int]) -> BoolArray:
    used = np.zeros(shape, dtype=np.bool_)
    if human.pairs is None:
        return ~np.isnan(segments_of(human).scores)
    used[human.pairs.better, human.pairs.segments] = True
    used[human.pairs.worse, human.pairs.segments] = True
    return used


def _agreement(measure: str, human: HumanScores, places: IntArray) -> Agreement:
    if human.pairs is not None:
        pairs = human.pairs
        better, worse = (places[side, pairs.segments] for side in (pairs.better, pairs.worse))
        return Preferences.of(_TAUS[measure], better, worse)
    table = segments_of(human)
    make = partial(grouped_items, table.scores)
    if measure == "segment-pearson":
        items = make(Averaging.NONE)
        return Correlation(places.ravel()[items.places], items.gold)
    if measure == "acc-eq":
        empty = replace(table, scores=np.zeros(table.scores.shape))
        compared = item_pairs(table, empty, Averaging.ITEM)
        return TiedAccuracy(places.ravel()[make(Averaging.ITEM).places], compared)
    raise ValueError(f"no search by {measure}")
