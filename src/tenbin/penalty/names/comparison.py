"""The name penalty of Tanahashi et al. (2020): wrong names lower precision and recall.

Vectors of two names are similar because their contexts are. Where rare tokens, taken for names,
are linked to tokens that read differently, precision and recall are lowered by how much the
readings differ.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

from tenbin.core.arrays import FloatArray
from tenbin.penalty.choices import Coefficient
from tenbin.penalty.factor import Scale, harmonic, penalty_factor
from tenbin.penalty.names.forms import kana_reading, name_form
from tenbin.penalty.names.span import NameSpan

_CONTINUATION = "##"
BoolArray = npt.NDArray[np.bool_]
Links = Sequence[int] | npt.NDArray[np.integer]


def marked_tokens(
    spans: Iterable[NameSpan], places: Sequence[tuple[int, int]]
) -> npt.NDArray[np.bool_]:
    """Return which tokens overlap a name.

    Args:
        spans: The names of a text.
        places: The character range of each token, half-open; empty if unknown.

    >>> marked_tokens([NameSpan(0, 6, "Tanaka")], [(0, 3), (3, 6), (7, 10), (0, 0)]).tolist()
    [True, True, False, False]
    """
    ordered = sorted((one.start, one.stop) for one in spans)
    starts = [start for start, _ in ordered]
    # The furthest end of all names up to each.
    ends = list(accumulate((stop for _, stop in ordered), max))
    befores = [bisect_left(starts, stop) for _, stop in places]
    return np.array(
        [
            bool(before) and start < ends[before - 1]
            for (start, _), before in zip(places, befores, strict=True)
        ],
        dtype=np.bool_,
    )


def token_places(text: str, tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Return the character range of each token, for tokenizers without offsets; case is ignored.

    A token that is not found (``[UNK]``, ``[CLS]``) gets the empty range (0, 0).

    >>> token_places("Mr. Tanaka left", ["[CLS]", "mr", ".", "tan", "##aka", "left"])
    [(0, 0), (0, 2), (2, 3), (4, 7), (7, 10), (11, 15)]
    """
    lower = _lower(text)
    places = []
    at = 0
    for token in tokens:
        written = _lower(token.removeprefix(_CONTINUATION))
        found = lower.find(written, at) if written else -1
        if found < 0:
            places.append((0, 0))
            continue
        at = found + len(written)
        places.append((found, at))
    return places


def _lower(text: str) -> str:
    # Letters whose lower-case form is longer (İ) would shift all that follow.
    return "".join(lower if len(lower := letter.lower()) == 1 else letter for letter in text)


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTokens:
    """The tokens of a segment with their readings.

    Attributes:
        readings: What is compared: kana in Japanese, otherwise the spelling.
        names: Which tokens are names, shape (tokens,).
        special: Which tokens are special tokens (``[CLS]``); they are never names and not counted.
    """

    readings: Sequence[str]
    names: BoolArray
    special: BoolArray | None = None

    @classmethod
    def of(
        cls,
        tokens: Sequence[str],
        names: BoolArray,
        language: str,
        special: BoolArray | None = None,
    ) -> Self:
        """Return tokens with their readings: kana in Japanese, otherwise the case-folded form."""
        form = kana_reading if language == "ja" else partial(name_form, language=language)
        return cls(readings=[form(token) for token in tokens], names=names, special=special)

    def __post_init__(self) -> None:
        if len(self.names) != len(self.readings):
            raise ValueError(f"{len(self.readings)} readings, {len(self.names)} flags of names")

    @property
    def length(self) -> int:
        """Number of tokens without special tokens."""
        return len(self.readings) - (0 if self.special is None else int(self.special.sum()))

    @property
    def marked(self) -> list[int]:
        """Positions of the names."""
        text = self.names if self.special is None else self.names & ~self.special
        return [int(place) for place in np.flatnonzero(text)]

    def reading(self, place: int) -> str:
        """Return the reading at a position; empty for -1 and for special tokens."""
        if place < 0 or (self.special is not None and self.special[place]):
            return ""
        return self.readings[place]


class PenalizedScores(NamedTuple):
    """Precision, recall and F after a penalty."""

    precision: float
    recall: float
    f: float


def agreement(own: str, other: str) -> float:
    """Return 1 - edit distance / length of the longer; 1 for two empty texts.

    >>> agreement("さいとう", "おざき"), agreement("さいとう", "さいとう"), agreement("", "")
    (0.0, 1.0, 1.0)
    """
    return float(Levenshtein.normalized_similarity(own, other))


def name_coefficients(
    own: NamedTokens, other: NamedTokens, links: Links, coefficient: Coefficient
) -> FloatArray:
    """Return how well each name of one side was preserved, from 0 to 1.

    Args:
        own: The side of the names.
        other: The other side.
        links: For each token of this side its best match on the other; -1 for none.
        coefficient: How readings are compared.
    """
    marked = own.marked
    if coefficient is Coefficient.TOKEN:
        pairs = ((own.reading(place), other.reading(int(links[place]))) for place in marked)
        return np.array([agreement(*pair) for pair in pairs], dtype=np.float64)
    if not marked:
        return np.empty(0)
    text = "".join(own.reading(place) for place in marked)
    if coefficient is Coefficient.SHARED:
        partner = "".join(other.reading(place) for place in other.marked)
    else:
        partner = "".join(other.reading(int(links[place])) for place in marked)
    return np.full(len(marked), agreement(text, partner))


@dataclass(frozen=True, slots=True, kw_only=True)
class NamePenalty:
    """The settings of the penalty.

    Attributes:
        coefficient: How readings are compared.
        scale: Whether a wrong name costs one token of the segment or a fixed share.
        strength: The largest share that a name can take off; 1 in the paper.
    """

    coefficient: Coefficient = Coefficient.DIRECTION
    scale: Scale = Scale.TOKENS
    strength: float = 1.0

    def factor(self, own: NamedTokens, other: NamedTokens, links: Links) -> float:
        """Return the factor of the precision (or recall) of a segment.

        The arguments are those of `name_coefficients`.
        """
        coefficients = name_coefficients(own, other, links, self.coefficient)
        if self.scale is Scale.EACH and self.coefficient is not Coefficient.TOKEN:
            coefficients = coefficients[:1]  # all names share one coefficient
        return penalty_factor(coefficients, own.length, scale=self.scale, strength=self.strength)


PAPER = NamePenalty()


def apply_name_penalty(
    precision: float,
    recall: float,
    hypothesis: NamedTokens,
    reference: NamedTokens,
    links_hypothesis_to_reference: Links,
    links_reference_to_hypothesis: Links,
    settings: NamePenalty = PAPER,
) -> PenalizedScores:
    """Return precision and recall lowered by wrong names, and their harmonic mean.

    Each is multiplied by the mean over its tokens of p: the coefficient for a name, 1 for others. A
    segment without a name is not lowered (the coefficient of nothing is 1).

    Args:
        precision: Before the penalty.
        recall: Before the penalty.
        hypothesis: Its tokens.
        reference: Its tokens.
        links_hypothesis_to_reference: For each token of the hypothesis its best match; -1: none.
        links_reference_to_hypothesis: For each token of the reference its best match; -1: none.
        settings: How readings are compared and what a wrong one costs; the paper's by default.
    """
    lowered = precision * settings.factor(hypothesis, reference, links_hypothesis_to_reference)
    left = recall * settings.factor(reference, hypothesis, links_reference_to_hypothesis)
    return PenalizedScores(lowered, left, harmonic(lowered, left))
