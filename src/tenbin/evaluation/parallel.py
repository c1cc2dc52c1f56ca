"""Maps a function over chunks, in this process or in a pool, in order and in bounded memory."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Lock, Thread, current_thread, main_thread
from typing import Any, TypeVar

from tenbin.core.caching import with_same_caching
from tenbin.core.counting import counted
from tenbin.core.errors import TenbinError
from tenbin.core.progress import Advance

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

# Workers are known from other children by when they appear, so threads start theirs in turn.
_STARTING = Lock()
_ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


# How often this process asks what its workers have counted.
_LOOK_SECONDS = 0.25


class _Counter:
    """What all workers of a pool have counted; in each of them the same memory."""

    shared: Any = None


def advance_in_worker(count: int) -> None:
    """Count work in a process of a pool; the process that waits for it learns of it."""
    if _Counter.shared is not None:
        with _Counter.shared.get_lock():
            _Counter.shared.value += count


def mapped(
    function: Callable[[_Item], _Result],
    items: Iterable[_Item],
    *,
    jobs: int,
    advance: Advance | None = None,
) -> Iterator[_Result]:
    """Yield the function's results in the order of the items.

    At most two items per worker are in flight, so a stream of any length fits in memory. Workers
    are fresh processes (no inherited threads or locks). They leave Ctrl-C to this process, and when
    it stops early, for whatever reason, they are ended at once instead of finishing their chunk.

    Args:
        function: What is done with each item.
        items: The items.
        jobs: Worker processes; with one, everything is done in this process.
        advance: Called with what workers have counted (`advance_in_worker`).

    Raises:
        TenbinError: A worker died, for lack of memory or because it could not start.
    """
    if jobs <= 1:
        yield from map(function, items)
        return
    with _signals_held():  # it starts a process that removes what the others share
        context = get_context("spawn")
        counter = None if advance is None else context.Value("q", 0)
        pool = ProcessPoolExecutor(
            jobs, mp_context=context, initializer=_become_worker, initargs=(counter,)
        )
    work = with_same_caching(function)
    workers: set[BaseProcess] = set()
    waiting: deque[Future[_Result]] = deque()
    look = _looking(counter, advance)
    try:
        for item in items:
            with _STARTING, _signals_held():
                others = set(active_children())
                waiting.append(pool.submit(work, item))
                workers |= set(active_children()) - others
            if len(waiting) >= 2 * jobs:
                yield _awaited(waiting.popleft(), look)
        while waiting:
            yield _awaited(waiting.popleft(), look)
    except BaseException as error:
        for worker in workers:
            worker.terminate()
        if isinstance(error, BrokenProcessPool):
            raise _worker_lost(jobs) from error
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _looking(counter: Any, advance: Advance | None) -> Callable[[], None] | None:  # noqa: ANN401
    """Return what hands on how much was counted since the last look."""
    if counter is None or advance is None:
        return None
    seen = 0

    def look() -> None:
        nonlocal seen
        now = counter.value
        if now > seen:
            advance(now - seen)
            seen = now

    return look


def _awaited(future: Future[_Result], look: Callable[[], None] | None) -> _Result:
    while look is not None and not future.done():
        wait([future], timeout=_LOOK_SECONDS)
        look()
    result = future.result()
    if look is not None:
        look()
    return result


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


def _become_worker(counter: Any) -> None:  # noqa: ANN401 - a number in shared memory
    _Counter.shared = counter
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
