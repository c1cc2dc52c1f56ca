"""The second stage: a student learns the scores of its teacher, on all years but some."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch

from benchmarks.students.arrays import (
    Arrays,
    FloatArray,
    IntArray,
    Tensor,
    places,
    read_arrays,
    sent,
)
from benchmarks.students.batches import cuts, drawn_ahead, sorted_cuts
from benchmarks.students.labels import LEARNED, TextPairs
from benchmarks.students.losses import LOSS_NAMES, Lesson, student_loss
from benchmarks.students.material import Material
from benchmarks.students.plan import EncoderFacts, Fold, Kind, Plan
from benchmarks.students.progress import Progress
from benchmarks.students.rows import rows_of
from benchmarks.students.schedule import Schedule
from benchmarks.students.student import Student, restored, rounded

_RATE, _HEAD_RATE = 3e-4, 1e-3
_WARM_UP = 150
_SEED = 4
_TEACHER_SHARE = 0.45  # of the learned score; the rest is BERTScore
_NEAREST = 0.01
_LARGEST_GROUP = 16
_SHUFFLED = 0.05  # by which groups of a batch may differ in length
_AHEAD = 16  # steps that wait
_MOST_MEASURED = 2_000  # where a student sees all years
_FEWEST_MEASURED = 2  # pairs, for a correlation


@dataclass(frozen=True, slots=True)
class FoldLabels:
    """What a student without some years learns.

    Attributes:
        pairs: All pairs.
        labels: The logit of the score of the teacher of the fold.
        similar: What subwords are worth, one pair after another, on the device.
        starts: Where those of each pair begin, on the device.
        used: Pairs that are learned.
        held: Pairs that are measured: of years that are left out, or that nobody learns.
    """

    pairs: TextPairs
    labels: FloatArray
    similar: Tensor
    starts: Tensor
    used: IntArray
    held: IntArray

    @classmethod
    def of(cls, labels: Arrays, plan: Plan, fold: Fold) -> "FoldLabels":
        """Return those of a fold.

        Args:
            labels: What the teachers said.
            plan: Tells the years.
            fold: Which of them are left out.
        """
        pairs = TextPairs.of_arrays(labels)
        years = list(plan.years)
        unseen = [years.index(year) for year in (*fold.without, *plan.measured)]
        learned = labels[f"{LEARNED}{fold.teacher}"]
        scores = _TEACHER_SHARE * learned + (1 - _TEACHER_SHARE) * labels["bertscore"]
        inside = np.clip(scores, _NEAREST, 1 - _NEAREST)
        left_out = np.isin(pairs.year, unseen)
        held = np.flatnonzero(left_out & (pairs.kind == Kind.DIRECT))
        return cls(
            pairs=pairs,
            labels=np.log(inside / (1 - inside)).astype(np.float32),
            similar=sent(labels["similar"]),
            starts=sent(pairs.starts),
            used=np.flatnonzero(~left_out),
            held=held if fold.without else held[:_MOST_MEASURED],
        )


class StepDraw(NamedTuple):
    """What a step reads.

    Attributes:
        pairs: Pairs by number, those of a group one after the other.
        groups: The group of each, from 0.
        group_count: How many groups there are.
    """

    pairs: IntArray
    groups: IntArray
    group_count: int


def train_second(material: Material, fold: Fold, seconds: float) -> tuple[Arrays, dict[str, Any]]:
    """Train the student of a fold until the time is over.

    Args:
        material: What was collected, judged, and trained in the first stage.
        fold: Years that are left out.
        seconds: How long, from the first step on.

    Returns:
        The student with the raw scores of what is measured, and what a card says of the training.
    """
    plan, sizes = material.plan, material.sizes
    labels = FoldLabels.of(read_arrays(material.work.labels), plan, fold)
    student = Student(material.student, restored(read_arrays(material.work.first)))
    schedule = Schedule(seconds, _WARM_UP)
    descent = student.descent(_RATE, _HEAD_RATE, schedule)
    progress = Progress(f"second, {fold.name}", LOSS_NAMES, sizes.every)
    draws = endless_draws(labels, sizes.second_subwords, np.random.default_rng(_SEED))
    for draw in drawn_ahead(draws, _AHEAD):
        loss, parts = student_loss(student, lesson_of(draw, labels, plan.student))
        loss.backward()
        descent.step()
        progress.add(parts, len(draw.pairs), schedule)
        if schedule.is_over():
            break
    raw = raw_scores(student, labels, plan.student, sizes.judged_subwords)
    facts = progress.facts(schedule) | {
        "pairs": len(labels.used),
        "seeds": {"order": _SEED},
        "agreement": agreement(labels, raw, plan),
    }
    held = {name: getattr(labels.pairs, name)[labels.held] for name in ("reference", "hypothesis")}
    return {**rounded(student), **held, "raw": raw}, facts


def endless_draws(labels: FoldLabels, budget: int, rng: np.random.Generator) -> Iterator[StepDraw]:
    """Yield the draws of all steps; in an epoch each pair comes once.

    Args:
        labels: What is learned.
        budget: Most subwords of a step.
        rng: What is drawn from.
    """
    groups = reference_groups(labels.used, labels.pairs.reference)
    lengths = labels.pairs.lengths
    longest = np.array([lengths[group].max() for group in groups], dtype=np.int64)
    counts = np.array([len(group) for group in groups], dtype=np.int64)
    while True:
        # Rows of a step are about alike long, and never the same ones.
        about = longest * (1 + _SHUFFLED * rng.standard_normal(len(groups)))
        order = np.argsort(about, kind="stable").astype(np.int64)
        steps = cuts(order, longest + 6, counts, budget)
        for number in rng.permutation(len(steps)).tolist():
            chosen = steps[number]
            pairs = np.concatenate([groups[group] for group in chosen.tolist()])
            numbers = np.repeat(np.arange(len(chosen)), counts[chosen])
            yield StepDraw(pairs, numbers, len(chosen))


def reference_groups(used: IntArray, references: IntArray) -> list[IntArray]:
    """Return groups of pairs that share a reference, of at most 16 each.

    Args:
        used: Pairs by number.
        references: The reference of all pairs.
    """
    ordered = used[np.argsort(references[used], kind="stable")]
    borders = np.flatnonzero(np.diff(references[ordered])) + 1
    return [
        group[start : start + _LARGEST_GROUP]
        for group in np.split(ordered, borders)
        for start in range(0, len(group), _LARGEST_GROUP)
    ]


def lesson_of(draw: StepDraw, labels: FoldLabels, facts: EncoderFacts) -> Lesson:
    """Return what is learned in a step.

    Args:
        draw: What it reads.
        labels: What is to be said of it.
        facts: The special tokens of the student.
    """
    pairs = labels.pairs
    one, other = pairs.reference[draw.pairs], pairs.hypothesis[draw.pairs]
    rows = rows_of(pairs.texts, one, other, facts)
    # Subwords stand one after the other, without the special tokens before and between.
    place = places(rows.ids.shape[1]) - 1
    inner = torch.where(rows.in_first, place, place - len(facts.between)).clamp_min(0)
    at = labels.starts[sent(draw.pairs)][:, None] + inner
    return Lesson(
        rows=rows,
        labels=sent(labels.labels[draw.pairs]),
        similar=labels.similar[at.clamp_max(len(labels.similar) - 1)].float(),
        groups=sent(draw.groups),
        group_count=draw.group_count,
    )


@torch.no_grad()
def raw_scores(
    student: Student, labels: FoldLabels, facts: EncoderFacts, budget: int
) -> FloatArray:
    """Return the raw scores of what is measured.

    Args:
        student: Who judges.
        labels: Tells the pairs.
        facts: The special tokens of the student.
        budget: Subwords that are judged at once.
    """
    pairs, held = labels.pairs, labels.held
    found = np.zeros(len(held), dtype=np.float32)
    for part in sorted_cuts(pairs.lengths[held], budget):
        one, other = pairs.reference[held[part]], pairs.hypothesis[held[part]]
        raw, _ = student.read(rows_of(pairs.texts, one, other, facts))
        found[part] = raw.float().cpu().numpy()
    return found


def agreement(labels: FoldLabels, raw: FloatArray, plan: Plan) -> dict[str, float]:
    """Return the correlation of a student with its teacher on each year that it does not know.

    Args:
        labels: What the teacher says.
        raw: What the student says.
        plan: Tells the years.
    """
    found = {}
    years = labels.pairs.year[labels.held]
    wanted = labels.labels[labels.held]
    for year in np.unique(years).tolist():
        scores = [1 / (1 + np.exp(-one[years == year])) for one in (raw, wanted)]
        if len(scores[0]) >= _FEWEST_MEASURED and all(one.std() > 0 for one in scores):
            found[plan.years[year]] = round(float(np.corrcoef(*scores)[0, 1]), 4)
    return found
