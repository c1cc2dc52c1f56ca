"""The progress of a training: a bar of its steps, and the average of the loss."""

from collections.abc import Callable
from math import isnan
from typing import TypeVar

from tenbin.building.corpus import Advance

PARTS = 1_000
"""Parts of the bar of a training whose number of steps is not known before."""

_LOSS_MEMORY = 0.9
_Position = TypeVar("_Position")


def advancing(
    report: Callable[[_Position, float], None], advance: Advance | None, parts: int = PARTS
) -> Callable[[_Position, float], None]:
    """Return a function that reports a step, with the share that is done, and advances the bar."""
    shown = 0

    def report_step(position: _Position, done: float) -> None:
        nonlocal shown
        report(position, done)
        now = round(done * parts)
        if advance is not None and now > shown:
            advance(now - shown)
            shown = now

    return report_step


def averaged_loss(average: float, found: float, steps: int = 1) -> float:
    """Return the moving average of the loss after some more steps.

    Args:
        average: What it was; not a number before the first loss.
        found: The loss of the last step.
        steps: How many steps were taken since then: reading a number from a GPU makes it wait, so
            that this is done only now and then.

    >>> averaged_loss(1.0, 2.0), averaged_loss(float("nan"), 2.0)
    (1.1, 2.0)
    """
    memory = _LOSS_MEMORY**steps
    return found if isnan(average) else memory * average + (1 - memory) * found
