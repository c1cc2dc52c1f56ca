"""Candidates: several translations of each segment, of which one is to be chosen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from typing import TypeVar

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.counting import counted
from tenbin.core.errors import LengthMismatch, ShapeError
from tenbin.core.text import TestSet, TextPlaces

_FLAT = "candidates"

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateLists:
    """The candidates of each segment, one or more and not necessarily the same number.

    Attributes:
        texts: The candidates of each segment.
        scores: The scores that they came with, such as those of the model; None where they came
            with none.
        files: The file of each candidate of a segment, where every file has one per segment.
        file: The one file that has all of them, a line for each.
    """

    texts: tuple[tuple[str, ...], ...]
    scores: tuple[tuple[float, ...], ...] | None = None
    files: tuple[str, ...] = ()
    file: str = ""

    def __post_init__(self) -> None:
        if not self.texts:
            raise ShapeError("there are no segments to choose for: the list of candidates is empty")
        for number, some in enumerate(self.texts, start=1):
            if not some:
                raise ShapeError(
                    f"segment {number:,} has no candidates. Give every segment at least one, or "
                    "leave the segment out of all texts."
                )
        if self.scores is not None:
            for number, (some, given) in enumerate(
                zip(self.texts, self.scores, strict=True), start=1
            ):
                if len(some) != len(given):
                    raise ShapeError(
                        f"segment {number:,} has {counted(len(some), 'candidate')} and "
                        f"{counted(len(given), 'score')}. Give one score for each candidate."
                    )

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of candidates of each segment."""
        return tuple(map(len, self.texts))

    def check_parallel(self, texts: Sequence[object] | None, called: str) -> None:
        """Raise `LengthMismatch` if other texts are not of as many segments."""
        if texts is not None and len(texts) != len(self.texts):
            raise LengthMismatch({"candidates": len(self.texts), called: len(texts)})

    def as_test_set(
        self,
        source: Sequence[str] | None = None,
        references: Sequence[Sequence[str]] | None = None,
    ) -> TestSet:
        """Return all candidates as the segments of one system, one list after the other.

        Args:
            source: The source of each segment; repeated for each of its candidates.
            references: The references of each segment; repeated in the same way.
        """
        places = TextPlaces(
            noun="line" if self.file else "candidate", hypotheses={_FLAT: self.file or _FLAT}
        )
        return TestSet(
            hypotheses={_FLAT: tuple(chain.from_iterable(self.texts))},
            references=() if references is None else tuple(map(tuple, self._repeated(references))),
            source=None if source is None else tuple(self._repeated(source)),
            places=places,
        )

    def as_systems(self, source: Sequence[str] | None = None) -> TestSet:
        """Return the candidates as texts that are their own references.

        So the checks of scoring apply to them, and name the right place. Where every file has one
        candidate of each segment, the files are the systems.
        """
        if not self.files:
            flat = self.as_test_set(source)
            (own,) = flat.hypotheses.values()
            return replace(flat, references=tuple((text,) for text in own))
        columns = tuple(zip(*self.texts, strict=True))
        return TestSet(
            hypotheses=dict(zip(self.files, columns, strict=True)),
            references=self.texts,
            source=None if source is None else tuple(source),
            places=TextPlaces(hypotheses={name: name for name in self.files}),
        )

    def by_segment(self, values: FloatArray) -> tuple[FloatArray, ...]:
        """Split numbers of all candidates, one list after the other, by segment."""
        return tuple(np.split(values, np.cumsum(self.counts)[:-1]))

    def _repeated(self, values: Sequence[_Value]) -> Iterator[_Value]:
        for value, count in zip(values, self.counts, strict=True):
            yield from repeat(value, count)
