"""How a builder tells how far it has come."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

# Shows a step of the work: its label and its total, if that is known, give a progress callback.
Phase = Callable[[str, int | None], AbstractContextManager[Callable[[int], None] | None]]


class TrainingStep(Protocol):
    """How far a training has come."""

    @property
    def step(self) -> int:
        """Steps that are done."""
        ...

    @property
    def seconds(self) -> float:
        """Seconds that were trained."""
        ...

    @property
    def loss(self) -> float:
        """The mean loss since the step that was reported before; NaN while there is none."""
        ...
