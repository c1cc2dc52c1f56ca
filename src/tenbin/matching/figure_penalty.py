"""The figure penalty: numbers, amounts, dates and times of two texts, compared as multisets."""

from collections.abc import Sequence
from typing import NamedTuple

from tenbin.annotation.figures import Figure

# 5 miles and 8 km are the same way; who converts, rounds.
_ROUNDING = 0.03
_EXACT = 1e-9
# '3日' may be the third or three days, and 'three years' the year three of something.
_TIMES = frozenset({"year", "month", "day", "hour", "minute", "duration"})


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
    if own.quantity != other.quantity:
        return False
    converted = own.factor != other.factor
    return any(
        _close(mine * own.factor, yours * other.factor, _ROUNDING if converted else _EXACT)
        for mine in own.numbers
        for yours in other.numbers
    )


def _same_number(own: Figure, other: Figure) -> bool:
    told = {own.quantity, other.quantity}
    if "" not in told and not ("duration" in told and told <= _TIMES):
        return False
    return any(_close(mine, yours, _EXACT) for mine in own.numbers for yours in other.numbers)


def _close(one: float, other: float, share: float) -> bool:
    return one == other or abs(one - other) <= share * max(abs(one), abs(other), 1e-12)
