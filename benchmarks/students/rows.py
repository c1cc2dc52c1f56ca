"""Pairs of texts as rows of subwords, in the way a base model writes two texts."""

from typing import NamedTuple

import torch

from benchmarks.students.arrays import DEVICE, IntArray, Tensor, padded_width, places, sent
from benchmarks.students.plan import EncoderFacts
from benchmarks.students.texts import FlatTexts


class JoinedRows(NamedTuple):
    """Rows of two texts, padded; all of the shape (rows, width).

    Attributes:
        ids: Subwords and special tokens.
        first: What is of the first text, special tokens included.
        second: What is of the second.
        in_first: Subwords of the first text.
        in_second: Subwords of the second.
    """

    ids: Tensor
    first: Tensor
    second: Tensor
    in_first: Tensor
    in_second: Tensor

    @property
    def mask(self) -> Tensor:
        """What is no padding."""
        return self.first | self.second

    @property
    def subwords(self) -> Tensor:
        """Subwords of either text."""
        return self.in_first | self.in_second


class PaddedTexts(NamedTuple):
    """Some texts.

    Attributes:
        ids: Their subwords, (texts, width).
        lengths: How many are no padding.
    """

    ids: Tensor
    lengths: Tensor

    def chosen(self, numbers: Tensor) -> "PaddedTexts":
        """Return some of them."""
        return PaddedTexts(self.ids[numbers], self.lengths[numbers])

    @property
    def width(self) -> int:
        """How many subwords each has with padding."""
        return int(self.ids.shape[1])


def joined(one: PaddedTexts, other: PaddedTexts, width: int, facts: EncoderFacts) -> JoinedRows:
    """Return pairs of texts as rows.

    Args:
        one: The first text of each row.
        other: The second.
        width: The length of rows, padding included.
        facts: The special tokens.
    """
    place = places(width)
    middle = len(facts.between)
    first_end = 1 + one.lengths[:, None]
    second_start = first_end + middle
    end = second_start + other.lengths[:, None]
    in_first = (place >= 1) & (place < first_end)
    in_second = (place >= second_start) & (place < end)
    ids = torch.full((len(one.ids), width), facts.padding, device=DEVICE, dtype=torch.long)
    ids = torch.where(in_first, _at(one.ids, place - 1), ids)
    ids = torch.where(in_second, _at(other.ids, place - second_start), ids)
    for number, mark in enumerate(facts.between):
        ids = torch.where(place == first_end + number, mark, ids)
    ids = torch.where(place == end, facts.after, ids)
    ids[:, 0] = facts.before
    border = first_end + facts.first
    return JoinedRows(
        ids=ids,
        first=(place < border),
        second=(place >= border) & (place <= end),
        in_first=in_first,
        in_second=in_second,
    )


def _at(ids: Tensor, wanted: Tensor) -> Tensor:
    """Return ids at places, which may lie beyond them: what is there means nothing."""
    inside = wanted.clamp(0, ids.shape[1] - 1)
    return ids.gather(1, inside.expand(len(ids), -1))


def rows_of(
    texts: FlatTexts,
    one: IntArray,
    other: IntArray,
    facts: EncoderFacts,
    table: Tensor | None = None,
) -> JoinedRows:
    """Return pairs of texts by number as rows.

    Args:
        texts: All texts, as the student cuts them.
        one: The first text of each row.
        other: The second.
        facts: The special tokens.
        table: Ids of another model for those of the student.
    """
    lengths = texts.lengths[one], texts.lengths[other]
    marks = 2 + len(facts.between)
    width = padded_width(int((lengths[0] + lengths[1]).max()) + marks)
    sides = [
        PaddedTexts(*texts.padded(sent(numbers), max(int(some.max()), 1)))
        for numbers, some in zip((one, other), lengths, strict=True)
    ]
    if table is not None:
        sides = [PaddedTexts(table[side.ids], side.lengths) for side in sides]
    return joined(sides[0], sides[1], width, facts)
