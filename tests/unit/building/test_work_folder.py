"""Stages that are stored, full disks, builds that were killed."""

import errno
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from tenbin.building.work_folder import WorkFolder
from tenbin.core.errors import OutputError

FULL = os.strerror(errno.ENOSPC)


@pytest.fixture
def dead() -> int:
    """Return the number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def test_a_stage_is_made_once(tmp_path: Path) -> None:
    folder = WorkFolder(tmp_path / "work")
    first = folder.stage("text", {"a": 1}, lambda place: (place / "x").touch())
    assert (first / "x").exists()
    assert folder.stage("text", {"a": 1}, lambda _: pytest.fail("made again")) == first
    assert folder.stage("text", {"a": 2}, lambda _: None) != first
    assert folder.reused == ["text"]


@pytest.mark.parametrize(
    "failure", [OSError(errno.ENOSPC, FULL), OSError(errno.ENOSPC, f"Arrow: [errno 28] {FULL}")]
)
def test_a_full_disk(tmp_path: Path, failure: OSError) -> None:
    def make(place: Path) -> None:
        (place / "half").touch()
        raise failure

    folder = WorkFolder(tmp_path / "work")
    with pytest.raises(
        OutputError, match=rf"work: could not be written \({FULL}\)\. .*work folder"
    ):
        folder.stage("text", {}, make)
    assert list((tmp_path / "work").iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="processes cannot be asked there")
def test_what_a_killed_process_left_is_removed(tmp_path: Path, dead: int) -> None:
    machine = platform.node().replace("-", "_") or "local"
    names = [f".making-{machine}-{dead}-a", f".making-{machine}-{os.getpid()}-b"]
    names += [f".making-other-{dead}-c", f".making-{machine}-x-d"]
    for name in names:
        (tmp_path / name).mkdir()
    WorkFolder(tmp_path).stage("text", {}, lambda _: None)
    assert {path.name for path in tmp_path.glob(".making-*")} == set(names[1:])
