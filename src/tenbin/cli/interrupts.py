"""Ends the program soon after Ctrl-C, a request to terminate or a closed terminal.

A signal becomes a `KeyboardInterrupt` in the main thread, so that everything that was begun is
undone on the way out. Two things can go wrong on that way. Python hands a signal to the program
only between two of its own instructions, and one call of a kernel may take many seconds; and the
library that happens to run may turn the interrupt into another error, or swallow it. Therefore a
thread hears of the signal too (kernels leave other threads alone), and ends the program if it has
not come to its end a moment later; whatever error arrives after a signal is the signal's; and no
result gets its name any more.
"""

import atexit
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import active_children
from pathlib import Path
from types import FrameType
from typing import NoReturn

from tenbin.cli.endings import ENDINGS, EXIT_SIGNALLED
from tenbin.cli.progress import erasing
from tenbin.formats.output import allow_results, discard_unfinished, refuse_results

_GRACE_SECONDS = 1.0
_SHOW_CURSOR = "\x1b[?25h"


class _Ends:
    """What is known about the end of the program.

    Attributes:
        number: The first signal that asked for it.
        told: Whether its message was written.
        owned: Whether the process runs one command and then ends, so that all that it has started
            and all its signals belong to that command.
    """

    number: int | None = None
    told: bool = False
    owned: bool = False


_ends = _Ends()
_telling = threading.Lock()


@contextmanager
def prompt_end(*, grace_seconds: float = _GRACE_SECONDS) -> Iterator[None]:
    """Let a signal that asks for the end bring it about within about a second.

    A signal that was ignored before (``nohup``) stays so. Nothing is lost by an end without delay:
    what was being written has no name yet, and is removed.
    """
    if os.name != "posix" or threading.current_thread() is not threading.main_thread():
        yield
        return
    _ends.number, _ends.told = None, False
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    ended = threading.Event()
    watcher = threading.Thread(target=_watch, args=(reading, ended, grace_seconds), daemon=True)
    watcher.start()
    wakeup = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    handlers = {number: signal.getsignal(number) for number in ENDINGS}
    for number, handler in handlers.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _end_soon)
    try:
        yield
    finally:
        allow_results()
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wakeup)
        ended.set()
        os.close(writing)
        watcher.join()


def ending_signal() -> int | None:
    """Return the signal that ends, or ended, the command; None if there is none."""
    return _ends.number


def own_process() -> None:
    """Say that this process runs one command and then ends.

    `main` may also be called by a program that has processes and signals of its own.
    """
    _ends.owned = True
    # A pool that is interrupted while it starts leaves a semaphore, which Python's tracker of such
    # things removes, with a warning that is nothing to a reader. It is given these options.
    sys.warnoptions.append("ignore:resource_tracker:UserWarning")


def end_all(number: int) -> int:
    """End what a command has started, write the message of a signal, and return the exit code."""
    if _ends.owned:
        for other in ENDINGS:
            signal.signal(other, signal.SIG_IGN)
        end_children()
    _tell(number)
    return EXIT_SIGNALLED + number


def end_children() -> None:
    """Ask all processes that this one has started, and those that they have, to end.

    Worker processes do so at once; programs such as pip remove their files first.
    """
    for number in _descendants(os.getpid()):
        with suppress(OSError):
            os.kill(number, signal.SIGTERM)
    for child in active_children():
        child.terminate()


def _end_soon(number: int, _frame: FrameType | None) -> None:
    if _ends.number is None:
        _ends.number = number
        refuse_results()
        raise KeyboardInterrupt


def _watch(reading: int, ended: threading.Event, grace_seconds: float) -> None:
    with open(reading, "rb", buffering=0) as signals:
        while number := signals.read(1):
            asked_to_end = number[0] in ENDINGS
            if asked_to_end and _ends.owned and not ended.wait(grace_seconds):
                _end_now(number[0])


def _end_now(number: int) -> None:
    end_children()
    discard_unfinished()
    _tell(number)
    leave(EXIT_SIGNALLED + number)


def leave(code: int) -> NoReturn:
    """End the process now: threads and pools that were interrupted are not waited for.

    Python itself would end by the signal, whatever the code, if the interrupt came at the wrong
    moment (inside `exec`).
    """
    last = threading.Timer(_GRACE_SECONDS, os._exit, [code])
    last.daemon = True
    last.start()
    # Removes what pools have shared, which their tracker would complain about.
    with suppress(Exception):
        atexit._run_exitfuncs()  # noqa: SLF001 - there is no other way
    os._exit(code)


def _tell(number: int) -> None:
    with _telling:
        if _ends.told:
            return
        _ends.told = True
        message = ENDINGS[number]
        # Straight to the descriptor: the main thread may hold the lock of the stream.
        with suppress(OSError):
            screen = erasing() + _SHOW_CURSOR if os.isatty(2) else ""
            os.write(2, (screen + message).encode())


def _descendants(process: int) -> list[int]:
    """Return the processes below one, as far as the system says so (Linux)."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            # The name of a program, in brackets, may hold anything.
            parent = int(entry.read_text(errors="replace").rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.parent.name))
    found, waiting = [], [process]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found
