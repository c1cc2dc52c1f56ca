"""The progress bar of a training whose number of steps is not known beforehand."""

from collections.abc import Callable
from typing import TypeVar

from tenbin.building.corpus import Advance

PARTS = 1_000
"""Parts of the bar."""

_Position = TypeVar("_Position")


def advancing(
    report: Callable[[_Position, float], None], advance: Advance | None
) -> Callable[[_Position, float], None]:
    """Return a function that reports a step, with the share that is done, and advances the bar."""
    shown = 0

    def report_step(position: _Position, done: float) -> None:
        nonlocal shown
        report(position, done)
        now = int(done * PARTS)
        if advance is not None and now > shown:
            advance(now - shown)
            shown = now

    return report_step
