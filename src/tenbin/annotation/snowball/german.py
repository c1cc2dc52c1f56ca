"""The German Snowball stemmer, before it learned ``-nisse`` in 2014."""

import re

from tenbin.annotation.snowball.suffixes import Suffixes, regions

_VOWELS = "aeiouyäöü"
_REGION = re.compile(f"[^{_VOWELS}]*[{_VOWELS}]+[^{_VOWELS}]")
_CONSONANT = re.compile(f"(?<=[{_VOWELS}])[uy](?=[{_VOWELS}])")
_BEFORE_S = tuple("bdfghklmnrt")
_BEFORE_ST = tuple("bdfghklmnt")
_LEAST = 3
_FIRST = Suffixes("em ern er e en es s")
_SECOND = Suffixes("en er est st")
_THIRD = Suffixes("end ung ig ik isch lich heit keit")
_FLAT = str.maketrans("YUäöü", "yuaou")


def stem(word: str) -> str:
    """Return the stem of a lower-cased German word.

    >>> stem("häuser"), stem("freundlichkeit"), stem("größte")
    ('haus', 'freundlich', 'grosst')
    """
    word = _marked(word.replace("ß", "ss"))
    if len(word) >= _LEAST:
        r1, r2 = regions(word, _REGION)
        word = _without_case(word, max(r1, _LEAST))
        word = _without_derivation(word, max(r1, _LEAST), r2)
    return word.translate(_FLAT)


def _marked(word: str) -> str:
    # A marked letter is no vowel for the next one, so the pass goes letter by letter.
    if _CONSONANT.search(word) is None:
        return word
    letters = list(word)
    for place in range(1, len(letters) - 1):
        if letters[place] in "uy" and letters[place - 1] in _VOWELS:
            if letters[place + 1] in _VOWELS:
                letters[place] = letters[place].upper()
    return "".join(letters)


def _without_case(word: str, r1: int) -> str:
    ending = _FIRST.longest(word)
    rest = word[: len(word) - len(ending)]
    if ending and len(rest) >= r1 and (ending != "s" or rest.endswith(_BEFORE_S)):
        word = rest
    ending = _SECOND.longest(word)
    rest = word[: len(word) - len(ending)]
    if not ending or len(rest) < r1:
        return word
    if ending == "st" and not (rest.endswith(_BEFORE_ST) and len(rest) > _LEAST):
        return word
    return rest


def _without_derivation(word: str, r1: int, r2: int) -> str:
    ending = _THIRD.longest(word)
    rest = word[: len(word) - len(ending)]
    if not ending or len(rest) < r2:
        return word
    if ending in {"ig", "ik", "isch"}:
        return word if rest.endswith("e") else rest
    if ending in {"end", "ung"}:
        inner = rest[:-2]
        dropped = rest.endswith("ig") and not inner.endswith("e") and len(inner) >= r2
        return inner if dropped else rest
    if ending in {"lich", "heit"}:
        return rest[:-2] if rest.endswith(("er", "en")) and len(rest) - 2 >= r1 else rest
    for inner in ("lich", "ig"):
        if rest.endswith(inner):
            return rest.removesuffix(inner) if len(rest) - len(inner) >= r2 else rest
    return rest
