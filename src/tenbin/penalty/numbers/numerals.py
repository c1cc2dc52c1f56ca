"""Values of numerals: digits with separators, kanji, English words."""

import re
import unicodedata

from tenbin.penalty.numbers.words import FigureWords

# Languages that write 1,234.5; in others 1.234 may be either, and is read as both.
_POINT_LANGUAGES = frozenset(
    ("bn", "en", "he", "hi", "ja", "ko", "ms", "ta", "te", "th", "ur", "zh")
)
# 1,23,456: the last three digits, then pairs.
_INDIAN = r"\d{1,2}(?:,\d{2})+,\d{3}(?!\d)(?:\.\d+)?"
# 1.000.000: two points are no decimal ones in any language.
_POINTED = r"\d{1,3}(?:\.\d{3}){2,}(?![\d.])"
_GROUP = 3
_LAST_YEAR_HEAD = 21
_HUNDRED = 100


# Signs of Arabic figures that NFKC leaves as they are.
_ARABIC = str.maketrans("\u066b\u066c\u066a", ".,%")


def plain_signs(text: str) -> str:
    """Return a text with digits, fractions and signs in their plainest form.

    >>> plain_signs("②٪")
    '2%'
    """
    # NFKC would make 11/2 of 1½.
    parted = "".join(f" {sign}" if _is_fraction(sign) else sign for sign in text)
    plain = unicodedata.normalize("NFKC", parted).replace("\N{MINUS SIGN}", "-")
    return plain.translate(_ARABIC)


def _is_fraction(sign: str) -> bool:
    return not sign.isascii() and unicodedata.decomposition(sign).startswith("<fraction>")


def decimal_pattern(language: str) -> str:
    """Return the pattern of a number in digits, after NFKC."""
    if language in _POINT_LANGUAGES:
        grouped = r"\d{1,3}(?:[, ]\d{3})+(?!\d)(?:[.]\d+|,\d{1,2}(?!\d))?"
        return rf"{_INDIAN}|{grouped}|{_POINTED}|\d+(?:\.\d+|,\d{{1,2}}(?!\d))?"
    grouped = r"\d{1,3}(?:[ '’.,]\d{3})+(?!\d)(?:[.,]\d+)?"
    return rf"{grouped}|\d+(?:[.,]\d+)?"


def decimal_values(written: str, language: str) -> tuple[float, ...]:
    """Return what a number in digits may mean; more than one value where separators allow it.

    >>> decimal_values("1,234.5", "en"), decimal_values("1.234,5", "de")
    ((1234.5,), (1234.5,))
    >>> decimal_values("1.234", "de")
    (1.234, 1234.0)
    """
    if written.count(".") > 1 and "," not in written:
        return (float(written.replace(".", "")),)
    if language in _POINT_LANGUAGES:
        # 23,96: not a group of three, so the comma of another language.
        value = float(re.sub("[, ]", "", re.sub(r",(\d{1,2})$", r".\1", written)))
        # Systems that translate from German keep its 302.000.
        grouped = re.fullmatch(r"\d{1,3}\.\d{3}", written) is not None
        return (value, value * 1000) if grouped else (value,)
    plain = re.sub("[ '’]", "", written)
    marks = re.findall("[.,]", plain)
    if not marks:
        return (float(plain),)
    *whole, last = re.split("[.,]", plain)
    as_decimal = float("".join(whole) + "." + last)
    as_group = float("".join(whole) + last)
    if len(marks) > 1:
        return (as_group,) if marks[0] == marks[-1] else (as_decimal,)
    return (as_decimal, as_group) if len(last) == _GROUP else (as_decimal,)


def kanji_value(written: str, words: FigureWords) -> float | None:
    """Return the value of a numeral in kanji or hangul, digits or both; None if it is not one.

    >>> from tenbin.penalty.numbers.words import load_figure_words
    >>> words = load_figure_words("ja")
    >>> [kanji_value(one, words) for one in ("三百二十", "二〇二〇", "1億2,000万", "億万")]
    [320.0, 2020.0, 120000000.0, None]
    >>> chinese = load_figure_words("zh")
    >>> [kanji_value(one, chinese) for one in ("三百五", "三百零五", "一点五亿", "30多万")]
    [350.0, 305.0, 150000000.0, 300000.0]
    """
    plain = re.sub("[, 多余]", "", written).replace("点", ".")
    if plain.count(".") > 1:
        return None
    total = section = 0.0
    digits = ""
    power = 0  # of the last sign
    for character in plain:
        if character in words.digits:
            digits += str(words.digits[character])
        elif character.isdecimal() or character == ".":
            digits += character
        elif character in words.tens:
            section += (float(digits) if digits else 1) * words.tens[character]
            digits, power = "", words.tens[character]
        else:
            section += float(digits) if digits else 0
            if not section:
                return None
            total += section * words.myriads[character]
            section, digits, power = 0.0, "", words.myriads[character]
    tail = float(digits) if digits else 0.0
    if words.short_tail and power and plain[-1] in words.digits and len(digits) == 1:
        tail *= power / 10
    return total + section + tail


def english_value(parts: list[str], words: FigureWords) -> float | None:
    """Return the value of a numeral in words; None if they do not make one.

    >>> from tenbin.penalty.numbers.words import load_figure_words
    >>> words = load_figure_words("en")
    >>> english_value(["two", "hundred", "and", "twenty", "first"], words)
    221.0
    >>> english_value(["nineteen", "eighty", "four"], words)
    1984.0
    >>> english_value(["three", "seven"], words) is None
    True
    """
    total = section = 0.0
    last = 0
    for part in parts:
        if part == "and":
            continue
        if part in words.magnitudes:
            factor = words.magnitudes[part]
            if factor == _HUNDRED:
                section = (section or 1) * factor
            else:
                total += (section or 1) * factor
                section = 0.0
            last = factor
            continue
        value = words.cardinals.get(part, words.ordinals.get(part, 0))
        if last and value >= _HUNDRED:  # the hundredth, after a number
            section = (section or 1) * value
        elif not section or section % _HUNDRED == 0 or (_is_ten(section) and 0 < value < 10):  # noqa: PLR2004
            section += value
        elif _LAST_YEAR_HEAD > section >= 10 <= value:  # noqa: PLR2004 - nineteen eighty: a year
            section = section * _HUNDRED + value
        else:
            return None
        last = value
    return total + section


def _is_ten(section: float) -> bool:
    rest = section % _HUNDRED
    return rest >= 20 and rest % 10 == 0  # noqa: PLR2004
