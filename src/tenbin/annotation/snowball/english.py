"""The English Snowball stemmer, known as Porter 2."""

import re

from tenbin.annotation.snowball.suffixes import Suffixes, regions
from tenbin.resources.stem_suffixes import load_stem_suffixes

_REGION = re.compile("[^aeiouy]*[aeiouy]+[^aeiouy]")
_LONG_PREFIXES = ("gener", "commun", "arsen")
_VOWEL = re.compile("[aeiouy]")
_SHORT_END = re.compile("(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$")
_Y_END = re.compile("(?<=.)[^aeiouy][yY]$")
_LEAST = 3
_BEFORE_LI = frozenset("cdeghkmnrt")

_GROUPS = load_stem_suffixes("en")
_WHOLE = _GROUPS["whole"]
_FINAL = _GROUPS["final"]
_DOUBLE = _GROUPS["double"]
_SECOND = _GROUPS["second"]
_THIRD = _GROUPS["third"]
_POSSESSIVE_ENDS = Suffixes(_GROUPS["possessive"])
_PLURAL_ENDS = Suffixes(_GROUPS["plural"])
_PAST_ENDS = Suffixes(_GROUPS["past"])
_SECOND_ENDS = Suffixes(_SECOND)
_THIRD_ENDS = Suffixes(_THIRD)
_FOURTH_ENDS = Suffixes(_GROUPS["fourth"])
# Letters at the end of a word that a step may change: most steps have nothing to do.
_PLURAL_LETTERS = _PLURAL_ENDS.last_letters | _POSSESSIVE_ENDS.last_letters
_PAST_LETTERS = _PAST_ENDS.last_letters
_Y_LETTERS = frozenset("yY")
_DERIVED_LETTERS = _SECOND_ENDS.last_letters | _THIRD_ENDS.last_letters | _FOURTH_ENDS.last_letters
# Two letters tell more than one, and no such suffix is shorter.
_SECOND_PAIRS = frozenset(suffix[-2:] for suffix in _SECOND)
_THIRD_PAIRS = frozenset(suffix[-2:] for suffix in _THIRD)
_FOURTH_PAIRS = frozenset(suffix[-2:] for suffix in _GROUPS["fourth"])
_LAST_LETTERS = frozenset("el")
_LETTERS = _PLURAL_LETTERS | _PAST_LETTERS | _Y_LETTERS | _DERIVED_LETTERS | _LAST_LETTERS


def stem(word: str) -> str:
    """Return the stem of a lower-cased English word.

    >>> stem("generalizations"), stem("dying"), stem("scientist's")
    ('general', 'die', 'scientist')
    """
    if len(word) < _LEAST or word in _WHOLE:
        return _WHOLE.get(word, word)
    word = word.removeprefix("'")
    if "y" in word:
        word = _with_consonant_y(word)
    if word[-1] in _LETTERS:
        word = _shortened(word)
    return word.replace("Y", "y")


def _shortened(whole: str) -> str:
    word = _without_plural(whole) if whole[-1] in _PLURAL_LETTERS else whole
    if word in _FINAL:
        return word
    if word[-1:] in _PAST_LETTERS:
        word = _without_past(word, whole)
    if word[-1:] in _Y_LETTERS and _Y_END.search(word):
        word = word[:-1] + "i"
    if word[-1:] in _DERIVED_LETTERS:
        word = _without_derivation(word, whole)
    return _without_e(word, whole) if word[-1:] in _LAST_LETTERS else word


def _regions(whole: str) -> tuple[int, int]:
    """Return where R1 and R2 of a word begin, before anything was cut off."""
    for prefix in _LONG_PREFIXES:
        if whole.startswith(prefix):
            r1 = len(prefix)
            return r1, regions(whole, _REGION, r1)[0]
    return regions(whole, _REGION)


def _with_consonant_y(word: str) -> str:
    # A marked y is no vowel for the next one: 'yy' after a vowel is marked once.
    place = word.find("y")
    while place >= 0:
        if place == 0 or word[place - 1] in "aeiouy":
            word = f"{word[:place]}Y{word[place + 1 :]}"
        place = word.find("y", place + 1)
    return word


def _without_plural(word: str) -> str:
    if "'" in word:
        word = word[: len(word) - len(_POSSESSIVE_ENDS.longest(word))]
    ending = _PLURAL_ENDS.longest(word)
    if ending == "sses":
        return word[:-2]
    if ending in {"ied", "ies"}:
        return word[:-2] if len(word) > len(ending) + 1 else word[:-1]
    if ending == "s" and _VOWEL.search(word, 0, len(word) - 2):
        return word[:-1]
    return word


def _without_past(word: str, whole: str) -> str:
    ending = _PAST_ENDS.longest(word)
    rest = word[: len(word) - len(ending)]
    if ending.startswith("ee"):
        return f"{rest}ee" if len(rest) >= _regions(whole)[0] else word
    if not ending or not _VOWEL.search(rest):
        return word
    if rest[-2:] in _DOUBLE:
        return rest[:-1]
    short = _SHORT_END.search(rest) and len(rest) == _regions(whole)[0]
    return f"{rest}e" if short or rest.endswith(("at", "bl", "iz")) else rest


def _without_derivation(word: str, whole: str) -> str:
    if word[-2:] in _SECOND_PAIRS:
        ending = _SECOND_ENDS.longest(word)
        rest = word[: len(word) - len(ending)]
        if ending and _may_go(ending, rest) and len(rest) >= _regions(whole)[0]:
            word = rest + _SECOND[ending]
    if word[-2:] in _THIRD_PAIRS:
        ending = _THIRD_ENDS.longest(word)
        rest = word[: len(word) - len(ending)]
        if ending and len(rest) >= _regions(whole)[ending == "ative"]:
            word = rest + _THIRD[ending]
    if word[-2:] not in _FOURTH_PAIRS:
        return word
    ending = _FOURTH_ENDS.longest(word)
    rest = word[: len(word) - len(ending)]
    if ending == "ion" and not rest.endswith(("s", "t")):
        return word
    if ending and len(rest) >= _regions(whole)[1]:
        word = rest
    return word


def _without_e(word: str, whole: str) -> str:
    rest = word[:-1]
    if word[-1] == "l" and rest[-1:] != "l":
        return word
    r1, r2 = _regions(whole)
    gone = len(rest) >= r2
    if word[-1] == "e":
        gone = gone or (len(rest) >= r1 and not _SHORT_END.search(rest))
    return rest if gone else word


def _may_go(ending: str, rest: str) -> bool:
    if ending == "ogi":
        return rest.endswith("l")
    return ending != "li" or rest[-1:] in _BEFORE_LI
