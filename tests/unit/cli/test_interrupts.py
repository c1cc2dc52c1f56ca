"""Ctrl-C: exit code 130 soon, no half-written file, no traceback, nobody left behind."""

import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tenbin.cli import metrics
from tenbin.cli.endings import ENDINGS
from tenbin.cli.interrupts import prompt_end
from tenbin.cli.main import main

on_posix = pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
on_linux = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux's processes")

Start = Callable[..., subprocess.Popen[str]]
MESSAGE = "tenbin: interrupted; no file was changed.\n"
TERMINATED = "tenbin: terminated; no file was changed.\n"
# What is waited for has no other end than the one that is tested; a test that fails has this one.
SAFETY_SECONDS = 600

# What Python runs before anything else: a worker process says that it is there and goes no further.
STUCK_WORKER = """\
import os, sys, threading
if any("spawn_main" in word for word in sys.orig_argv):
    open({begun!r}, "w").close()
    threading.Event().wait()
"""


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """Enough lines for two chunks, and an old result."""
    for name in ("ref.txt", "sys.txt"):
        (tmp_path / name).write_text("a few words\n" * 12_000)
    (tmp_path / "out.txt").write_text("old")
    return tmp_path


@pytest.fixture
def start(texts: Path, endless: Any) -> Iterator[Start]:
    """Start scoring; whatever a failed test leaves behind is ended."""
    started: list[subprocess.Popen[str]] = []

    def run(*words: str) -> subprocess.Popen[str]:
        given = ["-r", "ref.txt", "-t", "sys.txt", "-l", "en", "-o", "out.txt"]
        process = subprocess.Popen(
            [sys.executable, "-m", "tenbin", "score", *given, *words],
            cwd=texts,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env=endless.environment,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def children(parent: int) -> list[int]:
    """Return the processes that a process has started and that are still running."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, owner = entry.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(owner) == parent and state != "Z":
            found.append(int(entry.parent.name))
    return found


def check_ended(numbers: list[int]) -> None:
    for number in numbers:
        try:
            process = os.pidfd_open(number)
        except ProcessLookupError:
            continue
        ended, _, _ = select.select([process], [], [], SAFETY_SECONDS)
        os.close(process)
        assert ended, f"{number} still runs"


def check_clean_end(
    process: subprocess.Popen[str], helpers: list[int], folder: Path, code: int, message: str
) -> None:
    out, err = process.communicate(timeout=SAFETY_SECONDS)
    assert process.returncode == code
    assert (out, err) == ("", message)
    assert sorted(path.name for path in folder.iterdir()) == ["out.txt", "ref.txt", "sys.txt"]
    assert (folder / "out.txt").read_text() == "old"
    check_ended(helpers)


@on_linux
@pytest.mark.slow
@pytest.mark.parametrize(("jobs", "whole_group"), [(1, True), (2, True), (2, False)])
def test_an_interrupt_ends_everything(
    start: Start, texts: Path, endless: Any, jobs: int, *, whole_group: bool
) -> None:
    # A terminal sends Ctrl-C to the whole group of processes, kill to one.
    process = start("-m", endless.spec, "--jobs", str(jobs))
    endless.wait_for(process, jobs)
    helpers = children(process.pid)
    assert len(helpers) >= (jobs if jobs > 1 else 0)
    if whole_group:
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.send_signal(signal.SIGINT)
    check_clean_end(process, helpers, texts, 130, MESSAGE)


@on_linux
@pytest.mark.slow
def test_an_interrupt_while_workers_start(start: Start, texts: Path, endless: Any) -> None:
    begun = endless.plugins / "begun"
    (endless.plugins / "sitecustomize.py").write_text(STUCK_WORKER.format(begun=str(begun)))
    process = start("-m", "chrf", "--jobs", "2")
    while not begun.exists():
        assert process.poll() is None, "it ended before it could be interrupted"
        time.sleep(0.01)
    helpers = children(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    check_clean_end(process, helpers, texts, 130, MESSAGE)


@on_linux
@pytest.mark.slow
def test_termination_ends_everything_too(start: Start, texts: Path, endless: Any) -> None:
    process = start("-m", endless.spec, "--jobs", "2")
    endless.wait_for(process, 2)
    helpers = children(process.pid)
    process.terminate()
    check_clean_end(process, helpers, texts, 143, TERMINATED)


@on_linux
@pytest.mark.slow
def test_workers_leave_when_their_parent_is_killed(start: Start, endless: Any) -> None:
    process = start("-m", endless.spec, "--jobs", "2")
    endless.wait_for(process, 2)
    helpers = children(process.pid)
    process.kill()
    process.communicate()
    check_ended(helpers)


@on_linux
@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "message"),
    [(signal.SIGINT, MESSAGE), (signal.SIGTERM, TERMINATED)],
    ids=["int", "term"],
)
def test_a_compiled_kernel_is_interrupted_too(
    start: Start, texts: Path, endless: Any, number: signal.Signals, message: str
) -> None:
    # Python hears of the signal only after a call of the kernel, which never comes to its end.
    process = start("-m", endless.compiled_spec)
    endless.wait_for(process)
    process.send_signal(number)
    check_clean_end(process, [], texts, 128 + number, message)


def test_an_interrupt_without_a_signal(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_options: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(metrics, "run", interrupted)
    handlers = [signal.getsignal(number) for number in ENDINGS]
    # Another program has called: what it runs beside Tenbin is its own.
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        assert main(["metrics"]) == 130
        assert other.poll() is None
        other.communicate(b"\n")
        assert other.returncode == 0
    assert capfd.readouterr().err == MESSAGE
    assert [signal.getsignal(number) for number in ENDINGS] == handlers


@on_posix
def test_signals_are_left_as_they_were() -> None:
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    threads = threading.active_count()
    with prompt_end():
        assert signal.getsignal(signal.SIGTERM) is not handlers[1]
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == handlers
    assert threading.active_count() == threads
    assert signal.set_wakeup_fd(-1) == -1


@on_posix
def test_a_quick_end_is_not_cut_short() -> None:
    with pytest.raises(KeyboardInterrupt), prompt_end(grace_seconds=SAFETY_SECONDS):
        signal.raise_signal(signal.SIGINT)


def test_a_thread_may_run_commands(capsys: pytest.CaptureFixture[str]) -> None:
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(main(["metrics", "chrf"])))
    thread.start()
    thread.join()
    assert codes == [0]
    assert "chrF" in capsys.readouterr().out


@on_posix
def test_what_an_interrupted_pool_leaves_is_removed_without_a_word() -> None:
    code = (
        "import multiprocessing, os\n"
        "from tenbin.cli.interrupts import own_process\n"
        "own_process()\n"
        "left = multiprocessing.get_context('spawn').Semaphore()\n"
        "os._exit(3)\n"
    )
    # The pipe ends with its last writer, which is the tracker.
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (3, "")
