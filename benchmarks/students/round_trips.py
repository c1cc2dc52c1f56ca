"""Segments of sentences that were translated and back, beside what became of them."""

from typing import NamedTuple

import numpy as np
import torch

from benchmarks.students.arrays import DEVICE, Arrays, Tensor, sent
from benchmarks.students.rows import PaddedTexts
from benchmarks.students.segments import SENTENCES, fitting, joined_sentences
from benchmarks.students.texts import FlatTexts

TRIPS = "trips/"
"""Names of the arrays of round trips begin with this, among those of plain text."""
FEWEST_ROUTES = 3
"""Translations that a sentence needs."""


class Trips(NamedTuple):
    """Segments, and what became of each in three of the round trips.

    Attributes:
        texts: The segments.
        versions: Three translations of each.
    """

    texts: PaddedTexts
    versions: tuple[PaddedTexts, PaddedTexts, PaddedTexts]


class RoundTrips:
    """Draws segments of sentences that stand one after the other in a file."""

    def __init__(self, arrays: Arrays, rng: np.random.Generator) -> None:
        """Send the texts to the device.

        Args:
            arrays: Sentences, each followed by its translations, and how many translations.
            rng: What is drawn from.
        """
        self._texts = FlatTexts(arrays[f"{TRIPS}flat"], arrays[f"{TRIPS}lengths"])
        self._versions = 1 + int(arrays[f"{TRIPS}routes"])
        self._lengths = sent(self._texts.lengths.reshape(-1, self._versions).max(1))
        self._rng = rng

    def segments(self, count: int) -> Trips:
        """Return segments and translations of them; each is of one route from end to end.

        Args:
            count: How many segments.
        """
        rng, most = self._rng, len(SENTENCES)
        wanted = 1 + rng.choice(most, size=count, p=SENTENCES)
        first = rng.integers(max(len(self._lengths) - most, 0) + 1, size=count)
        rows = first[:, None] + np.arange(most)
        numbers = sent(rows % len(self._lengths))
        taken = fitting(self._lengths[numbers], wanted)
        routes = sent(1 + rng.permuted(np.tile(np.arange(self._versions - 1), (count, 1)), axis=1))
        versions = [torch.zeros(count, dtype=torch.long, device=DEVICE), *routes.unbind(1)[:3]]
        own, *others = (self._of(numbers, taken, version) for version in versions)
        return Trips(own, (others[0], others[1], others[2]))

    def _of(self, numbers: Tensor, taken: Tensor, version: Tensor) -> PaddedTexts:
        return joined_sentences(self._texts, numbers * self._versions + version[:, None], taken)
