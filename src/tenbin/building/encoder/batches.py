"""Which pairs each step of a training sees: languages in balance, texts of like length together."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray

# Batches whose pairs are sorted by length together.
_POOL = 50
_HELD_OUT, _PASS, _EPOCH, _TEXT = range(4)  # what a random number is for


def language_shares(counts: IntArray, temperature: float) -> FloatArray:
    """Return the share of each language in a training.

    Arivazhagan et al. (2019), "Massively Multilingual Neural Machine Translation in the Wild", 3.2.

    Args:
        counts: Pairs of each language.
        temperature: 1 leaves the shares as they are, many make them equal.

    >>> language_shares(np.array([100, 1]), 2).round(3).tolist()
    [0.909, 0.091]
    """
    raised = np.asarray(counts, dtype=np.float64) ** (1 / temperature)
    shares: FloatArray = raised / raised.sum()
    return shares


def held_out_pairs(language_of: IntArray, count: int, seed: int) -> IntArray:
    """Return pairs that are not trained on: some of each language, at most a tenth of it."""
    found = []
    for number in np.unique(language_of).tolist():
        own = np.flatnonzero(language_of == number)
        rng = np.random.default_rng((seed, _HELD_OUT, number))
        found.append(np.sort(rng.permutation(own)[: min(count, len(own) // 10)]))
    return np.concatenate(found)


@dataclass(frozen=True, eq=False)
class BatchPlan:
    """The pairs of each step; a function of seed and step alone.

    Attributes:
        groups: The pairs of each language.
        lengths: The length of each pair, by its number.
        batch: Pairs per step.
        temperature: See `language_shares`.
        seed: The seed.
    """

    groups: tuple[IntArray, ...]
    lengths: IntArray
    batch: int
    temperature: float
    seed: int

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return sum(map(len, self.groups))

    @property
    def size(self) -> int:
        """Pairs of a batch, which are all there are in a small text."""
        return min(self.batch, int(self._drawn.sum()))

    @property
    def steps(self) -> int:
        """Steps of an epoch."""
        return max(int(self._drawn.sum()) // self.size, 1)

    @property
    def _drawn(self) -> IntArray:
        """Pairs of each language that are drawn in an epoch."""
        shares = language_shares(np.array([len(group) for group in self.groups]), self.temperature)
        drawn: IntArray = np.maximum(np.rint(shares * self.pairs), 1).astype(np.int64)
        return drawn

    def at(self, step: int) -> IntArray:
        """Return the pairs of a step."""
        epoch, place = divmod(step, self.steps)
        whole = _epoch(self, epoch)
        found: IntArray = whole[place]
        return found

    def epoch(self, number: int) -> IntArray:
        """Return the pairs of all steps of an epoch, shape (steps, batch)."""
        rows = np.concatenate(
            [
                self._group(place, number * drawn, (number + 1) * drawn)
                for place, drawn in enumerate(self._drawn.tolist())
            ]
        )
        rng = np.random.default_rng((self.seed, _EPOCH, number))
        rows = rng.permutation(rows)[: self.steps * self.size]
        pool = np.arange(len(rows)) // (_POOL * self.size)
        ordered = rows[np.lexsort((self.lengths[rows], pool))]
        batches: IntArray = rng.permutation(ordered.reshape(self.steps, self.size))
        return batches

    def _group(self, place: int, start: int, end: int) -> IntArray:
        """Return a range of the endless sequence of a language; every pass has another order."""
        group = self.groups[place]
        count = len(group)
        parts = []
        for number in range(start // count, (end - 1) // count + 1):
            rng = np.random.default_rng((self.seed, _PASS, place, number))
            parts.append(rng.permutation(group))
        first = start // count * count
        return np.concatenate(parts)[start - first : end - first]


@lru_cache(maxsize=2)
def _epoch(plan: BatchPlan, number: int) -> IntArray:
    return plan.epoch(number)


def text_rows(lengths: IntArray, count: int, seed: int, step: int) -> IntArray:
    """Return rows of text of like length for a step."""
    rng = np.random.default_rng((seed, _TEXT, step))
    some = rng.integers(0, len(lengths), size=8 * count)
    ordered = some[np.argsort(lengths[some], kind="stable")]
    start = int(rng.integers(0, 8)) * count
    return ordered[start : start + count]
