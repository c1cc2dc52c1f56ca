"""What a command and all its descendants take, Java and other languages included (Linux)."""

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.timing import Command

_PAUSE = 0.1
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


def watched(arguments: Sequence[str]) -> Command:
    """Run a command to its end and return what it took; raise if it fails.

    Processes are looked at ten times a second. What one of them uses in its last tenth is not
    seen, and memory that processes share counts once for each.
    """
    start = time.perf_counter()
    ticks: dict[int, int] = {}
    peak = 0
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL) as running:  # noqa: S603
        while running.poll() is None:
            memory = 0
            for process in _descendants(running.pid):
                found = _usage(process)
                if found is not None:
                    ticks[process] = found[0]
                    memory += found[1]
            peak = max(peak, memory)
            time.sleep(_PAUSE)
    if running.returncode:
        raise RuntimeError(f"{' '.join(arguments[:6])} ... failed")
    return Command(time.perf_counter() - start, sum(ticks.values()) / _TICKS, peak)


def _descendants(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int(_fields(int(entry.name))[1])
            except OSError:
                continue  # it has ended
            children.setdefault(parent, []).append(int(entry.name))
    found = [root]
    for process in found:
        found += children.get(process, [])
    return found


def _usage(process: int) -> tuple[int, int] | None:
    """Return processor ticks and bytes of memory of a process, or None if it has ended."""
    try:
        fields = _fields(process)
    except OSError:
        return None
    return int(fields[11]) + int(fields[12]), int(fields[21]) * _PAGE


def _fields(process: int) -> list[str]:
    # The second field is a name in brackets, which may hold anything.
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
