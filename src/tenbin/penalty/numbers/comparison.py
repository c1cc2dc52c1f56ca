"""The number penalty: numbers, amounts, dates and times of two texts, compared as multisets."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tenbin.penalty.numbers.number import Number
from tenbin.penalty.numbers.numerals import HAN_LANGUAGES, SPANS, plain_signs
from tenbin.penalty.numbers.recognition import numbers
from tenbin.penalty.swaps import Placed, around, swapped, unique

# 5 miles and 8 km are the same distance; conversions are rounded.
_ROUNDING = 0.03
_EXACT = 1e-9
_MOST_SWAPPED = 10_000
_NOON, _DAY_HOURS = 12, 24
# Ambiguous units, with the quantity and the factor of each meaning: 5キロ, 5 pounds, 5 degrees.
_MEANINGS = {
    "prefix": (("length", 1.0), ("mass", 0.001), ("volume", 1.0)),
    "pound": (("pounds", 1.0), ("mass", 0.45359237)),
    "degree": (("temperature", 1.0), ("fahrenheit", 1.0)),
}


class ComparedNumbers(NamedTuple):
    """The numbers of two texts, matched.

    Attributes:
        pairs: The numbers that are equal, hypothesis first.
        extra: Numbers of the hypothesis that the reference lacks.
        missing: Numbers of the reference that the hypothesis lacks.
        loose: Those of either side that are unmatched and not certainly numbers.
    """

    pairs: tuple[tuple[Number, Number], ...]
    extra: tuple[Number, ...]
    missing: tuple[Number, ...]
    loose: tuple[tuple[Number, ...], tuple[Number, ...]] = ((), ())

    @property
    def coefficients(self) -> tuple[list[float], list[float]]:
        """1 for each matched number and 0 for each other one, hypothesis first."""
        matched = [1.0] * len(self.pairs)
        return matched + [0.0] * len(self.extra), matched + [0.0] * len(self.missing)


def compared_numbers(hypothesis: Sequence[Number], reference: Sequence[Number]) -> ComparedNumbers:
    """Match the numbers of two texts; numbers that are not firm may stay unmatched.

    Each number matches at most one of the other side. Numbers of the same quantity are matched
    first, so that a bare number takes what is left.
    """
    # Firm numbers first, so that none stays unmatched because of a word that is not a number.
    left, right = (sorted(side, key=lambda one: not one.firm) for side in (hypothesis, reference))
    pairs: list[tuple[Number, Number]] = []
    for same in (_same_quantity, _same_number):
        found, left, right = _matched(left, right, same)
        pairs += found
    extra = tuple(one for one in left if one.firm)
    missing = tuple(one for one in right if one.firm)
    loose = tuple(tuple(one for one in side if not one.firm) for side in (left, right))
    return ComparedNumbers(tuple(pairs), extra, missing, (loose[0], loose[1]))


def _matched(
    left: list[Number], right: list[Number], same: Callable[[Number, Number], bool]
) -> tuple[list[tuple[Number, Number]], list[Number], list[Number]]:
    """Return the pairs of numbers that are the same, and what is left of either side."""
    # Equal numbers are in one group: a text of many numbers has few different ones.
    groups: dict[Number, deque[int]] = {}
    for place, one in enumerate(right):
        groups.setdefault(one, deque()).append(place)
    partners: dict[Number, list[Number]] = {}
    pairs: list[tuple[Number, Number]] = []
    rest: list[Number] = []
    taken: set[int] = set()
    for own in left:
        if own not in partners:
            partners[own] = [other for other in groups if same(own, other)]
        open_groups = [groups[other] for other in partners[own] if groups[other]]
        if not open_groups:
            rest.append(own)
            continue
        place = min(open_groups, key=lambda places: places[0]).popleft()
        taken.add(place)
        pairs.append((own, right[place]))
    return pairs, rest, [one for place, one in enumerate(right) if place not in taken]


def wrong_numbers(
    hypothesis: str, reference: str, language: str
) -> tuple[list[Number], list[Number]]:
    """Return the numbers that only one of two texts has, and those in swapped places.

    >>> [one.text for one in wrong_numbers("8 rose from 5 to 3.", "it rose from 3 to 5.", "en")[0]]
    ['8', '5', '3']
    """
    found_here, found_there = numbers(hypothesis, language), numbers(reference, language)
    if not found_here and not found_there:
        return [], []
    compared = compared_numbers(found_here, found_there)
    extra, missing = list(compared.extra), list(compared.missing)
    whole = compared.pairs[:_MOST_SWAPPED]
    keyed = [(own, other, other.values) for own, other in whole]
    mine = unique(Placed(key, own.start, own.stop) for own, _, key in keyed)
    yours = unique(Placed(key, other.start, other.stop) for _, other, key in keyed)
    texts = (plain_signs(hypothesis), plain_signs(reference))
    for own, other in _exchanged(compared, texts, unspaced=language in HAN_LANGUAGES):
        extra.append(own)
        missing.append(other)
    found = set(swapped(mine, yours, texts, unspaced=language in HAN_LANGUAGES))
    for own, other, key in keyed:
        if key in found:
            extra.append(own)
            missing.append(other)
    return extra, missing


def _exchanged(
    compared: ComparedNumbers, texts: tuple[str, str], *, unspaced: bool
) -> Iterator[tuple[Number, Number]]:
    """Yield words for different numbers that stand between the same words: once, twice."""
    places = {
        around(texts[1], other.start, other.stop, unspaced=unspaced): other
        for other in compared.loose[1]
    }
    for own in compared.loose[0]:
        other = places.get(around(texts[0], own.start, own.stop, unspaced=unspaced))
        if other is not None and {own.quantity, other.quantity} != {"season", ""}:
            yield own, other


def _same_quantity(own: Number, other: Number) -> bool:
    if own.quantity == other.quantity:
        return _same_amount(own, own.factor, other, other.factor)
    return any(
        quantity == other_quantity and _same_amount(own, factor, other, other_factor)
        for quantity, factor in _meanings(own)
        for other_quantity, other_factor in _meanings(other)
    )


def _meanings(number: Number) -> list[tuple[str, float]]:
    meanings = _MEANINGS.get(number.quantity, ((number.quantity, 1.0),))
    return [(quantity, number.factor * factor) for quantity, factor in meanings]


def _same_amount(own: Number, factor: float, other: Number, other_factor: float) -> bool:
    share = _EXACT if _close(factor, other_factor, _EXACT) else _ROUNDING
    return any(
        _close(mine * factor, yours * other_factor, share)
        for mine in own.values
        for yours in other.values
    )


def _same_number(own: Number, other: Number) -> bool:
    if own.quantity and other.quantity and not (_is_span(own, other) or _is_span(other, own)):
        return False
    pairs = [(mine, yours) for mine in own.values for yours in other.values]
    if any(_close(mine, yours, _EXACT) for mine, yours in pairs):
        return True
    # 7pm and "7 in the evening".
    hours = {own.quantity, other.quantity} == {"", "hour"}
    return hours and any(
        max(pair) <= _DAY_HOURS and pair[0] % _NOON == pair[1] % _NOON for pair in pairs
    )


def _is_span(own: Number, other: Number) -> bool:
    """Return whether one is a duration and the other a date: 3日 is the third or three days."""
    return own.quantity == "duration" and own.factor == SPANS.get(other.quantity)


def _close(one: float, other: float, share: float) -> bool:
    return one == other or abs(one - other) <= share * max(abs(one), abs(other), 1e-12)
