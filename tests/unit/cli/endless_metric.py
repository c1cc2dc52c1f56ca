"""A metric that never ends, so that whatever runs it can be interrupted at a moment that is known.

Not part of the package: `tests/unit/cli/conftest.py` installs it for programs that a test starts.
"""

import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.metric import BaseMetric, MetricInfo, Needs
from tenbin.kernels.compiled.jit import jit


@dataclass(frozen=True, kw_only=True)
class Endless(BaseMetric):
    """No score at all.

    Attributes:
        folder: Where a process says that it is at work, by a file ``PID`` that begins with 1.
        compiled: Whether it is at work in a compiled kernel, where Python hears of no signal.
    """

    name: ClassVar[str] = "endless"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="Endless",
        summary="Nothing, for ever.",
        citation="none",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=2,
        properties=frozenset(),
        weaknesses="Takes its time.",
        oracle="none",
    )

    folder: str
    compiled: bool = False

    @property
    def needs(self) -> Needs:
        """Nothing but the texts."""
        return Needs()

    def statistics(self, batch: Batch) -> FloatArray:  # noqa: ARG002
        """Say so, and work until somebody ends the process."""
        mapped = np.memmap(Path(self.folder) / str(os.getpid()), np.int64, mode="w+", shape=2)
        flags = np.asarray(mapped)
        if self.compiled:
            _endless_loop(flags)
        flags[0] = 1
        threading.Event().wait()
        raise AssertionError("the end of an endless metric")


@jit
def _endless_loop(flags: Any) -> None:
    flags[0] = 1
    while flags[1] == 0:
        pass
