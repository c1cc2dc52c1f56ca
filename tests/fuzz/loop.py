"""Tries many inputs of a target and counts what became of them."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.targets import Outcome, Target


@dataclass(slots=True)
class Count:
    """What became of the inputs of a target; defects are described by round and place."""

    group: str
    name: str
    accepted: int = 0
    refused: int = 0
    defects: list[str] = field(default_factory=list)

    @property
    def inputs(self) -> int:
        """How many there were."""
        return self.accepted + self.refused + len(self.defects)


def run_target(
    target: Target,
    seed: int,
    rounds: int,
    folder: Path,
    before: Callable[[int], None] = lambda _: None,
) -> Count:
    """Try inputs in this process.

    Args:
        target: What is tried.
        seed: Which inputs.
        rounds: How many.
        folder: For files.
        before: Called with the number of each round before it begins.
    """
    count = Count(target.group, target.name)
    for number in range(rounds):
        before(number)
        try:
            outcome = target.outcome(seed, number, folder)
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            count.defects.append(f"round {number}: {_described(error)}")
        else:
            count.accepted += outcome is Outcome.ACCEPTED
            count.refused += outcome is Outcome.REFUSED
    return count


def _described(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "tenbin" in frame.filename or "fuzz" in frame.filename]
    where = f"{Path(own[-1].filename).name}:{own[-1].lineno}" if own else ""
    message = " ".join(str(error).split())[:120]
    return f"{type(error).__name__} at {where}: {message}"
