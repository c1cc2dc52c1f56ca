"""Variants of texts, made of subwords on the device: some hundred thousand a second.

A translation and its reference differ in words, in their order, in what is left out and added. So
do a text and a variant of it. All is drawn for each word; some texts are damaged as a whole.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import torch

from benchmarks.students.arrays import DEVICE, Tensor, places
from benchmarks.students.rows import PaddedTexts
from benchmarks.students.vocabulary import Vocabulary

# What is done to a changed word: each takes the numbers up to its own.
_REPLACED, _DROPPED, _ADDED, _FOREIGN, _MOVED = 0.55, 0.66, 0.76, 0.84, 0.94
# The words that are changed: one or two, some, or many; with the share of texts up to each.
_FEW, _SOME = 0.33, 0.8
_SOME_RANGE, _MANY_RANGE = (0.05, 0.25), (0.3, 0.5)
_MOST_CHANGED = 0.95
_LONGEST_MOVE, _LONGEST_SWAP = 4.0, 1.2  # standard deviations, in words
_MEAN_RANK = 6.0  # of the neighbor that replaces a word
# What is added before the next word: of another text, a neighbor, a negation, the word again.
_OTHER_ADDED, _NEIGHBOR_ADDED, _NEGATION_ADDED = 0.45, 0.75, 0.85
# Texts that are damaged as a whole: each kind takes the numbers up to its own.
_SHUFFLED, _CUT, _THINNED, _REPEATED = 0.02, 0.05, 0.07, 0.08
_FRONT_KEPT = 0.7
_THINNED_SHARE = 0.4
_WITHIN_WORD = 1e-3  # keeps the subwords of a word in order
_GONE, _AGAIN = 1e9, 1e3


class _Words(NamedTuple):
    """The words of texts.

    Attributes:
        inside: What is no padding.
        begins: The first subword of each word.
        numbers: The number of the word of each subword.
        counts: How many words each text has, (texts, 1).
    """

    inside: Tensor
    begins: Tensor
    numbers: Tensor
    counts: Tensor

    def each(self, numbers: Tensor) -> Tensor:
        """Return numbers that all subwords of a word share."""
        return numbers.gather(1, self.numbers)


class _Changes(NamedTuple):
    """What is done to each subword.

    Attributes:
        replaced: Its word becomes a neighbor of it.
        dropped: It is left out.
        added: Something is added after it.
        foreign: Its word becomes a subword of another text.
        moved: Its word goes elsewhere.
        swapped: Its word goes to the next place or so.
    """

    replaced: Tensor
    dropped: Tensor
    added: Tensor
    foreign: Tensor
    moved: Tensor
    swapped: Tensor


@dataclass(frozen=True, slots=True)
class VariantMaker:
    """Makes variants.

    Attributes:
        vocabulary: Words and their neighbors.
        generator: What is drawn from.
    """

    vocabulary: Vocabulary
    generator: torch.Generator

    def variants(self, texts: PaddedTexts, others: PaddedTexts) -> PaddedTexts:
        """Return a changed copy of each text; it is as wide, and not empty.

        Args:
            texts: What is changed.
            others: A text of another subject for each.
        """
        words = self._words(texts)
        changes = self._changes(words)
        foreign = self._subwords_of(others, texts.width)
        kept = self._kept(texts, words, changes, foreign)
        added = self._added(texts, foreign)
        keys, whole = self._order(words, changes), self._uniform(texts, 1)
        cut = self._uniform(texts, 1) * words.counts
        shuffled = words.each(self._uniform(texts)) * texts.width
        keys = torch.where(whole < _SHUFFLED, shuffled + self._within_word(texts), keys)
        gone = self._gone(words, changes, whole, cut) | ~words.inside
        again = (whole >= _THINNED) & (whole < _REPEATED) & (words.numbers > cut)
        every = torch.cat(
            [
                keys.masked_fill(gone, _GONE),
                (keys + 0.5).masked_fill(gone | ~(changes.added & words.begins), _GONE),
                (keys + _AGAIN).masked_fill(gone | ~again, _GONE),
            ],
            dim=1,
        )
        return _assembled(texts, torch.cat([kept, added, kept], dim=1), every)

    def _uniform(self, texts: PaddedTexts, width: int | None = None) -> Tensor:
        shape = len(texts.ids), texts.width if width is None else width
        return torch.rand(shape, device=DEVICE, generator=self.generator)

    def _normal(self, texts: Tensor) -> Tensor:
        return torch.randn(texts.shape, device=DEVICE, generator=self.generator)

    def _words(self, texts: PaddedTexts) -> _Words:
        inside = places(texts.width) < texts.lengths[:, None]
        begins = inside & ~self.vocabulary.continues[texts.ids]
        begins[:, 0] = True
        counts = (begins & inside).sum(1, keepdim=True).float()
        return _Words(inside, begins, begins.long().cumsum(1) - 1, counts)

    def _changes(self, words: _Words) -> _Changes:
        texts = PaddedTexts(words.numbers, words.counts)
        drawn = words.each(self._uniform(texts)) / self._share_changed(texts, words)
        marks = [0.0, _REPLACED, _DROPPED, _ADDED, _FOREIGN, _MOVED, 1.0]
        chosen = [(drawn >= least) & (drawn < most) for least, most in pairwise(marks)]
        return _Changes(*chosen)

    def _share_changed(self, texts: PaddedTexts, words: _Words) -> Tensor:
        kind, second = self._uniform(texts, 1), self._uniform(texts, 1) < 0.5
        few = (1 + second.float()) / words.counts.clamp_min(1)
        some, many = (
            least + more * self._uniform(texts, 1) for least, more in (_SOME_RANGE, _MANY_RANGE)
        )
        share = torch.where(kind < _FEW, few, torch.where(kind < _SOME, some, many))
        return share.clamp_max(_MOST_CHANGED)

    def _subwords_of(self, others: PaddedTexts, width: int) -> Tensor:
        """Return a subword of the other text for each place."""
        drawn = torch.rand((len(others.ids), width), device=DEVICE, generator=self.generator)
        at = (drawn * others.lengths[:, None].clamp_min(1)).long()
        return others.ids.gather(1, at.clamp_max(others.width - 1))

    def _neighbors(self, ids: Tensor) -> Tensor:
        near = self.vocabulary.neighbors
        rank = torch.empty(ids.shape, device=DEVICE)
        rank.exponential_(1 / _MEAN_RANK, generator=self.generator)
        return near[ids, rank.long().clamp_max(near.shape[1] - 1)]

    def _kept(
        self, texts: PaddedTexts, words: _Words, changes: _Changes, foreign: Tensor
    ) -> Tensor:
        """Return what stands at each place instead of its subword."""
        ids = texts.ids
        known = changes.replaced & self.vocabulary.replaceable[ids] & words.begins
        ids = torch.where(known, self._neighbors(ids), ids)
        return torch.where(changes.foreign & words.begins, foreign, ids)

    def _added(self, texts: PaddedTexts, foreign: Tensor) -> Tensor:
        """Return what may be added at each place."""
        kind, ids = self._uniform(texts), texts.ids
        added = torch.where(kind < _NEGATION_ADDED, self.vocabulary.negation, ids)
        added = torch.where(kind < _NEIGHBOR_ADDED, self._neighbors(ids), added)
        return torch.where(kind < _OTHER_ADDED, foreign, added)

    def _order(self, words: _Words, changes: _Changes) -> Tensor:
        """Return numbers that tell the order of subwords."""
        swapped = _LONGEST_SWAP * changes.swapped.float()
        far = torch.where(changes.moved, _LONGEST_MOVE, swapped)
        moved = words.each(self._normal(words.numbers)) * far
        return words.numbers + moved + _WITHIN_WORD * places(words.numbers.shape[1])

    def _within_word(self, texts: PaddedTexts) -> Tensor:
        return _WITHIN_WORD * places(texts.width)

    def _gone(self, words: _Words, changes: _Changes, whole: Tensor, cut: Tensor) -> Tensor:
        """Return what is left out: words, the rest of words, an end of the text, many words."""
        texts = PaddedTexts(words.numbers, words.counts)
        front = self._uniform(texts, 1) < _FRONT_KEPT
        beyond = torch.where(front, words.numbers > cut, words.numbers < cut)
        thin = words.each(self._uniform(texts)) < _THINNED_SHARE
        return (
            changes.dropped
            | (changes.foreign & ~words.begins)
            | ((whole >= _SHUFFLED) & (whole < _CUT) & beyond)
            | ((whole >= _CUT) & (whole < _THINNED) & thin)
        )


def _assembled(texts: PaddedTexts, ids: Tensor, keys: Tensor) -> PaddedTexts:
    """Return subwords in the order of their keys, as many as fit; the text itself if none is left.

    Args:
        texts: The texts that were changed.
        ids: Subwords.
        keys: Their order.
    """
    ordered, at = keys.sort(1)
    live = ordered[:, : texts.width] < _GONE
    found = ids.gather(1, at)[:, : texts.width] * live
    lengths = live.sum(1)
    empty = lengths == 0
    return PaddedTexts(
        torch.where(empty[:, None], texts.ids, found), torch.where(empty, texts.lengths, lengths)
    )
