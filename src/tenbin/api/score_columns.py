"""Columns of scores that other programs computed: which file has the scores of which system.

``NAME=FILE`` is a column; ``NAME(lower)=FILE`` one whose lower scores are better. The scores of one
system in a file of its own are ``NAME:SYSTEM=FILE``, and ``{system}`` in a path stands for the name
of each system. A file of system scores beside one of segments gives the corpus scores.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import PurePath
from typing import Any

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, UsageError, shortened
from tenbin.core.judgments import Level, ScoreMatrix
from tenbin.core.scores import MetricScores
from tenbin.core.signature import Signature
from tenbin.core.spec import checked_alias
from tenbin.core.text import SegmentSource
from tenbin.evaluation.imported_scores import imported_column
from tenbin.formats.outside_scores import UNNAMED, read_outside_scores
from tenbin.formats.test_files import FileTestSet
from tenbin.metrics.registry import check_free_name
from tenbin.version import __version__

__all__ = ["ScoreColumn", "column_names", "parse_columns", "read_columns"]

_SYSTEM = "{system}"
_HEAD = re.compile(r"(?P<name>[^=:()]*)(?:\((?P<better>[^()]*)\))?(?P<rest>[:=].*)?", re.DOTALL)
_BETTER = {"higher": True, "lower": False}
_HELP = "Write NAME=FILE, NAME(lower)=FILE where lower scores are better, or NAME:SYSTEM=FILE."
_DIGITS = 16  # of a SHA-256, as signatures print fingerprints
_MOST_SHOWN = 60
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreColumn:
    """A file of scores, as a user named it.

    Attributes:
        name: What the column is called.
        higher_is_better: The direction of its scores.
        path: The file; ``{system}`` in it stands for the name of each system.
        system: The system whose scores it has; None where the file names systems.
    """

    name: str
    higher_is_better: bool
    path: str
    system: str | None = None


def parse_columns(items: Sequence[str], systems: Sequence[str]) -> list[ScoreColumn]:
    """Return files of scores from the words of a user.

    Args:
        items: Such as ``comet=out.json``.
        systems: The names of the systems.

    >>> parse_columns(["mx(lower):b=s.txt"], ["a", "b"])
    [ScoreColumn(name='mx', higher_is_better=False, path='s.txt', system='b')]

    Raises:
        UsageError: A text of another form, a name that cannot be, or an unknown system.
    """
    found = [_parsed(item, systems) for item in items]
    directions: dict[str, bool] = {}
    for one in found:
        if directions.setdefault(one.name, one.higher_is_better) != one.higher_is_better:
            raise UsageError(f"`scores`: {one.name} is given as higher and as lower is better.")
    folded = {name.lower() for name in directions}
    if len(folded) < len(directions):
        listed = ", ".join(directions)
        raise UsageError(f"`scores`: names that differ in case alone: {listed}. Change one.")
    return found


def column_names(items: Sequence[str]) -> list[str]:
    """Return the names of columns, each once, before anything is known of the systems."""
    return list(dict.fromkeys(_head(item)[0] for item in items))


def _head(item: str) -> tuple[str, bool, str]:
    """Return name, direction and the rest, which begins with ``=`` or ``:``."""
    shown = shortened(repr(item))
    found = _HEAD.fullmatch(item)
    if found is None or found["rest"] is None:
        raise UsageError(f"`scores`: cannot read {shown}. {_HELP}")
    name = checked_alias(found["name"].strip())
    check_free_name(name)
    better = found["better"]
    if better is not None and better.strip() not in _BETTER:
        raise UsageError(f"`scores`: {shown} has ({better[:20]}), expected (higher) or (lower).")
    return name, better is None or _BETTER[better.strip()], found["rest"]


def _parsed(item: str, systems: Sequence[str]) -> ScoreColumn:
    name, higher, rest = _head(item)
    system = None
    path = rest[1:]
    if rest.startswith(":"):
        places = [place for place, character in enumerate(rest) if character == "="]
        if not places:
            raise UsageError(f"`scores`: cannot read {shortened(repr(item))}. {_HELP}")
        # The name of a system may have an '=' too.
        cut = next((place for place in places if rest[1:place] in systems), places[0])
        system, path = rest[1:cut], rest[cut + 1 :]
        if system not in systems:
            raise UsageError(
                f"`scores`: there is no system {system[:_MOST_SHOWN]!r}; there are: "
                f"{_listed(systems)}."
            )
    if not path:
        raise UsageError(f"`scores`: {shortened(repr(item))} names no file. {_HELP}")
    return ScoreColumn(name=name, higher_is_better=higher, path=path, system=system)


def read_columns(
    columns: Sequence[str] | Mapping[str, Any],
    test_set: SegmentSource,
    metrics: Sequence[str] = (),
) -> tuple[MetricScores, ...]:
    """Read columns of scores of the systems of a test set.

    Args:
        columns: Texts such as ``comet=out.json``, or a mapping from names, such as
            ``metricx(lower)``, to a file, to numbers of the one system, or to a mapping from
            systems to files or numbers.
        test_set: The texts that the scores are of.
        metrics: Labels of the metrics beside them, which no column may have.

    Raises:
        InputError: A file cannot be read, lacks a score, or has other systems, segments or texts.
        UsageError: A name or a system that cannot be.
    """
    systems = test_set.systems
    given = _Given(test_set)
    if isinstance(columns, Mapping):
        for head, value in columns.items():
            _add_value(given, str(head), value, systems)
    else:
        for one in parse_columns(columns, systems):
            given.add_file(one)
    taken = {label.lower() for label in metrics}
    for name in given.names:
        if name.lower() in taken:
            raise UsageError(
                f"`scores`: {name} is the name of a metric of this run; call it otherwise."
            )
    return given.columns()


def _add_value(given: "_Given", head: str, value: Any, systems: Sequence[str]) -> None:  # noqa: ANN401
    name, higher, rest = _head(f"{head}=")
    if rest != "=":
        raise UsageError(f"`scores`: {shortened(repr(head))} cannot be the name of a column.")
    own = value if isinstance(value, Mapping) else {None: value}
    for system, one in own.items():
        if system is not None and system not in systems:
            raise UsageError(
                f"`scores`: there is no system {str(system)[:_MOST_SHOWN]!r}; there are: "
                f"{_listed(systems)}."
            )
        if isinstance(one, str | PathLike):
            path = str(fspath(one))
            given.add_file(
                ScoreColumn(name=name, higher_is_better=higher, path=path, system=system)
            )
        else:
            given.add_numbers(name, higher, system, one)


@dataclass(slots=True, eq=False)
class _Column:
    """What is known of one column so far: scores by system, and where they come from."""

    name: str
    higher_is_better: bool
    segments: dict[str, FloatArray]
    corpus: dict[str, float]
    files: dict[str, str]
    there: list[str]


class _Given:
    """Collects columns, and checks them against the texts."""

    def __init__(self, test_set: SegmentSource) -> None:
        self._test_set = test_set
        self._systems = test_set.systems
        self._columns: dict[str, _Column] = {}
        self._texts: list[tuple[str, str, Sequence[str]]] = []
        self._paths: dict[str, str] = {}
        if isinstance(test_set, FileTestSet):
            files = test_set.hypothesis_files
            self._paths = {file.path: name for name, file in files.items()}

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    def _column(self, name: str, *, higher: bool) -> _Column:
        return self._columns.setdefault(name, _Column(name, higher, {}, {}, {}, []))

    def add_numbers(self, name: str, higher: bool, system: str | None, values: Any) -> None:  # noqa: ANN401, FBT001
        """Add scores in memory, of one system."""
        column = self._column(name, higher=higher)
        if isinstance(values, ScoreMatrix):
            self._add_matrix(column, name, values, None)
            return
        try:
            numbers = [float(value) for value in values]
        except (TypeError, ValueError) as error:
            raise UsageError(f"`scores`: {name} must be a file or numbers.") from error
        if any(np.isinf(numbers)):
            raise InputError(f"{name} has a score that is infinite.")
        self._add_matrix(column, name, ScoreMatrix.by_segment("", {UNNAMED: numbers}), system)

    def add_file(self, one: ScoreColumn) -> None:
        """Add the scores of a file, or of one for each system."""
        column = self._column(one.name, higher=one.higher_is_better)
        if _SYSTEM in one.path and one.system is None:
            for system in self._systems:
                self._add_found(column, one.path.replace(_SYSTEM, system), system)
            return
        self._add_found(column, one.path, one.system)

    def _add_found(self, column: _Column, path: str, system: str | None) -> None:
        found = read_outside_scores(path, name=column.name)
        column.files[PurePath(found.file).name] = found.sha256
        by_key = self._add_matrix(column, found.file, found.matrix, system)
        self._texts += [
            (found.file, by_key[key], texts) for key, texts in found.texts.items() if key in by_key
        ]

    def _add_matrix(
        self, column: _Column, file: str, matrix: ScoreMatrix, system: str | None
    ) -> dict[str, str]:
        """Add scores; return which of our systems each one of the file is."""
        by_key = self._owners(file, matrix.systems, system, column.name)
        column.there += [key for key in matrix.systems if key]
        for key, owner in by_key.items():
            row = matrix.scores[matrix.systems.index(key)]
            is_segments = matrix.level is Level.SEGMENT
            target: dict[str, Any] = column.segments if is_segments else column.corpus
            if owner in target:
                raise UsageError(
                    f"`scores`: {file} has scores of {owner!r} by {column.name}, which were given "
                    "before. Give them once."
                )
            target[owner] = self._ordered(file, matrix, row, key) if is_segments else float(row)
            if np.isnan(np.asarray(target[owner])).any():
                raise _missing(file, key, np.asarray(target[owner]))
        return by_key

    def _owners(
        self, file: str, keys: Sequence[str], system: str | None, name: str
    ) -> dict[str, str]:
        """Return our system of each system of a file; others of the file are left out."""
        if system is not None:
            chosen = [key for key in keys if self._owner(key) == system]
            if len(keys) > 1 and len(chosen) != 1:
                raise InputError(
                    f"{file} has scores of {counted(len(keys), 'system')} ({_listed(keys)}), none "
                    f"of which is {system!r}."
                )
            return {(chosen or list(keys))[0]: system}
        if tuple(keys) == (UNNAMED,):
            if len(self._systems) == 1:
                return {UNNAMED: self._systems[0]}
            raise InputError(
                f"{file} does not say which system its scores are of, and there are "
                f"{len(self._systems)}: {_listed(self._systems)}. Say so for each "
                f"(`scores={name}:SYSTEM=FILE`), or write {_SYSTEM} in the path for its name."
            )
        found: dict[str, str] = {}
        for key in keys:
            owner = self._owner(key)
            if owner is None:
                continue
            if owner in found.values():
                twin = next(other for other, one in found.items() if one == owner)
                raise InputError(f"{file}: {twin!r} and {key!r} are both the system {owner!r}.")
            found[key] = owner
        return found

    def _owner(self, key: str) -> str | None:
        """Return the system that a file calls by its name, or by the path or name of its file."""
        if key in self._systems:
            return key
        if key in self._paths:
            return self._paths[key]
        path = PurePath(key)
        for called in (path.name, path.stem):
            if called in self._systems:
                return called
        return None

    def _ordered(self, file: str, matrix: ScoreMatrix, row: FloatArray, key: str) -> FloatArray:
        """Return scores in the order of our segments, which must be as many."""
        count = self._test_set.segment_count
        if len(row) != count:
            of_system = f" of {key!r}" if key else ""
            raise InputError(
                f"{file} has {counted(len(row), 'score')}{of_system}, and the texts have "
                f"{counted(count, 'segment')}. Scores must be of these texts, one per segment."
            )
        numbers = [
            int(name) if name.isascii() and name.isdecimal() else -1 for name in matrix.segments
        ]
        first = min(numbers, default=-1)
        if first in {0, 1} and sorted(numbers) == list(range(first, first + count)):
            return np.array(row[np.argsort(numbers)], dtype=np.float64)
        return np.array(row, dtype=np.float64)

    def columns(self) -> tuple[MetricScores, ...]:
        """Return the columns, every one of which has scores of all systems."""
        found = tuple(self._built(column) for column in self._columns.values())
        self._check_texts()
        return found

    def _built(self, column: _Column) -> MetricScores:
        lacking = [name for name in self._systems if name not in column.segments]
        whole = not lacking
        if column.segments and lacking:
            raise self._lacks(column, lacking)
        without = [name for name in self._systems if name not in column.corpus]
        if without and (column.corpus or not whole):
            raise self._lacks(column, without)
        segments = np.stack([column.segments[name] for name in self._systems]) if whole else None
        corpus = None if without else np.array([column.corpus[name] for name in self._systems])
        return imported_column(
            column.name,
            _signature(column),
            higher_is_better=column.higher_is_better,
            systems=self._systems,
            segments=segments,
            scores=corpus,
        )

    def _lacks(self, column: _Column, lacking: Sequence[str]) -> InputError:
        there = f" They are of {_listed(column.there)}." if column.there else ""
        return InputError(
            f"the scores of {column.name} lack {_listed(lacking)}.{there} Give scores of every "
            f"system under its name, or say which file is of which "
            f"(`scores={column.name}:SYSTEM=FILE`)."
        )

    def _check_texts(self) -> None:
        """Raise if a file has the translations that were scored, and they are not ours."""
        if not self._texts:
            return
        start = 0
        for chunk in self._test_set.chunks(2_000):
            for file, system, texts in self._texts:
                own = chunk.hypotheses[system]
                theirs = texts[start : start + len(own)]
                for place, (one, other) in enumerate(zip(own, theirs, strict=True), start + 1):
                    if one.split() != other.split():
                        raise InputError(
                            f"{file}, segment {place:,} of {system!r}: the scores are of "
                            f"{other[:_MOST_SHOWN]!r}, and the text is {one[:_MOST_SHOWN]!r}. Give "
                            "scores of these texts."
                        )
            start += chunk.segment_count


def _missing(file: str, system: str, scores: FloatArray) -> InputError:
    of_system = f" of {system!r}" if system else ""
    if not scores.ndim:
        return InputError(f"{file}: the score{of_system} is missing. Give a number.")
    places = np.flatnonzero(np.isnan(scores)) + 1
    more = f" and {counted(len(places) - 1, 'more')}" if len(places) > 1 else ""
    return InputError(
        f"{file}: the score of segment {places[0]:,}{of_system}{more} is missing (None or NaN). "
        "Means of other segments do not compare: give every segment a score, or leave the segment "
        "out of all texts."
    )


def _signature(column: _Column) -> Signature:
    """Return where scores come from: their files and the beginnings of their SHA-256."""
    fields = [("scores", "imported"), ("better", "higher" if column.higher_is_better else "lower")]
    if column.files:
        fields.append(("file", ",".join(column.files)))
        fields.append(("sha256", ",".join(one[:_DIGITS] for one in column.files.values())))
    return Signature(metric=column.name, fields=tuple(fields), versions=(("tenbin", __version__),))


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(name[:_MOST_SHOWN] for name in names[:_MOST_NAMED])
    more = len(names) - _MOST_NAMED
    return f"{shown} and {more} more" if more > 0 else shown
