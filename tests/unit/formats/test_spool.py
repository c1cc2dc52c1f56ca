"""Streams that are read again and again."""

import io
import os

import pytest

from tenbin.formats.spool import Spool


def test_readings_do_not_disturb_each_other() -> None:
    spool = Spool(io.BytesIO(b"one\ntwo\nthree\n"))
    first, second = spool.open(), spool.open()
    assert first.readline() == b"one\n"
    assert second.readline() == b"one\n"
    assert list(first) == [b"two\n", b"three\n"]
    assert second.readline() == b"two\n"
    first.close()
    assert second.read() == b"three\n"


def test_more_than_a_block_comes_back_as_it_was() -> None:
    content = os.urandom(3_000_001)
    assert Spool(io.BytesIO(content)).open().read() == content


def test_a_reading_can_be_wound() -> None:
    reading = Spool(io.BytesIO(b"0123456789")).open()
    assert reading.seek(-3, os.SEEK_END) == 7
    assert reading.read(1) == b"7"
    assert reading.seek(1, os.SEEK_CUR) == 9
    assert reading.read() == b"9"
    assert reading.seek(0) == 0
    assert reading.read() == b"0123456789"


def test_nothing_is_left_open_when_the_disk_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    with pytest.raises(OSError, match="No space left"):
        Spool(io.BytesIO(b"x"))
