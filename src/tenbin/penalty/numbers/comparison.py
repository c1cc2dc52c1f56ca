"""The figure penalty: numbers, amounts, dates and times of two texts, compared as multisets."""

from collections.abc import Sequence
from typing import NamedTuple

from tenbin.penalty.numbers.recognition import Figure
from tenbin.penalty.numbers.words import SPANS

# 5 miles and 8 km are the same way; who converts, rounds.
_ROUNDING = 0.03
_EXACT = 1e-9
_NOON, _DAY_HOURS = 12, 24
# What a unit of two meanings may be, and how much of that: 5キロ, 5 pounds, 5 degrees.
_MEANINGS = {
    "prefix": (("length", 1.0), ("mass", 0.001), ("volume", 1.0)),
    "pound": (("pounds", 1.0), ("mass", 0.45359237)),
    "degree": (("temperature", 1.0), ("fahrenheit", 1.0)),
}


class ComparedFigures(NamedTuple):
    """What became of the figures of two texts.

    Attributes:
        pairs: The figures that are equal, hypothesis first.
        extra: Figures of the hypothesis that the reference lacks.
        missing: Figures of the reference that the hypothesis lacks.
    """

    pairs: tuple[tuple[Figure, Figure], ...]
    extra: tuple[Figure, ...]
    missing: tuple[Figure, ...]

    @property
    def coefficients(self) -> tuple[list[float], list[float]]:
        """For each figure of the hypothesis, and of the reference, whether it was kept: 1 or 0."""
        kept = [1.0] * len(self.pairs)
        return kept + [0.0] * len(self.extra), kept + [0.0] * len(self.missing)


def compared_figures(hypothesis: Sequence[Figure], reference: Sequence[Figure]) -> ComparedFigures:
    """Return which figures of two texts are equal; those that are not firm may be left over.

    Each figure answers one of the other side. Sure matches (the same quantity) are made first, so
    that a bare number takes what nothing else fits.
    """
    # Firm ones first, lest one of them be left over for a word that is none.
    left, right = (sorted(side, key=lambda one: not one.firm) for side in (hypothesis, reference))
    pairs: list[tuple[Figure, Figure]] = []
    for same in (_same_quantity, _same_number):
        for own in list(left):
            partner = next((other for other in right if same(own, other)), None)
            if partner is not None:
                pairs.append((own, partner))
                left.remove(own)
                right.remove(partner)
    extra = tuple(one for one in left if one.firm)
    missing = tuple(one for one in right if one.firm)
    return ComparedFigures(tuple(pairs), extra, missing)


def _same_quantity(own: Figure, other: Figure) -> bool:
    if own.quantity == other.quantity:
        return _same_amount(own, own.factor, other, other.factor)
    return any(
        what == told and _same_amount(own, factor, other, other_factor)
        for what, factor in _meanings(own)
        for told, other_factor in _meanings(other)
    )


def _meanings(figure: Figure) -> list[tuple[str, float]]:
    meanings = _MEANINGS.get(figure.quantity, ((figure.quantity, 1.0),))
    return [(what, figure.factor * factor) for what, factor in meanings]


def _same_amount(own: Figure, factor: float, other: Figure, other_factor: float) -> bool:
    share = _EXACT if _close(factor, other_factor, _EXACT) else _ROUNDING
    return any(
        _close(mine * factor, yours * other_factor, share)
        for mine in own.numbers
        for yours in other.numbers
    )


def _same_number(own: Figure, other: Figure) -> bool:
    if own.quantity and other.quantity and not (_is_span(own, other) or _is_span(other, own)):
        return False
    pairs = [(mine, yours) for mine in own.numbers for yours in other.numbers]
    if any(_close(mine, yours, _EXACT) for mine, yours in pairs):
        return True
    # 7pm, and 7 in the evening.
    hours = {own.quantity, other.quantity} == {"", "hour"}
    return hours and any(
        max(pair) <= _DAY_HOURS and pair[0] % _NOON == pair[1] % _NOON for pair in pairs
    )


def _is_span(own: Figure, other: Figure) -> bool:
    """Return whether one counts what the other dates: 3日 may be the third or three days."""
    return own.quantity == "duration" and own.factor == SPANS.get(other.quantity)


def _close(one: float, other: float, share: float) -> bool:
    return one == other or abs(one - other) <= share * max(abs(one), abs(other), 1e-12)
