"""Pairs of texts as one row of subwords, in the way the base model writes two texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tenbin.annotation.encoders.encoded import BoolArray
from tenbin.annotation.encoders.subwords import Subwords, SubwordTokenizer
from tenbin.core.arrays import IdArray
from tenbin.resources.checkpoints import Checkpoint

_MOST_KEPT = 10_000
"""Texts whose subwords are kept."""


class JointRow(NamedTuple):
    """A reference and a hypothesis as one input of a model.

    Attributes:
        ids: Ids of subwords and special tokens.
        first: How many of them are of the first text, by their token type.
    """

    ids: IdArray
    first: int

    def __len__(self) -> int:
        return len(self.ids)


class PairPart(NamedTuple):
    """A part of a pair that fits into the model; the whole pair, unless it is too long.

    Attributes:
        row: The input.
        share: Its share of the pair, by length.
        reference: The range of the subwords of the reference in it.
        hypothesis: The range of the subwords of the hypothesis in it.
    """

    row: JointRow
    share: float
    reference: tuple[int, int]
    hypothesis: tuple[int, int]


@dataclass(frozen=True)
class PairTokenizer:
    """Turns pairs of texts into rows.

    Attributes:
        checkpoint: The base model.
    """

    checkpoint: Checkpoint

    @cached_property
    def tokenizer(self) -> SubwordTokenizer:
        """The tokenizer of the base model."""
        return SubwordTokenizer(self.checkpoint)

    @cached_property
    def special_ids(self) -> tuple[IdArray, IdArray, IdArray, int]:
        """Special tokens before, between and after two texts; see `SubwordTokenizer`."""
        return self.tokenizer.pair_special_ids()

    @property
    def special_count(self) -> int:
        """The number of special tokens of a row."""
        before, between, after, _ = self.special_ids
        return len(before) + len(between) + len(after)

    def tokenize(self, texts: Sequence[str]) -> list[Subwords]:
        """Return the subwords of each text; white space around it is ignored."""
        return self.tokenizer.tokenize([text.strip() for text in texts])

    def ids(self, texts: Sequence[str]) -> list[IdArray]:
        """Return the ids of the subwords of each text without special tokens.

        Those of the texts before are kept: they are looked at before they are judged.
        """
        stripped = [text.strip() for text in texts]
        (known,) = self._recent
        missing = [text for text in dict.fromkeys(stripped) if text not in known]
        made = dict(zip(missing, self.tokenizer.plain_ids(missing), strict=True))
        found = [made[text] if text in made else known[text] for text in stripped]
        # Replaced, not changed: another thread may read it.
        self._recent[0] = dict(zip(stripped[:_MOST_KEPT], found, strict=False))
        return found

    @cached_property
    def _recent(self) -> list[dict[str, IdArray]]:
        return [{}]

    def unknown(self, texts: Sequence[str]) -> BoolArray:
        """Return which subwords of the texts, one after the other, the model does not know."""
        ids = self.ids(texts)
        return self.tokenizer.is_unknown(np.concatenate(ids) if ids else np.empty(0, np.int32))

    def row(self, reference: IdArray, hypothesis: IdArray) -> JointRow:
        """Return two texts as one row."""
        before, between, after, first = self.special_ids
        ids = np.concatenate([before, reference, between, hypothesis, after])
        return JointRow(ids.astype(np.int32), len(before) + len(reference) + first)

    def parts(self, reference: IdArray, hypothesis: IdArray, room: int) -> list[PairPart]:
        """Return a pair in as many parts as it takes; both texts are cut proportionally.

        Args:
            reference: Ids of the subwords of the reference.
            hypothesis: Ids of those of the hypothesis.
            room: How many subwords and special tokens fit into the model.
        """
        inner = max(room - self.special_count, 2)
        count = 1
        while _largest(len(reference), count) + _largest(len(hypothesis), count) > inner:
            count += 1
        total = max(len(reference) + len(hypothesis), 1)
        found = []
        for number in range(count):
            own, other = (_range(len(side), count, number) for side in (reference, hypothesis))
            row = self.row(reference[slice(*own)], hypothesis[slice(*other)])
            share = (own[1] - own[0] + other[1] - other[0]) / total if count > 1 else 1.0
            found.append(PairPart(row, share, own, other))
        return found


def _largest(length: int, count: int) -> int:
    return -(-length // count)


def _range(length: int, count: int, number: int) -> tuple[int, int]:
    return length * number // count, length * (number + 1) // count
