"""Work in several processes: same results in the same order, and an end when it is asked for."""

import os
import pickle
from collections.abc import Iterator
from multiprocessing import active_children
from multiprocessing.connection import wait
from pathlib import Path

import pytest

from tenbin.core import errors
from tenbin.core.errors import LengthMismatch, TenbinError, UnknownMetric, UnreadableFile
from tenbin.evaluation.parallel import mapped


def all_errors(kind: type[TenbinError] = TenbinError) -> Iterator[type[TenbinError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from all_errors(child)


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


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes that have a name")
def test_an_early_end_ends_the_workers(tmp_path: Path) -> None:
    # Nobody ever writes into the pipe: work on it has no end of its own.
    done, pipe = tmp_path / "done", tmp_path / "pipe"
    done.touch()
    os.mkfifo(pipe)
    results = mapped(Path.read_bytes, [done, pipe, pipe, pipe, pipe], jobs=2)
    assert next(results) == b""
    workers = active_children()
    assert len(workers) == 2
    results.close()  # type: ignore[attr-defined]
    for worker in workers:
        assert wait([worker.sentinel], timeout=600), "a worker still runs"


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
