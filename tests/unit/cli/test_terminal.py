"""What a person at a terminal sees, through a terminal of our own."""

import gzip
import os
import re
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tenbin.reports.grid import display_width

pty = pytest.importorskip("pty", reason="needs pseudo-terminals")
fcntl = pytest.importorskip("fcntl", reason="needs pseudo-terminals")
termios = pytest.importorskip("termios", reason="needs pseudo-terminals")

import struct  # noqa: E402
import subprocess  # noqa: E402

EXAMPLE = ("score", "--set", "bundled:example", "--pair", "ja-en", "-r", "refA", "refB")
MANY = ("-m", "bleu", "chrf", "wer", "mup", "gm", "--ci", "--resamples", "50")
TITLES = ["BLEU", "chrF", "WER", "MUP", "GM"]


class Screen:
    """A terminal of some width; what is written to it can be read."""

    def __init__(self, columns: int) -> None:
        self._ours, self.theirs = pty.openpty()
        size = struct.pack("HHHH", 40, columns, 0, 0)
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, size)
        self._shown: list[bytes] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                block = os.read(self._ours, 4096)
            except OSError:  # EIO: the last writer has gone
                return
            if not block:
                return
            self._shown.append(block)

    def text(self) -> str:
        os.close(self.theirs)
        self._reader.join()
        os.close(self._ours)
        return b"".join(self._shown).decode().replace("\r\n", "\n")


# A clock by which three seconds pass between two looks at it.
SLOW = """\
import itertools, sys
from tenbin.cli.main import main
times = itertools.count(0, 3)
sys.exit(main(sys.argv[1:], clock=lambda: float(next(times))))
"""


def run(
    *words: str,
    columns: int = 80,
    screen_for: tuple[str, ...] = ("stdout",),
    slow: bool | None = None,
    **variables: str,
) -> dict[str, str]:
    """Run a command with stdout, stderr or both on a terminal; return what came to each.

    Without ``slow`` no progress is shown; with it everything takes long, or no time at all.
    """
    screens = {name: Screen(columns) for name in screen_for}
    pipes = {name: subprocess.PIPE for name in ("stdout", "stderr") if name not in screens}
    unset = {"COLUMNS", "NO_COLOR", *({"TENBIN_PROGRESS"} if slow is not None else {})}
    environment = {k: v for k, v in os.environ.items() if k not in unset}
    program = ["-m", "tenbin"]
    if slow is not None:
        program = ["-c", SLOW if slow else SLOW.replace("(0, 3)", "(0, 0)")]
    process = subprocess.Popen(
        [sys.executable, *program, *words],
        **{name: screen.theirs for name, screen in screens.items()},
        **pipes,
        env=environment | {"TERM": "xterm-256color"} | variables,
    )  # type: ignore[call-overload]
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0
    shown = {"stdout": (out or b"").decode(), "stderr": (err or b"").decode()}
    return shown | {name: screen.text() for name, screen in screens.items()}


def table_lines(text: str) -> list[str]:
    """Return all lines but the signatures, which are never broken."""
    return [line for line in text.splitlines() if "|" not in line]


@pytest.mark.parametrize("columns", [80, 120])
def test_a_wide_table_is_drawn_in_parts(columns: int) -> None:
    shown = run(*EXAMPLE, *MANY, columns=columns)
    lines = table_lines(shown["stdout"])
    assert max(map(display_width, lines)) <= columns
    headings = [line for line in lines if line.startswith("System")]
    assert len(headings) == 2
    assert [word for line in headings for word in line.split()[1::2]] == TITLES
    assert "\x1b" not in shown["stdout"].replace("\x1b[0m", "")


def test_a_pipe_gets_the_whole_table_whatever_the_window() -> None:
    shown = run(*EXAMPLE, *MANY, screen_for=("stderr",), columns=40)
    first = shown["stdout"].splitlines()[0]
    assert first.split()[1::2] == TITLES
    assert display_width(first) > 100


def test_progress_and_colors_are_for_terminals_and_on_stderr() -> None:
    shown = run(*EXAMPLE, "-m", "chrf", screen_for=("stderr",), slow=True)
    assert "scoring" in shown["stderr"]
    assert "100 %" in shown["stderr"]
    assert "/s" in shown["stderr"]
    assert "0:00 left" in shown["stderr"]
    assert "\x1b[" in shown["stderr"]
    assert "\x1b" not in shown["stdout"]
    assert "scoring" not in shown["stdout"]
    quiet = run(*EXAMPLE, "-m", "chrf", "-q", screen_for=("stderr",), slow=True)
    assert quiet["stderr"] == ""
    assert quiet["stdout"] == shown["stdout"]


def test_the_screen_is_clean_afterwards() -> None:
    shown = run(*EXAMPLE, "-m", "chrf", screen_for=("stderr",), slow=True)["stderr"]
    assert shown.count("\x1b[?25h") == shown.count("\x1b[?25l") > 0
    last_bar, _, rest = shown.rpartition("/s")
    assert "\x1b[2K" in rest
    assert last_bar.count("scoring") >= 1
    assert "scoring 1" not in rest


def test_short_work_shows_nothing() -> None:
    shown = run(*EXAMPLE, "-m", "chrf", screen_for=("stderr",), slow=False)
    assert "\x1b" not in shown["stderr"]
    assert "scoring" not in shown["stderr"]


def test_no_color_means_a_bar_without_colors() -> None:
    shown = run(*EXAMPLE, "-m", "chrf", screen_for=("stderr",), slow=True, NO_COLOR="1")["stderr"]
    assert "scoring" in shown
    assert not re.search(r"\x1b\[[0-9;]*m", shown.replace("\x1b[0m", ""))


@pytest.mark.parametrize("terminal", ["dumb", "unknown"])
def test_a_terminal_that_cannot_draw_gets_lines(terminal: str) -> None:
    shown = run(*EXAMPLE, "-m", "chrf", screen_for=("stderr",), slow=True, TERM=terminal)["stderr"]
    assert "scoring: 100 % (60 of 60)" in shown
    assert "\x1b" not in shown


def test_a_pipe_gets_lines() -> None:
    shown = run(*EXAMPLE, "-m", "chrf", screen_for=(), slow=True)["stderr"]
    assert "scoring: 100 % (60 of 60)" in shown
    assert "\x1b" not in shown
    assert "\r" not in shown


@pytest.mark.parametrize("packed", [False, True])
def test_what_is_built_shows_its_steps(tmp_path: Path, *, packed: bool) -> None:
    corpus, output = tmp_path / "corpus", tmp_path / "words"
    content = b"one two three\n" * 50
    corpus.write_bytes(gzip.compress(content, mtime=0) if packed else content)
    words = ("build", "function-words", str(corpus), "-l", "en", "-o", str(output))
    shown = run(*words, screen_for=("stderr",), slow=True)["stderr"]
    assert "counting words" in shown
    # How much text is in a packed file is not known before it was read.
    assert ("100 %" in shown) is not packed
    assert run(*words, "--force", "-q", screen_for=("stderr",), slow=True)["stderr"] == ""


def test_lists_of_metrics_fit() -> None:
    for words in (("metrics",), ("metrics", "character"), ("doctor",)):
        lines = [line for line in table_lines(run(*words)["stdout"]) if "pip install" not in line]
        assert max(map(display_width, lines)) <= 100


def test_long_and_japanese_names_fit(tmp_path: Path) -> None:
    reference = tmp_path / "ref.txt"
    reference.write_text("A small test.\nAnother one.\n")
    names = ["とても長い名前の翻訳システム" * 3 + end for end in ("甲", "乙")] + ["short", "x" * 90]
    paths = [tmp_path / f"{name}.txt" for name in names]
    for path in paths:
        path.write_text("A small test.\nOther one.\n")
    words = ["-r", str(reference), "-t", *map(str, paths), "-l", "en", "-m", "bleu", "chrf", "ter"]
    text = run("score", *words, "--ci", "--resamples", "20", "-q")["stdout"]
    lines = table_lines(text)
    assert max(map(display_width, lines)) <= 80
    assert any("…" in line and "甲 " in line for line in lines)
    assert any("…" in line and "乙 " in line for line in lines)


@pytest.mark.parametrize("compiled", [False, True])
def test_ctrl_c_leaves_the_screen_clean(endless: Any, tmp_path: Path, *, compiled: bool) -> None:
    text = tmp_path / "text"
    text.write_text("a few words\n" * 100)
    screen = Screen(80)
    environment = {k: v for k, v in endless.environment.items() if k != "TENBIN_PROGRESS"}
    spec = endless.compiled_spec if compiled else endless.spec
    words = ["score", "-r", str(text), "-t", str(text), "-l", "en", "-m", spec, "chrf"]
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            SLOW.replace("times =", "own_process()\ntimes =").replace(
                "main import main",
                "main import main\nfrom tenbin.cli.interrupts import own_process",
            ),
            *words,
        ],
        stdout=subprocess.DEVNULL,
        stderr=screen.theirs,
        text=True,
        env=environment | {"TERM": "xterm-256color"},
    )
    endless.wait_for(process)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=600)
    shown = screen.text()
    assert process.returncode == 130
    assert shown.endswith("tenbin: interrupted; no file was changed.\n")
    assert shown.rindex("\x1b[?25h") > shown.rfind("\x1b[?25l")
    if "scoring" in shown:
        assert shown.rindex("\x1b[2K") > shown.rindex("scoring")
