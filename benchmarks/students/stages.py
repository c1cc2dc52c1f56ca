"""The stages of a training, and how much of the time each has. Needs nothing but Python.

Measured on an H200 with 16 cores: five teachers at a time made 400 steps in 245 seconds, and six
teachers judged 1.2 million pairs in 300, while the first stage went on, which needs no labels. Of
25 minutes that leaves 700 seconds for both and some 500 for the second stage, all of whose students
are trained at a time. Labels may take longer, so the second stage has what is left.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from benchmarks.students.plan import Plan, WorkFolder

TEACHERS_SHARE = 245 / 1_500
FIRST_SHARE = 700 / 1_500
SECOND_SHARE = 500 / 1_500
ENDS_SHARE = 40 / 1_500
"""What starting the students takes, and writing them."""
LEAST_OF_SECOND = 0.25
"""The least part of its share that the second stage has, however late it is."""


class Stage(StrEnum):
    """What is done, in this order."""

    TEACH = "teach"
    FIRST = "first"
    LABEL = "label"
    SECOND = "second"


TOGETHER = ((Stage.TEACH,), (Stage.FIRST, Stage.LABEL), (Stage.SECOND,))
"""Stages that run at the same time."""

_SHARES = {
    Stage.TEACH: TEACHERS_SHARE,
    Stage.FIRST: FIRST_SHARE,
    Stage.LABEL: 0.0,  # ends when all is judged
    Stage.SECOND: SECOND_SHARE,
}


@dataclass(frozen=True, slots=True)
class Task:
    """What one process does.

    Attributes:
        stage: Of which stage it is.
        name: The year that a teacher is trained without, or the fold of a student.
    """

    stage: Stage
    name: str = ""

    @property
    def called(self) -> str:
        """What its log is called."""
        return f"{self.stage}-{self.name}" if self.name else str(self.stage)

    def output(self, work: WorkFolder) -> Path:
        """Return the file that it writes last."""
        if self.stage is Stage.TEACH:
            return work.teacher(self.name)
        if self.stage is Stage.SECOND:
            return work.student(self.name)
        return work.first if self.stage is Stage.FIRST else work.labels


def seconds_of(stage: Stage, minutes: float, elapsed: float) -> float:
    """Return how long a stage may take.

    Args:
        stage: The stage.
        minutes: How long everything may take.
        elapsed: The seconds that the stages before took.
    """
    own = 60 * minutes * _SHARES[stage]
    if stage is not Stage.SECOND:
        return own
    return max(60 * minutes * (1 - ENDS_SHARE) - elapsed, LEAST_OF_SECOND * own)


def tasks_of(stage: Stage, plan: Plan) -> Sequence[Task]:
    """Return what is done at the same time in a stage.

    Args:
        stage: The stage.
        plan: What is to be trained.
    """
    if stage is Stage.TEACH:
        return [Task(stage, year) for year in plan.taught]
    if stage is Stage.SECOND:
        return [Task(stage, fold.name) for fold in plan.folds]
    return [Task(stage)]
