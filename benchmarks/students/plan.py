"""What is to be trained, and where its files are. Needs nothing but Python."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Any, Self

ALL = "all"
"""The student of all years, and the teacher that read all of them."""


class Kind(IntEnum):
    """Where a pair of texts comes from."""

    DIRECT = 0
    PEER = 1
    DAMAGED = 2
    PLAIN = 3
    TRIP = 4


PLAIN_YEAR = -1
"""The year of pairs that are of no test set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderFacts:
    """What weights alone do not say of an encoder.

    Attributes:
        heads: Heads of attention.
        epsilon: What is added to variances.
        first_position: The position of the first subword.
        padding: The id of padding.
        before: The special token before two texts.
        between: Those between them.
        after: The one after them.
        first: How many of those between belong to the first text.
    """

    heads: int
    epsilon: float
    first_position: int
    padding: int
    before: int
    between: tuple[int, ...]
    after: int
    first: int

    @classmethod
    def of_json(cls, found: Mapping[str, Any]) -> Self:
        """Return what was written."""
        return cls(**{**found, "between": tuple(found["between"])})


@dataclass(frozen=True, slots=True)
class Fold:
    """A student that is trained without some years.

    Attributes:
        name: What its file is called by.
        without: Years that it sees nothing of.
        teacher: The year that its teacher saw nothing of; ``all`` for the one of all years.
    """

    name: str
    without: tuple[str, ...] = ()
    teacher: str = ALL


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What was collected, and what is to be trained of it.

    Attributes:
        teacher: The base model of the teachers.
        student: That of the students.
        compared_layer: The layer of the former that BERTScore compares.
        names: The subwords of the student by id.
        years: Years by number; pairs of texts have the number.
        measured: Those that no student reads: agreement is measured on them.
        taught: Years that a teacher of its own is trained without.
        folds: The students.
        facts: What the cards say of sets and texts.
    """

    teacher: EncoderFacts
    student: EncoderFacts
    compared_layer: int
    names: Sequence[str]
    years: Sequence[str]
    measured: Sequence[str]
    taught: Sequence[str]
    folds: Sequence[Fold]
    facts: Mapping[str, Any] = field(default_factory=dict)

    def fold(self, name: str) -> Fold:
        """Return the fold of a name."""
        return next(one for one in self.folds if one.name == name)

    def write(self, path: Path) -> None:
        """Write everything as JSON."""
        path.write_text(json.dumps(asdict(self), ensure_ascii=False), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return what was written."""
        found = json.loads(path.read_text(encoding="utf-8"))
        for one in ("teacher", "student"):
            found[one] = EncoderFacts.of_json(found[one])
        folds = [{**one, "without": tuple(one["without"])} for one in found["folds"]]
        return cls(**{**found, "folds": tuple(Fold(**one) for one in folds)})


@dataclass(frozen=True, slots=True)
class WorkFolder:
    """The files of a training.

    Attributes:
        folder: Where they are.
    """

    folder: Path

    @property
    def plan(self) -> Path:
        """What is to be trained."""
        return self.folder / "plan.json"

    @property
    def texts(self) -> Path:
        """The texts of test sets, pairs of them, and what teachers draw in each step."""
        return self.folder / "texts.npz"

    @property
    def plain(self) -> Path:
        """Plain text."""
        return self.folder / "plain.npz"

    @property
    def teacher_base(self) -> Path:
        """The weights of the base model of the teachers."""
        return self.folder / "teacher-base.npz"

    @property
    def student_base(self) -> Path:
        """Those of the students."""
        return self.folder / "student-base.npz"

    @property
    def labels(self) -> Path:
        """What the teachers say of pairs of texts; large, and of no use elsewhere."""
        return self.folder / "labels.npz"

    @property
    def logs(self) -> Path:
        """What processes print."""
        return self.folder / "logs"

    @property
    def trained(self) -> Path:
        """The folder of everything that is worth bringing home."""
        return self.folder / "trained"

    def teacher(self, year: str) -> Path:
        """Return the file of a teacher; that of all years is collected, not trained."""
        folder = self.folder if year == ALL else self.trained
        return folder / f"teacher-{year}.npz"

    @property
    def first(self) -> Path:
        """The student of the first stage."""
        return self.trained / "first.npz"

    @property
    def scores(self) -> Path:
        """What the teachers say of translations beside references."""
        return self.trained / "teacher-scores.npz"

    def student(self, fold: str) -> Path:
        """Return the file of a student."""
        return self.trained / f"student-{fold}.npz"
