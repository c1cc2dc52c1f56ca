"""Maps a function over chunks, in this process or in a pool, in order and in bounded memory."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Lock, Thread, current_thread, main_thread
from typing import TypeVar

from tenbin.core.caching import with_same_caching
from tenbin.core.counting import counted
from tenbin.core.errors import TenbinError

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

# Workers are known from other children by when they appear, so threads start theirs in turn.
_STARTING = Lock()
_ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


def mapped(
    function: Callable[[_Item], _Result], items: Iterable[_Item], *, jobs: int
) -> Iterator[_Result]:
    """Yield the function's results in the order of the items.

    At most two items per worker are in flight, so a stream of any length fits in memory. Workers
    are fresh processes (no inherited threads or locks). They leave Ctrl-C to this process, and when
    it stops early, for whatever reason, they are ended at once instead of finishing their chunk.

    Raises:
        TenbinError: A worker died, for lack of memory or because it could not start.
    """
    if jobs <= 1:
        yield from map(function, items)
        return
    with _signals_held():  # it starts a process that removes what the others share
        context = get_context("spawn")
        pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_become_worker)
    work = with_same_caching(function)
    workers: set[BaseProcess] = set()
    waiting: deque[Future[_Result]] = deque()
    try:
        for item in items:
            with _STARTING, _signals_held():
                others = set(active_children())
                waiting.append(pool.submit(work, item))
                workers |= set(active_children()) - others
            if len(waiting) >= 2 * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BaseException as error:
        for worker in workers:
            worker.terminate()
        if isinstance(error, BrokenProcessPool):
            raise _worker_lost(jobs) from error
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold back the signals that ask for the end, while processes are started.

    A process that has been started by half prints a traceback of its own. One that starts meanwhile
    never hears of Ctrl-C or of a closed terminal: it inherits the mask, and leaves with this one.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        if current_thread() is main_thread():
            # The mask is that of one thread, and Python tells the main thread of what others got.
            with _handlers_held():
                yield
        else:
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@contextmanager
def _handlers_held() -> Iterator[None]:
    arrived: list[int] = []
    handlers = {number: signal.getsignal(number) for number in _ENDING}
    held = [number for number, handler in handlers.items() if callable(handler)]
    for number in held:
        signal.signal(number, lambda number, _frame: arrived.append(number))
    try:
        yield
    finally:
        for number in held:
            signal.signal(number, handlers[number])
        if arrived:
            signal.raise_signal(arrived[0])


def _become_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    # A parent that was killed outright cannot end its workers.
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _worker_lost(jobs: int) -> TenbinError:
    return TenbinError(
        f"one of {counted(jobs, 'worker process')} ended before its work was done. If memory ran "
        "out, use fewer of them (`jobs`). A script that scores with jobs > 1 must do so below "
        "'if __name__ == \"__main__\":', as its workers import it."
    )
