"""Processor times of tasks that take turns, so that a busy machine slows all of them alike."""

import gc
import time
from collections.abc import Callable, Mapping
from statistics import median

Task = Callable[[], object]

_REPEATS = 7


def turns(tasks: Mapping[str, Task], pairs: int) -> dict[str, float]:
    """Return the median processor time of each task in microseconds per pair, all threads together.

    Every task runs once untimed, so that kernels are loaded and tables are open.
    """
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for task in tasks.values():
        task()
    for _ in range(_REPEATS):
        for name, task in tasks.items():
            gc.collect()
            start = time.process_time()
            task()
            times[name].append(time.process_time() - start)
    return {name: 1e6 * median(found) / pairs for name, found in times.items()}
