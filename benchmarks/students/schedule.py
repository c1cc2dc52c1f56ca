"""Schedules by the clock: a training ends when its time is over, however fast its steps are.

The first steps of a process are slow, so that no count of steps can be told from them.
"""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch

from benchmarks.students.arrays import DEVICE, Tensor

_DECAY = 0.01
_LARGEST_GRADIENT = 1.0
_LEAST_SHARE = 1e-3


class Schedule:
    """The rate of each step.

    Attributes:
        steps: Steps that are done.
    """

    def __init__(
        self, seconds: float, warm_up: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Start the clock.

        Args:
            seconds: When the training ends.
            warm_up: The rate rises over so many steps.
            clock: Tells the seconds.
        """
        self.steps = 0
        self._seconds, self._warm_up, self._clock = seconds, warm_up, clock
        self._began = clock()

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return self._clock() - self._began

    def is_over(self) -> bool:
        """Return whether the time is over; never before the first step."""
        return self.steps > 0 and self.elapsed >= self._seconds

    def share(self) -> float:
        """Return the share of the peak rate that the next step has."""
        left = 1 - self.elapsed / self._seconds if self._seconds > 0 else 0.0
        return min((self.steps + 1) / self._warm_up, 1.0) * max(left, _LEAST_SHARE)


class RatedGroup(NamedTuple):
    """Numbers that are trained with the same rate.

    Attributes:
        numbers: What is trained.
        rate: The peak rate.
    """

    numbers: Sequence[Tensor]
    rate: float


class Descent:
    """Steps of AdamW along a schedule."""

    def __init__(
        self, groups: Sequence[RatedGroup], clipped: Sequence[Tensor], schedule: Schedule
    ) -> None:
        """Make the optimizer.

        Args:
            groups: What is trained.
            clipped: Whose gradients are shortened together where they are long.
            schedule: Tells the rate.
        """
        self._rates = [one.rate for one in groups]
        self._clipped, self._schedule = list(clipped), schedule
        self._optimizer: torch.optim.Optimizer = torch.optim.AdamW(
            [{"params": list(one.numbers), "lr": one.rate} for one in groups],
            weight_decay=_DECAY,
            fused=DEVICE == "cuda",
        )

    def step(self) -> None:
        """Use the gradients that are there, and forget them."""
        share = self._schedule.share()
        for group, rate in zip(self._optimizer.param_groups, self._rates, strict=True):
            group["lr"] = rate * share
        torch.nn.utils.clip_grad_norm_(self._clipped, _LARGEST_GRADIENT)
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        self._schedule.steps += 1
