"""Sentences translated and translated back by Apertium, in six ways."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from benchmarks.prose.apertium import Route, Versions, versions_of, write_versions

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

    def parts() -> Iterator[tuple[str, Versions]]:
        for path in paths:
            yield path.name, round_trips(spread(path.read_text("utf-8").splitlines(), most))

    return write_versions(parts(), output)


def round_trips(sentences: Sequence[str]) -> Versions:
    """Return sentences with what each of the six round trips makes of them.

    Args:
        sentences: English sentences.
    """
    return versions_of(sentences, [(sentences, route) for route in ROUTES])


def spread(every: Sequence[Item], most: int) -> list[Item]:
    """Return at most so many items, from all over a sequence.

    Args:
        every: The sequence.
        most: How many.
    """
    step = max(len(every) / most, 1.0)
    return [every[int(number * step)] for number in range(min(most, len(every)))]
