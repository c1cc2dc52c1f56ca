"""Maps a function over chunks, in this process or in a pool, in order and in bounded memory."""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def mapped(
    function: Callable[[_Item], _Result], items: Iterable[_Item], *, jobs: int
) -> Iterator[_Result]:
    """Yield the function's results in the order of the items.

    At most two items per worker are in flight, so a stream of any length fits in memory. Workers
    are fresh processes (no inherited threads or locks) and leave Ctrl-C to this one.
    """
    if jobs <= 1:
        yield from map(function, items)
        return
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_ignore_interrupt)
    waiting: deque[Future[_Result]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) >= 2 * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _ignore_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
