"""A metric that stops at a certain text until a file appears, so that its worker can be ended.

Not part of the package: a test puts this file on the path of Spark's workers.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.metric import BaseMetric, MetricInfo, Needs

STOP = "stop here"
_MOST_LOOKS = 20_000  # more than a quarter of an hour: for tests that fail


@dataclass(frozen=True, kw_only=True)
class Gated(BaseMetric):
    """The number of characters of a hypothesis, divided by 7.

    Attributes:
        folder: Where the worker says which process it is and waits for a file ``open``.
    """

    name: ClassVar[str] = "gated"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="Gated",
        summary="Characters of a translation.",
        citation="none",
        higher_is_better=True,
        minimum=0.0,
        maximum=float("inf"),
        decimals=2,
        properties=frozenset(),
        weaknesses="Looks at no word.",
        oracle="its definition",
    )

    folder: str

    @property
    def needs(self) -> Needs:
        """Nothing but the texts."""
        return Needs()

    def statistics(self, batch: Batch) -> FloatArray:
        """Return rows (length / 7, 1), after the gate has opened."""
        texts = [batch.strings[number] for number in batch.hypotheses]
        if STOP in texts:
            self._wait()
        lengths = np.array([len(text) for text in texts]) / 7
        return np.column_stack([lengths, np.ones(len(texts))])

    def _wait(self) -> None:
        folder = Path(self.folder)
        for _ in range(_MOST_LOOKS):
            if (folder / "open").exists():
                return
            (folder / f"worker-{os.getpid()}").touch()
            time.sleep(0.05)
        raise TimeoutError("nobody opened the gate")
