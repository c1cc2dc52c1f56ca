"""All stages, each task in a process of its own. Needs nothing but Python."""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.students.plan import Plan, WorkFolder
from benchmarks.students.processes import Command, run_together
from benchmarks.students.stages import TOGETHER, Stage, Task, seconds_of, tasks_of

_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Run:
    """A training.

    Attributes:
        work: Its files.
        minutes: How long it may take.
        layers: How many layers students have.
        trial: Whether little is computed at once.
    """

    work: WorkFolder
    minutes: float
    layers: int
    trial: bool = False

    def command(self, task: Task, elapsed: float) -> Command:
        """Return the process of a task.

        Args:
            task: What it does.
            elapsed: The seconds since the first stage began.
        """
        seconds = seconds_of(task.stage, self.minutes, elapsed)
        words = [sys.executable, "-m", "benchmarks.students", "task", str(self.work.folder)]
        words += ["--task", str(task.stage), task.name]
        words += ["--seconds", f"{seconds:.3f}", "--layers", str(self.layers)]
        words += ["--trial"] if self.trial else []
        return Command(task.called, tuple(words), self.work.logs / f"{task.called}.log")


def train(run: Run, stages: Sequence[Stage]) -> None:
    """Run stages; what is there already is not made again.

    Args:
        run: What is trained.
        stages: Which stages.

    Raises:
        SystemExit: A process failed.
    """
    plan = Plan.read(run.work.plan)
    began = time.monotonic()
    for group in TOGETHER:
        missing: list[Task] = []
        for stage in group:
            if stage not in stages:
                continue
            own = [one for one in tasks_of(stage, plan) if not one.output(run.work).is_file()]
            missing += own
            if not own:
                print(f"{stage}: there already", flush=True)
        if not missing:
            continue
        elapsed = time.monotonic() - began
        run_together([run.command(task, elapsed) for task in missing], _ROOT)
        done = ", ".join(dict.fromkeys(str(task.stage) for task in missing))
        print(f"{done}: done after {time.monotonic() - began:.0f} s", flush=True)
