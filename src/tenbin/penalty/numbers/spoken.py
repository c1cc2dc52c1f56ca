"""Figures without a numeral of their own: half past nine, twice, World War II."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tenbin.penalty.numbers.numerals import english_value
from tenbin.penalty.numbers.words import MYRIAD_LANGUAGES, FigureWords

_NOON, _HOUR_MINUTES = 12, 60.0
_MINUTES = {"half": 30.0, "quarter": 15.0}
# Numerals of two letters or more: I is a pronoun, and V and X are letters.
_ROMAN_NUMERAL = "(?=[IVX]{2})X{0,3}(?:IX|IV|V?I{0,3})"
_ROMAN = re.compile(_ROMAN_NUMERAL)
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10}


class Reading(NamedTuple):
    """What a piece of text says: what numbers, of what, and whether it surely is a figure."""

    numbers: tuple[float, ...]
    quantity: str
    firm: bool


def kinds_before_numerals(words: FigureWords, language: str) -> dict[str, str]:
    """Return patterns of what is looked for before numerals, by kind."""
    kinds = {}
    if language not in MYRIAD_LANGUAGES:
        kinds["roman"] = rf"(?<=\w\s)(?-i:{_ROMAN_NUMERAL})(?!\w)"
    if language == "en":
        hours = "|".join(word for word, value in words.cardinals.items() if 1 <= value <= _NOON)
        kinds["past"] = (
            r"\b(?P<part>half|quarter)\s+(?P<side>past|to|after|before)\s+"
            rf"(?P<hour>{hours}|\d{{1,2}})\b"
        )
    return kinds


def kinds_after_numerals(words: FigureWords, language: str) -> dict[str, str]:
    """Return patterns of what is looked for where there is no numeral, by kind."""
    said = "|".join(re.escape(word) for word in words.said)
    if not said:
        return {}
    return {"said": said if language in MYRIAD_LANGUAGES else rf"\b(?:{said})\b"}


def spoken_readings(
    kind: str, part: dict[str, str | None], written: str, words: FigureWords
) -> Iterator[Reading]:
    """Yield what a piece of text of one of these kinds says."""
    if kind == "roman":
        yield Reading((float(roman_value(written) or 0),), "", firm=True)
    elif kind == "said":
        quantity, numbers = words.said[written.lower()]
        yield Reading(numbers, quantity, firm=False)
    elif kind == "past":
        named = (part["hour"] or "").lower()
        hour = float(named) if named.isdecimal() else english_value([named], words) or 0.0
        minute = _MINUTES[(part["part"] or "").lower()]
        if (part["side"] or "").lower() in {"to", "before"}:
            hour, minute = hour - 1, _HOUR_MINUTES - minute
        yield Reading((hour % _NOON, hour % _NOON + _NOON), "hour", firm=True)
        yield Reading((minute,), "minute", firm=True)


def roman_value(written: str) -> int | None:
    """Return the value of a Roman numeral of two letters or more, up to 39; None if it is none.

    >>> roman_value("IV"), roman_value("XIX"), roman_value("X"), roman_value("IIV")
    (4, 19, None, None)
    """
    if not _ROMAN.fullmatch(written):
        return None
    values = [_ROMAN_VALUES[letter] for letter in written]
    following = [*values[1:], 0]
    return sum(-one if one < after else one for one, after in zip(values, following, strict=True))
