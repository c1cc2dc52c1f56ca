"""The progress of a command on stderr: a bar on a terminal, a line now and then elsewhere.

Steps of work only count; when and how they are shown is decided here, by a clock. Nothing is shown
before the work of a command has taken two seconds.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TextIO

from tenbin.core.progress import Advance, Position, shown_by

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

Clock = Callable[[], float]

DELAY_SECONDS = 2.0
"""Work that is done sooner shows nothing."""

NEVER = "never"
VARIABLE = "TENBIN_PROGRESS"
"""Environment variable that, set to ``never``, is a ``--quiet`` for the progress alone."""

# A bar takes a millisecond to draw.
_BAR_SECONDS = 0.2
_LINE_SHARE = 0.1
_LINE_SECONDS = 30.0
_CLOSEST_LINES = 5.0
# After an hour a line every six minutes will do.
_LINE_PART_OF_TIME = 0.1
_MINUTE, _HOUR = 60, 3600
_BAR_COLUMNS = 24
_MOST_LABEL = 40
_PERCENT = 100


@dataclass(eq=False, slots=True)
class StepCount:
    """A step of work that has begun.

    Attributes:
        label: What is done.
        total: How much there is to do, if that is known.
        began: When it began.
        done: How much was done.
        position: What can be asked for that.
    """

    label: str
    total: int | None
    began: float
    done: int = 0
    position: Position | None = None

    def look(self) -> None:
        """Ask how much was done, where the work does not count itself."""
        if self.position is not None:
            with suppress(OSError, ValueError):  # what is read was closed meanwhile
                self.done = max(self.done, self.position())

    def advance(self, count: int) -> None:
        """Count work; called often, so that it does nothing else."""
        self.done += count

    @property
    def share(self) -> float | None:
        """How much of the work is done, from 0 to 1; None where that is not known."""
        if self.total is None:
            return None
        return min(1.0, self.done / self.total) if self.total else 1.0

    def remaining(self, now: float) -> float | None:
        """Return how many seconds the rest will take at the rate so far; None if unknown."""
        if self.total is None or self.done <= 0:
            return None
        return max(0, self.total - self.done) * (now - self.began) / self.done

    def figures(self, now: float) -> tuple[str, str, str]:
        """Return percentage, rate and time: what remains, or, where that is unknown, has passed."""
        elapsed = now - self.began
        share, remaining = self.share, self.remaining(now)
        rate = f"{_rate(self.done / elapsed)}/s" if self.done and elapsed > 0 else ""
        percent = "" if share is None else f"{int(share * _PERCENT)} %"
        if remaining is None:
            return percent, rate, f"{duration(elapsed)} so far"
        return percent, rate, f"{duration(remaining)} left"


def duration(seconds: float) -> str:
    """Return a time as a clock shows it.

    >>> duration(75), duration(3700)
    ('1:15', '1:01:40')
    """
    whole = int(seconds + 0.5)
    hours, rest = divmod(whole, _HOUR)
    minutes, left = divmod(rest, _MINUTE)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def _rate(value: float) -> str:
    """Return a rate with about three digits.

    >>> _rate(0.25), _rate(31.42), _rate(12345.6), _rate(25_300_000)
    ('0.25', '31.4', '12,346', '25.3M')
    """
    for limit, form in ((10, "{:.2f}"), (100, "{:.1f}"), (1_000_000, "{:,.0f}")):
        if value < limit:
            return form.format(value)
    return f"{value / 1_000_000:,.1f}M"


class Drawing(Protocol):
    """Shows open steps."""

    seconds: float
    """How often it wants to be asked to."""

    def draw(self, steps: Sequence[StepCount], now: float) -> None:
        """Show steps, the outermost first."""
        ...

    def end(self, closed: StepCount, now: float) -> None:
        """Show that a step is done."""
        ...

    def clear(self) -> None:
        """Leave the screen to others; `draw` may be called again."""
        ...


class Bars:
    """One row for the outermost step and one for the innermost, erased when they are done."""

    seconds = _BAR_SECONDS

    def __init__(self, stream: TextIO, *, colored: bool) -> None:
        self._stream = stream
        self._colored = colored
        self._live: Live | None = None
        self.rows = 0

    def draw(self, steps: Sequence[StepCount], now: float) -> None:
        """Draw the bars where the last ones were."""
        # The first one whose end is known says how long it will take, the last one what happens.
        going_on = [one for one in steps if one.share is not None and one.share < 1]
        overall = (going_on or steps[-1:])[0]
        shown = [overall] if overall is steps[-1] else [overall, steps[-1]]
        table = self._table(shown, now)
        if self._live is None:
            from rich.console import Console  # noqa: PLC0415 - slow to load, for long work alone
            from rich.live import Live  # noqa: PLC0415

            console = Console(file=self._stream, no_color=not self._colored, highlight=False)
            self._live = Live(
                table, console=console, auto_refresh=False, transient=True, redirect_stdout=False
            )
            self._live.start()
        self.rows = len(shown)
        self._live.update(table, refresh=True)

    def end(self, closed: StepCount, now: float) -> None:
        """Do nothing: bars vanish."""

    def clear(self) -> None:
        """Erase the bars and bring the cursor back."""
        if self._live is not None:
            live, self._live = self._live, None
            live.stop()
            self.rows = 0

    def _table(self, steps: Sequence[StepCount], now: float) -> "Table":
        from rich.progress_bar import ProgressBar  # noqa: PLC0415
        from rich.table import Table  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        table = Table.grid(padding=(0, 1))
        for _ in range(5):
            table.add_column(no_wrap=True)
        for one in steps:
            bar = ProgressBar(
                total=None if one.total is None else float(max(1, one.total)),
                completed=one.done if one.total else 1,
                width=_BAR_COLUMNS,
                animation_time=now,
            )
            percent, rate, left = one.figures(now)
            table.add_row(Text(_short(one.label)), bar, Text(percent), Text(rate), Text(left))
        return table


class Lines:
    """A line for every tenth of the work, or every half minute, without control characters."""

    seconds = 1.0

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        # When the last line of a step was written, and the share of the work that it told.
        self._told: dict[StepCount, tuple[float, float]] = {}
        self._last = -_CLOSEST_LINES

    def draw(self, steps: Sequence[StepCount], now: float) -> None:
        """Write a line, if it is time for one, of the innermost step whose end is known."""
        known = [one for one in steps if one.share is not None and one.share < 1]
        chosen = known[-1] if known else steps[-1]
        # A step that is opened again and again, a batch at a time, says nothing by itself.
        if len(known) > 1 and now - chosen.began < _LINE_SECONDS:
            chosen = known[0]
        when, share = self._told.get(chosen, (None, 0.0))
        if when is None:
            due = now - self._last >= _CLOSEST_LINES
        else:
            grown = (chosen.share or 0.0) - share >= _LINE_SHARE
            pause = max(_LINE_SECONDS, (now - chosen.began) * _LINE_PART_OF_TIME)
            due = now - when >= (_CLOSEST_LINES if grown else pause)
        if due:
            self._write(chosen, now)

    def end(self, closed: StepCount, now: float) -> None:
        """Write how long it took, if lines were written about it."""
        if self._told.pop(closed, None) is not None:
            amount = f" ({closed.done:,})" if closed.done else ""
            self._say(f"{closed.label}: done{amount} in {duration(now - closed.began)}")
            self._last = now

    def clear(self) -> None:
        """Do nothing: lines stay."""

    def _write(self, one: StepCount, now: float) -> None:
        percent, rate, left = one.figures(now)
        amount = f"{one.done:,}" if one.total is None else f"{one.done:,} of {one.total:,}"
        counted = f"{percent} ({amount})" if percent else amount
        self._say(f"{one.label}: {', '.join(part for part in (counted, rate, left) if part)}")
        self._told[one] = now, one.share or 0.0
        self._last = now

    def _say(self, text: str) -> None:
        self._stream.write(f"{text}\n")
        self._stream.flush()


@dataclass(eq=False)
class CommandProgress:
    """The steps of one command, and when they are shown.

    `tick` is called by a thread in the background, and where a step ends; what does the work never
    looks at the clock.

    Attributes:
        drawing: How they are shown.
        clock: The time, in seconds.
        ticking: Whether the thread is started.
    """

    drawing: Drawing
    clock: Clock = time.monotonic
    ticking: bool = True
    _steps: list[StepCount] = field(default_factory=list)
    _began: float | None = None
    _drawn: float | None = None
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _ended: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    @contextmanager
    def step(
        self, label: str, total: int | None, position: Position | None = None
    ) -> Iterator[Advance]:
        """Show a step while the block runs, if that takes long enough."""
        opened = StepCount(label, total, self.clock(), position=position)
        with self._lock:
            self._steps.append(opened)
        self._begin(opened.began)
        try:
            yield opened.advance
            self.tick()
            self.drawing.end(opened, self.clock())
        finally:
            with self._lock:
                self._steps.remove(opened)
                if not self._steps:
                    self.drawing.clear()

    def tick(self) -> None:
        """Show the open steps, if the time has come."""
        with self._lock:
            now = self.clock()
            if self._ended.is_set() or not self._steps or self._began is None:
                return
            if now - self._began < DELAY_SECONDS:
                return
            if self._drawn is not None and now - self._drawn < self.drawing.seconds:
                return
            self._drawn = now
            for one in self._steps:
                one.look()
            self.drawing.draw(tuple(self._steps), now)

    def close(self) -> None:
        """Show nothing any more."""
        with self._lock:
            self._ended.set()
            self.drawing.clear()
        if self._thread is not None:
            self._thread.join()

    def _begin(self, now: float) -> None:
        if self._began is not None:
            return
        self._began = now
        if self.ticking:
            self._thread = threading.Thread(target=self._keep_ticking, daemon=True)
            self._thread.start()

    def _keep_ticking(self) -> None:
        wait = DELAY_SECONDS
        while not self._ended.wait(wait):
            wait = self.drawing.seconds
            try:
                self.tick()
            except (OSError, ValueError):  # the terminal has gone
                return


@contextmanager
def shown_progress(*, quiet: bool, clock: Clock = time.monotonic) -> Iterator[None]:
    """Show the steps of the block on stderr.

    Args:
        quiet: Whether nothing is shown.
        clock: The time, in seconds.
    """
    drawing = None if quiet else _drawing(sys.stderr)
    if drawing is None:
        with shown_by(None):
            yield
        return
    progress = CommandProgress(drawing, clock)
    if isinstance(drawing, Bars):
        _on_screen.append(drawing)
    try:
        with shown_by(progress):
            yield
    finally:
        progress.close()
        if isinstance(drawing, Bars):
            _on_screen.remove(drawing)


_on_screen: list[Bars] = []


def erasing() -> str:
    """Return what erases bars that could not be cleared, where a program is ended in a hurry."""
    rows = sum(bars.rows for bars in _on_screen)
    return "\r\x1b[2K" + "\x1b[1A\x1b[2K" * (rows - 1) if rows else ""


def _drawing(stream: TextIO | None) -> Drawing | None:
    if stream is None or os.environ.get(VARIABLE) == NEVER:
        return None
    if not stream.isatty() or os.environ.get("TERM") in {"dumb", "unknown"}:
        return Lines(stream)
    return Bars(stream, colored=not os.environ.get("NO_COLOR"))


def _short(label: str) -> str:
    return label if len(label) <= _MOST_LABEL else f"{label[: _MOST_LABEL - 1]}…"
