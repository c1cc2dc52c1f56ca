"""Work in several processes: same results in the same order, and an end when it is asked for."""

import os
import pickle
import time
from collections.abc import Iterator
from multiprocessing import active_children
from pathlib import Path

import pytest

from tenbin.core import errors
from tenbin.core.errors import LengthMismatch, TenbinError, UnknownMetric, UnreadableFile
from tenbin.evaluation.parallel import mapped


def all_errors(kind: type[TenbinError] = TenbinError) -> Iterator[type[TenbinError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from all_errors(child)


def wait_for_the_end_of(numbers: list[int]) -> list[int]:
    """Return the processes that are still there after three seconds."""
    deadline = time.monotonic() + 3
    while time.monotonic() < deadline and any(is_running(number) for number in numbers):
        time.sleep(0.02)
    return [number for number in numbers if is_running(number)]


def is_running(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize("jobs", [0, 1, 2])
def test_results_come_in_the_order_of_the_items(jobs: int) -> None:
    assert list(mapped(abs, range(-20, 5), jobs=jobs)) == [abs(n) for n in range(-20, 5)]


def test_items_are_taken_as_they_are_needed() -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for number in range(100):
            taken += 1
            yield number

    results = mapped(abs, items(), jobs=2)
    assert next(results) == 0
    assert taken <= 5
    results.close()  # type: ignore[attr-defined]


def test_an_early_end_ends_the_workers() -> None:
    results = mapped(time.sleep, [0, 60, 60, 60, 60], jobs=2)
    next(results)
    workers = [child.pid for child in active_children() if child.pid is not None]
    assert len(workers) == 2
    started = time.monotonic()
    results.close()  # type: ignore[attr-defined]
    assert wait_for_the_end_of(workers) == []
    assert time.monotonic() - started < 3


def test_an_error_of_a_worker_is_the_error_of_the_call() -> None:
    with pytest.raises(FileNotFoundError):
        list(mapped(os.stat, ["/", "/no/such/file"], jobs=2))


def test_a_worker_that_dies_is_explained() -> None:
    with pytest.raises(TenbinError, match=r"one of 2 worker processes ended .* fewer of them"):
        list(mapped(os._exit, [1, 1], jobs=2))


def test_every_error_can_travel_between_processes() -> None:
    assert len(list(all_errors())) > 10
    for kind in all_errors():
        error = kind.__new__(kind, "what is wrong")
        copy = pickle.loads(pickle.dumps(error))  # noqa: S301
        assert type(copy) is kind
        assert str(copy) == "what is wrong"


@pytest.mark.parametrize(
    "error",
    [
        UnreadableFile("a.txt", "broken", "Mend it."),
        LengthMismatch({"a": 1, "b": 2}),
        UnknownMetric("blue", ["bleu"]),
    ],
)
def test_errors_keep_what_they_know(error: errors.TenbinError) -> None:
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert str(copy) == str(error)
    assert copy.__dict__ == error.__dict__
