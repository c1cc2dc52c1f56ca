"""Regular expressions that find numbers in a text, built from the number words of a language."""

import re
from dataclasses import dataclass
from functools import cache
from itertools import chain

from tenbin.penalty.numbers.numerals import (
    MYRIAD_LANGUAGES,
    NumberWords,
    decimal_pattern,
    load_number_words,
)
from tenbin.penalty.numbers.spoken import (
    kinds_after_numerals,
    kinds_before_numerals,
    one_of,
)

_ISO = r"(?P<y1>\d{4})(?P<mark>[-/.])(?P<m1>\d{1,2})(?P=mark)(?P<d1>\d{1,2})"
_SLASHED = r"(?P<a>\d{1,2})(?P<mark2>[/.])(?P<b>\d{1,2})(?P=mark2)(?P<y2>\d{4}|\d{2})"
_HALF = r"(?:[ap]\.?m\b\.?|uhr\b)"
_COLON = (
    rf"(?P<h>\d{{1,2}})(?::\s?|\.(?=\d\d\s*{_HALF}))(?P<min>\d{{2}})(?::\d{{2}})?"
    rf"(?:\s*(?P<half>{_HALF}))?"
)
_HOUR = rf"(?P<h2>\d{{1,2}})\s*(?P<half2>{_HALF}|o'clock\b|o’clock\b)"
_FRACTIONS = "halves|thirds|quarters|fifths|tenths"
_CURRENCY = r"US\$|[$€¥£₽₹₩]|(?-i:CHF|USD|EUR|GBP|INR)(?=\s?\d)"
# What a number may begin with inside a word too, in a language with spaces: x5, 5US$7.
_INSIDE = r"[-\d$€¥£₽₹₩]|US\$|CHF|USD|EUR|GBP|INR|minus"
# Words that numbers begin with, besides those of the tables, and letters of Roman numerals.
_FIRST_WORDS = ("half", "quarter")
_FIRST_SIGNS = r"an?\s|[ivxl][ivxl]"
_PREFIX = 3
# No space after a word.
_UNSPACED = frozenset({"th"})
# What may not follow the number of a date, or of an hour: 五年間, 3月曜, 3時間.
_NO_DATE = {"ja": "[間本々曜]", "ko": "간|요일", "zh": "[间本]"}
_NO_HOUR = {"ja": "間|代|期|点|計", "ko": "간", "zh": "间|代|期|候|常"}
_HOURS = {"ja": "時", "ko": "시", "zh": "[点时]"}
_MINUTES = {"ja": "分(?!間)", "ko": "분(?!간)", "zh": "分(?!钟|之)"}
_HALVES = {"ja": "半", "ko": "반", "zh": "半"}
# A dash between characters joins them (3月-5月), but not before degrees.
_COLD = r"(?<=[^\W\da-z])-(?=\d+(?:\.\d+)?\s?(?:度|도|°|%))"
# Between the parts of a fraction: 三分の二.
_DIVIDED = {"ja": "分の", "zh": "分之"}
_BELOW_ZERO = {"ja": "氷点下|零下|マイナス", "ko": "영하|마이너스", "zh": "零下|负"}


@dataclass(frozen=True, slots=True)
class NumberPatterns:
    """The patterns of a language.

    Attributes:
        any: Finds a number of any kind; the group name is the kind.
        parts: For each kind, a pattern with its parts as groups.
        below_zero: Finds words for degrees below zero.
    """

    any: re.Pattern[str]
    parts: dict[str, re.Pattern[str]]
    below_zero: re.Pattern[str]


@cache
def number_patterns(language: str) -> NumberPatterns:
    """Return the patterns of a language, given its two-letter code."""
    words = load_number_words(language)
    kinds = {"date": rf"(?:{_ISO}|{_SLASHED})(?![\d.])"}
    kinds |= kinds_before_numerals(words, language)
    if language in MYRIAD_LANGUAGES:
        kinds |= _character_kinds(words, language)
    else:
        kinds["clock"] = rf"(?:{_COLON}|{_HOUR})"
        # Not \b, which does not take vowel signs at the end of a word for letters.
        kinds["month"] = rf"(?<!\w)(?:{one_of(words.months)})(?!\w)" if words.months else "(?!)"
        kinds["weekday"] = (
            rf"\b(?:{one_of(words.weekdays)})(?:(?<=day)s)?\b" if words.weekdays else "(?!)"
        )
        kinds["number"] = _number(words, language)
        kinds["spelled"] = _spelled(words)
    kinds |= kinds_after_numerals(words, language)
    # Two kinds may use the same group name, so inner groups get the kind as a prefix.
    union = "|".join(f"(?P<{kind}>{_unnamed(pattern, kind)})" for kind, pattern in kinds.items())
    if language not in MYRIAD_LANGUAGES:
        union = f"{_beginning(words)}(?:{union})"
    flags = re.IGNORECASE
    return NumberPatterns(
        re.compile(union, flags),
        {kind: re.compile(pattern, flags) for kind, pattern in kinds.items()},
        re.compile("below zero|below freezing|sub-zero", flags),
    )


def _beginning(words: NumberWords) -> str:
    """Return a pattern that fits wherever a number may begin, in a language with spaces.

    It fails at most places of a text, and much sooner than the patterns of all kinds.
    """
    tables = (words.cardinals, words.ordinals, words.magnitudes)
    named = [*_FIRST_WORDS, *words.said, *words.months, *words.weekdays, *chain(*tables)]
    rests: dict[str, set[str]] = {}
    for word in named:
        rests.setdefault(word[0], set()).add(word[1:_PREFIX])
    prefixes = [f"{re.escape(one)}(?:{one_of(rest)})" for one, rest in sorted(rests.items())]
    return rf"(?=(?<!\w)(?:[^a-z]|{'|'.join([_FIRST_SIGNS, *prefixes])})|{_INSIDE})"


def _unnamed(pattern: str, kind: str) -> str:
    """Return a pattern with the kind as a prefix of its group names."""
    named = re.sub(r"\(\?P<(\w+)>", rf"(?P<{kind}_\1>", pattern)
    return re.sub(r"\(\?P=(\w+)\)", rf"(?P={kind}_\1)", named)


def _units(words: NumberWords) -> str:
    signs = one_of(words.symbols)
    spelled = one_of(words.unit_words)
    # A sign of letters ends where a word ends; kg/m and 5m² are no words of their own.
    return rf"(?P<unit>(?:{spelled})s?\b|(?:{signs})(?![^\W\d_]))"


def _number(words: NumberWords, language: str) -> str:
    end = "" if language in _UNSPACED else r"(?!\w)"
    magnitudes = (
        rf"(?:\s*-?(?P<magnitude>{one_of(words.magnitudes)}){end})?"
        if words.magnitudes
        else ("(?P<magnitude>(?!))?")
    )
    return (
        rf"(?:(?P<before>{_CURRENCY})\s?)?(?P<minus>(?<![\w)\]])-|minus\s+)?"
        rf"(?P<digits>{decimal_pattern(language)})(?P<parts>\s\d\u2044\d)?(?:\u2044(?P<slash>\d+))?"
        rf"(?:st\b|nd\b|rd\b|th\b|(?P<decade>s\b)|(?P<short>[mk]\b))?{magnitudes}(?:[\s-]?{_units(words)})?"
    )


def _spelled(words: NumberWords) -> str:
    if not words.cardinals:
        return "(?!)"
    one = one_of([*words.cardinals, *words.ordinals, *words.magnitudes])
    # Two hundred and five, but not twenty and five.
    large = "|".join(f"(?<={word})" for word in words.magnitudes)
    joined = rf"(?:{one})\b(?:(?:(?:{large})\s+and\s+|\s+|-)(?:{one})\b)*"
    return (
        rf"\b(?P<minus>minus\s+)?(?:(?P<half>half)\s+an?\s+|an?\s+(?=(?:{one_of(words.magnitudes)})\b))?"
        rf"(?P<words>{joined})(?![\s-](?:{_FRACTIONS})\b)"
        rf"(?P<plus>\s+and\s+a\s+half\b(?:\s+(?P<of>{one_of(words.magnitudes)})\b)?)?"
        rf"(?:[\s-]{_units(words)})?"
    )


def _character_kinds(words: NumberWords, language: str) -> dict[str, str]:
    """Return the kinds of a language with characters for powers of ten."""
    plain, full = _plain_numeral(words, language), _numeral(words, language)
    kinds = {"clock": _character_clock(words, language, plain)}
    # 一周一次 has no Monday.
    before = f"(?<![{''.join(words.digits)}十几每])" if language == "zh" else ""
    kinds["weekday"] = f"{before}(?:{one_of(words.weekdays)})"
    if language in _DIVIDED:
        kinds["fraction"] = rf"(?P<below>{plain}){_DIVIDED[language]}(?P<above>{full})"
    if language == "ja":
        kinds["tenths"] = rf"(?P<tenth>{plain})割(?P<hundredth>{plain})分(?:(?P<rest>{plain})厘)?"
    kinds["kanji"] = _character_number(words, language, full)
    return kinds


def _plain_numeral(words: NumberWords, language: str) -> str:
    signs = "".join([*words.tens, *words.myriads])
    if language == "ko":
        # 3만 5천, but not 3만 2024년.
        blank = rf"(?<=[{''.join(words.myriads)}]) (?=[\d,]+(?![\d,년월일시]))"
        return rf"\d(?:[\d{signs}]|(?<=\d)[,.](?=\d)|{blank})*"
    # One way only to match a run of digits: others take exponential time to fail.
    return rf"(?:[\d{''.join(words.digits)}{signs}]|(?<=\d)[,.](?=\d))+"


def _numeral(words: NumberWords, language: str) -> str:
    plain = _plain_numeral(words, language)
    if language != "zh":
        return plain
    digits = "".join(words.digits)
    # 三点五, 30多万
    point = rf"(?<=[\d{digits}])点(?=[{digits}])"
    vague = rf"(?<=[\d{digits}{''.join(words.tens)}])[多余](?=[万亿])"
    return plain.removesuffix(")+") + rf"|{point}|{vague})+"


def _character_clock(words: NumberWords, language: str, numeral: str) -> str:
    minutes = rf"(?P<min_ja>{numeral}){_MINUTES[language]}"
    parts = rf"(?P<thirty>{_HALVES[language]})|{minutes}"
    if language == "zh":
        parts += "|(?P<quarter>[一三])刻"
    # 三点五 is no hour.
    end = rf"(?P<sure>钟|整|左右)?(?![{''.join(words.digits)}])" if language == "zh" else ""
    return (
        rf"(?:{_COLON}|(?:(?P<half2>{one_of(words.halves)})\s?)?(?P<h2>{numeral})"
        rf"(?P<hour>{_HOURS[language]})(?!{_NO_HOUR[language]})(?:\s?(?:{parts}))?{end})"
    )


def _character_number(words: NumberWords, language: str, numeral: str) -> str:
    spelled = one_of(words.unit_words)
    signs, eras = one_of(words.symbols), one_of(words.eras)
    first = rf"|(?<={eras})元(?=年)" if language != "ko" else ""
    calendar = "".join(words.calendar)
    # 二年半, but not 三月半ば
    before = f"(?<=[{calendar}間分秒月倍])" if language == "ja" else "(?!)"
    plus = rf"(?P<plus>{before}半(?![ばは分数額]))?"
    return (
        rf"(?P<before>{_CURRENCY})?(?P<minus>{_BELOW_ZERO[language]}|(?<![\w)\]])-|{_COLD})?"
        rf"(?P<era>{eras})?(?P<ordinal>第)?(?P<numeral>{numeral}{first})"
        rf"(?:\s?(?P<unit>{spelled}|(?:{signs})(?![a-z]))"
        rf"|(?P<calendar>[{calendar}])(?!{_NO_DATE[language]}))?{plus}"
    )
