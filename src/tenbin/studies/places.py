"""Where a study takes place: language pairs of test sets, and combinations of references."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from tenbin.core.errors import InputError, UnreadableFile, UsageError
from tenbin.meta.judgments import ALL_PAIRS, judged_pairs, reference_names

_FEWEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlace:
    """One language pair of a test set.

    Attributes:
        folder: The test set.
        pair: The language pair.
        references: Names of the references that take part.
        outputs: Names of what is there as output of a system.
    """

    folder: str
    pair: str
    references: tuple[str, ...]
    outputs: tuple[str, ...]

    @property
    def test_set(self) -> str:
        """The name of the test set."""
        return Path(self.folder).resolve().name

    @property
    def label(self) -> str:
        """The name of the place in tables and notes."""
        return f"{self.test_set} {self.pair}"


def study_places(
    folders: Sequence[str],
    pairs: Sequence[str],
    references: Sequence[str] | None,
    *,
    several: bool,
    judged: bool,
) -> tuple[list[StudyPlace], list[str]]:
    """Return the places with texts, and notes on those without.

    Args:
        folders: The test sets.
        pairs: Language pairs, the same of each set; ``all`` for all that the study can use.
        references: Names of the references that take part; None for all.
        several: Whether two references are needed.
        judged: Whether human judgments are needed.

    Raises:
        InputError: There is no place that the study could use; the message says why.
        UsageError: A reference that does not exist.
    """
    asked = [(folder, pair) for folder in folders for pair in _wanted(folder, pairs, judged=judged)]
    found: list[StudyPlace] = []
    lacks: list[str] = []
    for folder, pair in asked:
        place = StudyPlace(
            folder=folder,
            pair=pair,
            references=_chosen(folder, pair, references),
            outputs=tuple(sorted(p.stem for p in _texts(folder, "system-outputs", pair))),
        )
        lack = _lack(place, several=several)
        if lack is None:
            found.append(place)
        else:
            lacks.append(f"{place.label}: {lack}")
    if not found:
        raise InputError(f"{' '.join(lacks)} {_advice(folders, several=several)}".strip())
    return found, [f"left out, {lack}" for lack in lacks]


def reference_groups(references: Sequence[str], *, subsets: bool) -> list[tuple[str, ...]]:
    """Return the references one by one, and all together; or every combination of them.

    >>> reference_groups(["refA", "refB", "refC"], subsets=False)
    [('refA',), ('refB',), ('refC',), ('refA', 'refB', 'refC')]
    >>> len(reference_groups(["refA", "refB", "refC"], subsets=True))
    7
    """
    sizes = range(1, len(references) + 1)
    kept = [size for size in sizes if subsets or size in {1, len(references)}]
    return [group for size in kept for group in combinations(references, size)]


def _wanted(folder: str, pairs: Sequence[str], *, judged: bool) -> list[str]:
    if not Path(folder).is_dir():
        raise UnreadableFile(folder, "there is no such folder", "Check the path of the test set.")
    if ALL_PAIRS not in pairs:
        return list(dict.fromkeys(pairs))
    known = judged_pairs(folder) if judged else _pairs_with_references(folder)
    if not known:
        what = "human judgments" if judged else "references"
        raise UsageError(f"{folder}: there are no {what} in it.")
    return known


def _chosen(folder: str, pair: str, names: Sequence[str] | None) -> tuple[str, ...]:
    known = reference_names(folder, pair)
    unknown = [name for name in names or () if name not in known]
    if unknown and known:
        there = ", ".join(known)
        raise UsageError(f"{pair} has no reference {', '.join(unknown)}. There are: {there}.")
    return tuple(known if names is None else dict.fromkeys(names)) if known else ()


def _lack(place: StudyPlace, *, several: bool) -> str | None:
    """Return what a place lacks, if it lacks something."""
    if not place.references or not place.outputs:
        return "there is no text (references/, system-outputs/) to score."
    if several and len(place.references) < _FEWEST:
        return f"there is one reference ({place.references[0]}), and two or more are needed."
    return None


def _advice(folders: Sequence[str], *, several: bool) -> str:
    fewest = _FEWEST if several else 1
    usable = [
        f"{Path(folder).resolve().name} {pair}"
        for folder in folders
        for pair in _pairs_with_references(folder)
        if len(reference_names(folder, pair)) >= fewest
    ]
    if not usable:
        return "Name another test set; this one has no language pair that would do."
    return f"Language pairs that would do: {', '.join(usable)}."


def _pairs_with_references(folder: str) -> list[str]:
    names = {path.name.partition(".")[0] for path in (Path(folder) / "references").glob("*.*.txt")}
    return sorted(names)


def _texts(folder: str, room: str, pair: str) -> list[Path]:
    return list((Path(folder) / room / pair).glob("*.txt"))
