"""The loss of a training, printed now and then."""

import sys
import time
from math import isnan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tenbin.api.building import TrainingStep

_SECONDS_BETWEEN_LINES = 30.0


class StepLines:
    """Prints the loss twice a minute, also where no bar can be drawn."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._last = time.monotonic()

    def __call__(self, position: "TrainingStep", done: float) -> None:
        """Print a line, if it is time for one."""
        now = time.monotonic()
        if self._quiet or now - self._last < _SECONDS_BETWEEN_LINES:
            return
        self._last = now
        # The first steps, which may wait for a compiler, have no mean yet.
        loss = "" if isnan(position.loss) else f"loss {position.loss:.3f}, "
        minutes = f"{position.seconds / 60:.1f} minutes"
        print(f"step {position.step:,} ({done:.1%}): {loss}{minutes}", file=sys.stderr)
