"""Shows on a terminal how far a long conversion is, unless somebody else does."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Report = Callable[[float], None]

# Who shows the progress of conversions in this thread, if not this module; the report may be None.
_watcher: ContextVar[tuple[Report | None] | None] = ContextVar("watcher", default=None)


@contextmanager
def conversions_reported_to(report: Report | None) -> Iterator[None]:
    """Let no conversion show a bar of its own meanwhile, but report from 0 to 1."""
    token = _watcher.set((report,))
    try:
        yield
    finally:
        _watcher.reset(token)


@contextmanager
def conversion_progress(label: str, *, wanted: bool) -> Iterator[Report | None]:
    """Show a bar on stderr if it is wanted and somebody is looking; give what moves it."""
    watcher = _watcher.get()
    if watcher is not None:
        yield watcher[0]
        return
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - only for a terminal
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = ("{task.description}", BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(label, total=1.0)
        yield lambda done: bar.update(task, completed=done)
