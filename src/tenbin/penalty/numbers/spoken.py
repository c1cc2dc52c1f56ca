"""Numbers that are said rather than written: clock times in words, fractions, halves, numerals."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tenbin.penalty.numbers.numerals import (
    MYRIAD_LANGUAGES,
    SPANS,
    NumberWords,
    english_value,
)

_NOON, _HOUR_MINUTES = 12, 60.0
_PARTS_OF_AN_HOUR = {"half": 30.0, "quarter": 15.0, "five": 5.0, "ten": 10.0}
_PARTS_OF_AN_HOUR |= {"twenty": 20.0, "twenty-five": 25.0}
# Numerals of two letters or more: I is a pronoun, and V and X are letters.
_ROMAN_NUMERAL = "(?=[IVXL]{2})(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
_ROMAN = re.compile(_ROMAN_NUMERAL)
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50}
_BELOW = {
    "half": 2,
    "halve": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "hundredth": 100,
}
# What people divide by. 9/11 is a date and 24/7 no fraction.
_USUAL_BELOW = frozenset((2, 3, 4, 5, 6, 8, 10, 100, 1000))
_PERCENT = 100
_DURATION = "duration"
# 半年, half a year.
_HALVED = {
    "年": SPANS["year"],
    "日": SPANS["day"],
    "時間": SPANS["hour"],
    "世紀": 100 * SPANS["year"],
}
# Groups of digits that are one number to call: a zero or a plus first, or three, three and four.
_CALLED = (
    r"(?<![\w.,+-])(?:(?=[+(0](?:[ .()-]{0,2}\d){7})"
    r"(?:\+\d{1,3}|\(?0\d{1,4}\)?)(?:[ .-]\(?\d{2,9}\)?){1,5}"
    r"|(?:\(\d{3}\) |\d{3}[-. ])\d{3}[-. ]\d{4}|\d{3}[- ]0\d{3})(?![\w-])"
)


class Reading(NamedTuple):
    """The values of a number, its quantity, whether it is certainly a number, and its unit."""

    values: tuple[float, ...]
    quantity: str
    firm: bool
    factor: float = 1


def one_of(words: Iterable[str]) -> str:
    """Return a pattern for any of some words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def kinds_before_numerals(words: NumberWords, language: str) -> dict[str, str]:
    """Return the patterns that are tried before those of numerals, by kind."""
    kinds = {
        "called": _CALLED,
        "ratio": (
            r"(?<![\d/.,:-])(?:(?P<whole>[1-9]\d{0,2})[ -])?"
            r"(?P<above>[1-9])/(?P<below>[1-9]\d{0,3})"
            r"(?![\d/.,:-]*\d)"
        ),
    }
    if language not in MYRIAD_LANGUAGES:
        kinds["roman"] = rf"(?<=\w\s)(?-i:{_ROMAN_NUMERAL})(?!\w)"
    if language == "ja":
        kinds["halved"] = f"半(?P<span>{one_of(_HALVED)})"
    if language == "en":
        kinds |= _english_kinds(words)
    return kinds


def _english_kinds(words: NumberWords) -> dict[str, str]:
    hours = "|".join(word for word, value in words.cardinals.items() if 1 <= value <= _NOON)
    digits = "|".join(word for word, value in words.cardinals.items() if 1 < value < 10)  # noqa: PLR2004
    below = one_of(_BELOW)
    units = one_of(words.unit_words)
    return {
        "past": (
            r"\b(?:(?P<part>half|quarter)\s+(?P<side>past|to|after|before)"
            rf"|(?P<minutes>five|ten|twenty|twenty-five)(?:\s+minutes)?\s+"
            # Ten to six, but five to ten people.
            r"(?P<side2>past|(?:(?<=\bat ten )|"
            r"(?<=\bwas ten )|(?<=\bat five )|(?<=\bwas five ))to))\s+"
            rf"(?P<hour>{hours}|\d{{1,2}})\b"
        ),
        "noon": r"\b12(?::00)?\s?(?P<noon>noon|midday|midnight)\b",
        # Two thirds, but not two quarters, which are half a year; a third of, but not a third man.
        "part": (
            rf"\b(?:(?P<above>{digits}|\d{{1,2}})[\s-](?P<below>{below})s\b"
            rf"|(?P<one>one)[\s-](?P<single>{below})\b|an?\s(?P<of>{below})\sof\b)"
        ),
        "halves": (
            rf"\b(?:(?P<count>an?|one|{digits}|\d{{1,3}})\s(?P<unit>{units})s?\sand\sa\shalf\b"
            rf"|half(?:\san?\s|[\s-])(?P<half_unit>{units})s?\b)"
        ),
    }


def kinds_after_numerals(words: NumberWords, language: str) -> dict[str, str]:
    """Return the patterns that are tried after those of numerals, by kind."""
    kinds = {}
    if language == "en":
        spans = [word for word, unit in words.unit_words.items() if unit.of == _DURATION]
        kinds["single"] = rf"\ban?\s(?P<span>{one_of(spans)})\b"
    said = "|".join(re.escape(word) for word in words.said)
    if said:
        kinds["said"] = said if language in MYRIAD_LANGUAGES else rf"\b(?:{said})\b"
    return kinds


def spoken_readings(
    kind: str, part: dict[str, str | None], written: str, words: NumberWords
) -> Iterator[Reading]:
    """Yield the numbers in a match of one of these kinds."""
    match kind:
        case "roman":
            yield Reading((float(roman_value(written) or 0),), "", firm=True)
        case "said":
            quantity, numbers = words.said[written.lower()]
            yield Reading(numbers, quantity, firm=False)
        case "called":
            digits = "".join(sign for sign in written if sign.isdecimal())
            yield Reading((float(digits),), "", firm=True)
        case "halved":
            yield Reading((0.5,), _DURATION, firm=True, factor=_HALVED[part["span"] or ""])
        case "single":
            unit = words.unit_words[(part["span"] or "").lower()]
            yield Reading((1.0,), unit.of, firm=False, factor=unit.factor)
        case "past" | "noon":
            yield from _clock_readings(kind, part, words)
        case _:
            yield from _fraction_readings(kind, part, words)


def _clock_readings(
    kind: str, part: dict[str, str | None], words: NumberWords
) -> Iterator[Reading]:
    if kind == "noon":
        night = (part["noon"] or "").lower() == "midnight"
        yield Reading((0.0, 24.0) if night else (12.0,), "hour", firm=True)
        return
    named = (part["hour"] or "").lower()
    hour = float(named) if named.isdecimal() else english_value([named], words) or 0.0
    minute = _PARTS_OF_AN_HOUR.get((part["part"] or "").lower(), 0.0)
    minute = minute or _PARTS_OF_AN_HOUR.get((part["minutes"] or "").lower(), 0.0)
    if (part["side"] or part["side2"] or "").lower() in {"to", "before"}:
        hour, minute = hour - 1, _HOUR_MINUTES - minute
    yield Reading((hour % _NOON, hour % _NOON + _NOON), "hour", firm=True)
    yield Reading((minute,), "minute", firm=True)


def _fraction_readings(
    kind: str, part: dict[str, str | None], words: NumberWords
) -> Iterator[Reading]:
    if kind == "halves":
        written = (part["unit"] or part["half_unit"] or "").lower()
        unit = words.unit_words[written]
        whole = _counted(part["count"], words) if part["unit"] else 0.0
        yield Reading((whole + 0.5,), unit.of, firm=True, factor=unit.factor)
        return
    if kind == "part":
        parts = _BELOW[(part["below"] or part["single"] or part["of"] or "").lower()]
        taken = _counted(part["above"], words)
        # Two quarters may be half a year.
        yield fraction(taken, parts, firm=taken < parts and (taken, parts) != (2, 4))
        return
    above, below = float(part["above"] or 1), float(part["below"] or 1)
    whole = float(part["whole"] or 0)
    if above < below and below in _USUAL_BELOW:
        yield fraction(above, below, whole=whole)
        return
    for number in (whole, above, below):
        if number:
            yield Reading((number,), "", firm=True)


def _counted(written: str | None, words: NumberWords) -> float:
    """Return the number before a part or a unit; 1 for an article and for none."""
    word = (written or "").lower()
    return float(word) if word.isdecimal() else float(words.cardinals.get(word, 1))


def fraction(above: float, below: float, *, whole: float = 0.0, firm: bool = True) -> Reading:
    """Return a fraction, which may be said as a percentage too.

    >>> fraction(1, 4).values, fraction(2, 3).values[2]
    ((0.25, 25.0), 67.0)
    """
    value = whole + above / below
    percent = value * _PERCENT
    shares = (percent,) if percent == round(percent) else (percent, float(round(percent)))
    return Reading((value, *shares), "", firm=firm)


def roman_value(written: str) -> int | None:
    """Return the value of a Roman numeral of two letters or more, up to 89; None if it is none.

    >>> roman_value("IV"), roman_value("XIX"), roman_value("X"), roman_value("IIV")
    (4, 19, None, None)
    """
    if not _ROMAN.fullmatch(written):
        return None
    values = [_ROMAN_VALUES[letter] for letter in written]
    following = [*values[1:], 0]
    return sum(-one if one < after else one for one, after in zip(values, following, strict=True))
