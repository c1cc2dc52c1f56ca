"""Steps of work: silent by default, said to whoever shows them."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tenbin.core.progress import (
    Advance,
    Position,
    counted_by,
    counting,
    is_shown,
    shown_by,
    step,
    step_unless,
)


class Record:
    """A display that only writes down what it is told."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str, int | None]] = []

    @contextmanager
    def step(self, label: str, total: int | None, _position: Position | None) -> Iterator[Advance]:
        self.events.append(("begin", label, total))
        try:
            yield lambda count: self.events.append(("done", label, count))
        finally:
            self.events.append(("end", label, None))


def test_nobody_is_told_by_default() -> None:
    assert not is_shown()
    with step("reading", 3) as advance:
        advance(3)


def test_a_display_is_told_of_the_steps_of_its_block() -> None:
    record = Record()
    with shown_by(record):
        assert is_shown()
        with step("scoring", 2) as outer, step("encoding") as inner:
            inner(1)
            outer(2)
    with step("afterwards"):
        pass
    assert record.events == [
        ("begin", "scoring", 2),
        ("begin", "encoding", None),
        ("done", "encoding", 1),
        ("done", "scoring", 2),
        ("end", "encoding", None),
        ("end", "scoring", None),
    ]


def test_a_block_can_be_hidden() -> None:
    record = Record()
    with shown_by(record), shown_by(None), step("scoring"):
        pass
    assert record.events == []


def test_an_error_ends_the_step() -> None:
    record = Record()
    with pytest.raises(KeyboardInterrupt), shown_by(record), step("scoring"):
        raise KeyboardInterrupt
    assert record.events[-1] == ("end", "scoring", None)
    assert not is_shown()


def test_who_counts_the_work_gets_no_second_step() -> None:
    record = Record()
    counted: list[int] = []
    with shown_by(record), step_unless(counted.append, "scoring", 2) as advance:
        advance(2)
    assert counted == [2]
    assert record.events == []
    with shown_by(record), step_unless(None, "scoring", 2) as advance:
        advance(2)
    assert ("done", "scoring", 2) in record.events


def test_work_is_counted_by_what_encloses_it() -> None:
    counted: list[int] = []
    assert counting() is None
    with counted_by(counted.append):
        advance = counting()
        assert advance is not None
        advance(4)
    assert counting() is None
    assert counted == [4]
