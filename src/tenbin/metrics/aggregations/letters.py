"""How far two texts agree letter by letter, capitals included, which most models do not read."""

from collections.abc import Sequence

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.process import cpdist

from tenbin.core.arrays import FloatArray
from tenbin.core.explanation import Step
from tenbin.metrics.representations.compared import Compared
from tenbin.metrics.written_numbers import n


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


def letters_of(compared: Compared, share: float, *, trimmed: bool = False) -> FloatArray:
    """Return what the texts of some pairs have in common; NaN where there is no share of it.

    Args:
        compared: The pairs.
        share: The share in the score.
        trimmed: Whether white space around texts is ignored.
    """
    left, right = compared.texts
    if not share:
        return np.full(len(left), np.nan)
    strings = compared.batch.strings
    own, other = ([strings[row] for row in side.tolist()] for side in (left, right))
    if trimmed:
        own, other = [text.strip() for text in own], [text.strip() for text in other]
    return letters_in_common(own, other)


def with_letters(scores: FloatArray, alike: FloatArray, share: float) -> FloatArray:
    """Return scores with a share of the letters in common; as they are where there are none."""
    mixed: FloatArray = (1 - share) * scores + share * alike
    return np.where(np.isnan(alike), scores, mixed)


def letter_steps(score: float, alike: FloatArray, share: float, named: str) -> list[Step]:
    """Return the last steps to the score of a pair.

    Args:
        score: What it would be without letters.
        alike: What both texts have in common.
        share: The share of that.
        named: What the rest is called.
    """
    if np.isnan(alike[0]):
        return [Step("score", "there are no letters to compare", "", score)]
    common = float(alike[0])
    formula = f"{n(1 - share)} × {n(score)} + {n(share)} × {n(common)}"
    mixed = float(with_letters(np.array([score]), alike, share)[0])
    return [
        Step("letters", "letters in common, in their order", "", common),
        Step("score", f"{named} and letters", formula, mixed),
    ]
