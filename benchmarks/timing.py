"""Clocks: processor time of a function, and what a whole command takes."""

import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TypeVar

_Result = TypeVar("_Result")

_MOST_REPEATS = 5
_PATIENCE = 4.0  # seconds after which a slow function is not repeated again
_LAUNCHER = Path(__file__).with_name("launcher.py")


def cpu_seconds(task: Callable[[], object], *, before: Callable[[], object] = bool) -> float:
    """Return the median processor time of up to five calls, all threads together.

    Args:
        task: What is timed.
        before: Called before each repeat, untimed: to empty caches that would do its work.
    """
    times: list[float] = []
    while len(times) < _MOST_REPEATS and sum(times) < _PATIENCE:
        before()
        gc.collect()
        start = time.process_time()
        task()
        times.append(time.process_time() - start)
    return median(times)


def best_of(times: Sequence[float]) -> tuple[float, float]:
    """Return the shortest and the median of some times."""
    return min(times), median(times)


@dataclass(frozen=True, slots=True)
class Command:
    """What a finished command took.

    Attributes:
        wall: Seconds on the clock.
        cpu: Seconds of processor time, with its own children.
        peak: Most memory held at a time, in bytes.
    """

    wall: float
    cpu: float
    peak: int


def run_command(arguments: Sequence[str], **variables: str) -> Command:
    """Run a command to its end and return what it took; raise if it fails.

    It is started by a small process of its own: the memory of a child is never reported as less
    than that of its parent, and the parent would be this program with torch in it.
    """
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        launch = [sys.executable, "-I", "-S", str(_LAUNCHER), str(report)]
        given = [f"{name}={value}" for name, value in variables.items()]
        subprocess.run([*launch, *given, "--", *arguments], check=True)  # noqa: S603
        found = json.loads(report.read_text(encoding="utf-8"))
    if found["code"] != 0:
        raise RuntimeError(f"{' '.join(arguments[:6])} ... failed: {found['error'][-2000:]}")
    return Command(found["wall"], found["cpu"], found["peak"])


@contextmanager
def environment(**variables: str) -> Iterator[None]:
    """Set variables of the environment for a while."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
