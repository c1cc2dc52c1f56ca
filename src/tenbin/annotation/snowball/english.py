"""The English Snowball stemmer, known as Porter 2."""

import re

from tenbin.annotation.snowball.suffixes import Suffixes, regions

_REGION = re.compile("[^aeiouy]*[aeiouy]+[^aeiouy]")
_LONG_PREFIX = re.compile("gener|commun|arsen")
_CONSONANT_Y = re.compile("^y|(?<=[aeiouy])y")
_VOWEL = re.compile("[aeiouy]")
_SHORT_END = re.compile("(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$")
_Y_END = re.compile("(?<=.)[^aeiouy][yY]$")
_LEAST = 3

_WHOLE = {
    "skis": "ski",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "idly": "idl",
    "gently": "gentl",
    "ugly": "ugli",
    "early": "earli",
    "only": "onli",
    "singly": "singl",
} | {word: word for word in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")}
_FINAL = frozenset("inning outing canning herring earring proceed exceed succeed".split())
_POSSESSIVE = Suffixes("' 's 's'")
_PLURAL = Suffixes("sses ied ies s us ss")
_PAST = Suffixes("eed eedly ed edly ing ingly")
_DOUBLE = frozenset("bb dd ff gg mm nn pp rr tt".split())
_STEP_2 = {
    "tional": "tion", "enci": "ence", "anci": "ance", "abli": "able", "entli": "ent",
    "izer": "ize", "ization": "ize", "ational": "ate", "ation": "ate", "ator": "ate",
    "alism": "al", "aliti": "al", "alli": "al", "fulness": "ful", "ousli": "ous",
    "ousness": "ous", "iveness": "ive", "iviti": "ive", "biliti": "ble", "bli": "ble",
    "ogi": "og", "fulli": "ful", "lessli": "less", "li": "",
}  # fmt: skip
_STEP_3 = {
    "tional": "tion", "ational": "ate", "alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic",
    "ful": "", "ness": "", "ative": "",
}  # fmt: skip
_STEP_2_ENDS = Suffixes(_STEP_2)
_STEP_3_ENDS = Suffixes(_STEP_3)
_STEP_4_ENDS = Suffixes(
    "al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion"
)


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
        word = _without_derivation(word, r1, r2)
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
        word = word[: len(word) - len(_POSSESSIVE.longest(word))]
    ending = _PLURAL.longest(word)
    if ending == "sses":
        return word[:-2]
    if ending in {"ied", "ies"}:
        return word[:-2] if len(word) > len(ending) + 1 else word[:-1]
    if ending == "s" and _VOWEL.search(word, 0, len(word) - 2):
        return word[:-1]
    return word


def _without_past(word: str, r1: int) -> str:
    ending = _PAST.longest(word)
    if not ending:
        return word
    rest = word[: len(word) - len(ending)]
    if ending.startswith("ee"):
        return f"{rest}ee" if len(rest) >= r1 else word
    if not _VOWEL.search(rest):
        return word
    if rest.endswith(("at", "bl", "iz")):
        return f"{rest}e"
    if rest[-2:] in _DOUBLE:
        return rest[:-1]
    return f"{rest}e" if len(rest) == r1 and _SHORT_END.search(rest) else rest


def _without_derivation(word: str, r1: int, r2: int) -> str:
    ending = _STEP_2_ENDS.longest(word)
    rest = word[: len(word) - len(ending)]
    if ending and len(rest) >= r1 and _may_go(ending, rest):
        word = rest + _STEP_2[ending]
    ending = _STEP_3_ENDS.longest(word)
    rest = word[: len(word) - len(ending)]
    if ending and len(rest) >= (r2 if ending == "ative" else r1):
        word = rest + _STEP_3[ending]
    ending = _STEP_4_ENDS.longest(word)
    rest = word[: len(word) - len(ending)]
    if ending and len(rest) >= r2 and (ending != "ion" or rest.endswith(("s", "t"))):
        word = rest
    rest = word[:-1]
    if word.endswith("e"):
        if len(rest) >= r2 or (len(rest) >= r1 and not _SHORT_END.search(rest)):
            return rest
    elif word.endswith("ll") and len(rest) >= r2:
        return rest
    return word


def _may_go(ending: str, rest: str) -> bool:
    if ending == "ogi":
        return rest.endswith("l")
    return ending != "li" or rest[-1:] in tuple("cdeghkmnrt")
