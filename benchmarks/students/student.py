"""Students: the first layers of the smaller base model, all of whose weights are trained."""

from typing import Any

import numpy as np
import torch

from benchmarks.students.arrays import DEVICE, Arrays, Tensor
from benchmarks.students.encoder import Encoder, is_of_layer
from benchmarks.students.head import HEAD, first_head, judged
from benchmarks.students.rows import JoinedRows
from benchmarks.students.schedule import Descent, RatedGroup, Schedule
from benchmarks.students.weights import packed, unpacked

LESSONS = "lessons/"
"""Names of what is thrown away at the end begin with this."""
SIMILARITY, STATE = f"{LESSONS}similarity", f"{LESSONS}state"
ROUNDED, UNITS = "rounded|", "units|"
"""Names of integers, and of what one unit of each row is, in the file of a student."""

_SEED = 1
_INTEGERS = 127


class Student:
    """A student.

    Attributes:
        numbers: Its weights, those of its head and of its lessons, float32.
    """

    def __init__(self, encoder: Encoder, numbers: dict[str, Tensor]) -> None:
        """Send the numbers to the device.

        Args:
            encoder: The base model, whose embeddings are used.
            numbers: What is trained.
        """
        self._encoder = encoder
        self.numbers: dict[str, Tensor] = {
            name: one.detach().to(DEVICE).float().clone().requires_grad_()
            for name, one in numbers.items()
        }
        self._type = encoder.weights["0.qkv.weight"].dtype

    def read(self, rows: JoinedRows) -> tuple[Tensor, Tensor]:
        """Return the raw scores of rows, and the states of the last layer."""
        weights = {n: one.to(self._type) for n, one in self.numbers.items() if is_of_layer(n)}
        types = rows.second.long()
        states = self._encoder.states(rows.ids, rows.mask, types, weights=weights)
        return judged(states, rows, self.numbers), states[-1]

    def descent(self, rate: float, head_rate: float, schedule: Schedule) -> Descent:
        """Return what trains it.

        Args:
            rate: The peak rate of the layers and of their mix.
            head_rate: That of the head and of the lessons.
            schedule: The rate of each step.
        """
        named = self.numbers.items()
        above = [one for name, one in named if name.startswith((HEAD, LESSONS))]
        body = [one for name, one in named if not name.startswith((HEAD, LESSONS))]
        clipped = [one for name, one in named if not name.startswith(LESSONS)]
        groups = [RatedGroup(body, rate), RatedGroup(above, head_rate)]
        return Descent(groups, clipped, schedule)


def first_numbers(encoder: Encoder, taught_size: int, seed: int = _SEED) -> dict[str, Tensor]:
    """Return what a training begins with.

    Args:
        encoder: The base model.
        taught_size: The size of the vectors of the teacher.
        seed: Of what is drawn.
    """
    rng = np.random.default_rng(seed)
    size = encoder.size
    found: dict[str, Any] = {name: one.float() for name, one in encoder.weights.items()}
    drawn = dict(first_head(size, encoder.layers, rng))
    for name, outputs in ((SIMILARITY, 1), (STATE, taught_size)):
        for end, shape in (("weight", (outputs, size)), ("bias", (outputs,))):
            drawn[f"{name}/{end}"] = (rng.uniform(-1, 1, shape) / np.sqrt(size)).astype(np.float32)
    return found | {name: torch.from_numpy(one) for name, one in drawn.items()}


def stored(student: Student) -> Arrays:
    """Return a student whose training is to go on.

    The matrices of its layers are stored as bfloat16: products are computed with that anyway, and
    in 8 bits of precision they compress to three quarters of float16. All others are float16.
    """
    numbers = student.numbers
    layers = {name: one for name, one in numbers.items() if is_of_layer(name)}
    others = {name: one for name, one in numbers.items() if not is_of_layer(name)}
    return {**packed(layers, "bfloat16"), **packed(others, "float16")}


def restored(arrays: Arrays) -> dict[str, Tensor]:
    """Return the numbers of a student that was stored."""
    return unpacked(arrays)


def rounded(student: Student) -> Arrays:
    """Return a student as it is in the end: matrices of its layers as integers, no lessons."""
    found: dict[str, Any] = {}
    for name, one in student.numbers.items():
        if name.startswith(LESSONS):
            continue
        numbers = one.detach().cpu().numpy()
        if is_of_layer(name) and numbers.ndim > 1:
            units = np.abs(numbers).max(1) / _INTEGERS
            units[units == 0] = 1
            found[f"{ROUNDED}{name}"] = np.rint(numbers / units[:, None]).astype(np.int8)
            found[f"{UNITS}{name}"] = units.astype(np.float32)
        else:
            found[name] = numbers.astype(np.float32 if numbers.ndim == 1 else np.float16)
    return found


def plain(arrays: Arrays) -> dict[str, np.ndarray[Any, Any]]:
    """Return the float32 numbers of a student that was rounded; other arrays as they are."""
    found = {}
    for name, one in arrays.items():
        if name.startswith(ROUNDED):
            own = name.removeprefix(ROUNDED)
            found[own] = one * arrays[f"{UNITS}{own}"][:, None]
        elif not name.startswith(UNITS):
            found[name] = one.astype(np.float32) if one.dtype == np.float16 else one
    return found
