"""Patterns that find figures in a text, put together from the words of a language."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from tenbin.annotation.numerals import decimal_pattern
from tenbin.resources.figure_words import HAN_LANGUAGES, FigureWords, load_figure_words

_ISO = r"(?P<y1>\d{4})(?P<mark>[-/.])(?P<m1>\d{1,2})(?P=mark)(?P<d1>\d{1,2})"
_SLASHED = r"(?P<a>\d{1,2})(?P<mark2>[/.])(?P<b>\d{1,2})(?P=mark2)(?P<y2>\d{4}|\d{2})"
_HALF = r"[ap]\.?m\b\.?"
_COLON = (
    rf"(?P<h>\d{{1,2}})(?::\s?|\.(?=\d\d\s*{_HALF}))(?P<min>\d{{2}})(?::\d{{2}})?"
    rf"(?:\s*(?P<half>{_HALF}))?"
)
_HOUR = rf"(?P<h2>\d{{1,2}})\s*(?P<half2>{_HALF}|o'clock\b|o’clock\b)"
_FRACTIONS = "halves|thirds|quarters|fifths|tenths"
_CURRENCY = r"US\$|[$€¥£₽]"


@dataclass(frozen=True, slots=True)
class FigurePatterns:
    """What finds figures.

    Attributes:
        any: Finds a figure of any kind; the name of the group is the kind.
        parts: For each kind, what tells its parts.
        below_zero: Whether a text speaks of degrees below zero.
    """

    any: re.Pattern[str]
    parts: dict[str, re.Pattern[str]]
    below_zero: re.Pattern[str]


@cache
def figure_patterns(language: str) -> FigurePatterns:
    """Return the patterns of a language by its two-letter code."""
    words = load_figure_words(language)
    kinds = {"date": rf"(?:{_ISO}|{_SLASHED})(?![\d.])"}
    if language in HAN_LANGUAGES:
        kinds["clock"] = _japanese_clock(words)
        kinds["weekday"] = _one_of(words.weekdays) or "(?!)"
        kinds["kanji"] = _japanese_number(words)
    else:
        kinds["clock"] = rf"(?:{_COLON}|{_HOUR})"
        kinds["month"] = rf"\b(?:{_one_of(words.months)})\b" if words.months else "(?!)"
        kinds["weekday"] = (
            rf"\b(?:{_one_of(words.weekdays)})(?:(?<=day)s)?\b" if words.weekdays else "(?!)"
        )
        kinds["number"] = _number(words, language)
        kinds["spelled"] = _spelled(words)
    # Groups of two kinds may share a name, so the union has none but the kinds.
    union = "|".join(f"(?P<{kind}>{_unnamed(pattern, kind)})" for kind, pattern in kinds.items())
    flags = re.IGNORECASE
    return FigurePatterns(
        re.compile(union, flags),
        {kind: re.compile(pattern, flags) for kind, pattern in kinds.items()},
        re.compile("below zero|below freezing|sub-zero", flags),
    )


def _unnamed(pattern: str, kind: str) -> str:
    """Return a pattern whose groups have names of their own."""
    named = re.sub(r"\(\?P<(\w+)>", rf"(?P<{kind}_\1>", pattern)
    return re.sub(r"\(\?P=(\w+)\)", rf"(?P={kind}_\1)", named)


def _one_of(words: Iterable[str]) -> str:
    """Return a pattern for any of some words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def _units(words: FigureWords) -> str:
    signs = _one_of(words.symbols)
    spelled = _one_of(words.unit_words)
    # A sign of letters ends where a word ends; kg/m and 5m² are no words of their own.
    return rf"(?P<unit>(?:{spelled})s?\b|(?:{signs})(?![^\W\d_]))"


def _number(words: FigureWords, language: str) -> str:
    magnitudes = (
        rf"(?:\s*-?(?P<magnitude>{_one_of(words.magnitudes)})\b)?"
        if words.magnitudes
        else ("(?P<magnitude>(?!))?")
    )
    return (
        rf"(?:(?P<before>{_CURRENCY})\s?)?(?P<minus>(?<![\w)\]])-|minus\s+)?"
        rf"(?P<digits>{decimal_pattern(language)})(?P<parts>\s\d\u2044\d)?(?:\u2044(?P<slash>\d+))?"
        rf"(?:st\b|nd\b|rd\b|th\b|(?P<decade>s\b)|(?P<short>[mk]\b))?{magnitudes}(?:[\s-]?{_units(words)})?"
    )


def _spelled(words: FigureWords) -> str:
    if not words.cardinals:
        return "(?!)"
    one = _one_of([*words.cardinals, *words.ordinals, *words.magnitudes])
    # Two hundred and five, but not twenty and five.
    large = "|".join(f"(?<={word})" for word in words.magnitudes)
    joined = rf"(?:{one})\b(?:(?:(?:{large})\s+and\s+|\s+|-)(?:{one})\b)*"
    return (
        rf"\b(?:(?P<half>half)\s+an?\s+|an?\s+(?=(?:{_one_of(words.magnitudes)})\b))?"
        rf"(?P<words>{joined})(?![\s-](?:{_FRACTIONS})\b)(?:[\s-]{_units(words)})?"
    )


def _numeral(words: FigureWords) -> str:
    kanji = "".join([*words.digits, *words.tens, *words.myriads])
    # One way only to match a run of digits: others take exponential time to fail.
    return rf"(?:[\d{kanji}]|(?<=\d)[,.](?=\d))+"


def _japanese_clock(words: FigureWords) -> str:
    numeral = _numeral(words)
    return (
        rf"(?:{_COLON}|(?P<half2>午前|午後)?(?P<h2>{numeral})時(?!間|代|期|点|計)"
        rf"(?:(?P<thirty>半)|(?P<min_ja>{numeral})分(?!間))?)"
    )


def _japanese_number(words: FigureWords) -> str:
    numeral = _numeral(words)
    spelled = _one_of(words.unit_words)
    signs, eras = _one_of(words.symbols), _one_of(words.eras)
    return (
        rf"(?P<before>{_CURRENCY})?(?P<minus>氷点下|零下|マイナス|(?<![\w)\]])-)?"
        rf"(?P<era>{eras})?(?P<ordinal>第)?(?P<numeral>{numeral}|(?<={eras})元(?=年))"
        rf"(?:\s?(?P<unit>{spelled}|(?:{signs})(?![a-z]))|(?P<calendar>[年月日])(?![間本々曜]))?"
    )
