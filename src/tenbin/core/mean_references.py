"""The mean of many references, which a hypothesis is compared with in one step."""

from dataclasses import dataclass

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray, Ragged


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeanReferences:
    """References in groups, of each of which the mean is taken.

    Attributes:
        texts: For each group the pool positions of its references.
        counts: How often each of them counts, in the order of ``texts.values``.
        groups: For each item the number of its group.
        left_out: For each item how often its own text is taken out of the group: 0 or 1.
    """

    texts: Ragged
    counts: FloatArray
    groups: IntArray
    left_out: FloatArray

    @property
    def divisors(self) -> FloatArray:
        """By how many references the sum is divided for each item; 0 where none are left."""
        sums = np.bincount(self._places, weights=self.counts, minlength=len(self.texts))
        divisors: FloatArray = sums[self.groups] - self.left_out
        return divisors

    def means(self, values: FloatArray, hypotheses: IntArray) -> FloatArray:
        """Return for each item the mean of numbers over its references; NaN without any.

        Args:
            values: Numbers of each string of the pool, shape (strings, K).
            hypotheses: The pool position of each item's hypothesis.
        """
        sums = np.zeros((len(self.texts), values.shape[1]))
        np.add.at(sums, self._places, values[self.texts.values] * self.counts[:, None])
        left = sums[self.groups] - values[hypotheses] * self.left_out[:, None]
        divisors = self.divisors[:, None]
        means: FloatArray = np.full(left.shape, np.nan)
        np.divide(left, divisors, out=means, where=divisors > 0)
        return means

    @property
    def _places(self) -> IntArray:
        return np.repeat(np.arange(len(self.texts)), self.texts.lengths)
