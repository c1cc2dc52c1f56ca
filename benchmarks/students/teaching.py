"""The training of a teacher: judged translations, pairs and damaged texts of recorded draws.

What each step reads was drawn beforehand, with the recipe of `tenbin build metric`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from benchmarks.students.arrays import DEVICE, Arrays, FloatArray, IntArray, Tensor, sent
from benchmarks.students.encoder import Lora
from benchmarks.students.plan import EncoderFacts
from benchmarks.students.progress import Progress
from benchmarks.students.rows import rows_of
from benchmarks.students.schedule import Descent, RatedGroup, Schedule
from benchmarks.students.teacher import Teacher, is_of_head
from benchmarks.students.texts import FlatTexts

DRAWN = (
    *("row_reference", "row_hypothesis", "row_label"),
    *("pair_reference", "pair_better", "pair_worse"),
    *("damaged_reference", "damaged_better", "damaged_worse", "damaged_margin"),
)
"""What is recorded of each step, (steps, how many) each; texts by number."""
NO_MARGIN = -99.0
"""The margin of damaged texts that are missing in a step."""

_RATE, _HEAD_RATE = 5e-4, 3e-4
_DROPOUT = 0.1
_DAMAGE_WEIGHT = 0.3
_PARTS = 4  # a step is computed in so many, as its memory would not do


@dataclass(frozen=True, slots=True)
class Draw:
    """What a step reads: judged translations, then better texts of pairs, then worse ones.

    Attributes:
        references: Texts by number.
        hypotheses: Texts by number.
        labels: Of the judged translations.
        margins: By how much the better text of each pair should score higher.
        weights: What each pair counts.
    """

    references: IntArray
    hypotheses: IntArray
    labels: FloatArray
    margins: FloatArray
    weights: FloatArray

    def parts(self, lengths: IntArray, count: int) -> list[IntArray]:
        """Return units of alike long rows; a pair is one unit, so that it stays together."""
        singles, pairs = len(self.labels), len(self.margins)
        unit = np.concatenate([np.arange(singles + pairs), singles + np.arange(pairs)])
        longest = np.zeros(singles + pairs, dtype=np.int64)
        np.maximum.at(longest, unit, lengths)
        return [
            part for part in np.array_split(np.argsort(longest, kind="stable"), count) if len(part)
        ]


class RecordedDraws:
    """The draws of all steps of a training.

    After the last one they begin again: a fast machine has time for a few more.
    """

    def __init__(self, arrays: Arrays, year: str, most: int) -> None:
        """Take those of a teacher.

        Args:
            arrays: What was collected.
            year: The year that the teacher sees nothing of.
            most: Most judged translations of a step, and most pairs of each kind.
        """
        self._drawn = {name: arrays[f"{year}/{name}"][:, :most] for name in DRAWN}

    def __len__(self) -> int:
        return len(self._drawn[DRAWN[0]])

    def draw(self, step: int) -> Draw:
        """Return what a step reads."""
        found: dict[str, npt.NDArray[Any]] = {
            name: one[step % len(self)] for name, one in self._drawn.items()
        }
        there = found["damaged_margin"] > NO_MARGIN / 2
        damaged = {name: found[f"damaged_{name}"][there] for name in ("reference", "margin")}
        better, worse = found["damaged_better"][there], found["damaged_worse"][there]
        pairs, harmed = len(found["pair_reference"]), len(better)
        twice = [found["pair_reference"], damaged["reference"]] * 2
        hypotheses = [found["pair_better"], better, found["pair_worse"], worse]
        each = [1 / max(pairs, 1), _DAMAGE_WEIGHT / max(harmed, 1)]
        return Draw(
            references=np.concatenate([found["row_reference"], *twice]).astype(np.int64),
            hypotheses=np.concatenate([found["row_hypothesis"], *hypotheses]).astype(np.int64),
            labels=found["row_label"].astype(np.float32),
            margins=np.concatenate([np.zeros(pairs), damaged["margin"]]).astype(np.float32),
            weights=np.repeat(each, [pairs, harmed]).astype(np.float32),
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """How a teacher reads the texts of a student.

    Attributes:
        texts: All texts.
        table: The ids of the teacher for those of the student.
        facts: The special tokens of the teacher.
    """

    texts: FlatTexts
    table: Tensor
    facts: EncoderFacts


def train_teacher(
    teacher: Teacher, draws: RecordedDraws, reading: Reading, schedule: Schedule, name: str
) -> Progress:
    """Train a teacher until the time is over.

    Args:
        teacher: Whose numbers are trained.
        draws: What each step reads.
        reading: How.
        schedule: The rate of each step.
        name: What the teacher is called.

    Returns:
        The losses.
    """
    head = [one for key, one in teacher.numbers.items() if is_of_head(key)]
    body = [one for key, one in teacher.numbers.items() if not is_of_head(key)]
    groups = [RatedGroup(body, _RATE), RatedGroup(head, _HEAD_RATE)]
    descent = Descent(groups, [*body, *head], schedule)
    progress = Progress(name, ("loss",), every=100)
    while not schedule.is_over():
        draw = draws.draw(schedule.steps)
        loss = accumulate(teacher, draw, reading, dropout=_DROPOUT, parts=_PARTS)
        descent.step()
        progress.add(loss[None], len(draw.references), schedule)
    return progress


def accumulate(
    teacher: Teacher, draw: Draw, reading: Reading, *, dropout: float, parts: int
) -> Tensor:
    """Add the gradients of a step to those of the numbers.

    The matrices are made once, and the gradients of all parts are collected at them: what they are
    made of gets its gradients once, too.

    Args:
        teacher: Whose numbers get gradients.
        draw: What the step reads.
        reading: How.
        dropout: The share of numbers that are dropped.
        parts: In how many parts.

    Returns:
        The loss of the step.
    """
    made = teacher.lora()
    leaves = {name: (_leaf(down), _leaf(up)) for name, (down, up) in made.items()}
    lengths = reading.texts.lengths[draw.references] + reading.texts.lengths[draw.hypotheses]
    total = torch.zeros((), device=DEVICE)
    for units in draw.parts(lengths, parts):
        loss = _part_loss(teacher, draw, reading, units, leaves, dropout)
        loss.backward()
        total += loss.detach()
    torch.autograd.backward(
        [one for both in made.values() for one in both],
        [one.grad for both in leaves.values() for one in both],
    )
    return total


def _leaf(matrix: Tensor) -> Tensor:
    return matrix.detach().requires_grad_()


def _part_loss(
    teacher: Teacher, draw: Draw, reading: Reading, units: IntArray, lora: Lora, dropout: float
) -> Tensor:
    judged = len(draw.labels)
    singles, pairs = units[units < judged], units[units >= judged]
    places = np.concatenate([singles, pairs, pairs + len(draw.margins)])
    one, other = draw.references[places], draw.hypotheses[places]
    rows = rows_of(reading.texts, one, other, reading.facts, reading.table)
    raw = teacher.raw(rows, lora, dropout)
    border, end = len(singles), len(singles) + len(pairs)
    labels, margins, weights = (
        sent(numbers)
        for numbers in (
            draw.labels[singles],
            draw.margins[pairs - judged],
            draw.weights[pairs - judged],
        )
    )
    # Empty parts have a sum of 0.
    loss = functional.huber_loss(raw[:border], labels, reduction="sum") / max(judged, 1)
    apart = raw[border:end] - raw[end:]
    found: Tensor = loss + (functional.softplus(margins - apart) * weights).sum()
    return found
