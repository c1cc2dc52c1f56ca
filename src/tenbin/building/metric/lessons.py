"""What a student learns of each subword beside the score of the pair.

The last state of a subword is read by two linear layers, which are thrown away after the training::

    similarity  Huber loss of readout(state) against (similarity - .75) / .18
    states      1 - cosine of projection(state) and the vector of the teacher less its mean vector

Both are means over the subwords of a step. Similarities of mpnet-en are .75 on average, with a
standard deviation of .18.
"""

from typing import Any

import numpy as np

from tenbin.annotation.joint.adapter import HEAD_NAMES
from tenbin.annotation.joint.fitting import FEATURES
from tenbin.annotation.joint.network import JointNetwork
from tenbin.building.metric.examples import StepExamples
from tenbin.building.metric.recipe import MetricRecipe
from tenbin.building.metric.teacher_vectors import TeacherVectors
from tenbin.core.arrays import FloatArray, IntArray

Tensor = Any  # of torch, which is not imported here

LESSONS = "lessons/"
"""Names of what is thrown away begin with this."""

_MIDDLE, _SPREAD = 0.75, 0.18
_PURPOSE = 4


class SubwordLessons:
    """The layers that are thrown away, and their losses.

    Attributes:
        parameters: Their numbers by name.
    """

    def __init__(
        self,
        network: JointNetwork,
        recipe: MetricRecipe,
        mean: FloatArray,
        teacher: TeacherVectors | None = None,
    ) -> None:
        """Draw the first numbers.

        Args:
            network: The student.
            recipe: The weights of both losses, and the seed.
            mean: The mean vector of the teacher.
            teacher: The base model of the teacher, if states are learned.
        """
        self._torch, self._device = network.torch, network.device
        self._recipe, self._teacher = recipe, teacher
        size = network.parameters[HEAD_NAMES[0]].shape[-1] // FEATURES
        rng = np.random.default_rng((recipe.seed, _PURPOSE))
        self.parameters: dict[str, Tensor] = {}
        widths = {"similarity": 1} if recipe.subword_weight else {}
        for name, width in (widths | ({"state": len(mean)} if teacher is not None else {})).items():
            for kind, shape in (("weight", (width, size)), ("bias", (width,))):
                first = rng.uniform(-1, 1, shape) / np.sqrt(size)
                there = self._sent(first.astype(np.float32))
                self.parameters[f"{LESSONS}{name}/{kind}"] = self._torch.nn.Parameter(there)
        self._mean = self._sent(mean.astype(np.float32))

    def loss(self, states: Tensor, part: StepExamples) -> Tensor:
        """Return the weighted loss of the subwords of a part; those of all parts add up."""
        known = self.known(states, part)
        recipe, total = self._recipe, self._torch.zeros((), device=self._device)
        if recipe.subword_weight:
            total = total + recipe.subword_weight * self.similarity_loss(known, part)
        if self._teacher is not None:
            total = total + recipe.state_weight * self.state_loss(known, part)
        return total

    def known(self, states: Tensor, part: StepExamples) -> Tensor:
        """Return the states of the subwords that are learned from, one after the other."""
        width = states.shape[1]
        places = [row * width + one.places for row, one in enumerate(part.subwords)]
        flat = states.reshape(-1, states.shape[-1])
        return flat[self._sent(np.concatenate(places))].float()

    def similarity_loss(self, known: Tensor, part: StepExamples) -> Tensor:
        """Return how far similarities are read wrongly."""
        similar = np.concatenate([one.similar for one in part.subwords])
        labels = self._sent(((similar - _MIDDLE) / _SPREAD).astype(np.float32))
        found = self._read("similarity", known)[:, 0]
        functions = self._torch.nn.functional
        return functions.huber_loss(found, labels, reduction="sum") * part.subword_share

    def state_loss(self, known: Tensor, part: StepExamples) -> Tensor:
        """Return how far states lead away from the vectors of the teacher."""
        if self._teacher is None:
            return self._torch.zeros((), device=self._device)
        read = self._teacher.of([text for one in part.subwords for text in one.texts])
        inside = _inside(read.lengths, self._teacher, read.units.shape[1])
        flat = read.units.reshape(-1, read.units.shape[-1])
        vectors = flat[self._sent(inside)] - self._mean
        cosines = self._torch.nn.functional.cosine_similarity(
            self._read("state", known), vectors, dim=-1
        )
        return (1 - cosines).sum() * part.subword_share

    def _read(self, name: str, known: Tensor) -> Tensor:
        weight, bias = (self.parameters[f"{LESSONS}{name}/{kind}"] for kind in ("weight", "bias"))
        return self._torch.nn.functional.linear(known, weight, bias)

    def _sent(self, numbers: FloatArray | IntArray | Any) -> Tensor:  # noqa: ANN401 - any type
        return self._torch.from_numpy(np.ascontiguousarray(numbers)).to(self._device)


def _inside(lengths: IntArray, teacher: TeacherVectors, width: int) -> IntArray:
    """Return the places of subwords, without special tokens, among those of padded texts."""
    return np.concatenate(
        [
            row * width + np.arange(teacher.before, length - teacher.after)
            for row, length in enumerate(lengths.tolist())
        ]
    )
