"""Judgments as columns of numbers over one pool of texts: what a metric is trained on."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tenbin.core.arrays import FloatArray, IntArray, Numbering
from tenbin.core.errors import InputError

BoolArray = npt.NDArray[np.bool_]

FARTHEST = 3.0
"""Labels beyond this many standard deviations are drawn in to it."""
LEAST_DIFFERENCE = 0.15
"""How far two z-scores of a segment must be apart to make a pair, unless it is said otherwise."""
MOST_PAIRS = 6
"""Pairs that are made of the rows of one segment; of more, so many are drawn."""

_FEWEST = 2
_ROUNDING = 1e-12
_SEED = 15


def standard_scores(scores: FloatArray) -> FloatArray | None:
    """Return z-scores; None of a single score, or of scores that are all the same.

    >>> standard_scores(np.array([1e300, 3e300])).round(3).tolist(), standard_scores(np.ones(2))
    ([-1.0, 1.0], None)
    """
    largest = float(np.abs(scores).max(initial=0.0))
    if len(scores) < _FEWEST or largest == 0:
        return None
    near_one = scores / largest  # squares of very large and very small numbers have bounds
    scale = float(near_one.std())
    if not scale > _ROUNDING:
        return None
    z_scores: FloatArray = (near_one - near_one.mean()) / scale
    return z_scores


@dataclass(slots=True)
class TextPool:
    """The distinct texts of all judgments.

    Attributes:
        texts: Their numbers; blanks around a text are no part of it.
        sources: The number of the source by that of the reference, where a source is known.
    """

    texts: Numbering = field(default_factory=Numbering)
    sources: dict[int, int] = field(default_factory=dict)

    def numbers(self, texts: Iterable[str]) -> IntArray:
        """Return the numbers of texts."""
        return self.texts.numbers([text.strip() for text in texts])

    def listed(self) -> list[str]:
        """Return all texts by number."""
        return list(self.texts)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedRows:
    """Translations with a label each.

    Attributes:
        references: Numbers of texts.
        hypotheses: Numbers of texts.
        segments: The segment of each row, any number that its set has once.
        labels: Higher is better.
    """

    references: IntArray
    hypotheses: IntArray
    segments: IntArray
    labels: FloatArray

    def __len__(self) -> int:
        return len(self.labels)

    @classmethod
    def none(cls) -> Self:
        """Return no rows."""
        empty = np.zeros(0, dtype=np.int64)
        return cls(references=empty, hypotheses=empty, segments=empty, labels=np.zeros(0))

    @classmethod
    def of_means(cls, labels: Mapping[tuple[int, int, int], Sequence[float]]) -> Self:
        """Return a row for each translation, with the mean of its labels.

        Args:
            labels: All labels by reference, hypothesis and segment.
        """
        if not labels:
            return cls.none()
        keys = np.array(list(labels), dtype=np.int64)
        return cls(
            references=keys[:, 0],
            hypotheses=keys[:, 1],
            segments=keys[:, 2],
            labels=np.array([float(np.mean(one)) for one in labels.values()]),
        )

    @classmethod
    def joined(cls, parts: Iterable[Self]) -> Self:
        """Return the rows of several sets or systems."""
        some = [*parts, cls.none()]
        return cls(
            references=np.concatenate([part.references for part in some]),
            hypotheses=np.concatenate([part.hypotheses for part in some]),
            segments=np.concatenate([part.segments for part in some]),
            labels=np.concatenate([part.labels for part in some]),
        )

    def keys(self) -> Iterator[tuple[int, int, int]]:
        """Yield reference, hypothesis and segment of each row."""
        columns = (self.references, self.hypotheses, self.segments)
        yield from zip(*(column.tolist() for column in columns), strict=True)

    def chosen(self, places: IntArray | BoolArray) -> Self:
        """Return some rows."""
        return replace(
            self,
            references=self.references[places],
            hypotheses=self.hypotheses[places],
            segments=self.segments[places],
            labels=self.labels[places],
        )

    def standardized(self, where: str) -> Self:
        """Return the rows with labels of mean 0 and standard deviation 1, at most 3 from 0.

        Raises:
            InputError: All labels are the same, or there is one only.
        """
        z_scores = standard_scores(self.labels)
        if z_scores is None:
            found = f"{self.labels[0]:g}" if len(self) else "none"
            raise InputError(
                f"{where}: all scores are the same ({found}), so that there is nothing to learn "
                "from them. Give judgments that differ, or leave this set out."
            )
        return replace(self, labels=np.clip(z_scores, -FARTHEST, FARTHEST))

    def pairs(self, least: float) -> "JudgedPairs":
        """Return pairs of translations of a segment whose labels differ by more than ``least``."""
        order = np.argsort(self.segments, kind="stable")
        found: list[IntArray] = []
        rng = np.random.default_rng(_SEED)
        starts = np.flatnonzero(np.diff(self.segments[order], prepend=np.nan) != 0)
        for places in np.split(order, starts[1:]):
            if len(places) < _FEWEST:
                continue
            first, second = np.triu_indices(len(places), k=1)
            ones, others = places[first], places[second]
            apart = np.abs(self.labels[ones] - self.labels[others]) > least
            apart &= self.hypotheses[ones] != self.hypotheses[others]
            both = np.stack([ones[apart], others[apart]])
            if both.shape[1] > MOST_PAIRS:
                drawn = rng.choice(both.shape[1], MOST_PAIRS, replace=False)
                both = both[:, np.sort(drawn)]
            found.append(both)
        if not found:
            return JudgedPairs.none()
        ones, others = np.concatenate(found, axis=1)
        upper = self.labels[ones] > self.labels[others]
        better, worse = np.where(upper, ones, others), np.where(upper, others, ones)
        return JudgedPairs(
            references=self.references[better],
            better=self.hypotheses[better],
            worse=self.hypotheses[worse],
            segments=self.segments[better],
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedPairs:
    """Two translations of a segment, of which one was found better.

    Attributes:
        references: Numbers of texts.
        better: Numbers of texts.
        worse: Numbers of texts.
        segments: The segment of each pair, as of `JudgedRows`.
    """

    references: IntArray
    better: IntArray
    worse: IntArray
    segments: IntArray

    def __len__(self) -> int:
        return len(self.better)

    @classmethod
    def none(cls) -> Self:
        """Return no pairs."""
        empty = np.zeros(0, dtype=np.int64)
        return cls(references=empty, better=empty, worse=empty, segments=empty)

    @classmethod
    def joined(cls, parts: Iterable[Self]) -> Self:
        """Return the pairs of several sets."""
        some = [*parts, cls.none()]
        return cls(
            references=np.concatenate([part.references for part in some]),
            better=np.concatenate([part.better for part in some]),
            worse=np.concatenate([part.worse for part in some]),
            segments=np.concatenate([part.segments for part in some]),
        )

    def chosen(self, places: IntArray | BoolArray) -> Self:
        """Return some pairs."""
        return replace(
            self,
            references=self.references[places],
            better=self.better[places],
            worse=self.worse[places],
            segments=self.segments[places],
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedBlock:
    """The judgments of one kind of one language pair of a set.

    Attributes:
        name: The test set, or the table.
        pair: The language pair; empty of a table.
        kind: The kind of judgment: ``da-z``, ``mqm``, ``rr``, ``teacher``, ``table`` ...
        rows: Translations with z-scores.
        pairs: Preferences within a segment.
        usual_weight: What a judgment of this kind counts unless it is said otherwise.
        facts: Further facts for the card.
    """

    name: str
    pair: str
    kind: str
    rows: JudgedRows
    pairs: JudgedPairs
    usual_weight: float
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """The set and the language pair, as messages name them."""
        return f"{self.name}/{self.pair}" if self.pair else self.name

    @property
    def title(self) -> str:
        """Set, language pair and kind."""
        return f"{self.place} {self.kind}"

    def __len__(self) -> int:
        return len(self.rows) + len(self.pairs)

    def split(self, held_out: "BoolArray", held_pairs: "BoolArray") -> tuple[Self, Self]:
        """Return what is trained on, and what is held out."""
        kept = replace(self, rows=self.rows.chosen(~held_out), pairs=self.pairs.chosen(~held_pairs))
        return kept, replace(
            self, rows=self.rows.chosen(held_out), pairs=self.pairs.chosen(held_pairs)
        )

    def digest(self, texts: Sequence[str]) -> str:
        """Return the SHA-256 of the texts and labels."""
        found = hashlib.sha256()
        rows = self.rows
        for one, other, label in zip(rows.references, rows.hypotheses, rows.labels, strict=True):
            found.update(f"{texts[one]}\t{texts[other]}\t{label:.6f}\n".encode("utf-8", "replace"))
        pairs = self.pairs
        for one, more, less in zip(pairs.references, pairs.better, pairs.worse, strict=True):
            line = f"{texts[one]}\t{texts[more]}\t{texts[less]}\n"
            found.update(line.encode("utf-8", "replace"))
        return found.hexdigest()
