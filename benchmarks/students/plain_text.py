"""Pairs of plain texts: segments of a few sentences beside variants of them."""

from typing import NamedTuple

import numpy as np
import torch

from benchmarks.students.arrays import DEVICE, Arrays, IntArray, Tensor, places, sent
from benchmarks.students.rows import PaddedTexts
from benchmarks.students.texts import FlatTexts
from benchmarks.students.variants import VariantMaker
from benchmarks.students.vocabulary import Vocabulary

SENTENCE = 80
"""Most subwords of a sentence."""
LONGEST = 60
"""Most subwords of a segment."""
VERSIONS = 4
"""Texts that are made of a segment: itself and three variants."""

_SENTENCES = (0.25, 0.25, 0.22, 0.16, 0.12)  # shares of segments of one, two ... sentences
_PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2))
_TWICE = 0.4  # of the last variants are variants of a variant
_UNRELATED = 0.03  # of the last variants are other texts


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
        self._rng = np.random.default_rng(seed)
        self._generator = torch.Generator(DEVICE)
        self._generator.manual_seed(seed)
        self._maker = VariantMaker(vocabulary, self._generator)

    def segments(self, count: int) -> PaddedTexts:
        """Return segments: sentences one after the other, as long as the next one fits.

        Args:
            count: How many.
        """
        rng = self._rng
        wanted = sent(1 + rng.choice(len(_SENTENCES), size=count, p=_SENTENCES))
        file = rng.integers(len(self._counts), size=count)
        ids = torch.zeros((count, LONGEST + SENTENCE), dtype=torch.long, device=DEVICE)
        lengths = torch.zeros(count, dtype=torch.long, device=DEVICE)
        place = places(SENTENCE)
        for number in range(len(_SENTENCES)):
            drawn = self._starts[file] + rng.integers(self._counts[file])
            found, more = self._texts.padded(sent(drawn), SENTENCE)
            fits = (wanted > number) & ((lengths + more <= LONGEST) | (lengths == 0))
            inside = fits[:, None] & (place < more[:, None])
            at = (lengths[:, None] + place).clamp_max(ids.shape[1] - 1)
            ids.scatter_add_(1, at, found * inside)
            lengths = torch.where(fits, lengths + more, lengths)
        lengths = lengths.clamp_max(LONGEST)
        ids = ids[:, :LONGEST] * (places(LONGEST) < lengths[:, None])
        return PaddedTexts(ids, lengths)

    @torch.no_grad()
    def pairs(self, count: int) -> PlainPairs:
        """Return pairs of texts.

        Args:
            count: How many segments; each gives four pairs.
        """
        texts = self.segments(count)
        others = texts.chosen(torch.randperm(count, device=DEVICE, generator=self._generator))
        one, another = (self._maker.variants(texts, others) for _ in range(2))
        origin = _mixed(self._chance(count, _TWICE), one, texts)
        last = self._maker.variants(origin, others)
        last = _mixed(self._chance(count, _UNRELATED), others, last)
        versions = [texts, one, another, last]
        ids = torch.stack([each.ids for each in versions], 1).reshape(VERSIONS * count, -1)
        lengths = torch.stack([each.lengths for each in versions], 1).reshape(-1)
        return PlainPairs(PaddedTexts(ids, lengths), *self._sides(count))

    def _sides(self, count: int) -> tuple[Tensor, Tensor]:
        """Return the numbers of both texts of each pair; either may stand first."""
        base = torch.arange(count, device=DEVICE)[:, None] * VERSIONS
        sides = torch.tensor(_PAIRS, device=DEVICE).t()
        one, other = base + sides[0], base + sides[1]
        turned = self._chance(count, 0.5)[:, None]
        first, second = torch.where(turned, other, one), torch.where(turned, one, other)
        return first.reshape(-1), second.reshape(-1)

    def _chance(self, count: int, share: float) -> Tensor:
        return torch.rand(count, device=DEVICE, generator=self._generator) < share


def _mixed(taken: Tensor, one: PaddedTexts, other: PaddedTexts) -> PaddedTexts:
    """Return some texts of one, the others of the other."""
    ids = torch.where(taken[:, None], one.ids, other.ids)
    return PaddedTexts(ids, torch.where(taken, one.lengths, other.lengths))
