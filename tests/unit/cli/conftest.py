"""The command line, called in this process or as a program of its own."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.cli.main import main

Cli = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(autouse=True)
def default_signals() -> None:
    """Programs that a test starts get signals, also where the tests run in the background."""
    for number, usual in (
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGHUP, signal.SIG_DFL),
    ):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)


REFERENCE = [
    "The cat sat quietly on the old mat.",
    "He did not want to leave the house.",
    "Rain fell on the town all night long.",
    "She wrote three letters to her brother.",
    "The bridge was closed for two weeks.",
    "Nobody knew where the key had gone.",
]
GOOD = [
    "The cat sat quietly on an old mat.",
    "He did not want to leave his house.",
    "The rain fell on the town all night.",
    "She wrote three letters to her brother.",
    "The bridge was closed for two weeks.",
    "Nobody knew where the key was.",
]
POOR = [
    "Cat is on carpet.",
    "He wanted not the house to leave.",
    "All night it rained over the city.",
    "Three letters she has written the brother.",
    "For two weeks bridge was shut.",
    "Where key went nobody was knowing.",
]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command in this process."""

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        capsys.readouterr()
        arguments = [str(word) for word in words]
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
        printed = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, printed.out, printed.err)

    return run


@pytest.fixture
def program(tmp_path: Path) -> Cli:
    """Run a command as a program; options are those of `subprocess.run`."""

    def run(*words: object, **options: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tenbin", *map(str, words)]
        given = {"capture_output": True, "text": True, "encoding": "utf-8", "cwd": tmp_path}
        for stream in ("stdout", "stderr"):
            if stream in options:
                given.pop("capture_output", None)
        return subprocess.run(command, check=False, **(given | options))  # type: ignore[call-overload, no-any-return]

    return run


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one, with ref.txt, good.txt and poor.txt."""
    for name, lines in (("ref", REFERENCE), ("good", GOOD), ("poor", POOR)):
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


class EndlessMetric:
    """The metric of `endless_metric`, for programs that are started with its environment."""

    def __init__(self, folder: Path) -> None:
        plugins, self._begun = folder / "plugins", folder / "begun"
        self._begun.mkdir()
        info = plugins / "endless_metric-1.0.dist-info"
        info.mkdir(parents=True)
        shutil.copy(Path(__file__).with_name("endless_metric.py"), plugins)
        (info / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: endless-metric\nVersion: 1.0\n"
        )
        (info / "entry_points.txt").write_text(
            "[tenbin.metrics]\nendless = endless_metric:Endless\n"
        )
        self.plugins = plugins
        self.spec = f'endless(folder="{self._begun}")'
        self.compiled_spec = f'endless(folder="{self._begun}", compiled=True)'

    @property
    def environment(self) -> dict[str, str]:
        path = [str(self.plugins), *filter(None, [os.environ.get("PYTHONPATH")])]
        return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}

    def wait_for(self, process: subprocess.Popen[str], processes: int = 1) -> None:
        """Wait until so many processes of a program are inside the metric."""
        while sum(file.read_bytes()[:1] == b"\1" for file in self._begun.iterdir()) < processes:
            assert process.poll() is None, "it ended before it could be interrupted"
            time.sleep(0.01)


@pytest.fixture
def endless(tmp_path_factory: pytest.TempPathFactory) -> EndlessMetric:
    """A metric that never ends, and that says when it has begun."""
    return EndlessMetric(tmp_path_factory.mktemp("endless"))
