"""The English Snowball stemmer, known as Porter 2."""

import re

from tenbin.annotation.snowball.suffixes import Suffixes, regions
from tenbin.resources.stem_suffixes import load_stem_suffixes

_REGION = re.compile("[^aeiouy]*[aeiouy]+[^aeiouy]")
_LONG_PREFIX = re.compile("gener|commun|arsen")
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
    prefix = _LONG_PREFIX.match(word)
    if prefix is None:
        r1, r2 = regions(word, _REGION)
    else:
        r1 = prefix.end()
        r2 = regions(word, _REGION, r1)[0]
    word = _without_plural(word)
    if word not in _FINAL:
        word = _without_past(word, r1)
        if _Y_END.search(word):
            word = word[:-1] + "i"
        word = _without_e(_without_derivation(word, r1, r2), r1, r2)
    return word.replace("Y", "y")


def _with_consonant_y(word: str) -> str:
    # A marked y is no vowel for the next one: 'yy' after a vowel is marked once.
    letters = list(word)
    for place, letter in enumerate(letters):
        if letter == "y" and (place == 0 or letters[place - 1] in "aeiouy"):
            letters[place] = "Y"
    return "".join(letters)


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


def _without_past(word: str, r1: int) -> str:
    ending = _PAST_ENDS.longest(word)
    rest = word[: len(word) - len(ending)]
    if ending.startswith("ee"):
        return f"{rest}ee" if len(rest) >= r1 else word
    if not ending or not _VOWEL.search(rest):
        return word
    if rest[-2:] in _DOUBLE:
        return rest[:-1]
    short = len(rest) == r1 and _SHORT_END.search(rest)
    return f"{rest}e" if short or rest.endswith(("at", "bl", "iz")) else rest


def _without_derivation(word: str, r1: int, r2: int) -> str:
    ending = _SECOND_ENDS.longest(word)
    rest = word[: len(word) - len(ending)]
    if ending and len(rest) >= r1 and _may_go(ending, rest):
        word = rest + _SECOND[ending]
    ending = _THIRD_ENDS.longest(word)
    rest = word[: len(word) - len(ending)]
    if ending and len(rest) >= (r2 if ending == "ative" else r1):
        word = rest + _THIRD[ending]
    ending = _FOURTH_ENDS.longest(word)
    rest = word[: len(word) - len(ending)]
    if ending and len(rest) >= r2 and (ending != "ion" or rest.endswith(("s", "t"))):
        word = rest
    return word


def _without_e(word: str, r1: int, r2: int) -> str:
    rest = word[:-1]
    if word.endswith("e"):
        gone = len(rest) >= r2 or (len(rest) >= r1 and not _SHORT_END.search(rest))
        return rest if gone else word
    return rest if word.endswith("ll") and len(rest) >= r2 else word


def _may_go(ending: str, rest: str) -> bool:
    if ending == "ogi":
        return rest.endswith("l")
    return ending != "li" or rest[-1:] in _BEFORE_LI
