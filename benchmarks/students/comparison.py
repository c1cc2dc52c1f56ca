"""BERTScore and the similarities of subwords, by a layer of the base model of the teachers."""

from typing import NamedTuple

import torch
from torch.nn import functional

from benchmarks.students.arrays import DEVICE, Tensor, padded_width, places
from benchmarks.students.encoder import Encoder
from benchmarks.students.rows import PaddedTexts

_UNLIKE = -1.0  # no subword is less alike


class UnitVectors(NamedTuple):
    """The vectors of texts, of length one; the first is that of the special token before.

    Attributes:
        units: (texts, width, size).
        inner: What is a subword of the text.
        whole: What is no padding.
    """

    units: Tensor
    inner: Tensor
    whole: Tensor

    def chosen(self, numbers: Tensor | slice) -> "UnitVectors":
        """Return some of the texts."""
        return UnitVectors(self.units[numbers], self.inner[numbers], self.whole[numbers])


class Compared(NamedTuple):
    """What a pair of texts is worth.

    Attributes:
        first: How similar the most similar subword of the other text is, by place in the first.
        second: The same for the second.
        scores: BERTScore of each pair.
    """

    first: Tensor
    second: Tensor
    scores: Tensor


class TextVectors:
    """The base model of the teachers up to a layer; texts are read alone."""

    def __init__(self, encoder: Encoder, table: Tensor, layer: int) -> None:
        """Take a model.

        Args:
            encoder: The model.
            table: Its ids for those of the student.
            layer: The layer whose states are compared.
        """
        self._encoder, self._table, self._layer = encoder, table, layer

    @torch.no_grad()
    def of(self, texts: PaddedTexts) -> UnitVectors:
        """Return the vectors of texts, whose subwords are the student's."""
        facts = self._encoder.facts
        width = padded_width(texts.width + 2)
        place, lengths = places(width), texts.lengths[:, None]
        inner, whole = (place >= 1) & (place <= lengths), place <= lengths + 1
        ids = torch.full((len(texts.ids), width), facts.padding, device=DEVICE, dtype=torch.long)
        at = (place - 1).clamp(0, texts.width - 1).expand(len(ids), -1)
        ids = torch.where(inner, self._table[texts.ids].gather(1, at), ids)
        ids = torch.where(place == lengths + 1, facts.after, ids)
        ids[:, 0] = facts.before
        states = self._encoder.states(ids, whole, layers=self._layer)[-1]
        units = functional.normalize(states.float(), dim=-1).to(states.dtype)
        return UnitVectors(units, inner, whole)


@torch.no_grad()
def compared(one: UnitVectors, other: UnitVectors) -> Compared:
    """Compare texts in pairs.

    Labels of subwords may be like special tokens of the other text; BERTScore leaves these out.

    Args:
        one: The first text of each pair.
        other: The second.
    """
    alike = torch.bmm(one.units, other.units.transpose(1, 2)).float()
    first = alike.masked_fill(~other.whole[:, None], _UNLIKE).amax(2)
    second = alike.masked_fill(~one.whole[:, :, None], _UNLIKE).amax(1)
    recall = _mean(alike.masked_fill(~other.inner[:, None], _UNLIKE).amax(2), one.inner)
    precision = _mean(alike.masked_fill(~one.inner[:, :, None], _UNLIKE).amax(1), other.inner)
    return Compared(first, second, 2 * recall * precision / (recall + precision))


def _mean(numbers: Tensor, mask: Tensor) -> Tensor:
    inside = mask.float()
    return (numbers * inside).sum(1) / inside.sum(1)
