"""Variants of texts, for a student whose teacher judges any two texts.

A translation and its reference differ in words, in their order, in what is left out and added. So
do a text and a variant of it: words are replaced by their neighbors (`word_neighbors`), dropped,
added, moved; some variants are damaged as in `damage`. How good a variant is nobody needs to say:
the teacher does.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tenbin.building.metric.damage import DamageGenerator, DamageKind, DamageTexts
from tenbin.building.metric.word_neighbors import WordNeighbors

Random = np.random.Generator
Piece = tuple[str, str]
"""White space, and the word or sign after it."""

_WORD = re.compile(r"(\s*)(\w+(?:['\u2019]\w+)*|[^\w\s])")
_CHARACTER = re.compile(r"(\s*)(\S)")

# Damage of the whole text, and of a detail, in this share of the variants.
_WHOLE, _WHOLE_SHARE = (
    (
        DamageKind.TRUNCATED,
        DamageKind.REPEATED,
        DamageKind.SHUFFLED,
        DamageKind.DROPPED,
        DamageKind.UNRELATED,
    ),
    0.12,
)
_DETAIL, _DETAIL_SHARE = (
    (DamageKind.NUMBER, DamageKind.NAME, DamageKind.NEGATION, DamageKind.PUNCTUATION),
    0.10,
)
_EVEN = 0.5
# Changed words: one or two, or a share of the words; with the share of variants of each kind.
_FEW, _FEW_SHARE = 2, 0.25
_SOME, _SOME_SHARE = (0.1, 0.3), 0.35
_MANY = (0.3, 0.8)
_LONGEST_MOVE = 4
_TRIES = 4


@dataclass(frozen=True, slots=True)
class VariantMaker:
    """Makes variants of texts of one language.

    Attributes:
        generator: Damages texts.
        neighbors: The words that words are replaced by.
    """

    generator: DamageGenerator
    neighbors: WordNeighbors

    def variant(self, text: str, rng: Random, other: str) -> str:
        """Return a variant of a text; once in a while the text itself.

        Args:
            text: A text.
            rng: What is drawn from; the same state gives the same variant.
            other: Another text, whose words may be added.
        """
        drawn = rng.random()
        if drawn < _WHOLE_SHARE:
            damaged = self._damaged(text, _WHOLE, rng, other)
            if damaged is not None:
                return damaged
        elif drawn < _WHOLE_SHARE + _DETAIL_SHARE:
            damaged = self._damaged(text, _DETAIL, rng, other)
            if damaged is not None:
                more = int(rng.integers(1, 4)) if rng.random() < _EVEN else 0
                return self.changed(damaged, more, rng, other)
        return self.changed(text, _changes(len(self._pieces(text)), rng), rng, other)

    def changed(self, text: str, count: int, rng: Random, other: str) -> str:
        """Return a text with so many changes of single words."""
        pieces, others = self._pieces(text), self._pieces(other)
        changes: list[tuple[float, Callable[[], None]]] = [
            (0.58, lambda: self._replace(pieces, rng)),
            (0.12, lambda: _drop(pieces, rng)),
            (0.08, lambda: self._add(pieces, rng, others)),
            (0.10, lambda: _move(pieces, rng)),
            (0.05, lambda: _swap(pieces, rng)),
            (0.07, lambda: _foreign(pieces, rng, others)),
        ]
        shares = np.cumsum([share for share, _ in changes])
        for place in np.searchsorted(shares, rng.random(count) * shares[-1], side="right").tolist():
            if pieces:
                changes[place][1]()
        return self._joined(pieces)

    def _joined(self, pieces: list[Piece]) -> str:
        """Return the text; words that now stand side by side do not become one."""
        found = [word for _, word in pieces[:1]]
        for (_, before), (space, word) in pairwise(pieces):
            runs_on = not space and before[-1].isalnum() and word[0].isalnum()
            found.append((self._space if runs_on else space) + word)
        return "".join(found)

    def _damaged(
        self, text: str, kinds: tuple[DamageKind, ...], rng: Random, other: str
    ) -> str | None:
        kind = kinds[int(rng.integers(len(kinds)))]
        return self.generator.damaged(text, kind, rng, DamageTexts(other=other))

    def _pieces(self, text: str) -> list[Piece]:
        pattern = _WORD if self.generator.spaced else _CHARACTER
        return [(found[1], found[2]) for found in pattern.finditer(text)]

    @property
    def _space(self) -> str:
        return " " if self.generator.spaced else ""

    def _replace(self, pieces: list[Piece], rng: Random) -> None:
        """Replace a word by one of its neighbors."""
        for place in rng.integers(len(pieces), size=_TRIES).tolist():
            space, word = pieces[place]
            near = self.neighbors.draw(word, rng)
            if near is not None:
                pieces[place] = (space, near)
                return

    def _add(self, pieces: list[Piece], rng: Random, others: list[Piece]) -> None:
        """Add a word of another text, or a neighbor of the word before."""
        place = int(rng.integers(len(pieces)))
        word = pieces[place][1]
        if others and rng.random() < _EVEN:
            word = others[int(rng.integers(len(others)))][1]
        else:
            word = self.neighbors.draw(word, rng) or word
        pieces.insert(place + 1, (self._space, word))


def _changes(words: int, rng: Random) -> int:
    """Return how many words of a text are changed."""
    drawn = rng.random()
    if drawn < _FEW_SHARE:
        return int(rng.integers(1, _FEW + 1))
    share = rng.uniform(*(_SOME if drawn < _FEW_SHARE + _SOME_SHARE else _MANY))
    return max(round(words * share), 1)


def _drop(pieces: list[Piece], rng: Random) -> None:
    if len(pieces) > 1:
        del pieces[int(rng.integers(len(pieces)))]


def _foreign(pieces: list[Piece], rng: Random, others: list[Piece]) -> None:
    """Put a word of another text in the place of one."""
    if others:
        place = int(rng.integers(len(pieces)))
        pieces[place] = (pieces[place][0], others[int(rng.integers(len(others)))][1])


def _move(pieces: list[Piece], rng: Random) -> None:
    """Move some words that stand together."""
    length = min(int(rng.integers(1, _LONGEST_MOVE + 1)), len(pieces) - 1)
    start = int(rng.integers(len(pieces) - length + 1))
    moved = pieces[start : start + length]
    del pieces[start : start + length]
    target = int(rng.integers(len(pieces) + 1))
    pieces[target:target] = moved


def _swap(pieces: list[Piece], rng: Random) -> None:
    """Swap two words that stand side by side."""
    if len(pieces) > 1:
        place = int(rng.integers(len(pieces) - 1))
        (space, word), (next_space, next_word) = pieces[place : place + 2]
        pieces[place : place + 2] = [(space, next_word), (next_space, word)]
