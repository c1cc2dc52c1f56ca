"""Words that stand for figures: numerals, months, units, currencies, eras."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from unicodedata import normalize

HAN_LANGUAGES = frozenset({"ja", "zh"})
"""Languages with numerals in Chinese characters."""

MYRIAD_LANGUAGES = HAN_LANGUAGES | {"ko"}
"""Languages that count in powers of ten thousand, with characters for them after digits."""


SPANS = {"year": 31556952, "month": 2629746, "day": 86400, "hour": 3600, "minute": 60}
"""Seconds of what a calendar and a clock count."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What a number counts.

    Attributes:
        of: The quantity, as ``length``; figures of other quantities are never equal.
        factor: How much of the base unit it is.
    """

    of: str
    factor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureWords:
    """The words of a language; those it lacks are read as no figures.

    Attributes:
        cardinals: twenty: 20.
        ordinals: twentieth: 20.
        magnitudes: million: 1,000,000.
        loose: Words that often are no figures: they may match one, and need not.
        said: Words that may stand for a figure: its quantity and what its number may be.
        months: Name to number.
        weekdays: Name to number, Monday is 1.
        capital_only: Those of the last two that count with a capital alone.
        symbols: Signs of units, told apart by case.
        unit_words: Words for units, in lower case and the singular.
        counters: What follows a kanji numeral that counts something.
        eras: Japanese era to the year before its first.
        digits: Kanji digits.
        tens: Kanji for ten, hundred, thousand.
        myriads: Kanji for powers of ten thousand.
        calendar: What follows the number of a year, a month or a day.
        halves: What stands before the hour: am or pm.
        short_tail: Whether a last digit is of the next lower power: 三百五 is 350.
        spelled_out: Whether the language has numerals in words here, or always writes them.
    """

    cardinals: dict[str, int]
    ordinals: dict[str, int]
    magnitudes: dict[str, int]
    loose: frozenset[str]
    said: dict[str, tuple[str, tuple[float, ...]]]
    months: dict[str, int]
    weekdays: dict[str, int]
    capital_only: frozenset[str]
    symbols: dict[str, Unit]
    unit_words: dict[str, Unit]
    counters: tuple[str, ...]
    eras: dict[str, int]
    digits: dict[str, int]
    tens: dict[str, int]
    myriads: dict[str, int]
    calendar: dict[str, str]
    halves: dict[str, str]
    short_tail: bool
    spelled_out: bool


@cache
def load_figure_words(language: str) -> FigureWords:
    """Return the words of a language by its two-letter code."""
    table = _table()
    units = table["units"]
    own = language if language in MYRIAD_LANGUAGES else "words"
    symbols = {
        sign: Unit(one["of"], factor) for one in units for sign, factor in one["symbols"].items()
    }
    words = {word: Unit(one["of"], factor) for one in units for word, factor in one[own].items()}
    kanji = table["hangul" if language == "ko" else "kanji"]
    return FigureWords(
        cardinals=table["cardinals"].get(language, {}),
        ordinals=table["ordinals"].get(language, {}),
        magnitudes=_normalized(table["magnitudes"].get(language, {})),
        loose=frozenset(table["loose"].get(language, ())),
        said={
            word: (quantity, tuple(map(float, numbers)))
            for word, (quantity, *numbers) in table["said"].get(language, {}).items()
        },
        months=_numbered(table["months"].get(language, ())),
        weekdays=_numbered(table["weekdays"].get(language, ())),
        capital_only=frozenset(table["capital_only"].get(language, ())),
        symbols=symbols,
        unit_words=words,
        counters=tuple(table["counters"].get(language, ())),
        eras={era: first - 1 for era, first in table["eras"].items()},
        digits=kanji["digits"],
        tens=kanji["tens"],
        myriads=kanji["myriads"],
        calendar=table["calendar"].get(language, {}),
        halves=table["halves"].get(language, {}),
        short_tail=language == "zh",
        spelled_out=language in table["cardinals"] or language in HAN_LANGUAGES,
    )


def _numbered(rows: tuple[str, ...]) -> dict[str, int]:
    numbers = {word: number for number, row in enumerate(rows, start=1) for word in row.split("|")}
    return _normalized(numbers)


def _normalized(numbers: dict[str, int]) -> dict[str, int]:
    # As texts are, which takes some letters apart: करोड़.
    return {normalize("NFKC", word): number for word, number in numbers.items()}


def _table() -> dict[str, Any]:
    file = files("tenbin.resources").joinpath("bundled", "numbers", "numbers.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))
