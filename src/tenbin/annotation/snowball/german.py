"""The German Snowball stemmer, before it learned ``-nisse``."""

import re

from tenbin.annotation.snowball.suffixes import Suffixes, regions
from tenbin.resources.stem_suffixes import load_stem_suffixes

_VOWELS = "aeiouyäöü"
_REGION = re.compile(f"[^{_VOWELS}]*[{_VOWELS}]+[^{_VOWELS}]")
_CONSONANT = re.compile(f"(?<=[{_VOWELS}])[uy](?=[{_VOWELS}])")
_BEFORE_S = tuple("bdfghklmnrt")
_BEFORE_ST = tuple("bdfghklmnt")
_LEAST = 3
_FLAT = str.maketrans("YUäöü", "yuaou")

_GROUPS = load_stem_suffixes("de")
_FIRST_ENDS = Suffixes(_GROUPS["first"])
_SECOND_ENDS = Suffixes(_GROUPS["second"])
_THIRD_ENDS = Suffixes(_GROUPS["third"])
_BEFORE_KEIT = Suffixes(["lich", "ig"])


def stem(word: str) -> str:
    """Return the stem of a lower-cased German word.

    >>> stem("häuser"), stem("freundlichkeit"), stem("größte")
    ('haus', 'freundlich', 'grosst')
    """
    word = _with_consonants(word.replace("ß", "ss"))
    if len(word) >= _LEAST:
        r1, r2 = regions(word, _REGION)
        r1 = max(r1, _LEAST)
        word = _without_derivation(_without_case(word, r1), r1, r2)
    return word.translate(_FLAT)


def _with_consonants(word: str) -> str:
    if _CONSONANT.search(word) is None:
        return word
    # A marked letter is no vowel for the next one, so the pass goes letter by letter.
    letters = list(word)
    for place in range(1, len(letters) - 1):
        between = letters[place - 1] in _VOWELS and letters[place + 1] in _VOWELS
        if between and letters[place] in "uy":
            letters[place] = letters[place].upper()
    return "".join(letters)


def _without_case(word: str, r1: int) -> str:
    ending = _FIRST_ENDS.longest(word)
    rest = word[: len(word) - len(ending)]
    if ending and len(rest) >= r1 and (ending != "s" or rest.endswith(_BEFORE_S)):
        word = rest
    ending = _SECOND_ENDS.longest(word)
    rest = word[: len(word) - len(ending)]
    if not ending or len(rest) < r1:
        return word
    stays = ending == "st" and not (rest.endswith(_BEFORE_ST) and len(rest) > _LEAST)
    return word if stays else rest


def _without_derivation(word: str, r1: int, r2: int) -> str:
    ending = _THIRD_ENDS.longest(word)
    rest = word[: len(word) - len(ending)]
    if not ending or len(rest) < r2:
        return word
    if ending in {"ig", "ik", "isch"}:
        return word if rest.endswith("e") else rest
    inner = rest[:-2]
    if ending in {"end", "ung"}:
        gone = rest.endswith("ig") and not inner.endswith("e") and len(inner) >= r2
        return inner if gone else rest
    if ending in {"lich", "heit"}:
        return inner if rest.endswith(("er", "en")) and len(inner) >= r1 else rest
    inner = rest[: len(rest) - len(_BEFORE_KEIT.longest(rest))]
    return inner if len(inner) >= r2 else rest
