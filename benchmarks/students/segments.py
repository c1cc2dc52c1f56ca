"""Segments of a few sentences, joined on the device."""

import torch

from benchmarks.students.arrays import DEVICE, IntArray, Tensor, places, sent
from benchmarks.students.rows import PaddedTexts
from benchmarks.students.texts import FlatTexts

SENTENCE = 80
"""Most subwords of a sentence."""
LONGEST = 60
"""Most subwords of a segment."""
SENTENCES = (0.25, 0.25, 0.22, 0.16, 0.12)
"""Shares of segments of one, two ... sentences."""


def fitting(lengths: Tensor, wanted: IntArray) -> Tensor:
    """Return which sentences a segment gets: one after the other, as long as the next one fits.

    Args:
        lengths: Of the sentences that each segment may have, (segments, sentences).
        wanted: How many each is to have at most.
    """
    most = sent(wanted)
    taken, total = torch.zeros_like(lengths, dtype=torch.bool), torch.zeros_like(lengths[:, 0])
    for number in range(lengths.shape[1]):
        more = lengths[:, number]
        taken[:, number] = (most > number) & ((total + more <= LONGEST) | (total == 0))
        total = total + more * taken[:, number]
    return taken


def joined_sentences(texts: FlatTexts, numbers: Tensor, taken: Tensor) -> PaddedTexts:
    """Return segments, cut off where they are too long.

    Args:
        texts: All sentences.
        numbers: Those of each segment, (segments, sentences).
        taken: Which of them it gets.
    """
    count = len(numbers)
    ids = torch.zeros((count, LONGEST + SENTENCE), dtype=torch.long, device=DEVICE)
    lengths = torch.zeros(count, dtype=torch.long, device=DEVICE)
    place = places(SENTENCE)
    for own, fits in zip(numbers.unbind(1), taken.unbind(1), strict=True):
        found, more = texts.padded(own, SENTENCE)
        inside = fits[:, None] & (place < more[:, None])
        at = (lengths[:, None] + place).clamp_max(ids.shape[1] - 1)
        ids.scatter_add_(1, at, found * inside)
        lengths = (lengths + more * fits).clamp_max(LONGEST)
    return PaddedTexts(ids[:, :LONGEST], lengths)
