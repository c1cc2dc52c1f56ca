"""Hashes of files, remembered as long as a file stays as it is."""

import hashlib
import json
import os
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from tenbin.core.errors import UnreadableFile
from tenbin.resources.store import fingerprints
from tenbin.resources.store.fingerprints import FingerprintCache, file_sha256

HOUR_NS = 3600 * 10**9
# Later than the files of the tests, whose times of change cannot be set.
NOW_NS = time.time_ns() + 24 * HOUR_NS


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it be `NOW_NS`, all the time."""
    monkeypatch.setattr(fingerprints, "time", SimpleNamespace(time_ns=lambda: NOW_NS))


@pytest.fixture
def cache(tmp_path: Path) -> FingerprintCache:
    return FingerprintCache(tmp_path / "prints")


@pytest.fixture
def old_file(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt"
    path.write_bytes(b"first")
    age(path)
    return path


def age(path: Path, hours: int = 1) -> None:
    then = NOW_NS - hours * HOUR_NS
    os.utime(path, ns=(then, then))


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def count_readings(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    read: list[Path] = []

    def counted(path: Path) -> str:
        read.append(path)
        return file_sha256(path)

    monkeypatch.setattr(fingerprints, "file_sha256", counted)
    return read


def test_a_file_is_read_once(
    cache: FingerprintCache, old_file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    read = count_readings(monkeypatch)
    again = FingerprintCache(tmp_path / "prints")
    assert cache.fingerprint(old_file) == again.fingerprint(old_file) == sha256(b"first")
    assert len(read) == 1


def test_records_are_read_and_not_written_where_nothing_may_be(
    cache: FingerprintCache, old_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = count_readings(monkeypatch)
    monkeypatch.setenv(fingerprints.READ_ONLY_VARIABLE, "1")
    assert cache.fingerprint(old_file) == sha256(b"first")
    assert not cache.folder.exists()
    monkeypatch.delenv(fingerprints.READ_ONLY_VARIABLE)
    cache.fingerprint(old_file)
    monkeypatch.setenv(fingerprints.READ_ONLY_VARIABLE, "1")
    cache.fingerprint(old_file)
    assert len(read) == 2


def test_a_relative_path_is_the_same_file(
    cache: FingerprintCache, old_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = count_readings(monkeypatch)
    monkeypatch.chdir(old_file.parent)
    assert cache.fingerprint(Path(old_file.name)) == cache.fingerprint(old_file)
    assert len(read) == 1


def test_a_change_of_time_or_size_is_seen(cache: FingerprintCache, old_file: Path) -> None:
    cache.fingerprint(old_file)
    old_file.write_bytes(b"other")
    age(old_file, hours=2)
    assert cache.fingerprint(old_file) == sha256(b"other")
    state = old_file.stat()
    old_file.write_bytes(b"longer text")
    os.utime(old_file, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert cache.fingerprint(old_file) == sha256(b"longer text")


def test_a_file_of_this_moment_is_not_remembered(cache: FingerprintCache, tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    path.write_bytes(b"first")
    age(path, hours=0)
    cache.fingerprint(path)
    path.write_bytes(b"other")
    age(path, hours=0)
    assert cache.fingerprint(path) == sha256(b"other")


def test_recomputing_ignores_the_record(cache: FingerprintCache, old_file: Path) -> None:
    cache.record(old_file, "0" * 64)
    assert cache.fingerprint(old_file) == "0" * 64
    assert cache.recomputed(old_file) == cache.fingerprint(old_file) == sha256(b"first")


def test_a_change_with_its_time_set_back_is_seen(cache: FingerprintCache, old_file: Path) -> None:
    before = old_file.stat()
    cache.fingerprint(old_file)
    with old_file.open("r+b") as stream:
        stream.write(b"F")
    os.utime(old_file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert cache.fingerprint(old_file) == sha256(b"First")


def test_every_flipped_bit_of_a_record_makes_it_no_record(
    cache: FingerprintCache, old_file: Path, tmp_path: Path
) -> None:
    cache.record(old_file, "0" * 64)
    (record,) = (tmp_path / "prints").iterdir()
    whole = record.read_bytes()
    for place in range(len(whole)):
        record.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert cache.fingerprint(old_file) == sha256(b"first")


def test_a_check_that_was_passed_is_not_repeated(
    cache: FingerprintCache, old_file: Path, tmp_path: Path
) -> None:
    checked: list[Path] = []
    cache.check_once(old_file, "shape-1", checked.append)
    FingerprintCache(tmp_path / "prints").check_once(old_file, "shape-1", checked.append)
    assert checked == [old_file]
    cache.check_once(old_file, "shape-2", checked.append)
    old_file.write_bytes(b"other")
    cache.check_once(old_file, "shape-1", checked.append)
    assert checked == [old_file] * 3


def test_a_check_that_was_failed_is_repeated(cache: FingerprintCache, old_file: Path) -> None:
    def fail(path: Path) -> None:
        raise UnreadableFile(str(path), "is damaged", "Make it again.")

    for _ in range(2):
        with pytest.raises(UnreadableFile):
            cache.check_once(old_file, "shape-1", fail)


@pytest.mark.parametrize("record", ["", "{", "[]", "null", "{}", '{"path": 3}'])
def test_a_damaged_record_is_no_record(
    cache: FingerprintCache, old_file: Path, tmp_path: Path, record: str
) -> None:
    cache.fingerprint(old_file)
    (written,) = (tmp_path / "prints").iterdir()
    assert json.loads(written.read_text().splitlines()[0])["path"] == str(old_file)
    written.write_text(record)
    assert cache.fingerprint(old_file) == sha256(b"first")


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(
    old_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "occupied").write_bytes(b"")
    cache = FingerprintCache(tmp_path / "occupied" / "prints")
    assert cache.fingerprint(old_file) == sha256(b"first")


def test_files_that_cannot_be_read(tmp_path: Path, cache: FingerprintCache) -> None:
    with pytest.raises(UnreadableFile, match="no such file"):
        cache.fingerprint(tmp_path / "none")
    with pytest.raises(UnreadableFile, match="directory"):
        cache.fingerprint(tmp_path)
    if os.geteuid():
        closed = tmp_path / "closed"
        closed.write_bytes(b"")
        closed.chmod(0)
        with pytest.raises(UnreadableFile, match="Permission denied"):
            cache.fingerprint(closed)
