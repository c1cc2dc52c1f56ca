"""Which adapters are trained without which year, and on what: keywords of `tenbin.build_metric`.

The settings of `tenbin-large` are those of the bundled adapter: it learned from the judgments of
five years, so that there are five of it without one of them. A student learns from the scores of
`tenbin-large` on the texts of seven, in two stages: without a year its teacher is the one without
that year, and its first stage reads the texts of other years where it would read those. The bundled
`tenbin-fast` and what is measured of it were trained by `benchmarks.students`, on plain text too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

JUDGED = ("wmt14", "wmt15.daseg", "wmt16.daseg", "wmt19.darr", "wmt23")
"""Test sets whose judgments `tenbin-large` learned from."""
FIRST, OTHER_FIRST = ("wmt21", "wmt22"), ("wmt14", "wmt19.darr", "wmt23")
"""Test sets whose texts the first stage of a student reads, and which in their place."""
READ = (*JUDGED, *FIRST)
"""Test sets whose texts its second stage reads."""

TAUGHT = "wmt23"
TEACHERS = ("MetricX-23", "XCOMET-Ensemble", "BLEURT-20")
"""Metrics whose published scores of that year are labels too."""

_PAIRS = ("*-en",)
_LARGE: Mapping[str, Any] = {"base_model": "mpnet-en", "layer": 8, "share": 0.25}
_STUDENT: Mapping[str, Any] = {
    "peers": 3,
    "full": True,
    "keep_embeddings": True,
    "subword_weight": 1.0,
    "rows": 560,
    "head_rate": 1e-3,
    "warm_up": 0.05,
    "share": 1.0,
}
_FIRST: Mapping[str, Any] = {
    "base_model": "minilm-en",
    "layers": 4,
    "most_texts": 400_000,
    "teacher_share": 0.0,
    "state_weight": 1.0,
    "steps": 4_728,
    "rate": 5e-4,
}
_SECOND: Mapping[str, Any] = {
    "most_texts": 187_500,
    "teacher_share": 0.45,
    "steps": 3_256,
    "rate": 3e-4,
    "rounded": True,
}


def year_of(test_set: str) -> str:
    """Return the year of a test set.

    >>> year_of("wmt15.daseg")
    'wmt15'
    """
    return test_set.partition(".")[0]


class Kind(StrEnum):
    """What an adapter is."""

    LARGE = "large"
    FIRST = "first"
    FAST = "fast"


@dataclass(frozen=True, slots=True)
class Fold:
    """An adapter that is trained without a year.

    Attributes:
        kind: What it is.
        year: The year that it sees nothing of.
    """

    kind: Kind
    year: str

    @property
    def is_bundled(self) -> bool:
        """Whether the bundled adapter saw nothing of the year either."""
        seen = JUDGED if self.kind is Kind.LARGE else READ
        return self.year not in {year_of(one) for one in seen}

    def path(self, folder: Path) -> Path:
        """Return the file of the adapter; one first stage serves several years."""
        left_out = self.year
        if self.kind is Kind.FIRST:
            left_out = "-".join(year for year in _years(READ) if year not in _years(self._sets()))
        return folder / f"{self.kind}-without-{left_out}.safetensors"

    def _sets(self) -> tuple[str, ...]:
        if self.kind is Kind.FIRST:
            return OTHER_FIRST if self.year in _years(FIRST) else FIRST
        every = JUDGED if self.kind is Kind.LARGE else READ
        return tuple(one for one in every if year_of(one) != self.year)

    def named(self, folder: Path) -> str:
        """Return what `learned(adapter=...)` takes."""
        return f"tenbin-{self.kind}" if self.is_bundled else str(self.path(folder))

    def needed(self) -> tuple["Fold", ...]:
        """Return what is to be trained before."""
        if self.kind is not Kind.FAST:
            return ()
        both = Fold(Kind.LARGE, self.year), Fold(Kind.FIRST, self.year)
        return tuple(one for one in both if one.kind is Kind.FIRST or not one.is_bundled)

    def settings(self, data: Path, folder: Path) -> dict[str, Any]:
        """Return the keywords of `tenbin.build_metric`.

        Args:
            data: The folder of the test sets.
            folder: That of the adapters.
        """
        common = {"test_sets": [str(data / one) for one in self._sets()], "pairs": _PAIRS}
        if self.kind is Kind.LARGE:
            taught = TAUGHT in _years(self._sets())
            return {**common, **_LARGE, "teachers": TEACHERS if taught else ()}
        if self.kind is Kind.FIRST:
            # BERTScore of the base model alone: any adapter of it will do.
            return {**common, **_STUDENT, **_FIRST, "student_of": "tenbin-large"}
        return {
            **common,
            **_STUDENT,
            **_SECOND,
            "student_of": Fold(Kind.LARGE, self.year).named(folder),
            "start": str(Fold(Kind.FIRST, self.year).path(folder)),
        }


def _years(sets: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(year_of, sets)))


def rounds(years: Iterable[str]) -> list[list[Fold]]:
    """Return what is to be trained: those of a round at the same time, one round after the other.

    Args:
        years: The years to leave out.
    """
    wanted = [Fold(kind, year) for year in years for kind in (Kind.LARGE, Kind.FAST)]
    last = [one for one in wanted if one.kind is Kind.FAST and not one.is_bundled]
    first = [one for one in wanted if one.kind is Kind.LARGE and not one.is_bundled]
    first += [need for one in last for need in one.needed()]
    by_file = {one.path(Path()): one for one in first}
    return [part for part in (list(by_file.values()), last) if part]
