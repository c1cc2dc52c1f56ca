"""Ctrl-C: exit code 130 soon, no half-written file, no traceback, nobody left behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from tenbin.cli.interrupts import prompt_end
from tenbin.cli.main import main

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")

Start = Callable[..., subprocess.Popen[str]]
MESSAGE = "tenbin: interrupted; no file was changed.\n"


@pytest.fixture
def long_texts(tmp_path: Path) -> Path:
    """Enough words to keep TER busy for minutes, in more than one chunk."""
    random = Random(1)  # noqa: S311 - filler
    vocabulary = [f"w{number}" for number in range(300)]
    lines = [random.choices(vocabulary, k=40) for _ in range(12_000)]
    for name in ("ref.txt", "sys.txt"):
        (tmp_path / name).write_text("".join(f"{' '.join(line)}\n" for line in lines))
        for line in lines:
            random.shuffle(line)
    (tmp_path / "out.txt").write_text("old")
    return tmp_path


@pytest.fixture
def start(long_texts: Path) -> Iterator[Start]:
    """Start scoring; whatever a failed test leaves behind is ended."""
    started: list[subprocess.Popen[str]] = []

    def run(*words: str, kernels: str = "plain") -> subprocess.Popen[str]:
        given = ["-r", "ref.txt", "-t", "sys.txt", "-l", "en", "-o", "out.txt"]
        process = subprocess.Popen(
            [sys.executable, "-m", "tenbin", "score", *given, *words],
            cwd=long_texts,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, "TENBIN_KERNELS": kernels},
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


def is_running(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until_busy(process: subprocess.Popen[str], *, workers: int = 0) -> list[int]:
    """Wait until the process, or one of its workers, has computed for a while."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and process.poll() is None:
        helpers = children(process.pid)
        computing = helpers if workers else [process.pid]
        if len(helpers) >= workers and max(map(seconds, computing), default=0) > 1.2:
            return helpers
        time.sleep(0.05)
    pytest.fail(f"scoring never began: {process.poll()}")


def seconds(number: int) -> float:
    """Return the processor time a process has used."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def check_clean_end(
    process: subprocess.Popen[str], helpers: list[int], folder: Path, code: int, message: str
) -> None:
    started = time.monotonic()
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - started < 5  # a fifth of a second on an idle machine
    assert process.returncode == code
    assert (out, err) == ("", message)
    assert sorted(path.name for path in folder.iterdir()) == ["out.txt", "ref.txt", "sys.txt"]
    assert (folder / "out.txt").read_text() == "old"
    deadline = time.monotonic() + 3
    while any(map(is_running, helpers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [number for number in helpers if is_running(number)]


@pytest.mark.slow
@pytest.mark.parametrize(("jobs", "whole_group"), [(1, True), (2, True), (2, False)])
def test_an_interrupt_ends_everything(
    start: Start, long_texts: Path, jobs: int, *, whole_group: bool
) -> None:
    # A terminal sends Ctrl-C to the whole group of processes, kill to one.
    process = start("-m", "ter", "--jobs", str(jobs))
    helpers = wait_until_busy(process, workers=jobs if jobs > 1 else 0)
    if whole_group:
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.send_signal(signal.SIGINT)
    check_clean_end(process, helpers, long_texts, 130, MESSAGE)


@pytest.mark.slow
def test_an_interrupt_while_workers_start(start: Start, long_texts: Path) -> None:
    process = start("-m", "ter", "--jobs", "2")
    while process.poll() is None and not children(process.pid):
        time.sleep(0.01)
    helpers = children(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    check_clean_end(process, helpers, long_texts, 130, MESSAGE)


@pytest.mark.slow
def test_termination_ends_everything_too(start: Start, long_texts: Path) -> None:
    process = start("-m", "ter", "--jobs", "2")
    helpers = wait_until_busy(process, workers=2)
    process.terminate()
    check_clean_end(process, helpers, long_texts, 143, "")


@pytest.mark.slow
def test_workers_leave_when_their_parent_is_killed(start: Start) -> None:
    process = start("-m", "ter", "--jobs", "2")
    helpers = wait_until_busy(process, workers=2)
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 5
    while any(map(is_running, helpers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [number for number in helpers if is_running(number)]


@pytest.mark.slow
def test_a_compiled_kernel_is_interrupted_too(start: Start, long_texts: Path) -> None:
    # One call of the kernel takes a minute here, and Python hears of the signal only after it.
    for name in ("ref.txt", "sys.txt"):
        (long_texts / name).write_text((f"{name} " * 25_000)[:200_000] + "\n")
    process = start("-m", "eed", kernels="compiled")
    wait_until_busy(process)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    check_clean_end(process, [], long_texts, 130, MESSAGE)


def test_an_interrupt_in_this_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tenbin.cli.metrics.run", interrupted)
    before = signal.getsignal(signal.SIGINT)
    assert main(["metrics"]) == 130
    assert capsys.readouterr().err == MESSAGE
    assert signal.getsignal(signal.SIGINT) is before


def test_signals_are_left_as_they_were() -> None:
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    threads = threading.active_count()
    with prompt_end():
        assert signal.getsignal(signal.SIGTERM) is not handlers[1]
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == handlers
    assert threading.active_count() == threads
    assert signal.set_wakeup_fd(-1) == -1


def test_a_quick_end_is_not_cut_short() -> None:
    with pytest.raises(KeyboardInterrupt), prompt_end(grace_seconds=30):
        signal.raise_signal(signal.SIGINT)


def test_a_thread_may_run_commands(capsys: pytest.CaptureFixture[str]) -> None:
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(main(["metrics", "chrf"])))
    thread.start()
    thread.join()
    assert codes == [0]
    assert "chrF" in capsys.readouterr().out
