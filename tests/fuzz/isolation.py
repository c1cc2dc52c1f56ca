"""Runs targets in a process that can hang, crash or run out of memory without harm.

The child tells of each finished target on its standard output; when it dies, the parent knows
which target and round it was at, and goes on with the next target.
"""

import faulthandler
import json
import resource
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from tests.fuzz.loop import Count, run_target
from tests.fuzz.targets import Target, chosen_targets

# Address space, most of which is maps of libraries; and seconds of work, not of waiting, that one
# input may take. Inputs have less than half a megabyte.
MOST_BYTES = 8 << 30
MOST_SECONDS = 60
_PLACE = "place"


def child(names: list[str], seed: int, rounds: int, folder: Path) -> None:
    """Run some targets in this process, with limits, and print a line of JSON for each."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    warnings.simplefilter("ignore")
    faulthandler.enable()
    faulthandler.register(signal.SIGXCPU, chain=True)

    def before(number: int) -> None:
        (folder / _PLACE).write_text(str(number), encoding="utf-8")
        # The signal that is sent beyond the limit ends the process; a traceback is printed first.
        used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (int(used) + MOST_SECONDS, hard))

    for target in chosen_targets(names):
        count = run_target(target, seed, rounds, folder, before)
        sys.stdout.write(json.dumps(asdict(count)) + "\n")
        sys.stdout.flush()


def counts(targets: tuple[Target, ...], seed: int, rounds: int) -> Iterator[Count]:
    """Yield the counts of targets, each as soon as it is done; no target ends the run."""
    left = [f"{target.group}/{target.name}" for target in targets]
    while left:
        with tempfile.TemporaryDirectory(prefix="tenbin-fuzz-") as folder:
            command = [sys.executable, "-m", "tests.fuzz", *left, "--child", folder]
            command += ["--seed", str(seed), "--rounds", str(rounds)]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
                for line in process.stdout or ():
                    left.pop(0)
                    yield Count(**json.loads(line))
            if left:
                group, _, name = left.pop(0).partition("/")
                place = Path(folder) / _PLACE
                number = int(place.read_text(encoding="utf-8")) if place.is_file() else 0
                died = f"round {number}: the process ended with {process.returncode}"
                yield Count(group, name, accepted=number, defects=[died])
