"""The first stage: students learn from plain text to compare subwords. No judgment is read."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch

from benchmarks.students.arrays import DEVICE, Arrays, IntArray, Tensor, padded_width, places, sent
from benchmarks.students.batches import cuts
from benchmarks.students.comparison import Compared, TextVectors, UnitVectors, compared
from benchmarks.students.losses import LOSS_NAMES, Lesson, TaughtVectors, logits, student_loss
from benchmarks.students.material import Material
from benchmarks.students.plain_text import VERSIONS, PlainPairs
from benchmarks.students.plan import EncoderFacts
from benchmarks.students.progress import Progress
from benchmarks.students.rows import JoinedRows, PaddedTexts, joined
from benchmarks.students.schedule import Schedule
from benchmarks.students.student import Student, first_numbers, stored

_RATE, _HEAD_RATE = 5e-4, 1e-3
_WARM_UP = 400
_SEED = 5
_SHUFFLED = 4.0  # subwords by which segments of a batch may differ in length


class PlainBatch(NamedTuple):
    """The pairs of some segments.

    Attributes:
        texts: Four versions of each segment.
        first: The first text of each pair.
        second: The second.
        width: The length of rows.
    """

    texts: PaddedTexts
    first: Tensor
    second: Tensor
    width: int

    @property
    def groups(self) -> Tensor:
        """The segment of each pair."""
        segments = len(self.texts.ids) // VERSIONS
        return torch.arange(segments, device=DEVICE).repeat_interleave(VERSIONS)


def train_first(material: Material, seconds: float) -> tuple[Arrays, dict[str, Any]]:
    """Train a student from plain text until the time is over.

    Args:
        material: What was collected.
        seconds: How long, from the first step on.

    Returns:
        The student, and what a card says of the training.
    """
    plan = material.plan
    teacher = material.teacher(plan.compared_layer)
    vectors = TextVectors(teacher, material.table, plan.compared_layer)
    student = Student(material.student, first_numbers(material.student, teacher.size))
    plain = material.plain_text(_SEED)
    schedule = Schedule(seconds, _WARM_UP)
    descent = student.descent(_RATE, _HEAD_RATE, schedule)
    progress = Progress("first", LOSS_NAMES, material.sizes.every)
    rng = np.random.default_rng(_SEED)
    mean: Tensor | None = None
    while not schedule.is_over():
        pairs = plain.pairs(material.sizes.segments)
        for batch in batches(pairs, material.sizes.first_subwords, plan.student, rng):
            read = vectors.of(batch.texts)
            if mean is None:
                mean = read.units[read.whole].float().mean(0)
            lesson = lesson_of(batch, read, mean, plan.student)
            loss, parts = student_loss(student, lesson)
            loss.backward()
            descent.step()
            progress.add(parts, len(lesson.labels), schedule)
            if schedule.is_over():
                break
    return stored(student), progress.facts(schedule) | {"seeds": {"plain text": _SEED}}


def batches(
    pairs: PlainPairs, budget: int, facts: EncoderFacts, rng: np.random.Generator
) -> Iterator[PlainBatch]:
    """Yield batches of segments that are alike long, in any order.

    Args:
        pairs: Pairs of many segments.
        budget: Most subwords of a batch.
        facts: The special tokens of the student.
        rng: What is drawn from.
    """
    lengths: IntArray = pairs.texts.lengths.cpu().numpy().reshape(-1, VERSIONS)
    sides = [one.cpu().numpy().reshape(-1, VERSIONS) for one in (pairs.first, pairs.second)]
    marks = 2 + len(facts.between)
    order = np.argsort(lengths.sum(1) + rng.normal(0, _SHUFFLED, len(lengths)), kind="stable")
    widths = 2 * lengths.max(1) + marks
    found = cuts(order.astype(np.int64), widths, np.full(len(lengths), VERSIONS), budget)
    for number in rng.permutation(len(found)).tolist():
        segments = found[number]
        starts = VERSIONS * segments[:, None]
        numbers = (starts + np.arange(VERSIONS)).reshape(-1)
        # In the batch the segments have other numbers.
        moved = VERSIONS * np.arange(len(segments))[:, None] - starts
        first, second = ((side[segments] + moved).reshape(-1) for side in sides)
        own = lengths[segments].reshape(-1)
        chosen = pairs.texts.chosen(sent(numbers))
        texts = PaddedTexts(chosen.ids[:, : int(own.max())], chosen.lengths)
        width = padded_width(int((own[first] + own[second]).max()) + marks)
        yield PlainBatch(texts, sent(first), sent(second), width)


def lesson_of(batch: PlainBatch, read: UnitVectors, mean: Tensor, facts: EncoderFacts) -> Lesson:
    """Return what is learned of a batch.

    Args:
        batch: Pairs of texts.
        read: The vectors of these texts.
        mean: The mean vector.
        facts: The special tokens of the student.
    """
    one, other = (batch.texts.chosen(numbers) for numbers in (batch.first, batch.second))
    rows = joined(one, other, batch.width, facts)
    worth = compared(read.chosen(batch.first), read.chosen(batch.second))
    # Where the subword of each place of a row stands in its text with a special token before it.
    place = places(batch.width).expand(len(rows.ids), -1)
    behind = place - one.lengths[:, None] - len(facts.between)
    at = torch.where(rows.in_first, place, behind).clamp(0, read.units.shape[1] - 1)
    text = torch.where(rows.in_first, batch.first[:, None], batch.second[:, None])
    return Lesson(
        rows=rows,
        labels=logits(worth.scores),
        similar=_similar(rows, worth, at),
        groups=batch.groups,
        group_count=len(batch.texts.ids) // VERSIONS,
        vectors=TaughtVectors(read.units[text, at], mean),
    )


def _similar(rows: JoinedRows, worth: Compared, at: Tensor) -> Tensor:
    return torch.where(rows.in_first, worth.first.gather(1, at), worth.second.gather(1, at))
