"""Tokens on disk: the same in every pass, and removed at the end."""

from pathlib import Path

import pytest

from tenbin.building.vectors.fasttext import LONGEST_SEGMENT, TokenSpool


def test_segments_can_be_read_again(tmp_path: Path) -> None:
    segments = [["ein", "Satz"], ["日本"], ["12\u00a0000", "€"]]
    with TokenSpool(tmp_path) as spool:
        assert list(spool.fill(iter(segments))) == segments
        assert list(spool) == segments
        done: list[int] = []
        spool.advance = done.append
        assert list(spool) == segments
        assert done == [2, 1, 2]
        assert spool.segments == 3
        spool.raise_failure()
    assert list(tmp_path.iterdir()) == []


def test_long_segments_are_split(tmp_path: Path) -> None:
    long = [str(number) for number in range(2 * LONGEST_SEGMENT + 1)]
    with TokenSpool(tmp_path) as spool:
        assert list(spool.fill(iter([long]))) == [long]
        parts = list(spool)
        assert [len(part) for part in parts] == [LONGEST_SEGMENT, LONGEST_SEGMENT, 1]
        assert [word for part in parts for word in part] == long
        assert spool.segments == 3


def test_it_has_no_name_that_a_killed_process_could_leave(tmp_path: Path) -> None:
    with TokenSpool(tmp_path) as spool:
        list(spool.fill(iter([["a"]])))
        assert list(tmp_path.iterdir()) == []


def test_a_failure_is_raised_on_request_not_in_the_thread(tmp_path: Path) -> None:
    with TokenSpool(tmp_path) as spool:
        list(spool.fill(iter([["a"], ["b"]])))
        reading = iter(spool)
        assert next(reading) == ["a"]
    assert list(reading) == []
    with pytest.raises(ValueError, match="closed file"):
        spool.raise_failure()
