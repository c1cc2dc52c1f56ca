"""Pairs of plain texts: segments of a few sentences beside variants and round trips of them."""

from typing import NamedTuple

import numpy as np
import torch

from benchmarks.students.arrays import DEVICE, Arrays, IntArray, Tensor, sent
from benchmarks.students.round_trips import TRIPS, RoundTrips
from benchmarks.students.rows import PaddedTexts
from benchmarks.students.segments import SENTENCES, fitting, joined_sentences
from benchmarks.students.texts import FlatTexts
from benchmarks.students.variants import VariantMaker
from benchmarks.students.vocabulary import Vocabulary

VERSIONS = 4
"""Texts that are made of a segment: itself and three variants."""

_PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2))
_TWICE = 0.4  # of the last variants are variants of a variant
_UNRELATED = 0.03  # of the last variants are other texts
_TRIPS = 0.5  # of the segments, if there are round trips
_CHANGED_TRIPS = 0.7  # of the last translations are changed further


class PlainPairs(NamedTuple):
    """Segments and pairs of their versions.

    Attributes:
        texts: Four versions of each segment, one after the other.
        first: The first text of each pair, by number; four pairs of a segment after another.
        second: The second.
    """

    texts: PaddedTexts
    first: Tensor
    second: Tensor


class PlainText:
    """Draws segments, and makes pairs of them.

    Files count the same, however long they are; the sentences of a segment are of one file.
    """

    def __init__(self, arrays: Arrays, vocabulary: Vocabulary, seed: int) -> None:
        """Send the texts to the device.

        Args:
            arrays: Sentences, and how many each file has.
            vocabulary: Words and their neighbors.
            seed: Of what is drawn.
        """
        self._texts = FlatTexts(arrays["flat"], arrays["lengths"])
        self._counts: IntArray = arrays["counts"].astype(np.int64)
        self._starts = np.cumsum(self._counts) - self._counts
        self._lengths = sent(self._texts.lengths)
        self._rng = np.random.default_rng(seed)
        self._generator = torch.Generator(DEVICE)
        self._generator.manual_seed(seed)
        self._maker = VariantMaker(vocabulary, self._generator)
        self._trips = RoundTrips(arrays, self._rng) if f"{TRIPS}flat" in arrays else None

    def segments(self, count: int) -> PaddedTexts:
        """Return segments: sentences one after the other, as long as the next one fits.

        Args:
            count: How many.
        """
        rng, most = self._rng, len(SENTENCES)
        wanted = 1 + rng.choice(most, size=count, p=SENTENCES)
        file = rng.integers(len(self._counts), size=(count, 1))
        numbers = sent(self._starts[file] + rng.integers(self._counts[file], size=(count, most)))
        return joined_sentences(self._texts, numbers, fitting(self._lengths[numbers], wanted))

    @torch.no_grad()
    def pairs(self, count: int, turned: float = 0.5) -> PlainPairs:
        """Return pairs of texts.

        Args:
            count: How many segments; each gives four pairs.
            turned: The share of pairs whose second text stands first.
        """
        trips = round(_TRIPS * count) if self._trips is not None else 0
        versions = self._variants(count - trips)
        if self._trips is not None and trips:
            both = zip(versions, self._translations(self._trips, trips), strict=True)
            versions = [_together(*some) for some in both]
        ids = torch.stack([each.ids for each in versions], 1).reshape(VERSIONS * count, -1)
        lengths = torch.stack([each.lengths for each in versions], 1).reshape(-1)
        return PlainPairs(PaddedTexts(ids, lengths), *self._sides(count, turned))

    def _variants(self, count: int) -> list[PaddedTexts]:
        """Return segments, and three variants of each."""
        texts = self.segments(count)
        others = self._others(texts)
        one, another = (self._maker.variants(texts, others) for _ in range(2))
        origin = _mixed(self._chance(count, _TWICE), one, texts)
        last = self._maker.variants(origin, others)
        return [texts, one, another, _mixed(self._chance(count, _UNRELATED), others, last)]

    def _translations(self, trips: RoundTrips, count: int) -> list[PaddedTexts]:
        """Return segments, and three translations of each, the last one often changed further."""
        texts, (one, another, third) = trips.segments(count)
        others = self._others(texts)
        changed = self._maker.variants(third, others)
        last = _mixed(self._chance(count, _CHANGED_TRIPS), changed, third)
        return [texts, one, another, _mixed(self._chance(count, _UNRELATED), others, last)]

    def _others(self, texts: PaddedTexts) -> PaddedTexts:
        count = len(texts.ids)
        return texts.chosen(torch.randperm(count, device=DEVICE, generator=self._generator))

    def _sides(self, count: int, share: float) -> tuple[Tensor, Tensor]:
        """Return the numbers of both texts of each pair."""
        base = torch.arange(count, device=DEVICE)[:, None] * VERSIONS
        sides = torch.tensor(_PAIRS, device=DEVICE).t()
        one, other = base + sides[0], base + sides[1]
        turned = self._chance(count, share)[:, None]
        first, second = torch.where(turned, other, one), torch.where(turned, one, other)
        return first.reshape(-1), second.reshape(-1)

    def _chance(self, count: int, share: float) -> Tensor:
        return torch.rand(count, device=DEVICE, generator=self._generator) < share


def _mixed(taken: Tensor, one: PaddedTexts, other: PaddedTexts) -> PaddedTexts:
    """Return some texts of one, the others of the other."""
    ids = torch.where(taken[:, None], one.ids, other.ids)
    return PaddedTexts(ids, torch.where(taken, one.lengths, other.lengths))


def _together(one: PaddedTexts, other: PaddedTexts) -> PaddedTexts:
    """Return the texts of one, then those of the other."""
    return PaddedTexts(torch.cat([one.ids, other.ids]), torch.cat([one.lengths, other.lengths]))
