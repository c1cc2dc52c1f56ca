"""What is being done, and how much of it: said by any layer, shown by the one that was asked to.

Work that may take more than a moment opens a `step`. Nobody looks unless a display was put in place
(`shown_by`), as the command line does; a program that calls Tenbin sees and hears nothing.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Protocol

Advance = Callable[[int], None]
"""Called with how much was done since the last call."""
Position = Callable[[], int]
"""Returns how much was done; called now and then, from another thread."""


class ProgressDisplay(Protocol):
    """Shows steps of work; a step may be opened inside another one."""

    def step(
        self, label: str, total: int | None, position: Position | None
    ) -> AbstractContextManager[Advance]:
        """Show a step while the block runs.

        Args:
            label: What is done: ``scoring``, ``reading translations.xlsx``.
            total: How much there is to do, in any unit; None where that is not known.
            position: What can be asked how much was done; None where the work counts itself.
        """
        ...


_DISPLAY: ContextVar[ProgressDisplay | None] = ContextVar("tenbin_progress", default=None)

_COUNTING: ContextVar[Advance | None] = ContextVar("tenbin_counting", default=None)


@contextmanager
def shown_by(display: ProgressDisplay | None) -> Iterator[None]:
    """Show the steps of the block on a display; None hides them.

    >>> with shown_by(None), step("counting", 3) as advance:
    ...     advance(3)
    """
    token = _DISPLAY.set(display)
    try:
        yield
    finally:
        _DISPLAY.reset(token)


def is_shown() -> bool:
    """Return whether there is a display."""
    return _DISPLAY.get() is not None


@contextmanager
def step(
    label: str, total: int | None = None, position: Position | None = None
) -> Iterator[Advance]:
    """Say that work begins, and its end with the block; yield what counts the work.

    Args:
        label: What is done.
        total: How much there is to do; None where that is not known.
        position: What can be asked how much was done, for work that is too fast to count.
    """
    display = _DISPLAY.get()
    if display is None:
        yield _uncounted
        return
    with display.step(label, total, position) as advance:
        yield advance


@contextmanager
def step_unless(advance: Advance | None, label: str, total: int | None = None) -> Iterator[Advance]:
    """Open a step, unless the caller counts the work itself.

    Args:
        advance: What the caller counts with.
        label: What is done.
        total: How much there is to do.
    """
    if advance is not None:
        yield advance
        return
    with step(label, total) as own:
        yield own


@contextmanager
def counted_by(advance: Advance) -> Iterator[None]:
    """Let what does the work in the block count by `advance`, instead of opening steps for it."""
    token = _COUNTING.set(advance)
    try:
        yield
    finally:
        _COUNTING.reset(token)


def counting() -> Advance | None:
    """Return what counts the work that is being done, where somebody said so (`counted_by`)."""
    return _COUNTING.get()


def _uncounted(_count: int) -> None:
    """Count nothing."""
