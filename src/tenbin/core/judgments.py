"""Scores of systems and human judgments of them, the data of a meta-evaluation."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray, Numbering
from tenbin.core.counting import counted
from tenbin.core.errors import InputError

_MOST_NAMED = 5


class Level(StrEnum):
    """What one score stands for."""

    SEGMENT = "seg"
    SYSTEM = "sys"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScoreMatrix:
    """Scores by one metric or one kind of human judgment; higher is better.

    Attributes:
        name: The metric, or the kind of judgment.
        systems: Names, each once.
        segments: Identifiers, each once; empty at the level of systems.
        scores: ``(systems, segments)``, or ``(systems,)`` at the level of systems; NaN is missing.
    """

    name: str
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    scores: FloatArray

    def __post_init__(self) -> None:
        shape = (len(self.systems), len(self.segments)) if self.segments else (len(self.systems),)
        if self.scores.shape != shape:
            raise InputError(
                f"{self.name}: expected scores of shape {shape} for "
                f"{counted(len(self.systems), 'system')} and "
                f"{counted(len(self.segments), 'segment')}, found {self.scores.shape}."
            )
        for what, names in (("system", self.systems), ("segment", self.segments)):
            if len(set(names)) < len(names):
                twice = sorted({name for name in names if names.count(name) > 1})
                raise InputError(f"{self.name}: {what} {listed(twice)} has scores more than once.")

    @classmethod
    def by_segment(cls, name: str, scores: Mapping[str, Sequence[float | None]]) -> Self:
        """Return a table from the scores of each system in the order of segments, from 1 on.

        >>> ScoreMatrix.by_segment("m", {"A": [0.5, None], "B": [1, 0]}).scores
        array([[0.5, nan],
               [1. , 0. ]])
        """
        lengths = {system: len(row) for system, row in scores.items()}
        if len(set(lengths.values())) != 1:
            raise InputError(f"{name}: systems differ in their number of segments: {lengths}.")
        values = np.array([[_or_nan(value) for value in row] for row in scores.values()])
        return cls(
            name=name,
            systems=tuple(scores),
            segments=tuple(str(number + 1) for number in range(values.shape[1])),
            scores=values,
        )

    @classmethod
    def by_system(cls, name: str, scores: Mapping[str, float | None]) -> Self:
        """Return a table of one score per system."""
        values = np.array([_or_nan(value) for value in scores.values()], dtype=np.float64)
        return cls(name=name, systems=tuple(scores), segments=(), scores=values)

    @property
    def level(self) -> Level:
        """Whether scores stand for segments or systems."""
        return Level.SEGMENT if self.segments else Level.SYSTEM

    def negated(self) -> Self:
        """Return the table of an error metric negated, so that higher is better."""
        return replace(self, scores=-self.scores)

    def without(self, systems: Iterable[str]) -> Self:
        """Return the table without some systems; names that are not there are ignored."""
        left_out = set(systems)
        return self.chosen([name for name in self.systems if name not in left_out])

    def chosen(self, systems: Sequence[str], segments: Sequence[str] | None = None) -> Self:
        """Return the scores of some systems and segments, in the order given.

        Raises:
            InputError: One of them is not in the table; all such names are listed.
        """
        rows = self._places("system", systems, self.systems)
        scores = self.scores[rows]
        if segments is None or not self.segments or tuple(segments) == self.segments:
            return replace(self, systems=tuple(systems), scores=scores)
        columns = self._places("segment", segments, self.segments)
        return replace(
            self, systems=tuple(systems), segments=tuple(segments), scores=scores[:, columns]
        )

    def _places(self, what: str, wanted: Sequence[str], known: tuple[str, ...]) -> list[int]:
        places = {name: place for place, name in enumerate(known)}
        missing = [name for name in wanted if name not in places]
        if missing:
            raise InputError(
                f"{self.name}: no scores for {len(missing)} of {counted(len(wanted), what)}: "
                f"{listed(missing)}. There are: {listed(known)}."
            )
        return [places[name] for name in wanted]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HumanPairs:
    """Judgments that one system is better than another on a segment; ties are not among them.

    Attributes:
        name: The kind of judgment: ``rr`` (relative ranking), ``darr`` (from direct assessment).
        systems: Names of the systems that occur.
        segments: Number of the segment, from 0, per judgment.
        better: Position of the better system in ``systems``, per judgment.
        worse: Position of the worse one.
        segment_names: Names of the segments, for judgments built from a table that has them; None
            where a file counts the segments of its test set.
    """

    name: str
    systems: tuple[str, ...]
    segments: IntArray
    better: IntArray
    worse: IntArray
    segment_names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if not len(self.segments) == len(self.better) == len(self.worse):
            raise InputError(f"{self.name}: columns of judgments differ in length.")
        if np.any(self.better == self.worse):
            place = int(np.flatnonzero(self.better == self.worse)[0])
            system = self.systems[int(self.better[place])]
            raise InputError(
                f"{self.name}, judgment {place + 1}: {system} is compared with itself."
            )

    def __len__(self) -> int:
        return len(self.segments)

    @classmethod
    def of_names(cls, name: str, judgments: Sequence[tuple[int, str, str]]) -> Self:
        """Return judgments from (segment from 0, better system, worse system).

        >>> HumanPairs.of_names("rr", [(0, "A", "B"), (3, "B", "C")]).worse.tolist()
        [1, 2]
        """
        numbering = Numbering()
        better = numbering.numbers([b for _, b, _ in judgments])
        worse = numbering.numbers([w for _, _, w in judgments])
        segments = np.array([segment for segment, _, _ in judgments], dtype=np.int64)
        return cls(
            name=name, systems=tuple(numbering), segments=segments, better=better, worse=worse
        )

    def without(self, systems: Sequence[str]) -> Self:
        """Return the judgments in which none of some systems takes part."""
        left_out = np.array([name in set(systems) for name in self.systems], dtype=np.bool_)
        kept = ~(left_out[self.better] | left_out[self.worse])
        return replace(
            self, segments=self.segments[kept], better=self.better[kept], worse=self.worse[kept]
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HumanScores:
    """Human judgments of one kind, in the forms that are known.

    Attributes:
        name: The kind of judgment, such as ``mqm`` or ``da-z``.
        segments: Scores by segment.
        systems: Scores of whole systems; without them, means of ``segments``.
        pairs: Preferences; without them DARR is built from ``segments`` (raw scores, 0-100).
    """

    name: str
    segments: ScoreMatrix | None = None
    systems: ScoreMatrix | None = None
    pairs: HumanPairs | None = None


def listed(names: Sequence[str]) -> str:
    """Return some names for a message, and how many more there are."""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else float(value)
