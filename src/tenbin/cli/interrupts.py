"""Ends the program soon after Ctrl-C, even while a compiled kernel is at work."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import active_children
from types import FrameType

from tenbin.formats.output import discard_unfinished

EXIT_SIGNALLED = 128
INTERRUPTED = "tenbin: interrupted; no file was changed.\n"

_GRACE_SECONDS = 1.0
_SHOW_CURSOR = "\x1b[?25h"


@contextmanager
def prompt_end(*, grace_seconds: float = _GRACE_SECONDS) -> Iterator[None]:
    """Let Ctrl-C and a request to terminate end what runs inside within about a second.

    Python hands a signal to the program only between two of its own instructions, and one call of a
    kernel may take many seconds. A thread therefore hears of the signal too (kernels leave other
    threads alone); if the program has not come to its end a moment later, the thread ends it.
    Nothing is lost by that: what was being written has no name yet, and is removed.
    """
    if os.name != "posix" or threading.current_thread() is not threading.main_thread():
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    ended = threading.Event()
    watcher = threading.Thread(target=_watch, args=(reading, ended, grace_seconds), daemon=True)
    watcher.start()
    wakeup = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wakeup)
        ended.set()
        os.close(writing)
        watcher.join()


def ignore_interrupts() -> None:
    """Let a second Ctrl-C not disturb the end that the first one brought about."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _terminate(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(EXIT_SIGNALLED + number)


def _watch(reading: int, ended: threading.Event, grace_seconds: float) -> None:
    with open(reading, "rb", buffering=0) as signals:
        while number := signals.read(1):
            asked_to_end = number[0] in {signal.SIGINT, signal.SIGTERM}
            if asked_to_end and not ended.wait(grace_seconds):
                _end_now(number[0])


def _end_now(number: int) -> None:
    for child in active_children():
        child.terminate()
    discard_unfinished()
    # Straight to the descriptor: the main thread may hold the lock of the stream.
    cursor = _SHOW_CURSOR if os.isatty(2) else ""
    message = INTERRUPTED if number == signal.SIGINT else ""  # as when there is time to end well
    os.write(2, (cursor + message).encode())
    os._exit(EXIT_SIGNALLED + number)
