"""Processes that run at the same time, each with a log. Needs nothing but Python."""

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ENVIRONMENT = {
    # Each step has work for the processor; with all cores each, processes would wait for others.
    "OMP_NUM_THREADS": "2",
    # Rows of ever other lengths leave holes in the memory of the GPU, which several share.
    "PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True",
    "PYTHONUNBUFFERED": "1",
}

_LOOK = 0.05  # seconds between two looks
_PATIENCE = 10.0  # seconds that a process has to end


@dataclass(frozen=True, slots=True)
class Command:
    """What a process runs.

    Attributes:
        name: What it is called.
        words: The program and its arguments.
        log: Where what it prints goes.
    """

    name: str
    words: Sequence[str]
    log: Path


def run_together(commands: Sequence[Command], folder: Path) -> None:
    """Run commands at the same time, and wait for all.

    Args:
        commands: What is run.
        folder: Where it is run.

    Raises:
        SystemExit: One failed; the others are stopped.
    """
    environment = {**os.environ, **ENVIRONMENT}
    running: dict[Command, subprocess.Popen[bytes]] = {}
    try:
        for command in commands:
            running[command] = _started(command, folder, environment)
        while running:
            for command, process in list(running.items()):
                code = process.poll()
                if code is None:
                    continue
                del running[command]
                if code:
                    raise SystemExit(f"{command.name} failed ({code}); its log is {command.log}")
            time.sleep(_LOOK)
    finally:
        _stop(list(running.values()))


def _started(
    command: Command, folder: Path, environment: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    command.log.parent.mkdir(parents=True, exist_ok=True)
    with command.log.open("ab") as log:
        return subprocess.Popen(  # noqa: S603 - itself
            list(command.words), cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT
        )


def _stop(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
