"""What was collected, opened on the device."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from benchmarks.students.arrays import Arrays, Tensor, read_arrays, sent
from benchmarks.students.encoder import Encoder
from benchmarks.students.plain_text import PlainText
from benchmarks.students.plan import Plan, WorkFolder
from benchmarks.students.sizes import Sizes
from benchmarks.students.vocabulary import Vocabulary
from benchmarks.students.weights import unpacked


@dataclass(frozen=True)
class Material:
    """What stages are made of.

    Attributes:
        work: The files.
        layers: How many layers students have.
        sizes: How much is computed at once.
    """

    work: WorkFolder
    layers: int
    sizes: Sizes

    @cached_property
    def plan(self) -> Plan:
        """What is to be trained."""
        return Plan.read(self.work.plan)

    @cached_property
    def texts(self) -> Arrays:
        """Texts of test sets and pairs of them."""
        return read_arrays(self.work.texts)

    @cached_property
    def table(self) -> Tensor:
        """The ids of the teacher for those of the student."""
        return sent(self.texts["table"].astype(np.int64))

    @cached_property
    def student(self) -> Encoder:
        """The base model of the students."""
        weights = unpacked(read_arrays(self.work.student_base))
        return Encoder(weights, self.plan.student, self.layers)

    def teacher(self, layers: int | None = None) -> Encoder:
        """Return the base model of the teachers.

        Args:
            layers: How many layers of it; None for all.
        """
        weights = unpacked(read_arrays(self.work.teacher_base))
        there = 1 + max(int(name.partition(".")[0]) for name in weights if name[0].isdigit())
        return Encoder(weights, self.plan.teacher, there if layers is None else layers)

    def plain_text(self, seed: int) -> PlainText:
        """Return plain text.

        Args:
            seed: Of what is drawn.
        """
        vocabulary = Vocabulary(self.plan.names, self.student.words)
        return PlainText(read_arrays(self.work.plain), vocabulary, seed)
