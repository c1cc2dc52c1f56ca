"""What a training prints, and what a card says of it."""

from collections.abc import Sequence
from typing import Any

import torch

from benchmarks.students.arrays import DEVICE, Tensor
from benchmarks.students.schedule import Schedule


class Progress:
    """Means of losses over some steps.

    Attributes:
        rows: Rows that were read.
        curve: The step and the means, every so many steps.
    """

    def __init__(self, name: str, losses: Sequence[str], every: int) -> None:
        """Begin.

        Args:
            name: What is trained.
            losses: The names of the losses.
            every: After how many steps means are printed.
        """
        self.rows = 0
        self.curve: list[list[float]] = []
        self._name, self._losses, self._every = name, tuple(losses), every
        self._sums = torch.zeros(len(losses), device=DEVICE)
        self._steps = 0

    def add(self, losses: Tensor, rows: int, schedule: Schedule) -> None:
        """Add the losses of a step.

        Args:
            losses: One number per name; they stay on the device until they are printed.
            rows: How many rows the step had.
            schedule: Tells the step and the time.
        """
        self._sums += losses
        self._steps += 1
        self.rows += rows
        if schedule.steps % self._every == 0 or schedule.is_over():
            means = [round(one, 5) for one in (self._sums / self._steps).tolist()]
            self.curve.append([schedule.steps, *means])
            said = " ".join(
                f"{name} {one:.4f}" for name, one in zip(self._losses, means, strict=True)
            )
            print(
                f"{self._name}: step {schedule.steps}, {schedule.elapsed:.0f} s, "
                f"{self.rows} rows; {said}",
                flush=True,
            )
            self._sums.zero_()
            self._steps = 0

    def facts(self, schedule: Schedule) -> dict[str, Any]:
        """Return what a card says."""
        return {
            "steps": schedule.steps,
            "rows": self.rows,
            "seconds": round(schedule.elapsed, 1),
            "losses": list(self._losses),
            "curve": self.curve,
        }
