"""Sentences translated and translated back by Apertium, in six ways."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from benchmarks.prose.apertium import Route, versions_of

Item = TypeVar("Item")

ROUTES: tuple[Route, ...] = (
    ("eng-spa", "spa-eng"),
    ("eng-cat", "cat-eng"),
    ("en-gl", "gl-en"),
    ("en-eo", "eo-en"),
    ("eng-hbs", "hbs-eng"),
    ("eng-spa", "es-fr", "fr-eo", "eo-en"),
)
"""There and back; the longest way leaves most words foreign."""


def write_round_trips(paths: Sequence[Path], most: int, output: Path) -> int:
    """Write sentences with what six round trips make of each, between tabs.

    Args:
        paths: Sentences, one per line.
        most: How many of each file, from all over it.
        output: What is written.

    Returns:
        The number of rows. Sentences that a round trip loses are left out.

    Raises:
        SystemExit: Apertium fails, or is not there.
    """
    count = 0
    with output.open("w", encoding="utf-8") as file:
        for path in paths:
            chosen = spread(path.read_text("utf-8").splitlines(), most)
            for row in versions_of(chosen, [(chosen, route) for route in ROUTES]):
                file.write("\t".join(row) + "\n")
                count += 1
            print(f"{path.name}\t{count}", flush=True)
    return count


def spread(every: Sequence[Item], most: int) -> list[Item]:
    """Return at most so many items, from all over a sequence.

    Args:
        every: The sequence.
        most: How many.
    """
    step = max(len(every) / most, 1.0)
    return [every[int(number * step)] for number in range(min(most, len(every)))]
