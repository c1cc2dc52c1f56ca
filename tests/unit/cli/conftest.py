"""The command line, called in this process or as a program of its own."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.cli.main import main

Cli = Callable[..., subprocess.CompletedProcess[str]]

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
