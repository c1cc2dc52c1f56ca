"""What a student learns of a batch: the sum of weighted losses.

::

    score         Huber loss of the raw score against the logit of the teacher's score
    within        the same of twice their differences from the means of a group: of what is compared
    similarities  Huber loss of readout(state) against (similarity - .75) / .18, by subword
    states        1 - cosine of projection(state) and the teacher's vector less the mean vector

Further losses are further rows of `LOSSES`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch.nn import functional

from benchmarks.students.arrays import DEVICE, Tensor
from benchmarks.students.rows import JoinedRows
from benchmarks.students.student import SIMILARITY, STATE, Student

WITHIN = 2.0

_MIDDLE, _SPREAD = 0.75, 0.18  # of similarities of mpnet-en
_DIFFERENCE = 2.0  # differences within a group are small
_NEAREST = 0.01  # to 0 and 1, where labels would be without bounds


class TaughtVectors(NamedTuple):
    """The vectors of the teacher.

    Attributes:
        units: Of each place of each row.
        mean: The mean vector.
    """

    units: Tensor
    mean: Tensor


@dataclass(frozen=True, slots=True)
class Lesson:
    """A batch.

    Attributes:
        rows: What is read.
        labels: The logit of the teacher's score of each row.
        similar: What each place of each row is worth; only those of subwords count.
        groups: The group of each row: texts that are compared with the same one.
        group_count: How many groups there are.
        vectors: The vectors of the teacher, if they are learned.
    """

    rows: JoinedRows
    labels: Tensor
    similar: Tensor
    groups: Tensor
    group_count: int
    vectors: TaughtVectors | None = None


class Answer(NamedTuple):
    """What a student says of a batch.

    Attributes:
        raw: Raw scores.
        states: The states of the last layer.
        student: The student, for the layers that read states.
    """

    raw: Tensor
    states: Tensor
    student: Student


class Loss(NamedTuple):
    """A part of the loss.

    Attributes:
        name: What it is called.
        weight: What it counts.
        of: Returns it; None where the batch lacks what it needs.
    """

    name: str
    weight: float
    of: Callable[[Lesson, Answer], Tensor | None]


def logits(scores: Tensor) -> Tensor:
    """Return the raw scores that scores from 0 to 1 stand for."""
    inside = scores.clamp(_NEAREST, 1 - _NEAREST)
    return (inside / (1 - inside)).log()


def centered(numbers: Tensor, groups: Tensor, count: int) -> Tensor:
    """Return numbers less the mean of their group.

    Args:
        numbers: One per row.
        groups: The group of each row.
        count: How many groups there are.
    """
    sums, sizes = (
        torch.zeros(count, device=DEVICE).index_add_(0, groups, one)
        for one in (numbers, torch.ones_like(numbers))
    )
    return numbers - (sums / sizes)[groups]


def _score(lesson: Lesson, answer: Answer) -> Tensor:
    return functional.huber_loss(answer.raw, lesson.labels)


def _within(lesson: Lesson, answer: Answer) -> Tensor:
    found, wanted = (
        centered(numbers, lesson.groups, lesson.group_count)
        for numbers in (answer.raw, lesson.labels)
    )
    apart = _DIFFERENCE * (found - wanted)
    return functional.huber_loss(apart, torch.zeros_like(apart))


def _similarities(lesson: Lesson, answer: Answer) -> Tensor:
    numbers, kind = answer.student.numbers, answer.states.dtype
    weight, bias = numbers[f"{SIMILARITY}/weight"], numbers[f"{SIMILARITY}/bias"]
    found = (answer.states @ weight[0].to(kind)).float() + bias
    wanted = (lesson.similar - _MIDDLE) / _SPREAD
    each = functional.huber_loss(found, wanted, reduction="none")
    return _subword_mean(each, lesson.rows)


def _states(lesson: Lesson, answer: Answer) -> Tensor | None:
    if lesson.vectors is None:
        return None
    numbers, kind = answer.student.numbers, answer.states.dtype
    weight, bias = (numbers[f"{STATE}/{end}"].to(kind) for end in ("weight", "bias"))
    found = functional.linear(answer.states, weight, bias).float()
    wanted = lesson.vectors.units.float() - lesson.vectors.mean
    return _subword_mean(1 - functional.cosine_similarity(found, wanted, dim=-1), lesson.rows)


def _subword_mean(numbers: Tensor, rows: JoinedRows) -> Tensor:
    inside = rows.subwords.float()
    return (numbers * inside).sum() / inside.sum()


LOSSES = (
    Loss("score", 1.0, _score),
    Loss("within", WITHIN, _within),
    Loss("similarities", 1.0, _similarities),
    Loss("states", 1.0, _states),
)
LOSS_NAMES = tuple(one.name for one in LOSSES)


def student_loss(student: Student, lesson: Lesson) -> tuple[Tensor, Tensor]:
    """Return the loss of a batch, and its parts without their weights.

    Args:
        student: Who learns.
        lesson: The batch.
    """
    answer = Answer(*student.read(lesson.rows), student)
    nothing = torch.zeros((), device=DEVICE)
    parts = [one.of(lesson, answer) for one in LOSSES]
    found = [nothing if part is None else part for part in parts]
    total = sum(one.weight * part for one, part in zip(LOSSES, found, strict=True))
    return total, torch.stack([part.detach() for part in found])
