"""A training that is started twice: the second one is refused, and nothing is lost."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tenbin.building import one_process
from tenbin.building.one_process import alone_in
from tenbin.core.errors import OutputError, UsageError

HOLDING = """
import sys
from pathlib import Path
from tenbin.building.one_process import alone_in
with alone_in(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="there are no such locks")


@contextmanager
def holder(folder: Path) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", HOLDING, str(folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "model.work" / "training-1"
    folder.mkdir(parents=True)
    with holder(folder) as process:
        with pytest.raises(UsageError) as caught, alone_in(folder):
            pytest.fail("both hold it")
        assert str(caught.value).startswith(f"{folder.parent}: process {process.pid} trains")
    # Killed, it holds nothing any more.
    with alone_in(folder):
        pass


def test_a_process_may_hold_it_again(tmp_path: Path) -> None:
    with alone_in(tmp_path), alone_in(tmp_path):
        pass


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lockf(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(one_process._LOCKS, "lockf", lockf)
    with alone_in(tmp_path):
        pass
    monkeypatch.setattr(one_process, "_LOCKS", None)
    with alone_in(tmp_path / "missing"):
        pass


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="could not be written"), alone_in(tmp_path / "missing"):
        pytest.fail("it is held")
