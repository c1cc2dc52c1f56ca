"""How far two texts agree letter by letter, capitals included, which most models do not read."""

from collections.abc import Sequence

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.process import cpdist

from tenbin.core.arrays import FloatArray


def letters_in_common(hypotheses: Sequence[str], references: Sequence[str]) -> FloatArray:
    """Return twice the longest common subsequence of characters over both lengths, 0 to 1.

    A pair in which a text has no letter that can be seen has NaN.

    Args:
        hypotheses: Texts.
        references: As many.

    >>> letters_in_common(["Rome", "a", ""], ["rome", "a", "a"]).tolist()
    [0.75, 1.0, nan]
    """
    if not len(hypotheses):
        return np.empty(0)
    found = cpdist(hypotheses, references, scorer=Indel.normalized_similarity, dtype=np.float64)
    there = [
        not (own.isspace() or other.isspace()) and bool(own and other)
        for own, other in zip(hypotheses, references, strict=True)
    ]
    return np.where(there, found, np.nan)
