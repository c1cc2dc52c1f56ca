"""Signals end every command: one line, its exit code, no file touched, no process left.

No clock is involved. A command stops at a pipe with a name that it is given to read: when the test
has opened the other end, the command is there. All its processes inherit the end of another pipe,
which is at its end only when the last of them is gone.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX"),
    pytest.mark.slow,
]

MESSAGES = {
    signal.SIGINT: "tenbin: interrupted; no file was changed.\n",
    signal.SIGTERM: "tenbin: terminated; no file was changed.\n",
    signal.SIGHUP: "tenbin: the terminal was closed; no file was changed.\n",
}
PIPE = "pipe.txt"
# Each reads the pipe; where it writes a file, that is there already.
COMMANDS = {
    "score": "score -r ref.txt -t pipe.txt -l en -m chrf -o out.txt",
    "score segments": "score -r pipe.txt -t sys.txt -l en -m chrf -sl -f tsv -o out.txt --jobs 2",
    "score set": "score --set set --pair de-en -m chrf -o out.txt",
    "compare": "compare -r ref.txt -t sys.txt pipe.txt -l en -m chrf -o out.txt",
    "explain": "explain -r ref.txt -t pipe.txt -l en -m meteor -n 1",
    "meta": "meta --set set --pair de-en -m chrf -o out.txt",
    "tune": "tune -m chrf --parameter beta=1:2:1 --measure pearson --set set --pair de-en",
    "study": "study decomposition --set set --pair de-en",
    "doctor": "doctor -r ref.txt -t pipe.txt -l en",
    "build idf": "build idf pipe.txt -l en -o out.txt --force",
    "build function words": "build function-words pipe.txt -l en -o out.txt --force",
    "build vectors": "build vectors pipe.txt -l en -o out.txt --force",
    "build paraphrases": "build paraphrases pipe.txt -l en --from sets -o out.txt --force",
    "install": "resources install vectors-fr --cache cache",
}
# pip, as far as an installation is concerned: it starts a program of its own and waits for it.
CLIENT = """#!/bin/sh
cat "{pipe}" > downloaded
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Texts, a test set, an old result, and a pipe."""
    place = tmp_path / "work"
    place.mkdir()
    for name in ("ref.txt", "sys.txt"):
        (place / name).write_text("The cat sat on the mat.\n" * 20)
    (place / "out.txt").write_text("old")
    os.mkfifo(place / PIPE)
    files = {
        "sources/de-en.txt": "Die Katze.\n" * 20,
        "references/de-en.refA.txt": "The cat sat on the mat.\n" * 20,
        "references/de-en.refB.txt": "A cat sat on the mat.\n" * 20,
        "system-outputs/de-en/b.txt": "The cat is on the mat.\n" * 20,
        "system-outputs/de-en/c.txt": "Cat on mat.\n" * 20,
        "human-scores/de-en.mqm.seg.score": "".join(f"{name}\t1\n" * 20 for name in "abc"),
    }
    for name, text in files.items():
        (place / "set" / name).parent.mkdir(parents=True, exist_ok=True)
        (place / "set" / name).write_text(text)
    os.link(place / PIPE, place / "set/system-outputs/de-en/a.txt")
    (place / "bin").mkdir()
    (place / "bin/pip").write_text(CLIENT.format(pipe=place / PIPE))
    (place / "bin/pip").chmod(0o755)
    return place


class Program:
    """A command that runs in a session of its own."""

    def __init__(self, words: list[str], folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self._temporary = folder.parent / "temporary"
        self._temporary.mkdir(exist_ok=True)
        own = {
            "TMPDIR": str(self._temporary),
            "TENBIN_SCORES": str(folder.parent / "scores"),
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        }
        self._alive, inherited = os.pipe()
        self.before = self.files()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tenbin", *words],
            cwd=folder,
            env={**environment, **own},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            pass_fds=[inherited],
        )
        os.close(inherited)
        threading.Thread(target=self._release, daemon=True).start()

    def files(self) -> dict[str, bytes]:
        found = (path for path in self.folder.rglob("*") if path.is_file())
        # Locks of the cache are files without content that stay.
        return {str(path): path.read_bytes() for path in found if ".locks" not in path.parts}

    def wait_for_pipe(self) -> int:
        """Return the other end of the pipe that the command reads."""
        return os.open(self.folder / PIPE, os.O_WRONLY)

    def _release(self) -> None:
        # A command that ends early would leave the test waiting for somebody who reads the pipe.
        self.process.wait()
        os.close(os.open(self.folder / PIPE, os.O_RDONLY | os.O_NONBLOCK))

    def check_end(self, number: signal.Signals) -> None:
        out, err = self.process.communicate()
        assert (self.process.returncode, err) == (128 + number, MESSAGES[number]), out
        self.check_gone()
        assert self.files() == self.before
        assert list(self._temporary.iterdir()) == []

    def check_gone(self) -> None:
        """Wait until no process is left that inherited the pipe."""
        assert os.read(self._alive, 1) == b""
        os.close(self._alive)


Start = Callable[..., Program]


@pytest.fixture
def start(folder: Path, endless: Any) -> Iterator[Start]:
    started: list[Program] = []

    def run(words: str) -> Program:
        parts = [endless.spec if word == "ENDLESS" else word for word in words.split()]
        started.append(Program(parts, folder, endless.environment))
        return started[-1]

    yield run
    for program in started:
        if program.process.poll() is None:
            os.killpg(program.process.pid, signal.SIGKILL)
        program.process.communicate()


CASES = [
    *((command, signal.SIGTERM) for command in COMMANDS),
    *((command, signal.SIGINT) for command in ("score segments", "build vectors", "install")),
]


@pytest.mark.parametrize(("command", "number"), CASES)
def test_a_signal_ends_every_command(start: Start, command: str, number: signal.Signals) -> None:
    program = start(COMMANDS[command])
    end = program.wait_for_pipe()
    program.process.send_signal(number)
    program.check_end(number)
    os.close(end)


@pytest.mark.parametrize("number", MESSAGES)
def test_a_signal_to_the_whole_group(start: Start, number: signal.Signals) -> None:
    program = start(COMMANDS["score"])
    end = program.wait_for_pipe()
    os.killpg(program.process.pid, number)
    program.check_end(number)
    os.close(end)


@pytest.fixture
def table(folder: Path) -> Path:
    """A table of so many rows that two workers have something to do."""
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    texts = ["a few words"] * 9_000
    path = folder / "table.parquet"
    parquet.write_table(pa.table({"reference": texts, "hypothesis": texts}), path)
    (folder / "out.parquet").write_text("old")
    return path


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("number", "whole_group"),
    [
        (signal.SIGINT, True),
        (signal.SIGTERM, False),
        (signal.SIGTERM, True),
        (signal.SIGHUP, True),
    ],
)
def test_the_workers_of_a_table_end_too(
    start: Start, endless: Any, number: signal.Signals, *, whole_group: bool
) -> None:
    program = start("score --input table.parquet -o out.parquet -l en -m ENDLESS --jobs 2")
    endless.wait_for(program.process, 2)
    (os.killpg if whole_group else os.kill)(program.process.pid, number)
    program.check_end(number)


@pytest.mark.usefixtures("table")
def test_no_worker_outlives_a_killed_parent(start: Start, endless: Any) -> None:
    program = start("score --input table.parquet -o out.parquet -l en -m ENDLESS --jobs 2")
    endless.wait_for(program.process, 2)
    program.process.kill()
    program.process.communicate()
    program.check_gone()


# What Python runs in every process before anything else: each worker comes to the pipe.
STOPPED_WORKER = """\
import sys
if any("spawn_main" in word for word in sys.orig_argv):
    open({pipe!r}).read()
"""


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("number", "whole_group"),
    [(signal.SIGINT, False), (signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGHUP, True)],
)
def test_a_signal_while_workers_start(
    start: Start, folder: Path, endless: Any, number: signal.Signals, *, whole_group: bool
) -> None:
    hook = STOPPED_WORKER.format(pipe=str(folder / PIPE))
    (endless.plugins / "sitecustomize.py").write_text(hook)
    program = start("score --input table.parquet -o out.parquet -l en -m chrf --jobs 2")
    end = program.wait_for_pipe()
    (os.killpg if whole_group else os.kill)(program.process.pid, number)
    program.check_end(number)
    os.close(end)


# What is imported first by the command itself: everything else comes after.
STOPPED_IMPORT = """\
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r} and not any("spawn_main" in word for word in sys.orig_argv):
            open({pipe!r}).read()
sys.meta_path.insert(0, Finder())
"""


@pytest.mark.parametrize(
    ("module", "number"),
    [
        ("tenbin.cli.main", signal.SIGINT),
        ("argparse", signal.SIGTERM),
        ("numpy", signal.SIGINT),
        ("numpy", signal.SIGHUP),
    ],
)
def test_a_signal_while_modules_are_imported(
    start: Start, folder: Path, endless: Any, number: signal.Signals, module: str
) -> None:
    hook = STOPPED_IMPORT.format(module=module, pipe=str(folder / PIPE))
    (endless.plugins / "sitecustomize.py").write_text(hook)
    program = start("score -r ref.txt -t sys.txt -l en -o out.txt")
    end = program.wait_for_pipe()
    program.process.send_signal(number)
    program.check_end(number)
    os.close(end)


def test_training_a_model_ends_too(start: Start, folder: Path, endless: Any) -> None:
    pytest.importorskip("torch")
    hook = STOPPED_IMPORT.format(module="torch", pipe=str(folder / PIPE))
    (endless.plugins / "sitecustomize.py").write_text(hook)
    program = start("build bert ref.txt -l en -o model --steps 2 --vocabulary 100")
    end = program.wait_for_pipe()
    program.process.send_signal(signal.SIGTERM)
    program.check_end(signal.SIGTERM)
    os.close(end)


def test_what_was_ignored_stays_ignored(folder: Path, start: Start) -> None:
    # As 'nohup' does it: children inherit what is ignored.
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        program = start(COMMANDS["score"])
    finally:
        signal.signal(signal.SIGHUP, before)
    end = program.wait_for_pipe()
    program.process.send_signal(signal.SIGHUP)
    os.write(end, (folder / "sys.txt").read_bytes())
    os.close(end)
    _, err = program.process.communicate()
    assert program.process.returncode == 0, err
    assert (folder / "out.txt").read_text() != "old"


def test_a_reader_that_has_gone_is_no_error(folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "tenbin", "metrics"]
    done = subprocess.run(command, cwd=folder, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
