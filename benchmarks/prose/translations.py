"""English sentences beside translations of what stands beside them in bitexts.

Their words were chosen by somebody else than those of the English side, as in a test set. Nothing
translates German by rules: some words of the German side stand in round trips of the English one,
like words that a system does not know.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.prose.apertium import Route, Versions, versions_of, write_versions
from benchmarks.prose.bitext import taken_lines
from benchmarks.prose.round_trips import ROUTES, spread

_INTO_ENGLISH: dict[str, tuple[Route, ...]] = {
    "en-es": (
        ("spa-eng",),
        ("spa-cat", "cat-eng"),
        ("es-gl", "gl-en"),
        ("es-fr", "fr-eo", "eo-en"),
    ),
    "en-fr": (
        ("fr-es", "spa-eng"),
        ("fra-cat", "cat-eng"),
        ("fr-eo", "eo-en"),
        ("fr-es", "es-gl", "gl-en"),
    ),
}
_ROUND_TRIPS = (ROUTES[0], ROUTES[4])
"""Beside them, so that a segment has as many versions as one of round trips alone."""

_UNKNOWN, _ROUTES_OF_UNKNOWN = "en-de", (ROUTES[0], ROUTES[4])
_MOST_UNKNOWN = 4  # words of a sentence
_SEED = 20_261_119


def write_translations(folder: Path, most: int, output: Path) -> int:
    """Write English sentences with six translations of each, between tabs.

    Args:
        folder: The folder of the bitexts.
        most: How many pairs of each language pair, from all over it.
        output: What is written.

    Returns:
        The number of rows. Sentences that a route loses are left out.

    Raises:
        SystemExit: Apertium fails, or is not there.
    """

    def parts() -> Iterator[tuple[str, Versions]]:
        for pair, routes in _INTO_ENGLISH.items():
            lines = spread([line.split("\t") for line in taken_lines(folder, pair)], most)
            english, other = ([line[side].strip() for line in lines] for side in (0, 1))
            yield pair, versions_of(english, _sources(english, other, routes))
        yield _UNKNOWN, _with_unknown_words(folder, most)

    return write_versions(parts(), output)


def _with_unknown_words(folder: Path, most: int) -> Versions:
    lines = spread([line.split("\t") for line in taken_lines(folder, _UNKNOWN)], most)
    german = {line[0].strip(): line[1].split() for line in lines}
    english, rng = list(german), np.random.default_rng(_SEED)
    for text, *trips in versions_of(english, [(english, one) for one in _ROUTES_OF_UNKNOWN]):
        own = german[text]
        twice = with_foreign_words(text, own, rng), with_foreign_words(text, own, rng)
        mixed = (with_foreign_words(one, own, rng) for one in trips)
        yield (text, *twice, *trips, *mixed)


def with_foreign_words(text: str, foreign: Sequence[str], rng: np.random.Generator) -> str:
    """Return a text some of whose words are those of another language that stand where they do.

    Args:
        text: The text.
        foreign: The words of its translation.
        rng: What is drawn from.
    """
    words = text.split()
    count = min(1 + int(rng.integers(_MOST_UNKNOWN)), len(words))
    for place in rng.permutation(len(words))[:count].tolist():
        words[place] = foreign[place * len(foreign) // len(words)]
    return " ".join(words)


def _sources(
    english: Sequence[str], other: Sequence[str], routes: Sequence[Route]
) -> list[tuple[Sequence[str], Route]]:
    return [*((other, route) for route in routes), *((english, route) for route in _ROUND_TRIPS)]
